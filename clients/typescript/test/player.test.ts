/** The player of the examples: it goes on while any move is legal, in every game. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { create } from "@bufbuild/protobuf";
import { type Client, moves, type Options, Table } from "burraco";
import { connect } from "burraco/node";
import { LegalMovesSchema, MoveKind, Phase, Preset, VictoryPoints } from "burraco/v1";

import { choose } from "../examples/player.js";
import { API_KEY, noService, type Service, startService } from "./service.js";

test("it makes any other move where it knows no better, and gives up last of all", () => {
  const chosen = (...simple: MoveKind[]): string =>
    moves.describe(choose(create(LegalMovesSchema, { simple, count: BigInt(simple.length) }), 1n));
  for (const [kind, said] of [
    [MoveKind.PASS_UPCARD, "pass upcard"],
    [MoveKind.DECLARE_STALEMATE, "declare stalemate"],
    [MoveKind.TAKE_PILE, "take pile"],
    [MoveKind.TIME_OUT_TURN, "time out turn"],
  ] as const) {
    assert.equal(chosen(MoveKind.RESIGN, kind), said);
  }
  assert.equal(chosen(MoveKind.RESIGN), "resign");
  assert.throws(() => chosen(), /no move is open/);
});

/** One deal of Burraco; of the others a match that few points end. */
const ONE_DEAL: Options = {
  case: "burraco",
  value: { dealsPerMatch: 1, target: 0, victoryPoints: VictoryPoints.NONE },
};
const SHORT: Readonly<Record<Exclude<Preset, Preset.UNSPECIFIED>, Options>> = {
  [Preset.ITALIAN]: ONE_DEAL,
  [Preset.FIBUR]: ONE_DEAL,
  [Preset.TWO_PLAYER]: ONE_DEAL,
  [Preset.THREE_PLAYER]: ONE_DEAL,
  [Preset.INTERNATIONAL]: ONE_DEAL,
  [Preset.REALE]: ONE_DEAL,
  [Preset.RAMINO]: { case: "ramino", value: { limit: 20 } },
  [Preset.GIN]: { case: "gin", value: { target: 10 } },
  [Preset.SCALA_40]: { case: "scala40", value: { limit: 20 } },
  [Preset.SCALA_40_FISCA]: { case: "scala40", value: { limit: 20 } },
};
const MATCHES = 3;
/** For two the stock runs out now and then, and what is left is the pile. */
const MATCHES_FOR_TWO = 10;

describe("the player of the examples on the real service", { skip: noService }, () => {
  let service: Service;
  let client: Client;

  before(async () => {
    service = await startService();
    client = connect(service.target, { apiKey: API_KEY, timeoutMs: 20_000 });
  });
  after(async () => {
    client.close();
    await service.close();
  });

  /** Plays a match to its end, and tells the kinds of its moves. */
  const play = async (preset: Preset, seed: number, options: Options): Promise<ReadonlySet<string>> => {
    const seedSource = { case: "givenSeed" as const, value: new Uint8Array(32).fill(seed) };
    const table = await Table.create(client, { preset, options, seedSource });
    const kinds = new Set<string>();
    let legal = await table.legal(table.turn ?? 0);
    while (table.phase !== Phase.MATCH_OVER) {
      moves.expand(legal); // every list of every game is one that this client knows
      const move = choose(legal, table.revision);
      kinds.add(String(move.kind.case));
      const accepted = await table.play(table.turn ?? 0, move, { listLegalMoves: true });
      legal = accepted.legalMoves ?? (await table.legal(0));
    }
    return kinds;
  };

  for (const [preset, options] of Object.entries(SHORT).map(([number, value]) => [Number(number), value] as const)) {
    test(`it plays matches to their end: ${Preset[preset]}`, async () => {
      const matches = preset === Preset.TWO_PLAYER ? MATCHES_FOR_TWO : MATCHES;
      for (let seed = 0; seed < matches; seed++) {
        const kinds = await play(preset, seed, options);
        assert.ok(!kinds.has("resign"), `match ${seed} was given up`);
        assert.ok(kinds.has("drawStock"), `match ${seed} had ${[...kinds].join()}`);
      }
    });
  }
});
