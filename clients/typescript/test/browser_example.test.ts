/** The example for browsers, as a player uses it: by buttons that have names, to the end of some turns. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";

import type { Client } from "burraco";
import { connect } from "burraco/node";
import type { Page } from "playwright-core";

import { BackEnd } from "../examples/browser/back_end.js";
import { serve } from "../examples/browser/server.js";
import type { Pages } from "../scripts/pages.js";
import { API_KEY } from "./service.js";
import { noPage, type Stack, startStack } from "./stack.js";

const TURNS = 3;

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
    backEnd = new BackEnd(client, stack.edge.web, 10);
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

  test("has said nothing on the console", () => {
    // A refusal is an answer with a status of its own, and the browser writes that down.
    assert.deepEqual(
      problems.filter((text) => !/status of 422/.test(text)),
      [],
    );
  });
});
