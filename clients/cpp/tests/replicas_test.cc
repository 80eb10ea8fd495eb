// Replicas of the real service that are killed.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "burraco/burraco.h"
#include "failures.h"
#include "server.h"

namespace burraco {
namespace {

using namespace std::chrono_literals;

Client back_end(const std::string& target) {
  Options options;
  options.api_key = support::kApiKey;
  options.timeout = 10s;  // for a machine that has much else to do
  return Client(target, options);
}

// Looks at the table again and again, until it is told to stop or a call fails.
struct Caller {
  Table table;
  std::atomic<bool>& is_over;
  std::atomic<int>& calls;
  std::string failed;

  void go_on() {
    while (!is_over && failed.empty()) {
      try {
        (void)table.view(0);
        ++calls;
      } catch (const RulesError& error) {
        failed = error.what();
      }
    }
  }
};

void await_calls(const std::atomic<int>& calls, int more) {
  const int enough = calls + more;
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (calls < enough && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_GE(calls, enough);
}

// Either is killed once, so that it does not matter which of them the calls went to.
class KilledReplica : public testing::TestWithParam<int> {};

TEST_P(KilledReplica, NoCallFails) {
  support::Server first, second;
  const Table table = Table::create(back_end("ipv4:" + first.target() + "," + second.target()));
  std::atomic<bool> is_over{false};
  std::atomic<int> calls{0};
  std::vector<Caller> callers(4, Caller{table, is_over, calls, ""});
  std::vector<std::thread> threads;
  for (auto& caller : callers) {
    threads.emplace_back([&caller] { caller.go_on(); });
  }
  await_calls(calls, 100);
  (GetParam() == 0 ? first : second).kill();
  await_calls(calls, 400);
  is_over = true;
  for (auto& thread : threads) {
    thread.join();
  }
  for (const auto& caller : callers) {
    EXPECT_EQ(caller.failed, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Replicas, KilledReplica, testing::Values(0, 1));

TEST(Replicas, AMatchGoesOnWhereAnotherReplicaWasKilled) {
  support::Server first, second;
  Table table = Table::create(back_end("ipv4:" + first.target() + "," + second.target()));
  const auto seat = table.turn().value();
  table.play(seat, moves::draw());
  first.kill();
  table.play(seat, moves::discard(static_cast<v1::Card>(table.legal(seat).discards(0))));
  EXPECT_EQ(table.revision(), 2U);
}

TEST(Replicas, OneThatComesBackIsFoundAgain) {
  support::Server server;
  const Client client = back_end(server.target());
  const Table table = Table::create(client);
  server.kill();
  const auto failed = support::failure_of([&] { return table.view(0); });
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_TRUE(failed->transient());
  const support::Server again({{"BURRACO_PORT", std::to_string(server.port())}});
  auto code = grpc::StatusCode::UNAVAILABLE;
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (code != grpc::StatusCode::OK && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(20ms);  // gRPC waits a while before it connects again
    code = support::code_of([&] { return table.view(0); });
  }
  EXPECT_EQ(code, grpc::StatusCode::OK);
}

}  // namespace
}  // namespace burraco
