#include "burraco/error.h"

#include <algorithm>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace burraco {
namespace {

constexpr char kDomain[] = "burraco";
constexpr const char* kCodes[] = {
    "OK",         "CANCELLED",          "UNKNOWN",           "INVALID_ARGUMENT",    "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",      "UNIMPLEMENTED",
    "INTERNAL",   "UNAVAILABLE",        "DATA_LOSS",         "UNAUTHENTICATED"};

// A newer service may send a reason that this client does not know.
v1::Reason reason_named(const std::string& name) {
  v1::Reason reason = v1::REASON_UNSPECIFIED;
  return v1::Reason_Parse(name, &reason) ? reason : v1::REASON_UNSPECIFIED;
}

// A delay that can be waited: none is shorter than nothing, or longer than protobuf allows.
std::chrono::milliseconds waited(const google::protobuf::Duration& sent) {
  constexpr std::int64_t kLongest = 315'576'000'000;
  const std::chrono::milliseconds longest = std::chrono::seconds(kLongest);
  const std::chrono::milliseconds whole = std::chrono::seconds(std::clamp<std::int64_t>(sent.seconds(), -1, kLongest));
  return std::clamp(whole + std::chrono::milliseconds(sent.nanos() / 1'000'000), std::chrono::milliseconds(0), longest);
}

std::string joined(const std::vector<v1::Violation>& violations) {
  std::string all;
  for (const auto& wrong : violations) {
    all += (all.empty() ? "" : "; ") + wrong.text() + " (" + wrong.rule_id() + ")";
  }
  return all;
}

}  // namespace

struct RulesError::Read {
  grpc::StatusCode code = grpc::StatusCode::UNKNOWN;
  std::string message;
  v1::Reason reason = v1::REASON_UNSPECIFIED;
  std::map<std::string, std::string> arguments;
  std::vector<FieldViolation> fields;
  std::optional<std::chrono::milliseconds> retry_after;

  explicit Read(const grpc::Status& status) : code(status.error_code()), message(status.error_message()) {
    google::rpc::Status details;
    if (!details.ParseFromString(status.error_details())) {
      return;  // a proxy may have cut it
    }
    for (const auto& detail : details.details()) {
      google::rpc::ErrorInfo info;
      google::rpc::BadRequest bad;
      google::rpc::RetryInfo retry;
      if (detail.UnpackTo(&info) && info.domain() == kDomain) {
        reason = reason_named(info.reason());
        arguments = {info.metadata().begin(), info.metadata().end()};
      } else if (detail.UnpackTo(&bad)) {
        for (const auto& wrong : bad.field_violations()) {
          fields.push_back({wrong.field(), reason_named(wrong.reason()), wrong.description()});
        }
      } else if (detail.UnpackTo(&retry)) {
        retry_after = waited(retry.retry_delay());
      }
    }
  }

  std::string told() const {
    std::string all = code_name(code);
    if (reason != v1::REASON_UNSPECIFIED) {
      all += " " + v1::Reason_Name(reason);
    }
    all += ": " + message;
    for (std::size_t at = 1; at < fields.size(); ++at) {  // the message tells of the first field already
      all += " " + fields[at].field + " " + fields[at].description;
    }
    return all;
  }
};

RulesError::RulesError(const grpc::Status& status) : RulesError(Read(status)) {}

RulesError::RulesError(Read read)
    : std::runtime_error(read.told()),
      code_(read.code),
      message_(std::move(read.message)),
      reason_(read.reason),
      arguments_(std::move(read.arguments)),
      fields_(std::move(read.fields)),
      retry_after_(read.retry_after) {}

bool RulesError::transient() const {
  switch (code_) {
    case grpc::StatusCode::UNAVAILABLE:
    case grpc::StatusCode::DEADLINE_EXCEEDED:
    case grpc::StatusCode::CANCELLED:
      return true;
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return retry_after_.has_value();  // an answer over the size limit has none, and will always be over it
    default:
      return false;
  }
}

IllegalMove::IllegalMove(std::vector<v1::Violation> violations)
    : std::runtime_error(joined(violations)), violations_(std::move(violations)) {}

bool IllegalMove::has(v1::Reason reason) const {
  return std::any_of(violations_.begin(), violations_.end(), [&](const auto& wrong) { return wrong.reason() == reason; });
}

std::string code_name(grpc::StatusCode code) {
  return code >= 0 && code < static_cast<int>(std::size(kCodes)) ? kCodes[code] : std::to_string(code);
}

}  // namespace burraco
