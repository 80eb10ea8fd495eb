/** Connections that are lost in all the ways in which replicas and networks end them. */

import assert from "node:assert/strict";
import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { type TestContext, test } from "node:test";

import { Code } from "@connectrpc/connect";
import { RulesError } from "burraco";
import { connect } from "burraco/node";
import { connect as connectWeb } from "burraco/web";

const HEADERS = { ":status": 200, "content-type": "application/grpc" };
/** An empty message, as gRPC frames it. */
const EMPTY = new Uint8Array(5);

type Ending = (stream: ServerHttp2Stream, socket: Socket) => void;

/** Ends the first calls in some way, and answers those behind them. */
async function serving(context: TestContext, fails: number, end: Ending): Promise<{ target: string; calls: number }> {
  const sockets: Socket[] = [];
  const server: Http2Server = createServer();
  const found = { target: "", calls: 0 };
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.on("session", (session) => session.on("error", () => undefined));
  server.on("stream", (stream) => {
    stream.on("error", () => undefined);
    found.calls += 1;
    const socket = sockets.at(-1);
    if (found.calls <= fails && socket !== undefined) {
      end(stream, socket);
      return;
    }
    stream.respond(HEADERS, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(EMPTY);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    for (const each of sockets) {
      each.destroy();
    }
    server.close();
  });
  found.target = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return found;
}

const WAYS: Readonly<Record<string, Ending>> = {
  "a connection that is reset": (_, socket) => socket.resetAndDestroy(),
  "a connection that is closed": (_, socket) => socket.destroy(),
  "a connection that its server gives up": ({ session }) => session?.goaway(2),
  "a stream that its server refuses": (stream) => stream.close(7),
};
for (const [way, end] of Object.entries(WAYS)) {
  test(`${way} is no failure: the call is made again`, async (context) => {
    const service = await serving(context, 1, end);
    const client = connect(service.target);
    context.after(() => client.close());
    await client.game.listPresets({});
    assert.equal(service.calls, 2);
  });

  test(`${way} each time is a failure that may pass`, async (context) => {
    const service = await serving(context, Number.POSITIVE_INFINITY, end);
    const client = connect(service.target);
    context.after(() => client.close());
    await assert.rejects(client.game.listPresets({}), (failure) => {
      assert.ok(failure instanceof RulesError, String(failure));
      assert.ok([Code.Unavailable, Code.Canceled].includes(failure.code), failure.message);
      assert.equal(failure.transient, true);
      return true;
    });
    assert.equal(service.calls, 4);
  });
}

test("a stream on a connection that is reset is UNAVAILABLE too", async (context) => {
  const service = await serving(context, 1, (stream, socket) => {
    stream.respond(HEADERS);
    stream.write(EMPTY, () => setTimeout(() => socket.resetAndDestroy(), 20));
  });
  const client = connect(service.target);
  context.after(() => client.close());
  const answers: unknown[] = [];
  await assert.rejects(
    async () => {
      for await (const answer of client.game.streamApplyMoves((async function* () {})())) {
        answers.push(answer);
      }
    },
    { name: "RulesError", code: Code.Unavailable },
  );
  assert.equal(answers.length, 1);
});

test("an answer that breaks off on its way to a page is UNAVAILABLE, and asked for again", async () => {
  let calls = 0;
  const breaking = async (): Promise<Response> => {
    calls += 1;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(EMPTY.subarray(0, 3)),
      pull: (controller) => controller.error(new TypeError("network error")),
    });
    return new Response(body, { headers: { "content-type": "application/grpc-web+proto" } });
  };
  const client = connectWeb("https://edge.test", { fetch: breaking });
  await assert.rejects(client.game.listPresets({}), {
    code: Code.Unavailable,
    transient: true,
    rawMessage: "the answer broke off (network error)",
  });
  assert.equal(calls, 4);
});
