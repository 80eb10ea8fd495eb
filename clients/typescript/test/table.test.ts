/** A table on the real service. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { Code } from "@connectrpc/connect";
import { type Client, IllegalMove, moves, RulesError, Table } from "burraco";
import { connect } from "burraco/node";
import { DealEnd, MoveKind, Phase, Preset, Reason } from "burraco/v1";

import { choose } from "../examples/player.js";
import { API_KEY, noService, type Service, startService } from "./service.js";

const SEED = new Uint8Array(32);

describe("a table on the real service", { skip: noService }, () => {
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

  const create = async (): Promise<Table> =>
    await Table.create(client, {
      seedSource: { case: "givenSeed", value: SEED },
      seating: { case: "givenSeats", value: { dealer: 3 } },
    });

  test("a match is made, played, kept and gone on with", async () => {
    const table = await create();
    assert.deepEqual([table.turn, table.phase, table.revision], [0, Phase.DRAW, 0n]);
    assert.equal(table.seatTokens.length, 4);
    assert.equal(table.updates.length, 4);
    const accepted = await table.play(0, moves.draw(), { viewers: [0, "spectator"], listLegalMoves: true });
    assert.deepEqual([table.revision, table.phase], [1n, Phase.PLAY]);
    assert.deepEqual(
      table.updates.map((update) => update.viewer?.who.case),
      ["seat", "spectator"],
    );
    assert.equal(
      BigInt([...moves.expand(accepted.legalMoves ?? (await table.legal(0)))].length),
      accepted.legalMoves?.count,
    );
    const again = await Table.resume(client, table.state);
    assert.deepEqual([again.revision, again.phase, again.turn], [1n, Phase.PLAY, 0]);
    assert.equal((await again.view(0)).seats[0]?.hand.length, 12);
    assert.equal((await again.view()).seats[0]?.hand.length, 0);
    for (let maxMoves = 1; maxMoves < Number(accepted.legalMoves?.count); maxMoves++) {
      const listed = await again.legal(0, { maxMoves });
      assert.equal(listed.truncated, true);
      assert.equal(BigInt([...moves.expand(listed)].length), listed.count);
    }
  });

  test("a refusal is an IllegalMove with everything wrong, and changes nothing", async () => {
    const table = await create();
    const { state, revision } = table;
    await assert.rejects(table.play(0, moves.meld("JK JK JK")), (failure) => {
      assert.ok(failure instanceof IllegalMove);
      assert.ok(failure.reasons.includes(Reason.MUST_DRAW_FIRST), failure.message);
      return true;
    });
    const found = await table.check(0, [moves.meld("JK JK JK")]);
    assert.ok(found.length > 0);
    assert.deepEqual(await table.check(0, moves.draw()), []);
    assert.deepEqual([table.state, table.revision], [state, revision]);
  });

  test("what is wrong with a move is said in the client's language, and a derived client leaves its own alone", async () => {
    const table = await create();
    const italian = await Table.resume(client.inLanguage("it"), table.state);
    const texts = async (asked: Table): Promise<string[]> =>
      (await asked.check(0, moves.discard("JK"))).map(({ text }) => text);
    assert.ok((await texts(italian)).includes("Prima pesca dal tallone o prendi dagli scarti."));
    await assert.rejects(italian.play(0, moves.discard("JK")), { name: "IllegalMove", message: /^Prima pesca/ });
    assert.ok((await texts(table)).includes("Draw from the stock or take the pile first."));
    const seat = client.inLanguage("it").asSeat(table.seatTokens[0] ?? "");
    assert.deepEqual(await texts(await Table.resume(seat, table.state, 0)), await texts(italian));
    const connected = connect(service.target, { apiKey: API_KEY, language: "de, pl;q=0.5" });
    const polish = await Table.resume(connected, table.state);
    assert.match((await texts(polish)).join(), /Najpierw dobierz/);
    connected.close();
  });

  test("a failed call tells code, reason, arguments and fields, and changes nothing", async () => {
    const table = await create();
    const { state } = table;
    await assert.rejects(table.play(9, moves.draw()), (failure) => {
      assert.ok(failure instanceof RulesError);
      assert.equal(failure.code, Code.InvalidArgument);
      assert.notEqual(failure.reason, Reason.UNSPECIFIED);
      assert.equal(failure.fields[0]?.field, "seat");
      assert.equal(failure.fields[0]?.reason, failure.reason);
      return true;
    });
    assert.equal(table.state, state);
  });

  test("two who play from one state: the second is told", async () => {
    const table = await create();
    const late = client.game.applyMoves({ state: table.state, seat: 0, moves: [moves.draw()], expectedRevision: 7n });
    await assert.rejects(late, (failure) => {
      assert.ok(failure instanceof RulesError);
      assert.deepEqual([failure.code, failure.reason], [Code.Aborted, Reason.REVISION_MISMATCH]);
      assert.ok(Object.keys(failure.arguments).length > 0);
      return true;
    });
  });

  test("a seat's client is that seat alone, and its tokens can be revoked", async () => {
    const table = await create();
    const seat = await Table.resume(client.asSeat(table.seatTokens[0] ?? ""), table.state, 0);
    assert.equal((await seat.view(0)).seats[0]?.hand.length, 11);
    await assert.rejects(seat.view(1), { code: Code.PermissionDenied, reason: Reason.SEAT_TOKEN_OF_OTHER_SEAT });
    await assert.rejects(seat.view(), { code: Code.PermissionDenied });
    const renewed = await table.issueSeatToken(0, { revoke: true, lifetimeSeconds: 60 });
    assert.equal(table.revision, 1n);
    const old = Table.resume(client.asSeat(table.seatTokens[0] ?? ""), table.state, 0);
    await assert.rejects(old, { code: Code.Unauthenticated, reason: Reason.SEAT_TOKEN_REVOKED });
    await Table.resume(client.asSeat(renewed.seatToken), table.state, 0);
  });

  test("who shows nothing is nobody", async () => {
    const nobody = connect(service.target);
    const call = nobody.game.listPresets({});
    await assert.rejects(call, { code: Code.Unauthenticated, reason: Reason.CALLER_NOT_KNOWN });
    nobody.close();
  });

  test("a deal is played, counted and followed by another, with options of the caller's", async () => {
    const table = await Table.create(client, {
      preset: Preset.GIN,
      options: { case: "gin", value: { target: 500 } },
      requestId: "deal",
    });
    while (table.phase !== Phase.DEAL_OVER) {
      const legal = await table.legal(table.turn ?? 0);
      const knock = legal.groups.find((group) => group.kind === MoveKind.KNOCK);
      const [first] = knock ? moves.expandGroup(knock) : [];
      const pass = legal.simple.includes(MoveKind.PASS_UPCARD) ? moves.passUpcard() : undefined;
      await table.play(table.turn ?? 0, first ?? pass ?? choose(legal, table.revision));
    }
    assert.notEqual((await table.view()).dealEnd, DealEnd.UNSPECIFIED);
    await table.nextDeal();
    assert.equal((await table.view("spectator", { includeRules: true })).rules?.game.case, "gin");
    assert.equal((await table.view()).dealNumber, 2);
  });

  test("moves of a stream are answered in order, and one that fails does not end it", async () => {
    const table = await create();
    const request = { state: table.state, seat: 0, moves: [moves.draw()] };
    async function* requests() {
      yield { correlationId: "first", request };
      yield { correlationId: "second", request: { ...request, seat: 9 } };
      yield { correlationId: "third", request };
    }
    const seen: string[] = [];
    for await (const { correlationId, outcome } of client.game.streamApplyMoves(requests())) {
      seen.push(`${correlationId} ${outcome.case}`);
    }
    assert.deepEqual(seen, ["first response", "second status", "third response"]);
  });
});
