/** Retries, with the numbers that the service recommends: those of the gRPC service config that it ships. */

import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/** When a call is made again. */
export interface RetryPolicy {
  /** Attempts in all, the first one included. */
  readonly maxAttempts: number;
  /** Milliseconds before the second attempt. */
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly backoffMultiplier: number;
  readonly retryableCodes: readonly Code[];
}

/**
 * Every call is pure, so one that finds its replica gone is simply made again. CANCELLED is what gRPC says of a call that
 * came as its server ended.
 */
export const RETRY_POLICY: RetryPolicy = {
  maxAttempts: 4,
  initialBackoffMs: 20,
  maxBackoffMs: 200,
  backoffMultiplier: 2,
  retryableCodes: [Code.Unavailable, Code.Canceled],
};

/** Milliseconds that a call may take, its retries included, where nothing else is said. */
export const TIMEOUT_MS = 3000;

/** Timers take no more, and would end at once. */
const MOST_MS = 2 ** 31 - 1;

/** The deadline of a client's calls. @throws RangeError for one with which no call could succeed. */
export function timeoutOf(timeoutMs: number = TIMEOUT_MS): number {
  return millisecondsOf("timeoutMs", timeoutMs);
}

/** A time that timers can wait, by the name of its option. @throws RangeError for any other. */
export function millisecondsOf(name: string, milliseconds: number): number {
  if (milliseconds > 0 && milliseconds <= MOST_MS) {
    return milliseconds;
  }
  throw new RangeError(`${name} is ${milliseconds}: give milliseconds, more than 0 and at most ${MOST_MS}`);
}

const TIMEOUT_HEADER = "grpc-timeout";
const JITTER = 0.2;

/** Makes unary calls again as the policy says, within the deadline of the call. Streams are never made again. */
export function retrying(policy: RetryPolicy = RETRY_POLICY): Interceptor {
  return (next) => async (request) => {
    if (request.stream) {
      return await next(request);
    }
    const deadline = deadlineOf(request.header);
    for (let attempt = 1; ; attempt++) {
      try {
        return await next(request);
      } catch (failure) {
        const { code } = ConnectError.from(failure);
        const isLast = attempt >= policy.maxAttempts || !policy.retryableCodes.includes(code);
        // Whoever gave up a call, or let its time run out, wants no other.
        if (isLast || request.signal.aborted) {
          throw failure;
        }
        await pause(backoff(policy, attempt), request.signal);
        if (request.signal.aborted) {
          throw failure;
        }
        deadline?.renew();
      }
    }
  };
}

function backoff(policy: RetryPolicy, attempt: number): number {
  const plain = Math.min(policy.initialBackoffMs * policy.backoffMultiplier ** (attempt - 1), policy.maxBackoffMs);
  return plain * (1 - JITTER + 2 * JITTER * Math.random());
}

/** The deadline that a call tells its server: later attempts have to tell of less. */
function deadlineOf(header: Headers): { renew(): void } | undefined {
  const milliseconds = /^(\d+)m$/.exec(header.get(TIMEOUT_HEADER) ?? "")?.[1];
  if (milliseconds === undefined) {
    return undefined;
  }
  const end = performance.now() + Number(milliseconds);
  return { renew: () => header.set(TIMEOUT_HEADER, `${Math.max(1, Math.round(end - performance.now()))}m`) };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}
