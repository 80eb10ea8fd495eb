/** The details of errors, as `google.rpc` has them, for whoever reads a `ConnectError` without `RulesError`. */

export * from "./gen/google/rpc/error_details_pb.js";
export * from "./gen/google/rpc/status_pb.js";
