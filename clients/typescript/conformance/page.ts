/** What the page of the vectors runs: the same suite as in Node, over gRPC-Web. */

import type { Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { API_KEY_METADATA } from "burraco";
import { connect } from "burraco/web";

import { takeRaw } from "./caller.js";
import { ARBITER, GAME, runSuite } from "./suite.js";
import type { Json } from "./values.js";

declare global {
  interface Window {
    /** Of the runner: writes a line where people see it. */
    print(line: string): Promise<void>;
    runVectors(baseUrl: string, hasArbiter: boolean): Promise<boolean>;
  }
}

window.runVectors = async (baseUrl, hasArbiter) => {
  const lines: Promise<void>[] = [];
  const transport = createGrpcWebTransport({ baseUrl, fetch: sendRaw });
  const passed = await runSuite({
    read: async (path) => (await (await fetch(`/${path}`)).json()) as Json,
    transports: new Map([GAME, ...(hasArbiter ? [ARBITER] : [])].map((service) => [service, transport])),
    // No page has a back end's key but this one, whose key is public.
    connect: (metadata) => connect(baseUrl, { interceptors: [withKey(String(metadata[API_KEY_METADATA]))] }),
    print: (line) => void lines.push(window.print(line)),
  });
  await Promise.all(lines);
  return passed;
};

function withKey(key: string): Interceptor {
  return (next) => async (request) => {
    request.header.set(API_KEY_METADATA, key);
    return await next(request);
  };
}

/** Sends bytes as they are where a vector has some. */
const sendRaw: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  const raw = takeRaw(headers);
  return await fetch(input, { ...init, headers, ...(raw === undefined ? {} : { body: raw }) });
};
