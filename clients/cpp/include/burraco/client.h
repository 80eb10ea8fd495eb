// A connection to the service, with retries, deadlines and load balancing as the service recommends them.
#ifndef BURRACO_CLIENT_H_
#define BURRACO_CLIENT_H_

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <grpcpp/grpcpp.h>

#include "burraco/error.h"
#include "burraco/v1/game_service.grpc.pb.h"

namespace burraco {

struct Options {
  // Deadline of each call, its retries included.
  std::chrono::milliseconds timeout{3000};
  // Says that the caller is a back end. A secret: send it over nothing but TLS, or a network of your own.
  std::string api_key;
  // Says that the caller is a seat; a secret too. Give one of the two at most.
  std::string seat_token;
  // Which language texts for players are wanted in, such as `it` or `pl, en;q=0.5`; empty: the service's default.
  std::string language;
  // Without these nothing is encrypted.
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  // Pings a silent connection this often (30 s suit phones), so that a lost one is noticed.
  std::optional<std::chrono::milliseconds> keepalive;
};

// A channel and the generated stub on it; many threads may share one, and copies share the channel.
class Client {
 public:
  // Connects to `HOST:PORT`, with the first call. A `dns:///` name that resolves to several replicas has calls go round them.
  // Throws std::invalid_argument, if there are a seat token and an API key: a caller is one or the other; if the timeout or
  // the keepalive is nothing; and if metadata cannot carry the token, the key or the language, which it does not show.
  explicit Client(const std::string& target, Options options = {});

  // A client on the same channel that is a seat: it acts for that seat alone, whatever this one may do. Throws
  // std::invalid_argument, if the token is empty, or metadata cannot carry it.
  [[nodiscard]] Client as_seat(const std::string& seat_token) const;

  // A client on the same channel whose texts for players are in a language, such as `it` or `pl, en;q=0.5`, and which is this
  // one in all else; empty: in the service's default. Throws std::invalid_argument, if metadata cannot carry it.
  [[nodiscard]] Client in_language(const std::string& language) const;

  // Calls a method of the stub: `client.call(&Stub::GetView, request)`. Throws RulesError, if the call fails.
  template <class Request, class Response>
  [[nodiscard]] Response call(grpc::Status (v1::GameService::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                              const Request& request) const {
    grpc::ClientContext context;
    prepare(&context);
    context.set_deadline(std::chrono::system_clock::now() + options_.timeout);
    Response response;
    const grpc::Status status = ((*stub_).*method)(&context, request, &response);
    if (!status.ok()) {
      throw RulesError(status);
    }
    return response;
  }

  // Says who calls and in which language, for calls of the bare stub.
  void prepare(grpc::ClientContext* context) const;

  [[nodiscard]] v1::GameService::Stub& stub() const { return *stub_; }
  [[nodiscard]] const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }

 private:
  Options options_;
  std::shared_ptr<grpc::Channel> channel_;
  std::shared_ptr<v1::GameService::Stub> stub_;
};

using Stub = v1::GameService::Stub;

// The gRPC service config of a client whose calls have this deadline.
[[nodiscard]] std::string service_config(std::chrono::milliseconds timeout);

}  // namespace burraco

#endif  // BURRACO_CLIENT_H_
