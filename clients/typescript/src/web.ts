/**
 * The service from a browser: gRPC-Web over fetch, through a proxy that speaks it, such as the Envoy of `deploy/envoy`.
 *
 * @packageDocumentation
 */

import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";

import { type Client, clientOf, metadataOf } from "./client.js";
import { RETRY_POLICY, type RetryPolicy, retrying, timeoutOf } from "./retry.js";

/** How a page calls. There is no API key here: a page that holds one has given it away. */
export interface WebOptions {
  /** The player's token. It is a secret: send it over nothing but TLS. */
  readonly seatToken?: string;
  /** Of texts for players, such as `"it"`, or `"pl, en;q=0.5"`; the browser's own where nothing is said. */
  readonly language?: string;
  /** Each call's deadline in milliseconds, its retries included. A call may bring its own. */
  readonly timeoutMs?: number;
  readonly retry?: RetryPolicy;
  readonly interceptors?: readonly Interceptor[];
  /** Takes the place of the browser's own `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Connects to the proxy at `baseUrl`, such as `https://burraco.example`. The first call is the first to reach it.
 *
 * @throws TypeError for a token or a language that no header can have.
 * @throws RangeError for a `timeoutMs` with which no call could succeed.
 */
export function connect(baseUrl: string | URL, options: WebOptions = {}): Client {
  const transport = createGrpcWebTransport({
    baseUrl: String(baseUrl).replace(/\/+$/, ""),
    defaultTimeoutMs: timeoutOf(options.timeoutMs),
    interceptors: [...(options.interceptors ?? []), retrying(options.retry ?? RETRY_POLICY)],
    fetch: reaching(options.fetch ?? globalThis.fetch),
  });
  return clientOf(transport, metadataOf(options));
}

/**
 * A request that reached nobody is UNAVAILABLE, and so is an answer that breaks off, as they are of gRPC elsewhere; browsers
 * have only a TypeError for both.
 */
function reaching(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init).catch(
      unavailable("no answer", ": is the network there, and does the proxy allow this page's origin?"),
    );
    return response.body === null ? response : new Response(whole(response.body), response);
  };
}

function whole(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await reader.read().catch(unavailable("the answer broke off"));
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: async (why) => await reader.cancel(why),
  });
}

function unavailable(what: string, hint = ""): (failure: unknown) => never {
  return (failure) => {
    if (failure instanceof TypeError) {
      const told = `${what} (${failure.message})${hint}`;
      throw new ConnectError(told, Code.Unavailable, undefined, undefined, failure);
    }
    throw failure;
  };
}
