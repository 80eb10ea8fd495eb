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
  const calling = new Calling();
  return clientOn(transport, metadata, calling, () => {
    calling.end(new ConnectError("the client is closed", Code.Canceled));
    close();
  });
}

function clientOn(transport: Transport, metadata: Metadata, calling: Calling, close: () => void): Client {
  const sent = sendable(metadata);
  const { [LANGUAGE_METADATA]: language, ...others } = sent;
  // The metadata stand in a closure: what prints or serializes a client shows no secret.
  return {
    game: createClient(
      GameService,
      withEnd(withRulesErrors(withEndlessStreams(withMetadata(transport, sent))), calling),
    ),
    asSeat: (seatToken) => clientOn(transport, metadataOf({ seatToken, language }), calling, close),
    inLanguage: (wanted) => clientOn(transport, { ...others, ...metadataOf({ language: wanted }) }, calling, close),
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

/** The calls under way on a connection, and why it has ended. */
class Calling {
  readonly #calls = new Set<AbortController>();
  #end: ConnectError | undefined;

  /** Ends the calls under way, and those to come, as if their caller cancelled them. */
  end(why: ConnectError): void {
    this.#end = why;
    for (const call of this.#calls) {
      call.abort(why);
    }
  }

  /** Begins a call that ends with its caller's signal, or with the connection; `leave` is to be called at its end. */
  begin(signal: AbortSignal | undefined): { readonly signal: AbortSignal; leave(): void } {
    const call = new AbortController();
    const abort = () => call.abort(signal?.reason);
    this.#calls.add(call);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted || this.#end !== undefined) {
      call.abort(this.#end ?? signal?.reason);
    }
    const leave = () => {
      this.#calls.delete(call);
      signal?.removeEventListener("abort", abort);
    };
    return { signal: call.signal, leave };
  }
}

function withEnd(transport: Transport, calling: Calling): Transport {
  return {
    unary: async (method, signal, ...rest) => {
      const call = calling.begin(signal);
      return await transport.unary(method, call.signal, ...rest).finally(call.leave);
    },
    stream: async (method, signal, ...rest) => {
      const call = calling.begin(signal);
      const response = await transport.stream(method, call.signal, ...rest).catch((failure: unknown) => {
        call.leave();
        throw failure;
      });
      return { ...response, message: thenLeaving(response.message, call.leave) };
    },
  };
}

async function* thenLeaving<T>(messages: AsyncIterable<T>, leave: () => void): AsyncGenerator<T, void, undefined> {
  try {
    yield* messages;
  } finally {
    leave();
  }
}

/** Gives messages on; a failure among them goes to `fail`. */
export async function* withFailure<T>(
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
