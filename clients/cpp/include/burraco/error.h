// What goes wrong: a call that failed, or a move that the rules forbid.
#ifndef BURRACO_ERROR_H_
#define BURRACO_ERROR_H_

#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <grpcpp/support/status.h>

#include "burraco/v1/reasons.pb.h"

namespace burraco {

// A field of the request that is wrong.
struct FieldViolation {
  // Path of the field, such as `moves[0].meld.cards[2]`.
  std::string field;
  // Why; unspecified where this client does not know it.
  v1::Reason reason = v1::REASON_UNSPECIFIED;
  // What is wrong with it, in English.
  std::string description;
};

// A call that failed. An illegal move is no failure: see IllegalMove.
class RulesError : public std::runtime_error {
 public:
  // Reads all that the service says of a failed call; a failure without details has a code and a message.
  explicit RulesError(const grpc::Status& status);

  [[nodiscard]] grpc::StatusCode code() const { return code_; }
  [[nodiscard]] const std::string& message() const { return message_; }
  // Why; unspecified where the service did not say, or said what this client does not know.
  [[nodiscard]] v1::Reason reason() const { return reason_; }
  [[nodiscard]] const std::map<std::string, std::string>& arguments() const { return arguments_; }
  [[nodiscard]] const std::vector<FieldViolation>& fields() const { return fields_; }
  // When to call again, where the service says so.
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry_after() const { return retry_after_; }
  // Whether the same call may succeed later: calls are pure, so it may simply be made again. Yes for UNAVAILABLE,
  // DEADLINE_EXCEEDED and CANCELLED, and for RESOURCE_EXHAUSTED where the service says when to call again. No call of the layer
  // can be cancelled by its caller; after a TryCancel of your own, of a call of the bare stub, there is no need to ask.
  [[nodiscard]] bool transient() const;

 private:
  struct Read;
  explicit RulesError(Read read);

  grpc::StatusCode code_;
  std::string message_;
  v1::Reason reason_;
  std::map<std::string, std::string> arguments_;
  std::vector<FieldViolation> fields_;
  std::optional<std::chrono::milliseconds> retry_after_;
};

// The rules forbid a move; nothing has changed.
class IllegalMove : public std::runtime_error {
 public:
  explicit IllegalMove(std::vector<v1::Violation> violations);

  // Everything that is wrong with the first illegal move, in the service's order.
  [[nodiscard]] const std::vector<v1::Violation>& violations() const { return violations_; }
  [[nodiscard]] bool has(v1::Reason reason) const;

 private:
  std::vector<v1::Violation> violations_;
};

// The canonical name of a status code, such as `INVALID_ARGUMENT`.
[[nodiscard]] std::string code_name(grpc::StatusCode code);

}  // namespace burraco

#endif  // BURRACO_ERROR_H_
