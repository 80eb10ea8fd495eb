// What the layer sends, and answers that the real service gives seldom or never.
#include <gtest/gtest.h>

#include "burraco/burraco.h"
#include "failures.h"
#include "fake.h"

namespace burraco {
namespace {

using support::Call;
using support::failure_of;
using support::Fake;

constexpr char kKey[] = "burraco-api-key";
constexpr char kToken[] = "burraco-seat-token";
constexpr char kLanguage[] = "accept-language";

void ask(const Client& client) { (void)client.call(&Stub::ListPresets, v1::ListPresetsRequest()); }

// The call that a client makes.
Call call_of(const Fake& fake, const Client& client) {
  ask(client);
  return fake.calls().back();
}

TEST(Wire, EachCallSaysWhoCallsAndInWhichLanguage) {
  const Fake fake;
  Options options;
  options.api_key = "a-key";
  options.language = "pl, en;q=0.5";
  const Client client(fake.target(), options);
  const Call first = call_of(fake, client);
  EXPECT_EQ(first.sent(kKey), "a-key");
  EXPECT_EQ(first.metadata.count(kToken), 0U);
  EXPECT_EQ(first.sent(kLanguage), "pl, en;q=0.5");
  const Call seat = call_of(fake, client.as_seat("a-token"));
  EXPECT_EQ(seat.metadata.count(kKey), 0U);
  EXPECT_EQ(seat.sent(kToken), "a-token");
  EXPECT_EQ(seat.sent(kLanguage), "pl, en;q=0.5");
  const Call nobody = call_of(fake, Client(fake.target()));
  EXPECT_EQ(nobody.metadata.count(kKey) + nobody.metadata.count(kToken) + nobody.metadata.count(kLanguage), 0U);
}

TEST(Wire, AClientInAnotherLanguageIsTheSameInAllElse) {
  const Fake fake;
  Options options;
  options.api_key = "a-key";
  options.timeout = std::chrono::seconds(60);
  const Client client(fake.target(), options);
  const Client other = client.in_language("it");
  EXPECT_EQ(other.channel(), client.channel());
  const auto began = std::chrono::system_clock::now();
  const Call call = call_of(fake, other);
  EXPECT_EQ(call.sent(kLanguage), "it");
  EXPECT_EQ(call.sent(kKey), "a-key");
  EXPECT_GT(call.deadline - began, std::chrono::seconds(40));
  EXPECT_EQ(call_of(fake, client.as_seat("a-token").in_language("it")).sent(kToken), "a-token");
  EXPECT_EQ(call_of(fake, client).metadata.count(kLanguage), 0U);
  EXPECT_EQ(call_of(fake, other.in_language("")).metadata.count(kLanguage), 0U);
}

TEST(Wire, AStreamSaysTheSame) {
  const Fake fake;
  const Client client = Client(fake.target()).as_seat("a-token").in_language("it");
  grpc::ClientContext context;
  client.prepare(&context);
  const auto stream = client.stub().StreamApplyMoves(&context);
  stream->WritesDone();
  ASSERT_TRUE(stream->Finish().ok());
  EXPECT_EQ(fake.calls().back().sent(kToken), "a-token");
  EXPECT_EQ(fake.calls().back().sent(kLanguage), "it");
}

TEST(Wire, ACallWhoseReplicaIsGoneIsMadeFourTimes) {
  for (const auto code : {grpc::StatusCode::UNAVAILABLE, grpc::StatusCode::CANCELLED}) {
    Fake fake;
    const Client client(fake.target());
    fake.failure = {code, "gone"};
    fake.failures = 3;
    ask(client);
    EXPECT_EQ(fake.calls().size(), 4U);
    fake.failures = 4;
    const auto failed = failure_of([&] { return client.call(&Stub::GetView, v1::GetViewRequest()); });
    ASSERT_TRUE(failed.has_value());
    EXPECT_EQ(failed->code(), code);
    EXPECT_TRUE(failed->transient());
    EXPECT_EQ(fake.calls().size(), 8U);
  }
}

}  // namespace
}  // namespace burraco
