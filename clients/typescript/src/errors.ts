/** What goes wrong: a call that failed, or a move that the rules forbid. */

import { Code, ConnectError } from "@connectrpc/connect";

import { Reason, type Violation } from "./gen/burraco/v1/reasons_pb.js";
import {
  type BadRequest_FieldViolation,
  BadRequestSchema,
  ErrorInfoSchema,
  type RetryInfo,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";

const DOMAIN = "burraco";
const PREFIX = "REASON_";
const NANOSECONDS = 1e9;

/** A field of the request that is wrong. */
export interface FieldViolation {
  /** Path of the field, such as `moves[0].meld.cards[2]`. */
  readonly field: string;
  /** Why, as a stable code; `Reason.UNSPECIFIED` where the service did not say, or said one that is newer. */
  readonly reason: Reason;
  readonly description: string;
}

/** What the service says of a call that failed. */
export interface RulesErrorInit {
  readonly reason?: Reason;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly fields?: readonly FieldViolation[];
  readonly retryAfter?: number | undefined;
  /** Whether it failed because its caller cancelled it. */
  readonly cancelledByCaller?: boolean;
  readonly cause?: unknown;
}

/** A call that failed. An illegal move is no failure: see `IllegalMove`. */
export class RulesError extends Error {
  override readonly name = "RulesError";
  /** The status of gRPC, as Connect numbers it, which is gRPC's own way. */
  readonly code: Code;
  /** The message of the status alone; `message` has code and reason too. */
  readonly rawMessage: string;
  /** Why, as a stable code; `Reason.UNSPECIFIED` where the service did not say, or said one that is newer. */
  readonly reason: Reason;
  /** What the reason is about, by name. */
  readonly arguments: Readonly<Record<string, string>>;
  /** Fields of the request that are wrong. */
  readonly fields: readonly FieldViolation[];
  /** Seconds after which the service wants to be asked again. */
  readonly retryAfter: number | undefined;
  readonly #cancelledByCaller: boolean;

  constructor(code: Code, rawMessage: string, init: RulesErrorInit = {}) {
    const { reason = Reason.UNSPECIFIED, fields = [] } = init;
    super(sentence(code, rawMessage, reason, fields), { cause: init.cause });
    this.code = code;
    this.rawMessage = rawMessage;
    this.reason = reason;
    this.arguments = { ...init.arguments };
    this.fields = [...fields];
    this.retryAfter = init.retryAfter;
    this.#cancelledByCaller = init.cancelledByCaller ?? false;
  }

  /**
   * Whether the same call may succeed later: calls are pure, so it may simply be made again. True of `Unavailable` and
   * `DeadlineExceeded`, of `Canceled` unless the caller's own signal did it, of `ResourceExhausted` with a `retryAfter`.
   */
  get transient(): boolean {
    switch (this.code) {
      case Code.Unavailable:
      case Code.DeadlineExceeded:
        return true;
      case Code.Canceled:
        return !this.#cancelledByCaller;
      case Code.ResourceExhausted:
        // An answer over the size limit says no time: it never fits.
        return this.retryAfter !== undefined;
      default:
        return false;
    }
  }

  /**
   * Reads all that the service says of a failed call; a failure without details has a code and a message. `signal` is the
   * one that the caller gave the call.
   */
  static from(failure: unknown, signal?: AbortSignal): RulesError {
    if (failure instanceof RulesError) {
      return failure;
    }
    const error = ConnectError.from(failure);
    const info = error.findDetails(ErrorInfoSchema).find((each) => each.domain === DOMAIN);
    const bad = error.findDetails(BadRequestSchema)[0];
    const retry = error.findDetails(RetryInfoSchema)[0];
    return new RulesError(error.code, error.rawMessage, {
      reason: reasonOf(info?.reason),
      arguments: info?.metadata ?? {},
      fields: bad?.fieldViolations.map(fieldOf) ?? [],
      retryAfter: retry && secondsOf(retry),
      cancelledByCaller: signal?.aborted ?? false,
      cause: failure,
    });
  }
}

/** The rules forbid a move; nothing has changed. `violations` holds everything wrong with it. */
export class IllegalMove extends Error {
  override readonly name = "IllegalMove";
  readonly violations: readonly Violation[];

  constructor(violations: Iterable<Violation>) {
    const all = [...violations];
    super(all.map((wrong) => `${wrong.text} (${wrong.ruleId})`).join("; "));
    this.violations = all;
  }

  /** The reasons alone, in the service's order. */
  get reasons(): readonly Reason[] {
    return this.violations.map((wrong) => wrong.reason);
  }
}

/** An answer of the service without a part that has to be in it. */
export function lacking(part: string): RulesError {
  return new RulesError(Code.Unknown, `the service answered without ${part}: is this client older than the service?`);
}

/** A change that was accepted for a state which the table has left in the meantime, as the service says it of an older one. */
export function goneOn(expected: bigint, actual: bigint): RulesError {
  const told = `the table has gone on from revision ${expected} to ${actual} in the meantime: look again`;
  const numbers = { expected: String(expected), actual: String(actual) };
  return new RulesError(Code.Aborted, told, { reason: Reason.REVISION_MISMATCH, arguments: numbers });
}

/** The name of a status as gRPC writes it: `INVALID_ARGUMENT`. */
export function codeName(code: Code): string {
  if (code === Code.Canceled) {
    return "CANCELLED";
  }
  return (Code[code] ?? String(code)).replace(/(?!^)[A-Z]/g, "_$&").toUpperCase();
}

/** Finds the reason; a newer service may send one that this client does not know. */
function reasonOf(named: string | undefined): Reason {
  const name = named?.startsWith(PREFIX) ? named.slice(PREFIX.length) : "";
  const found: unknown = Object.hasOwn(Reason, name) ? Reason[name as keyof typeof Reason] : undefined;
  return typeof found === "number" ? found : Reason.UNSPECIFIED;
}

function fieldOf({ field, reason, description }: BadRequest_FieldViolation): FieldViolation {
  return { field, reason: reasonOf(reason), description };
}

/** How long to wait; a delay that is not named is none. */
function secondsOf({ retryDelay: delay }: RetryInfo): number {
  return delay === undefined ? 0 : Number(delay.seconds) + delay.nanos / NANOSECONDS;
}

function sentence(code: Code, message: string, reason: Reason, fields: readonly FieldViolation[]): string {
  const why = reason === Reason.UNSPECIFIED ? "" : ` ${PREFIX}${Reason[reason]}`;
  // The message tells of the first field already.
  const more = fields.slice(1).map(({ field, description }) => ` ${field} ${description}`);
  return `${codeName(code)}${why}: ${message}${more.join("")}`;
}
