/** The example for browsers, as a player uses it: by buttons that have names, to the end of a match. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";

import { base64Decode } from "@bufbuild/protobuf/wire";
import { type Client, type CreateOptions, cards, Table } from "burraco";
import { connect } from "burraco/node";
import { type Card, HandOrder, type LegalMoves, type Move, Phase, type View } from "burraco/v1";
import type { Page, Request } from "playwright-core";

import type { Place } from "../examples/browser/api.js";
import { BackEnd } from "../examples/browser/back_end.js";
import { serve } from "../examples/browser/server.js";
import { whatNow } from "../examples/browser/words.js";
import { choose } from "../examples/player.js";
import type { Pages } from "../scripts/pages.js";
import { API_KEY } from "./service.js";
import { noPage, type Stack, startStack } from "./stack.js";

const SEAT = 0;
const TURNS = 3;
/** A match of two deals, the same each time, in which the pile is taken too. */
const MATCH: CreateOptions = {
  options: { case: "burraco", value: { dealsPerMatch: 2, target: 0 } },
  seedSource: { case: "givenSeed", value: new Uint8Array(32).fill(55) },
};

describe("the example for browsers", { skip: noPage }, () => {
  let stack: Stack;
  let client: Client;
  let backEnd: BackEnd;
  let pages: Pages;
  let page: Page;
  const asked: { url: string; body: string | null; token: string | undefined }[] = [];
  const problems: string[] = [];

  before(async () => {
    stack = await startStack();
    client = connect(stack.service.target, { apiKey: API_KEY });
    backEnd = new BackEnd(client, stack.edge.web, { thinkMs: 0, match: MATCH });
    pages = await serve(backEnd, stack.edge.web, stack.port);
    page = await stack.browser.newPage({ viewport: { width: 1000, height: 1100 } });
    page.on("pageerror", (failure) => problems.push(failure.message));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("request", (request) => {
      asked.push({ url: request.url(), body: request.postData(), token: request.headers()["burraco-seat-token"] });
    });
    await page.goto(stack.origin);
  });
  after(async () => {
    backEnd.close();
    await pages.close();
    client.close();
    await stack.close();
  });

  const your = async (phase: RegExp): Promise<void> => {
    await page.getByRole("status").filter({ hasText: phase }).waitFor({ timeout: 20_000 });
  };

  /** The match as its seat sees it, asked beside the page; with `after`, when it is at another revision. */
  const look = async (after?: bigint): Promise<{ view: View; legal: LegalMoves }> => {
    const { match, token } = JSON.parse(await page.evaluate(() => sessionStorage.getItem("place") ?? "")) as Place;
    const standing = await backEnd.standing(match, token, after);
    assert.ok("state" in standing, JSON.stringify(standing));
    const table = await Table.resume(client.asSeat(token), base64Decode(standing.state), SEAT);
    const [view, legal] = await Promise.all([table.view(SEAT, { handOrder: HandOrder.SUIT_FIRST }), table.legal(SEAT)]);
    return { view, legal };
  };

  /** Waits until the page shows a view: each move changes what is to be done, or the hand. */
  const shows = async (view: View): Promise<void> => {
    await page.waitForFunction(
      ([status, count]) =>
        document.querySelector("#status")?.textContent === status &&
        document.querySelectorAll("#hand button").length === count,
      [whatNow(view, SEAT), view.seats[SEAT]?.hand.length] as const,
      { timeout: 20_000 },
    );
  };

  /** Makes a move by the buttons of the page. */
  const press = async ({ kind }: Move, view: View): Promise<void> => {
    const click = async (name: string | RegExp): Promise<void> =>
      await page.getByRole("button", { name }).first().click();
    const pick = async (chosen: readonly Card[]): Promise<void> => {
      const hand: (Card | undefined)[] = [...(view.seats[SEAT]?.hand ?? [])];
      for (const card of chosen) {
        const place = hand.indexOf(card);
        hand[place] = undefined;
        await page.locator("#hand button").nth(place).click();
      }
    };
    switch (kind.case) {
      case "drawStock":
        return await click(/^Draw/);
      case "takePile":
        return await click("Take the pile");
      case "nextDeal":
        return await click("Next deal");
      case "meld":
        await pick(kind.value.cards);
        return await click("Lay the chosen cards");
      case "layOff": {
        await pick(kind.value.cards);
        const meld = view.melds.find(({ meldId }) => meldId === kind.value.meldId);
        return await click(new RegExp(`^Add the chosen cards to .* ${cards.text(meld?.cards ?? [])}$`));
      }
      case "discard":
        await pick([kind.value.card]);
        return await click("Discard the chosen card");
      default:
        assert.fail(`the page has no button for ${kind.case}`);
    }
  };

  test("shows the player's hand, and nobody else's", async () => {
    await your(/^Your turn: draw|^The other player/);
    const hand = page.getByRole("list", { name: /^Your cards/ }).getByRole("button");
    assert.equal(await hand.count(), 13);
    await page
      .getByRole("button", { name: /^(joker|[a-z]+ of (spades|hearts|diamonds|clubs))$/ })
      .first()
      .waitFor();
    assert.equal(await page.locator("#their-hand").textContent(), "13 cards in hand.");
  });

  test("keeps what is chosen while it looks again at what has not changed", { timeout: 60_000 }, async () => {
    await your(/^Your turn: draw/);
    // After a move it looks twice: once for itself, once since it follows the match. The second look is made a late one.
    let looks = 0;
    const second = new Promise<Request>((resolve) => {
      void page.route(/GetView$/, async (route) => {
        looks += 1;
        if (looks === 2) {
          resolve(route.request());
          await wait(500);
        }
        await route.continue();
      });
    });
    await page.getByRole("button", { name: /^Draw/ }).click();
    await your(/^Your turn: lay/);
    const card = page.locator("#hand button").first();
    await card.click();
    await (await (await second).response())?.finished();
    await wait(100);
    assert.equal(await card.getAttribute("aria-pressed"), "true");
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Discard the chosen card" }).click();
  });

  test("is played by buttons that have names, turn after turn", async () => {
    for (let turn = 0; turn < TURNS; turn++) {
      await your(/^Your turn: draw/);
      await page.getByRole("button", { name: /^Draw/ }).click();
      await your(/^Your turn: lay/);
      const hand = page.getByRole("list", { name: /^Your cards/ }).getByRole("button");
      const before = await hand.count();
      for (const index of [0, 1, 2]) {
        await hand.nth(index).click();
      }
      assert.equal(await hand.nth(0).getAttribute("aria-pressed"), "true");
      // What the rules say of the three comes from the service, over gRPC-Web, in words.
      await page.locator("#hint").filter({ hasText: /[.]$/ }).waitFor();
      for (const index of [1, 2]) {
        await hand.nth(index).click();
      }
      await page.getByRole("button", { name: "Discard the chosen card" }).click();
      await your(/^Your turn: draw|^The other player/);
      await page
        .locator("#log li", { hasText: /^You discarded/ })
        .first()
        .waitFor();
      assert.equal(
        await page
          .getByRole("list", { name: /^Your cards/ })
          .getByRole("button")
          .count(),
        before - 1,
      );
    }
    await your(/^Your turn: draw/);
  });

  test("tells a refusal in the service's words, and nothing has changed", async () => {
    await page.getByRole("button", { name: /^Draw/ }).click();
    await your(/^Your turn: lay/);
    const hand = page.getByRole("list", { name: /^Your cards/ }).getByRole("button");
    const before = await hand.count();
    await hand.nth(0).click();
    await page.getByRole("button", { name: "Lay the chosen cards" }).click();
    await your(/a meld has .*cards|needs|at least/i);
    assert.equal(await hand.count(), before);
  });

  test("is the same after it has been loaded again", async () => {
    const hand = async () => await page.locator("#hand").textContent();
    const before = await hand();
    await page.reload();
    await your(/^Your turn: lay/);
    assert.equal(await hand(), before);
  });

  test("is played to the end of the match, deal after deal", async () => {
    const pressed = new Set<string>();
    let { view, legal } = await look();
    while (view.phase !== Phase.MATCH_OVER) {
      if (view.turn === SEAT || view.phase === Phase.DEAL_OVER) {
        const move = choose(legal, view.revision);
        pressed.add(String(move.kind.case));
        await shows(view);
        await press(move, view);
      }
      ({ view, legal } = await look(view.revision));
    }
    await shows(view);
    const kinds = ["discard", "drawStock", "layOff", "meld", "nextDeal", "takePile"];
    assert.deepEqual([...pressed].sort(), kinds);
    await page.locator("#log li", { hasText: /^The match ended/ }).waitFor();
  });

  test("looks through Envoy as its seat, moves through its back end, and keeps no state", async () => {
    const rpcs = asked.filter(({ url }) => url.startsWith(stack.edge.web));
    const moves = asked.filter(({ url }) => url.endsWith("/moves"));
    assert.ok(rpcs.length > 0 && moves.length >= 2 * TURNS);
    assert.ok(rpcs.every(({ token }) => token?.startsWith("bst1_")));
    assert.ok(!rpcs.some(({ url }) => /ApplyMoves/.test(url)), "the page applied moves by itself");
    assert.ok(!asked.some(({ url, body }) => `${url}${body}`.includes("bst1_")), "a token is in an address or a body");
    const kept = await page.evaluate(() =>
      JSON.stringify({ ...localStorage, ...sessionStorage, cookie: document.cookie }),
    );
    assert.deepEqual(Object.keys(JSON.parse(JSON.parse(kept).place)).sort(), ["edge", "match", "seat", "token"]);
    assert.equal(await page.evaluate(() => localStorage.length), 0);
  });

  test("has no barrier that axe finds", async () => {
    const picture = process.env["BURRACO_SCREENSHOT"];
    if (picture) {
      await page.screenshot({ path: picture, fullPage: true });
    }
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const found = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: { html: string }[] }[] };
    assert.deepEqual(
      found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      [],
    );
  });

  test("begins another match, with another place", async () => {
    const place = async () => await page.evaluate(() => sessionStorage.getItem("place"));
    const before = await place();
    await page.getByRole("button", { name: "New match" }).click();
    await your(/^Your turn: draw/);
    assert.notEqual(await place(), before);
    await shows((await look()).view);
  });

  test("has said nothing on the console", () => {
    // A refusal is an answer with a status of its own, and the browser writes that down.
    assert.deepEqual(
      problems.filter((text) => !/status of 422/.test(text)),
      [],
    );
  });
});
