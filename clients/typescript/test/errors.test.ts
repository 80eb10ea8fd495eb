import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeName, IllegalMove, RulesError } from "burraco";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "burraco/google/rpc";
import { Reason, ViolationSchema } from "burraco/v1";

const CODES = Object.values(Code).filter((code): code is Code => typeof code === "number");

function failure(reason: string, domain = "burraco"): ConnectError {
  const fieldViolations = [
    { field: "seat", reason: "REASON_FIELD_OUT_OF_RANGE", description: "is 9" },
    { field: "moves[0]", reason: "REASON_OF_A_LATER_SERVICE", description: "has no kind" },
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
    { field: "seat", reason: Reason.FIELD_OUT_OF_RANGE, description: "is 9" },
    { field: "moves[0]", reason: Reason.UNSPECIFIED, description: "has no kind" },
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
  assert.equal(CODES.length, 16);
  assert.deepEqual([Code.Canceled, Code.InvalidArgument, Code.DataLoss].map(codeName), [
    "CANCELLED",
    "INVALID_ARGUMENT",
    "DATA_LOSS",
  ]);
});

/** The codes of calls that may succeed later: always, with a RetryInfo alone, unless the caller cancelled them himself. */
const LATER = {
  always: [Code.Unavailable, Code.DeadlineExceeded],
  withRetryInfo: [Code.ResourceExhausted],
  unlessCancelled: [Code.Canceled],
};

for (const code of CODES) {
  test(`whether the same call may succeed later: ${codeName(code)}`, () => {
    const isTransient = ({
      retry,
      isCancelled = false,
    }: {
      retry?: Record<string, unknown>;
      isCancelled?: boolean;
    }): boolean => {
      const details = retry ? [{ desc: RetryInfoSchema, value: retry }] : [];
      const signal = isCancelled ? AbortSignal.abort() : new AbortController().signal;
      return RulesError.from(new ConnectError("failed", code, undefined, details), signal).transient;
    };
    const [always, unlessCancelled] = [LATER.always.includes(code), LATER.unlessCancelled.includes(code)];
    const withRetryInfo = always || unlessCancelled || LATER.withRetryInfo.includes(code);
    assert.deepEqual(
      {
        plain: isTransient({}),
        delay: isTransient({ retry: { retryDelay: { seconds: 2n } } }),
        noDelay: isTransient({ retry: {} }),
        cancelled: isTransient({ isCancelled: true }),
      },
      { plain: always || unlessCancelled, delay: withRetryInfo, noDelay: withRetryInfo, cancelled: always },
    );
    assert.equal(new RulesError(code, "failed").transient, always || unlessCancelled);
  });
}

test("a refused move tells everything that is wrong with it", () => {
  const error = new IllegalMove([
    create(ViolationSchema, { reason: Reason.MUST_DRAW_FIRST, ruleId: "B4-15", text: "Draw first." }),
    create(ViolationSchema, { reason: Reason.CARD_NOT_IN_HAND, ruleId: "B4-16", text: "JK is not in hand." }),
  ]);
  assert.equal(String(error), "IllegalMove: Draw first. (B4-15); JK is not in hand. (B4-16)");
  assert.deepEqual(error.reasons, [Reason.MUST_DRAW_FIRST, Reason.CARD_NOT_IN_HAND]);
  assert.ok(!(error instanceof RulesError));
});
