/** A table on a service of the test's own: answers that lack a part, and requests that a caller fills in further. */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

import { Code, type ServiceImpl } from "@connectrpc/connect";
import { type CreateOptions, moves, type PlayOptions, RulesError, Table } from "burraco";
import { connect } from "burraco/node";
import { type ApplyMovesRequest, type GameService, Phase, Preset, Reason } from "burraco/v1";

import { fakeService } from "./fake.js";

type Answers = Partial<ServiceImpl<typeof GameService>>;

const STATE = Uint8Array.of(1, 2, 3);
const ACCEPTED = { state: Uint8Array.of(4), revision: 8n, phase: Phase.PLAY };

/** A table at revision 7, on a service that answers what the test says. */
async function tableOn(context: TestContext, answers: Answers): Promise<Table> {
  const view = { revision: 7n, phase: Phase.DRAW, turn: 1 };
  const service = await fakeService({ getView: () => ({ view }), ...answers });
  const client = connect(service.target);
  context.after(async () => {
    client.close();
    await service.close();
  });
  return await Table.resume(client, STATE);
}

async function assertLacking(call: Promise<unknown>, part: string): Promise<void> {
  await assert.rejects(call, (failure) => {
    assert.ok(failure instanceof RulesError, String(failure));
    assert.equal(failure.code, Code.Unknown);
    assert.equal(failure.transient, false);
    assert.equal(failure.rawMessage, `the service answered without ${part}: is this client older than the service?`);
    return true;
  });
}

test("a list of legal moves that was not sent is an error, and no empty list", async (context) => {
  const table = await tableOn(context, {
    listLegalMoves: () => ({}),
    applyMoves: () => ({ outcome: { case: "accepted", value: { ...ACCEPTED, turn: 2 } } }),
  });
  await assertLacking(table.legal(1), "the list of legal moves");
  await assertLacking(table.play(1, moves.draw(), { listLegalMoves: true }), "the list of legal moves");
  assert.deepEqual([table.state, table.revision], [STATE, 7n]);
  await table.play(1, moves.draw());
  assert.equal(table.revision, 8n);
});

test("where nobody is to move, there is no list of moves to send", async (context) => {
  const over = { ...ACCEPTED, phase: Phase.DEAL_OVER };
  const table = await tableOn(context, { applyMoves: () => ({ outcome: { case: "accepted", value: over } }) });
  await table.play(1, moves.draw(), { listLegalMoves: true });
  assert.deepEqual([table.phase, table.turn], [Phase.DEAL_OVER, undefined]);
});

test("an answer without a view or an outcome is an error, and changes nothing", async (context) => {
  let asked = 0;
  const table = await tableOn(context, {
    createMatch: () => ({ state: STATE }),
    getView: () => (asked++ === 0 ? { view: { revision: 7n } } : {}),
    applyMoves: () => ({}),
  });
  await assertLacking(Table.create(table.client), "a view of the match");
  await assertLacking(Table.resume(table.client, STATE), "a view");
  await assertLacking(table.view(), "a view");
  await assertLacking(table.play(1, moves.draw()), "an outcome of the moves");
  assert.deepEqual([table.state, table.revision], [STATE, 7n]);
});

test("a state, a token or a verdict that was not sent is an error, and changes nothing", async (context) => {
  const table = await tableOn(context, {
    createMatch: () => ({ updates: [{ view: { revision: 0n } }] }),
    applyMoves: () => ({ outcome: { case: "accepted", value: { revision: 8n } } }),
    checkMoves: () => ({}),
    scoreDeal: () => ({}),
    issueSeatToken: ({ revoke }) => (revoke ? { seatToken: "t", revision: 8n } : { state: STATE }),
  });
  await assertLacking(Table.create(table.client), "a state");
  await assertLacking(table.play(1, moves.draw()), "a state");
  await assertLacking(table.check(1, moves.draw()), "the violations of an illegal move");
  await assertLacking(table.score(), "a score sheet");
  await assertLacking(table.issueSeatToken(1, { revoke: true }), "a state");
  await assertLacking(table.issueSeatToken(1), "a seat token");
  assert.deepEqual([table.state, table.revision], [STATE, 7n]);
});

test("of two changes from one state the first to be answered stands, and no later one undoes it", async (context) => {
  let answer: () => void = () => undefined;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const table = await tableOn(context, {
    applyMoves: async ({ seat, expectedRevision = 0n }) => {
      await (seat === 1 ? late : undefined);
      return {
        outcome: {
          case: "accepted",
          value: { ...ACCEPTED, state: Uint8Array.of(seat), revision: expectedRevision + 1n },
        },
      };
    },
    issueSeatToken: async ({ state, revoke }) => {
      await late;
      return { seatToken: "t", state: revoke ? Uint8Array.of(5) : state, revision: revoke ? 8n : 7n };
    },
  });
  const [played, revoked] = [table.play(1, moves.draw()), table.issueSeatToken(1, { revoke: true })];
  const renewed = table.issueSeatToken(1);
  await table.play(2, moves.draw());
  await table.play(3, moves.draw());
  answer();
  for (const change of [played, revoked]) {
    await assert.rejects(change, (failure) => {
      assert.ok(failure instanceof RulesError, String(failure));
      assert.deepEqual([failure.code, failure.reason], [Code.Aborted, Reason.REVISION_MISMATCH]);
      assert.deepEqual(failure.arguments, { expected: "7", actual: "9" });
      return true;
    });
  }
  assert.equal((await renewed).seatToken, "t");
  assert.deepEqual([table.state, table.revision], [Uint8Array.of(3), 9n]);
});

test("what a caller fills in further replaces nothing of the table's own", async (context) => {
  const seen: ApplyMovesRequest[] = [];
  const asked: unknown[] = [];
  const table = await tableOn(context, {
    createMatch: ({ rules }) => {
      asked.push(rules?.preset);
      return { state: STATE, updates: [{ view: { revision: 0n } }] };
    },
    applyMoves: (request) => {
      seen.push(request);
      return { outcome: { case: "accepted", value: ACCEPTED } };
    },
    listLegalMoves: ({ state, seat }) => {
      asked.push([...state], seat);
      return { legalMoves: {} };
    },
  });
  // Types do not let this pass; a program without them can do it, or one that hands on a whole request.
  const foreign = { state: Uint8Array.of(9), seat: 3, moves: [], expectedRevision: 99n, rules: {} };
  await table.play(1, moves.draw(), { ...foreign, viewers: [0] } as PlayOptions);
  const [request] = seen;
  assert.deepEqual([request?.state, request?.seat, request?.expectedRevision], [STATE, 1, 7n]);
  assert.deepEqual(request?.moves, [moves.draw()]);
  assert.equal(request?.viewers.length, 1);
  await table.legal(2, foreign as object);
  await Table.create(table.client, foreign as CreateOptions);
  assert.deepEqual(asked, [[...ACCEPTED.state], 2, Preset.ITALIAN]);
});
