/** What the test's page runs: calls of `burraco/web`, whose outcomes it tells as plain values. */

import { moves, RulesError, Table } from "burraco";
import { connect } from "burraco/web";

declare global {
  interface Window {
    play(edge: string, seatToken: string, state: number[]): Promise<{ hand: number; legal: string; revision: string }>;
    fail(edge: string, seatToken: string, state: number[], seat: number): Promise<Told>;
    list(edge: string): Promise<Told>;
    cancel(edge: string): Promise<Told>;
    refuse(edge: string, seatToken: string, state: number[]): Promise<string[]>;
  }
}

/** All of an error that a page can read. */
export interface Told {
  readonly isOurs: boolean;
  readonly name: string;
  readonly code?: number;
  readonly reason?: number;
  readonly fields?: readonly string[];
  readonly message: string;
  readonly transient?: boolean;
}

window.play = async (edge, seatToken, state) => {
  const table = await Table.resume(connect(edge, { seatToken }), Uint8Array.from(state), 0);
  const hand = (await table.view(0)).seats[0]?.hand.length ?? 0;
  const listed = await table.legal(0);
  const legal = Array.from(moves.expand(listed), moves.describe).join(", ");
  await table.play(0, moves.draw());
  return { hand, legal, revision: String(table.revision) };
};

window.fail = async (edge, seatToken, state, seat) => {
  const client = connect(edge, { seatToken });
  return await failure(client.game.applyMoves({ state: Uint8Array.from(state), seat, moves: [moves.draw()] }));
};

/** Why a discard before the draw is illegal: in Italian, in Polish, and in the browser's own language. */
window.refuse = async (edge, seatToken, state) => {
  const italian = connect(edge, { seatToken, language: "it" });
  const told = [italian, italian.inLanguage("pl"), italian.inLanguage(undefined)].map(async (client) => {
    const table = await Table.resume(client, Uint8Array.from(state), 0);
    return (await table.check(0, moves.discard("JK")))[0]?.text ?? "";
  });
  return await Promise.all(told);
};

window.list = async (edge) => await failure(connect(edge).game.listPresets({}));

/** A call that the page gives up before it is answered. */
window.cancel = async (edge) => {
  const giving = new AbortController();
  const told = failure(connect(edge).game.listPresets({}, { signal: giving.signal }));
  giving.abort();
  return await told;
};

async function failure(call: Promise<unknown>): Promise<Told> {
  try {
    await call;
    throw new Error("the call was to fail");
  } catch (error) {
    if (error instanceof RulesError) {
      const { name, code, reason, message, transient } = error;
      return { isOurs: true, name, code, reason, message, transient, fields: error.fields.map(({ field }) => field) };
    }
    return { isOurs: false, name: "other", message: String(error) };
  }
}
