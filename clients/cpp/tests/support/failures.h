// How a call failed, for tests.
#ifndef BURRACO_TESTS_SUPPORT_FAILURES_H_
#define BURRACO_TESTS_SUPPORT_FAILURES_H_

#include <optional>

#include "burraco/error.h"

namespace support {

// What a call failed with; nothing, if it did not.
template <class Made>
std::optional<burraco::RulesError> failure_of(Made made) {
  try {
    (void)made();
  } catch (const burraco::RulesError& error) {
    return error;
  }
  return std::nullopt;
}

template <class Made>
grpc::StatusCode code_of(Made made) {
  const auto failed = failure_of(made);
  return failed ? failed->code() : grpc::StatusCode::OK;
}

}  // namespace support

#endif  // BURRACO_TESTS_SUPPORT_FAILURES_H_
