/** The back end of the example for browsers: a whole match through it, and what it refuses. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { type JsonValue, toJson } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { type Client, moves } from "burraco";
import { connect } from "burraco/node";
import { type Move, MoveSchema, Phase } from "burraco/v1";

import type { Place, Refusal, Standing } from "../examples/browser/api.js";
import { BackEnd } from "../examples/browser/back_end.js";
import { choose } from "../examples/player.js";
import { API_KEY, noService, type Service, startService } from "./service.js";

const json = (...made: Move[]): JsonValue[] => made.map((move) => toJson(MoveSchema, move));

describe("the back end of the example for browsers", { skip: noService }, () => {
  let service: Service;
  let client: Client;
  let backEnd: BackEnd;

  before(async () => {
    service = await startService();
    client = connect(service.target, { apiKey: API_KEY, timeoutMs: 20_000 });
    backEnd = new BackEnd(client, "http://edge.test", { thinkMs: 0 });
  });
  after(async () => {
    backEnd.close();
    client.close();
    await service.close();
  });

  const standing = async ({ match, token }: Place, revision?: bigint): Promise<Standing> => {
    const found = await backEnd.standing(match, token, revision);
    assert.ok("state" in found, JSON.stringify(found));
    return found;
  };

  const draw = async ({ match, token }: Place, revision: string): Promise<{ revision: string } | Refusal> =>
    await backEnd.play(match, token, { revision, moves: json(moves.draw()) });

  test("a match is played to its end, deal after deal, by a seat's token alone", async () => {
    const place = await backEnd.create();
    const seat = client.asSeat(place.token);
    const viewer = { who: { case: "seat" as const, value: place.seat } };
    let now = await standing(place);
    let deals = 0;
    for (;;) {
      const state = base64Decode(now.state);
      const { view } = await seat.game.getView({ state, viewer });
      assert.ok(view);
      deals = view.dealNumber;
      if (view.phase === Phase.MATCH_OVER) {
        break;
      }
      if (view.turn === place.seat || view.phase === Phase.DEAL_OVER) {
        const { legalMoves } = await seat.game.listLegalMoves({ state, seat: place.seat });
        assert.ok(legalMoves);
        const made = json(choose(legalMoves, BigInt(now.revision)));
        const answer = await backEnd.play(place.match, place.token, { revision: now.revision, moves: made });
        assert.ok("revision" in answer, JSON.stringify(answer));
        now = await standing(place);
      } else {
        now = await standing(place, BigInt(now.revision));
      }
    }
    assert.ok(deals >= 2, `${deals} deals`);
    assert.ok(now.events.length > 0 && now.events.length <= 40);
    assert.match(JSON.stringify(now.events), /matchEnded/);
  });

  test("of two moves from one revision, one counts", async () => {
    const place = await backEnd.create();
    const { revision } = await standing(place);
    const answers = await Promise.all([draw(place, revision), draw(place, revision), draw(place, revision)]);
    assert.equal(answers.filter((each) => "revision" in each).length, 1);
    assert.equal(answers.filter((each) => "kind" in each && each.kind === "stale").length, 2);
    assert.equal(BigInt((await standing(place)).revision), BigInt(revision) + 1n);
  });

  test("an illegal move is refused in words of the player's language, and nothing has changed", async () => {
    const place = await backEnd.create();
    const before = await standing(place);
    const play = { revision: before.revision, moves: json(moves.meld("JK JK JK")) };
    for (const [language, said] of [
      ["it-IT, it", /^Prima pesca/],
      [undefined, /^Draw from/],
    ] as const) {
      const refused = await backEnd.play(place.match, place.token, play, language);
      assert.ok("kind" in refused && refused.kind === "illegal", JSON.stringify(refused));
      assert.match(refused.texts[0] ?? "", said);
    }
    assert.deepEqual(await standing(place), before);
  });

  test("who shows no token of the match gets nothing of it, and moves nothing", async () => {
    const [place, other] = [await backEnd.create(), await backEnd.create()];
    const { revision } = await standing(place);
    for (const token of ["", "bst1_forged", other.token]) {
      const stranger = { ...place, token };
      const shown = await backEnd.standing(place.match, token, undefined);
      assert.ok("kind" in shown && shown.kind === "failed", JSON.stringify(shown));
      const moved = await draw(stranger, revision);
      assert.ok("kind" in moved && moved.kind === "failed", JSON.stringify(moved));
    }
    assert.equal((await standing(place)).revision, revision);
  });

  test("a match that is not there is no match", async () => {
    const place = await backEnd.create();
    const answer = await backEnd.standing("no-such-match", place.token, undefined);
    assert.ok("kind" in answer && answer.kind === "failed");
    assert.match(answer.texts.join(), /no such match here/);
  });
});
