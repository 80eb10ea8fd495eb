/** A page on another origin, in Chromium, through Envoy as it is shipped: with a seat's token it plays, without it may nothing. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { Code } from "@connectrpc/connect";
import { Table } from "burraco";
import { connect } from "burraco/node";
import { Reason } from "burraco/v1";
import type { Page } from "playwright-core";

import { serve } from "../conformance/pages.js";
import { bundle, type Pages } from "../scripts/pages.js";
import { API_KEY } from "./service.js";
import { noPage, type Stack, startStack } from "./stack.js";

describe("a page behind the shipped Envoy", { skip: noPage }, () => {
  let stack: Stack;
  let pages: Pages;
  let page: Page;
  let table: Table;
  let state: number[];

  before(async () => {
    stack = await startStack();
    const script = await bundle({ entryPoints: [fileURLToPath(new URL("./web_page.ts", import.meta.url))] });
    const html = '<!doctype html><html lang="en"><title>t</title><script type="module" src="/page.js"></script></html>';
    pages = await serve(async (path) => {
      const isScript = path === "/page.js";
      return { type: isScript ? "text/javascript" : "text/html", body: isScript ? script : html };
    }, stack.port);
    page = await stack.browser.newPage();
    await page.goto(pages.origin);
    await page.waitForFunction("window.list !== undefined");
    const client = connect(stack.service.target, { apiKey: API_KEY });
    table = await Table.create(client, {
      seedSource: { case: "givenSeed", value: new Uint8Array(32) },
      seating: { case: "givenSeats", value: { dealer: 3 } },
    });
    client.close();
    state = [...table.state];
  });
  after(async () => {
    await pages.close();
    await stack.close();
  });

  test("plays as the seat whose token it has", async () => {
    const [edge, token] = [stack.edge.web, table.seatTokens[0] ?? ""];
    const played = await page.evaluate(async ([url, own, kept]) => await window.play(url, own, kept), [
      edge,
      token,
      state,
    ] as const);
    assert.equal(played.hand, 11);
    assert.match(played.legal, /draw stock/);
    assert.equal(played.revision, "1");
  });

  test("gets refusals in the language that it asks for, or in the browser's", async () => {
    const [edge, token] = [stack.edge.web, table.seatTokens[0] ?? ""];
    const texts = await page.evaluate(async ([url, own, kept]) => await window.refuse(url, own, kept), [
      edge,
      token,
      state,
    ] as const);
    const [italian, polish, browsers] = texts;
    assert.match(italian ?? "", /^Prima pesca/);
    assert.match(polish ?? "", /^Najpierw/);
    assert.match(browsers ?? "", /^Draw from the stock/);
  });

  test("reads all details of an error, which CORS has to expose", async () => {
    const [edge, token] = [stack.edge.web, table.seatTokens[0] ?? ""];
    const call = async ([url, own, kept, seat]: readonly [string, string, number[], number]) =>
      await window.fail(url, own, kept, seat);
    const other = await page.evaluate(call, [edge, token, state, 1] as const);
    assert.deepEqual(
      [other.isOurs, other.name, other.code, other.reason],
      [true, "RulesError", Code.PermissionDenied, Reason.SEAT_TOKEN_OF_OTHER_SEAT],
    );
    const broken = await page.evaluate(call, [edge, token, state.slice(0, -1), 0] as const);
    assert.equal(broken.code, Code.InvalidArgument);
    assert.notEqual(broken.reason, Reason.UNSPECIFIED);
    assert.deepEqual(broken.fields, ["state"]);
  });

  test("is nobody without a token", async () => {
    const told = await page.evaluate(async (url) => await window.list(url), stack.edge.web);
    assert.deepEqual([told.code, told.reason], [Code.Unauthenticated, Reason.CALLER_NOT_KNOWN]);
  });

  test("that gives up a call is told that it was itself", async () => {
    const told = await page.evaluate(async (url) => await window.cancel(url), stack.edge.web);
    assert.deepEqual([told.isOurs, told.code, told.transient], [true, Code.Canceled, false]);
  });

  test("of an origin that the site does not list gets nothing, and is told what that may be", async () => {
    const other = await stack.browser.newPage();
    await other.goto(pages.origin.replace("127.0.0.1", "localhost"));
    await other.waitForFunction("window.list !== undefined");
    const told = await other.evaluate(async (url) => await window.list(url), stack.edge.web);
    assert.deepEqual([told.isOurs, told.code, told.transient], [true, Code.Unavailable, true]);
    assert.match(told.message, /does the proxy allow this page's origin\?/);
  });

  test("without a network gets UNAVAILABLE, which may be tried again", async () => {
    const told = await page.evaluate(async () => await window.list("http://127.0.0.1:1"));
    assert.deepEqual([told.isOurs, told.code, told.transient], [true, Code.Unavailable, true]);
  });
});
