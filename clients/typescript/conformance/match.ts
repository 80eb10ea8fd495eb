/** One match of Burraco from a given seed, by the hand-written layer, with the refusals that it has to tell. */

import { Code } from "@connectrpc/connect";
import { type Client, IllegalMove, moves, RulesError, Table } from "burraco";
import { Phase, Preset, Reason } from "burraco/v1";

import { choose } from "../examples/player.js";

const SEED = new Uint8Array(32).fill(7);
/** More than any match takes; a match that never ends is a failure. */
const MOST_MOVES = 20_000;

/** Plays the match, and tells how it ended. */
export async function playMatch(client: Client): Promise<string> {
  const table = await Table.create(client, {
    preset: Preset.ITALIAN,
    seedSource: { case: "givenSeed", value: SEED },
    seating: { case: "givenSeats", value: { dealer: 3 } },
  });
  await checkRefusals(table);
  for (let played = 0; table.phase !== Phase.MATCH_OVER; played++) {
    if (played >= MOST_MOVES) {
      throw new Error(`the match goes on after ${MOST_MOVES} moves`);
    }
    const seat = table.turn ?? 0;
    const legal = await table.legal(seat);
    const all = [...moves.expand(legal)];
    if (BigInt(all.length) !== legal.count) {
      throw new Error(`the list stands for ${legal.count} moves, and expands to ${all.length}`);
    }
    await table.play(seat, choose(legal, table.revision));
  }
  const { result } = await table.score();
  if (result === undefined) {
    throw new Error("the match is over and has no result");
  }
  return `revision ${table.revision}, points ${result.matchPoints.join(" : ")}, won by ${result.winningSides.join(", ")}`;
}

/** A refused move and a failed call come as the types of this language, and change nothing. */
async function checkRefusals(table: Table): Promise<void> {
  const seat = table.turn ?? 0;
  const { revision, state } = table;
  const illegal = await failureOf(table.play(seat, moves.discard("JK")));
  if (!(illegal instanceof IllegalMove) || illegal.reasons.length === 0 || !illegal.message.includes("(B4-")) {
    throw new Error(`a refused move is an IllegalMove with reasons and rules, not ${String(illegal)}`);
  }
  const request = { state, seat, moves: [moves.draw()], expectedRevision: revision + 1n };
  const stale = await failureOf(table.client.game.applyMoves(request));
  if (!(stale instanceof RulesError) || stale.code !== Code.Aborted || stale.reason !== Reason.REVISION_MISMATCH) {
    throw new Error(`a stale revision is a RulesError with ABORTED and its reason, not ${String(stale)}`);
  }
  if (table.revision !== revision || table.state !== state) {
    throw new Error("a refusal changed the table");
  }
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (failure) {
    return failure;
  }
  throw new Error("the call was to fail, and did not");
}
