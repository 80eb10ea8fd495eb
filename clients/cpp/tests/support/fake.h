// A service of the tests' own, which answers what it is told and notes who asks.
#ifndef BURRACO_TESTS_SUPPORT_FAKE_H_
#define BURRACO_TESTS_SUPPORT_FAKE_H_

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "burraco/v1/game_service.grpc.pb.h"

namespace support {

namespace v1 = burraco::v1;

// What a call brought.
struct Call {
  std::map<std::string, std::string> metadata;
  std::chrono::system_clock::time_point deadline;

  // The value of a name; nothing where it was not sent.
  std::string sent(const std::string& name) const {
    const auto found = metadata.find(name);
    return found == metadata.end() ? "" : found->second;
  }
};

// Every answer is empty unless the test says otherwise. A test sets them while no call is under way.
class Fake final : public v1::GameService::Service {
 public:
  Fake() {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    target_ = "127.0.0.1:" + std::to_string(port);
  }

  const std::string& target() const { return target_; }

  std::vector<Call> calls() const {
    const std::lock_guard held(lock_);
    return calls_;
  }

  v1::CreateMatchResponse created;
  v1::ApplyMovesResponse applied;
  v1::CheckMovesResponse checked;
  v1::GetViewResponse viewed;
  v1::ListLegalMovesResponse listed;
  v1::ListPresetsResponse presets;
  v1::IssueSeatTokenResponse issued;
  v1::ScoreDealResponse scored;
  // How often a call still fails with the status before it is answered.
  int failures = 0;
  grpc::Status failure;
  // The last request of its kind.
  v1::ApplyMovesRequest asked_to_apply;

  grpc::Status CreateMatch(grpc::ServerContext* context, const v1::CreateMatchRequest*, v1::CreateMatchResponse* out) override {
    return answer(*context, created, out);
  }
  grpc::Status ApplyMoves(grpc::ServerContext* context, const v1::ApplyMovesRequest* in, v1::ApplyMovesResponse* out) override {
    asked_to_apply = *in;
    return answer(*context, applied, out);
  }
  grpc::Status CheckMoves(grpc::ServerContext* context, const v1::CheckMovesRequest*, v1::CheckMovesResponse* out) override {
    return answer(*context, checked, out);
  }
  grpc::Status GetView(grpc::ServerContext* context, const v1::GetViewRequest*, v1::GetViewResponse* out) override {
    return answer(*context, viewed, out);
  }
  grpc::Status ListLegalMoves(grpc::ServerContext* context, const v1::ListLegalMovesRequest*,
                              v1::ListLegalMovesResponse* out) override {
    return answer(*context, listed, out);
  }
  grpc::Status ListPresets(grpc::ServerContext* context, const v1::ListPresetsRequest*, v1::ListPresetsResponse* out) override {
    return answer(*context, presets, out);
  }
  grpc::Status IssueSeatToken(grpc::ServerContext* context, const v1::IssueSeatTokenRequest*,
                              v1::IssueSeatTokenResponse* out) override {
    return answer(*context, issued, out);
  }
  grpc::Status ScoreDeal(grpc::ServerContext* context, const v1::ScoreDealRequest*, v1::ScoreDealResponse* out) override {
    return answer(*context, scored, out);
  }
  grpc::Status StreamApplyMoves(
      grpc::ServerContext* context,
      grpc::ServerReaderWriter<v1::StreamApplyMovesResponse, v1::StreamApplyMovesRequest>*) override {
    note(*context);
    return grpc::Status::OK;
  }

 private:
  void note(const grpc::ServerContext& context) {
    Call call;
    for (const auto& [name, value] : context.client_metadata()) {
      call.metadata.emplace(std::string(name.data(), name.size()), std::string(value.data(), value.size()));
    }
    call.deadline = context.deadline();
    const std::lock_guard held(lock_);
    calls_.push_back(call);
  }

  template <class Response>
  grpc::Status answer(const grpc::ServerContext& context, const Response& response, Response* out) {
    note(context);
    if (failures > 0) {
      --failures;
      return failure;
    }
    *out = response;
    return grpc::Status::OK;
  }

  mutable std::mutex lock_;
  std::vector<Call> calls_;
  std::string target_;
  std::unique_ptr<grpc::Server> server_;  // the last, so that it has ended before the rest does
};

}  // namespace support

#endif  // BURRACO_TESTS_SUPPORT_FAKE_H_
