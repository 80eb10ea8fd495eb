import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeName, IllegalMove, RulesError } from "burraco";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "burraco/google/rpc";
import { Reason, ViolationSchema } from "burraco/v1";

function failure(reason: string, domain = "burraco"): ConnectError {
  const fieldViolations = [
    { field: "seat", description: "is 9" },
    { field: "moves[0]", description: "has no kind" },
  ];
  return new ConnectError("seat is 9: a seat is 0 to 3", Code.InvalidArgument, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain, metadata: { max: "3" } } },
    { desc: BadRequestSchema, value: { fieldViolations } },
    { desc: RetryInfoSchema, value: { retryDelay: { seconds: 1n, nanos: 500_000_000 } } },
  ]);
}

test("all that the service says of a failed call is there", () => {
  const error = RulesError.from(failure("REASON_PILE_EMPTY"));
  assert.equal(error.code, Code.InvalidArgument);
  assert.equal(error.rawMessage, "seat is 9: a seat is 0 to 3");
  assert.equal(error.reason, Reason.PILE_EMPTY);
  assert.deepEqual(error.arguments, { max: "3" });
  assert.deepEqual(error.fields, [
    { field: "seat", description: "is 9" },
    { field: "moves[0]", description: "has no kind" },
  ]);
  assert.equal(error.retryAfter, 1.5);
  assert.equal(error.transient, false);
  assert.ok(error.cause instanceof ConnectError);
  const said = "INVALID_ARGUMENT REASON_PILE_EMPTY: seat is 9: a seat is 0 to 3 moves[0] has no kind";
  assert.equal(error.message, said);
  assert.equal(String(error), `RulesError: ${said}`);
  assert.equal(RulesError.from(error), error);
});

for (const reason of ["REASON_OF_A_LATER_SERVICE", "PILE_EMPTY", "REASON_31", "REASON_toString", ""]) {
  test(`a reason that this client does not know is none: ${JSON.stringify(reason)}`, () => {
    assert.equal(RulesError.from(failure(reason)).reason, Reason.UNSPECIFIED);
  });
}

test("what another service says is not taken for ours", () => {
  const error = RulesError.from(failure("REASON_PILE_EMPTY", "elsewhere.example"));
  assert.equal(error.reason, Reason.UNSPECIFIED);
  assert.deepEqual(error.arguments, {});
});

test("a failure without details has a code and a message", () => {
  const error = RulesError.from(new ConnectError("gone", Code.Unavailable));
  assert.deepEqual(
    [error.message, error.reason, error.fields, error.retryAfter, error.transient],
    ["UNAVAILABLE: gone", Reason.UNSPECIFIED, [], undefined, true],
  );
  assert.equal(RulesError.from(new Error("no call at all")).code, Code.Unknown);
});

test("details that a proxy has cut are left out", () => {
  const error = new ConnectError("cut", Code.Internal);
  error.details = [{ type: ErrorInfoSchema.typeName, value: Uint8Array.of(10, 200) }];
  assert.equal(RulesError.from(error).reason, Reason.UNSPECIFIED);
});

test("codes have the names that gRPC gives them", () => {
  const names = Object.values(Code).filter((code): code is Code => typeof code === "number");
  assert.equal(names.length, 16);
  assert.deepEqual([Code.Canceled, Code.InvalidArgument, Code.DataLoss].map(codeName), [
    "CANCELLED",
    "INVALID_ARGUMENT",
    "DATA_LOSS",
  ]);
});

test("a refused move tells everything that is wrong with it", () => {
  const error = new IllegalMove([
    create(ViolationSchema, { reason: Reason.MUST_DRAW_FIRST, ruleId: "B4-15", text: "Draw first." }),
    create(ViolationSchema, { reason: Reason.CARD_NOT_IN_HAND, ruleId: "B4-16", text: "JK is not in hand." }),
  ]);
  assert.equal(String(error), "IllegalMove: Draw first. (B4-15); JK is not in hand. (B4-16)");
  assert.deepEqual(error.reasons, [Reason.MUST_DRAW_FIRST, Reason.CARD_NOT_IN_HAND]);
  assert.ok(!(error instanceof RulesError));
});
