/**
 * The service from Node: gRPC over HTTP/2.
 *
 * @packageDocumentation
 */

import type { SecureClientSessionOptions } from "node:http2";

import type { Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

import { RoundRobin } from "./balancing.js";
import { type Client, clientOf, metadataOf } from "./client.js";
import { lostIsUnavailable } from "./lost.js";
import { millisecondsOf, RETRY_POLICY, type RetryPolicy, retrying, timeoutOf } from "./retry.js";

const PING_TIMEOUT_MS = 10_000;
/** What is no part of the two would be passed over without a word, and without a port it would be the web's. */
const HOST_PORT = /^[^/?#@\\]+:\d+$/;

/** How a program calls. */
export interface NodeOptions {
  /** A back end's key. It is a secret, as a token is: send it over nothing but TLS, or a network of your own. */
  readonly apiKey?: string;
  /** A player's token: the client is that seat, and acts for it alone. */
  readonly seatToken?: string;
  /** Of texts for players, such as `"it"`, or `"pl, en;q=0.5"`; English where nothing is said. */
  readonly language?: string;
  /** Each call's deadline in milliseconds, its retries included. A call may bring its own. Streams have none. */
  readonly timeoutMs?: number;
  /** Pings a silent connection every so many milliseconds, so that a lost one is noticed. */
  readonly keepaliveMs?: number;
  /** Of Node's `tls.connect`: `ca`, or `cert` and `key` of a client that shows a certificate. */
  readonly tls?: Omit<SecureClientSessionOptions, "lookup">;
  readonly retry?: RetryPolicy;
  readonly interceptors?: readonly Interceptor[];
}

/**
 * Connects to the service at `HOST:PORT`, which is not encrypted, or at a URL, `http://` or `https://`. A name that stands
 * for several addresses is looked up again and again, and calls go round all of them. The first call opens the connection.
 *
 * @throws TypeError for a target that is neither, when there are a seat token and an API key, for one of these or a
 * language that no header can have, or when there is `tls` and the target is no `https://`.
 * @throws RangeError for a `timeoutMs` with which no call could succeed, or a `keepaliveMs` that no timer can wait.
 */
export function connect(target: string, options: NodeOptions = {}): Client {
  const url = urlOf(target);
  if (options.tls !== undefined && url.protocol !== "https:") {
    // What says who calls must not go out in the clear by a mistake in the target.
    throw new TypeError(`${JSON.stringify(target)} is not encrypted: with tls give https://HOST:PORT`);
  }
  const balanced = new RoundRobin(url, {
    session: options.tls ?? {},
    pings:
      options.keepaliveMs === undefined
        ? {}
        : {
            pingIntervalMs: millisecondsOf("keepaliveMs", options.keepaliveMs),
            pingIdleConnection: true,
            pingTimeoutMs: PING_TIMEOUT_MS,
          },
  });
  const transport = createGrpcTransport({
    baseUrl: url.origin,
    sessionManager: balanced,
    defaultTimeoutMs: timeoutOf(options.timeoutMs),
    interceptors: [
      ...(options.interceptors ?? []),
      retrying(options.retry ?? RETRY_POLICY),
      lostIsUnavailable(url.host),
    ],
  });
  return clientOf(transport, metadataOf(options), () => {
    balanced.close();
  });
}

function urlOf(target: string): URL {
  const isUrl = /^https?:\/\//.test(target);
  const url = URL.canParse(isUrl ? target : `http://${target}`)
    ? new URL(isUrl ? target : `http://${target}`)
    : undefined;
  if (url === undefined || (isUrl ? url.href !== `${url.origin}/` : !HOST_PORT.test(target))) {
    throw new TypeError(
      `${JSON.stringify(target)} is no target: give HOST:PORT, or http://HOST:PORT, or https://HOST:PORT`,
    );
  }
  return url;
}
