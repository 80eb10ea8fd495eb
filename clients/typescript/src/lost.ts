/** Connections that are lost: Connect has other codes for most of what Node says of them than gRPC has. */

import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

import { withFailure } from "./client.js";

/** Codes of Node's own for a connection, or a stream on it, that is no more. Errors of the system name their call instead. */
const LOST: ReadonlySet<unknown> = new Set([
  "ERR_HTTP2_ERROR",
  "ERR_HTTP2_GOAWAY_SESSION",
  "ERR_HTTP2_INVALID_SESSION",
  "ERR_HTTP2_INVALID_STREAM",
  "ERR_HTTP2_SESSION_ERROR",
  "ERR_STREAM_DESTROYED",
]);
/** How Node ends what it says of a stream that its server did not begin with. */
const REFUSED = "NGHTTP2_REFUSED_STREAM";

/**
 * Makes a connection that is lost UNAVAILABLE, as it is of gRPC, so that the call is made again. Connect calls one that is
 * reset ABORTED, which the service says of a revision that has gone by.
 */
export function lostIsUnavailable(host: string): Interceptor {
  const fail = (failure: unknown): never => {
    throw isLost(failure)
      ? new ConnectError(
          `the connection to ${host} is lost, or is no HTTP/2 (${failure.rawMessage})`,
          Code.Unavailable,
          undefined,
          undefined,
          failure.cause,
        )
      : failure;
  };
  return (next) => async (request) => {
    const response = await next(request).catch(fail);
    return response.stream ? { ...response, message: withFailure(response.message, fail) } : response;
  };
}

function isLost(failure: unknown): failure is ConnectError {
  if (!(failure instanceof ConnectError) || (failure.code !== Code.Internal && failure.code !== Code.Aborted)) {
    return false;
  }
  const { cause } = failure;
  return (
    cause instanceof Error &&
    ("syscall" in cause || ("code" in cause && LOST.has(cause.code)) || cause.message.endsWith(REFUSED))
  );
}
