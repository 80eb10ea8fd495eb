#include "burraco/client.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <stdexcept>

namespace burraco {
namespace {

constexpr char kApiKey[] = "burraco-api-key";
constexpr char kSeatToken[] = "burraco-seat-token";
constexpr char kLanguage[] = "accept-language";
// gRPC's core lets a deadline of the service config pass one to two seconds early. It stands for calls of the bare stub alone;
// others bring their own, which is exact.
constexpr std::chrono::milliseconds kEarly{2000};
// What stands for ever: a clock has no later time than comes far behind it.
constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24 * 365 * 100);
constexpr std::chrono::milliseconds kRarest{std::numeric_limits<int>::max()};
constexpr int kKeepaliveTimeoutMs = 10'000;

// gRPC ends the whole process over metadata that it cannot carry.
void require_printable(const char* name, const std::string& value) {
  const auto wrong = std::find_if(value.begin(), value.end(), [](unsigned char sign) { return sign < ' ' || sign > '~'; });
  if (wrong != value.end()) {
    throw std::invalid_argument(std::string(name) + " has a character, at index " + std::to_string(wrong - value.begin()) +
                                ", that metadata cannot carry: is a line's end in it?");
  }
}

std::shared_ptr<grpc::Channel> channel_to(const std::string& target, const Options& options) {
  grpc::ChannelArguments arguments;
  arguments.SetServiceConfigJSON(service_config(options.timeout));
  if (options.keepalive) {
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(std::min(*options.keepalive, kRarest).count()));
    arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
    arguments.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  }
  const auto credentials = options.credentials ? options.credentials : grpc::InsecureChannelCredentials();
  return grpc::CreateCustomChannel(target, credentials, arguments);
}

}  // namespace

Client::Client(const std::string& target, Options options) : options_(std::move(options)) {
  if (!options_.api_key.empty() && !options_.seat_token.empty()) {
    throw std::invalid_argument("a caller is a seat or a back end: give seat_token or api_key, not both");
  }
  if (options_.timeout <= std::chrono::milliseconds(0)) {
    throw std::invalid_argument("a timeout of nothing is over before any call: give a longer one");
  }
  if (options_.keepalive && *options_.keepalive <= std::chrono::milliseconds(0)) {
    throw std::invalid_argument("a keepalive of nothing would ping without an end: give a longer one");
  }
  options_.timeout = std::min(options_.timeout, kLongest);
  require_printable(kApiKey, options_.api_key);
  require_printable(kSeatToken, options_.seat_token);
  require_printable(kLanguage, options_.language);
  channel_ = channel_to(target, options_);
  stub_ = v1::GameService::NewStub(channel_);
}

Client Client::as_seat(const std::string& seat_token) const {
  if (seat_token.empty()) {
    // Without a token it would be whoever the network makes it, which may be a back end.
    throw std::invalid_argument("a seat has a token: give the one that the service issued");
  }
  require_printable(kSeatToken, seat_token);
  Client seat = *this;
  seat.options_.api_key.clear();
  seat.options_.seat_token = seat_token;
  return seat;
}

Client Client::in_language(const std::string& language) const {
  require_printable(kLanguage, language);
  Client other = *this;
  other.options_.language = language;
  return other;
}

void Client::prepare(grpc::ClientContext* context) const {
  if (!options_.seat_token.empty()) {
    context->AddMetadata(kSeatToken, options_.seat_token);
  } else if (!options_.api_key.empty()) {
    context->AddMetadata(kApiKey, options_.api_key);
  }
  if (!options_.language.empty()) {
    context->AddMetadata(kLanguage, options_.language);
  }
}

std::string service_config(std::chrono::milliseconds timeout) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3fs", std::chrono::duration<double>(timeout + kEarly).count());
  return std::string(R"({
  "loadBalancingConfig": [{"round_robin": {}}],
  "methodConfig": [
    {
      "name": [{"service": "burraco.v1.GameService"}, {"service": "burraco.v1.ArbiterService"}],
      "timeout": ")") +
         seconds + R"(",
      "retryPolicy": {
        "maxAttempts": 4,
        "initialBackoff": "0.02s",
        "maxBackoff": "0.2s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE", "CANCELLED"]
      }
    },
    {
      "name": [{"service": "burraco.v1.GameService", "method": "StreamApplyMoves"}]
    }
  ]
})";
}

}  // namespace burraco
