/** A client: the generated one, with who calls in its metadata and failures as `RulesError`. */

import {
  type CallOptions,
  type Client as Calls,
  Code,
  ConnectError,
  createClient,
  type Transport,
} from "@connectrpc/connect";

import { RulesError } from "./errors.js";
import { GameService } from "./gen/burraco/v1/game_service_pb.js";

export const API_KEY_METADATA = "burraco-api-key";
export const SEAT_TOKEN_METADATA = "burraco-seat-token";
export const LANGUAGE_METADATA = "accept-language";

/** What gRPC takes for the value of a text among metadata. */
const TEXT = /^[\x20-\x7e]*$/;

/** What Connect takes for no deadline. */
const NO_DEADLINE = 0;

/** Metadata sent with every call. */
export type Metadata = Readonly<Record<string, string>>;

/** Who calls, and in which language he is answered. */
export interface Caller {
  readonly seatToken?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly language?: string | undefined;
}

/**
 * A connection to the service. `game` has a method for each RPC, and each fails with `RulesError` alone.
 *
 * Make one with `connect` of `burraco/node` or `burraco/web`, or with `clientOf` on a transport of your own.
 */
export interface Client {
  readonly game: Calls<typeof GameService>;
  /**
   * Makes a client on the same connection that is a seat: it acts for that seat alone, whatever this one may do.
   *
   * @throws TypeError for what is no token since no header can have it.
   */
  asSeat(seatToken: string): Client;
  /**
   * Makes a client on the same connection that gets texts for players in another language, such as `"it"`, or
   * `"pl, en;q=0.5"`; with nothing or an empty text it says no language. All else is as with this one.
   *
   * @throws TypeError for what no header can have.
   */
  inLanguage(language: string | undefined): Client;
  /**
   * Closes the connection, and that of every client that `asSeat` and `inLanguage` made. Calls under way and later ones
   * fail with `Canceled`, as if their caller had cancelled them: they are not made again.
   */
  close(): void;
}

/**
 * Puts a client on a transport. `metadata` says who calls; `close` is what ends the transport.
 *
 * @throws TypeError for metadata that no header can have.
 */
export function clientOf(transport: Transport, metadata: Metadata = {}, close: () => void = () => undefined): Client {
  const closing = new AbortController();
  return clientOn(transport, metadata, closing.signal, () => {
    closing.abort(new ConnectError("the client is closed", Code.Canceled));
    close();
  });
}

function clientOn(transport: Transport, metadata: Metadata, closed: AbortSignal, close: () => void): Client {
  const sent = sendable(metadata);
  const { [LANGUAGE_METADATA]: language, ...others } = sent;
  // The metadata stand in a closure: what prints or serializes a client shows no secret.
  return {
    game: createClient(
      GameService,
      withEnd(withRulesErrors(withEndlessStreams(withMetadata(transport, sent))), closed),
    ),
    asSeat: (seatToken) => clientOn(transport, metadataOf({ seatToken, language }), closed, close),
    inLanguage: (wanted) => clientOn(transport, { ...others, ...metadataOf({ language: wanted }) }, closed, close),
    close,
  };
}

/**
 * Says who calls, and in which language, as metadata.
 *
 * @throws TypeError when there are a seat token and an API key; with both a caller is a seat.
 */
export function metadataOf({ seatToken, apiKey, language }: Caller): Metadata {
  if (seatToken !== undefined && apiKey !== undefined) {
    throw new TypeError("a caller is a seat or a back end: give seatToken or apiKey, not both");
  }
  return {
    ...(seatToken === undefined ? {} : { [SEAT_TOKEN_METADATA]: seatToken }),
    ...(apiKey === undefined ? {} : { [API_KEY_METADATA]: apiKey }),
    ...(language ? { [LANGUAGE_METADATA]: language } : {}),
  };
}

/** Metadata as they are sent. A value that cannot be is not shown: it may be a secret. */
function sendable(metadata: Metadata): Metadata {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => {
      if (!TEXT.test(value)) {
        throw new TypeError(`${name} cannot be sent: it has characters that are not printable ASCII`);
      }
      return [name.toLowerCase(), value];
    }),
  );
}

/** Sends metadata with every call; what a call brings itself wins. */
export function withMetadata(transport: Transport, metadata: Metadata): Transport {
  const headers = (given: CallOptions["headers"]): Headers => {
    const all = new Headers(metadata);
    new Headers(given).forEach((value, name) => {
      all.set(name, value);
    });
    return all;
  };
  return {
    unary: (method, signal, timeoutMs, header, input, values) =>
      transport.unary(method, signal, timeoutMs, headers(header), input, values),
    stream: (method, signal, timeoutMs, header, input, values) =>
      transport.stream(method, signal, timeoutMs, headers(header), input, values),
  };
}

/** Turns every failure of a call into a `RulesError`, those that come in the midst of a stream too. */
export function withRulesErrors(transport: Transport): Transport {
  return {
    unary: (method, signal, ...rest) => transport.unary(method, signal, ...rest).catch(failing(signal)),
    stream: async (method, signal, ...rest) => {
      const fail = failing(signal);
      const response = await transport.stream(method, signal, ...rest).catch(fail);
      return { ...response, message: withFailure(response.message, fail) };
    },
  };
}

/** Leaves streams without a deadline of their own: one lasts longer than any call. */
export function withEndlessStreams(transport: Transport): Transport {
  return {
    unary: (...call) => transport.unary(...call),
    stream: (method, signal, timeoutMs, ...rest) => transport.stream(method, signal, timeoutMs ?? NO_DEADLINE, ...rest),
  };
}

/** Ends every call as if its caller cancelled it, once `closed` is aborted: those to come too. */
function withEnd(transport: Transport, closed: AbortSignal): Transport {
  return {
    unary: async (method, signal, ...rest) => {
      const either = eitherOf(signal, closed);
      return await transport.unary(method, either.signal, ...rest).finally(either.leave);
    },
    stream: async (method, signal, ...rest) => {
      const either = eitherOf(signal, closed);
      const response = await transport.stream(method, either.signal, ...rest).catch((failure: unknown) => {
        either.leave();
        throw failure;
      });
      return { ...response, message: thenLeaving(response.message, either.leave) };
    },
  };
}

/** Aborts when one of them does. `AbortSignal.any` would let a signal that outlives its calls keep what they leave. */
function eitherOf(
  signal: AbortSignal | undefined,
  closed: AbortSignal,
): { readonly signal: AbortSignal; leave(): void } {
  const both = [closed, ...(signal === undefined ? [] : [signal])];
  const either = new AbortController();
  const abort = () => either.abort(both.find(({ aborted }) => aborted)?.reason);
  for (const each of both) {
    each.addEventListener("abort", abort);
  }
  if (both.some(({ aborted }) => aborted)) {
    abort();
  }
  const leave = () => {
    for (const each of both) {
      each.removeEventListener("abort", abort);
    }
  };
  return { signal: either.signal, leave };
}

async function* thenLeaving<T>(messages: AsyncIterable<T>, leave: () => void): AsyncGenerator<T, void, undefined> {
  try {
    yield* messages;
  } finally {
    leave();
  }
}

async function* withFailure<T>(
  messages: AsyncIterable<T>,
  fail: (failure: unknown) => never,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* messages;
  } catch (failure) {
    fail(failure);
  }
}

function failing(signal: AbortSignal | undefined): (failure: unknown) => never {
  return (failure) => {
    throw RulesError.from(failure, signal);
  };
}
