/** Client-side load balancing: one HTTP/2 connection to each address of a name, and calls go round them. */

import type { LookupAddress } from "node:dns";
import { lookup as lookupName } from "node:dns/promises";
import type {
  ClientHttp2Stream,
  ClientSessionRequestOptions,
  OutgoingHttpHeaders,
  SecureClientSessionOptions,
} from "node:http2";
import { isIP, type LookupFunction } from "node:net";

import { Code, ConnectError } from "@connectrpc/connect";
import { type GrpcTransportOptions, Http2SessionManager, type Http2SessionOptions } from "@connectrpc/connect-node";

type SessionManager = NonNullable<GrpcTransportOptions["sessionManager"]>;

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

export interface RoundRobinOptions {
  readonly session?: Omit<SecureClientSessionOptions, "lookup">;
  readonly pings?: Http2SessionOptions;
  /** How long addresses are taken for true, in milliseconds. */
  readonly freshMs?: number;
  readonly resolve?: Resolve;
}

/** As gRPC has it: a name is looked up again after half a minute at the earliest. */
const FRESH_MS = 30_000;
/** How long an address that failed is left out while there are others, as gRPC's first back-off has it. */
const LEFT_OUT_MS = 1000;

/** An address, its connection, and how it last failed. */
interface Replica {
  readonly manager: Http2SessionManager;
  failure: unknown;
  leftOutUntil: number;
}

/**
 * Connections to all addresses of a name. Each keeps the name itself as its authority, so that TLS compares certificates
 * with it. A lost connection fails the calls on it with UNAVAILABLE; they are made again, on the next address.
 */
export class RoundRobin implements SessionManager {
  readonly authority: string;
  readonly #url: URL;
  readonly #options: RoundRobinOptions;
  readonly #resolve: Resolve;
  readonly #managerOf = new WeakMap<ClientHttp2Stream, Http2SessionManager>();
  #replicas: ReadonlyMap<string, Replica> = new Map();
  readonly #retired = new Set<Http2SessionManager>();
  #staleAt = 0;
  #looking: Promise<void> | undefined;
  #next = 0;
  #isClosed = false;

  constructor(url: URL, options: RoundRobinOptions = {}) {
    this.#url = url;
    this.#options = options;
    this.#resolve = options.resolve ?? ((name) => lookupName(name, { all: true }));
    this.authority = url.origin;
  }

  async request(
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
    options: Omit<ClientSessionRequestOptions, "signal">,
  ): Promise<ClientHttp2Stream> {
    const manager = await this.#pick();
    if (this.#isClosed) {
      throw new ConnectError("the client is closed", Code.Canceled);
    }
    try {
      const stream = await manager.request(method, path, headers, options);
      guard(stream);
      this.#managerOf.set(stream, manager);
      return stream;
    } catch (failure) {
      // The address may be no longer one of the name's.
      this.#staleAt = 0;
      throw failure;
    }
  }

  notifyResponseByteRead(stream: ClientHttp2Stream): void {
    this.#managerOf.get(stream)?.notifyResponseByteRead(stream);
  }

  /** Ends all connections, and the calls on them; none is opened any more. */
  close(): void {
    this.#isClosed = true;
    for (const manager of [...this.#retired, ...Array.from(this.#replicas.values(), (each) => each.manager)]) {
      manager.abort();
    }
    this.#retired.clear();
  }

  async #pick(): Promise<Http2SessionManager> {
    if (performance.now() >= this.#staleAt) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    }
    const all = [...this.#replicas.values()];
    // A retry is to meet another replica than the one that just failed.
    const sound = all.filter(isSound);
    const among = sound.length > 0 ? sound : all;
    const chosen = among[this.#next++ % among.length];
    if (chosen === undefined) {
      throw new ConnectError(`${this.#url.hostname} has no address`, Code.Unavailable);
    }
    return chosen.manager;
  }

  async #look(): Promise<void> {
    const name = this.#url.hostname.replace(/^\[|\]$/g, "");
    const family = isIP(name);
    const found = family === 0 ? await this.#lookUp(name) : [{ address: name, family }];
    const replicas = new Map<string, Replica>();
    for (const each of found) {
      const known = this.#replicas.get(each.address);
      replicas.set(each.address, known ?? { manager: this.#manager(each), failure: undefined, leftOutUntil: 0 });
    }
    for (const [address, { manager }] of this.#replicas) {
      if (!replicas.has(address)) {
        this.#retired.add(manager);
      }
    }
    this.#replicas = replicas;
    this.#endRetired();
    this.#staleAt = performance.now() + (this.#options.freshMs ?? FRESH_MS);
  }

  /** Looks a name up; while that fails, what was found before has to do. */
  async #lookUp(name: string): Promise<readonly LookupAddress[]> {
    try {
      return await this.#resolve(name);
    } catch (failure) {
      if (this.#replicas.size > 0) {
        return Array.from(this.#replicas.keys(), (address) => ({ address, family: isIP(address) }));
      }
      const why = failure instanceof Error ? failure.message : String(failure);
      throw new ConnectError(`${name} was not found (${why})`, Code.Unavailable, undefined, undefined, failure);
    }
  }

  /** A replica that left its name finishes its calls first. */
  #endRetired(): void {
    for (const manager of this.#retired) {
      if (manager.state() !== "open") {
        manager.abort();
        this.#retired.delete(manager);
      }
    }
  }

  #manager({ address, family }: LookupAddress): Http2SessionManager {
    const lookup: LookupFunction = (_name, options, answer) => {
      if (options.all) {
        answer(null, [{ address, family }]);
      } else {
        answer(null, address, family);
      }
    };
    const session: SecureClientSessionOptions = { ...this.#options.session, lookup };
    return new Http2SessionManager(this.#url, this.#options.pings, session);
  }
}

/**
 * Lets no failure of a connection end the program. The manager listens as long as the connection is in use; one that is
 * ended by both sides at once may fail once more, and Node throws an error that nobody listens to.
 */
function guard({ session }: ClientHttp2Stream): void {
  if (session !== undefined && !session.listeners("error").includes(passOver)) {
    session.on("error", passOver);
  }
}

function passOver(): void {
  // The calls on the connection have failed with it already.
}

function isSound(replica: Replica): boolean {
  if (replica.manager.state() !== "error") {
    return true;
  }
  const failure = replica.manager.error();
  if (failure !== replica.failure) {
    replica.failure = failure;
    replica.leftOutUntil = performance.now() + LEFT_OUT_MS;
  }
  return performance.now() >= replica.leftOutUntil;
}
