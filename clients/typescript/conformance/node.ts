/** The vectors from Node, over gRPC. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Transport } from "@connectrpc/connect";
import { createTransport } from "@connectrpc/connect/protocol-grpc";
import { createNodeHttpClient, Http2SessionManager } from "@connectrpc/connect-node";
import { connect } from "burraco/node";

import { takeRaw } from "./caller.js";
import { ARBITER, GAME, runSuite } from "./suite.js";
import type { Json } from "./values.js";

const MAX_BYTES = 0x7fffffff;

export interface Targets {
  readonly game: string;
  readonly arbiter: string | undefined;
}

export async function runInNode({ game, arbiter }: Targets, vectors: string): Promise<boolean> {
  const sessions = new Map([[GAME, new Http2SessionManager(`http://${game}`)]]);
  if (arbiter !== undefined) {
    sessions.set(ARBITER, new Http2SessionManager(`http://${arbiter}`));
  }
  try {
    return await runSuite({
      read: async (path) => JSON.parse(await readFile(join(vectors, path), "utf8")) as Json,
      transports: new Map([...sessions].map(([service, session]) => [service, plainTransport(session)])),
      connect: (metadata) => connect(game, { apiKey: String(metadata["burraco-api-key"]) }),
      print: console.log,
    });
  } finally {
    for (const session of sessions.values()) {
      session.abort();
    }
  }
}

/** gRPC without retries, which sends bytes as they are where a vector has some. */
function plainTransport(session: Http2SessionManager): Transport {
  const send = createNodeHttpClient({ httpVersion: "2", sessionProvider: () => session });
  return createTransport({
    baseUrl: session.authority,
    httpClient: async (request) => {
      const raw = takeRaw(request.header);
      return await send(raw === undefined ? request : { ...request, body: once(raw) });
    },
    useBinaryFormat: true,
    interceptors: [],
    acceptCompression: [],
    sendCompression: null,
    compressMinBytes: MAX_BYTES,
    readMaxBytes: MAX_BYTES,
    writeMaxBytes: MAX_BYTES,
  });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
