// What the layer sends, and answers that the real service gives seldom or never.
#include <gtest/gtest.h>

#include "burraco/burraco.h"
#include "failures.h"
#include "fake.h"

namespace burraco {
namespace {

using support::Call;
using support::code_of;
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

// A table whose state is "dealt", at revision 0; the service can answer whatever it is then told to.
Table dealt(Fake* fake) {
  fake->created.set_state("dealt");
  fake->created.add_updates()->mutable_view();
  return Table::create(Client(fake->target()));
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

TEST(Wire, AnAnswerOverTheSizeLimitNeverSucceeds) {
  Fake fake;
  fake.presets.add_presets()->set_meaning(std::string(5 << 20, 'm'));
  const Client client(fake.target());
  const auto failed = failure_of([&] { return client.call(&Stub::ListPresets, v1::ListPresetsRequest()); });
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_FALSE(failed->transient());
}

TEST(Wire, ATimeoutForEverIsALongOne) {
  const Fake fake;
  Options options;
  options.timeout = std::chrono::milliseconds::max();
  const Call call = call_of(fake, Client(fake.target(), options));
  EXPECT_GT(call.deadline - std::chrono::system_clock::now(), std::chrono::hours(24));
  options.timeout = std::chrono::milliseconds(0);
  EXPECT_THROW(Client(fake.target(), options), std::invalid_argument);
}

TEST(Wire, AKeepaliveForEverIsALongOneAndOfNothingIsNone) {
  const Fake fake;
  Options options;
  options.keepalive = std::chrono::milliseconds::max();
  (void)call_of(fake, Client(fake.target(), options));
  for (const int wrong : {0, -1}) {
    options.keepalive = std::chrono::milliseconds(wrong);
    EXPECT_THROW(Client(fake.target(), options), std::invalid_argument);
  }
}

TEST(Wire, AMatchWithoutStateOrViewIsNone) {
  Fake fake;
  const Client client(fake.target());
  const auto code = [&] { return code_of([&] { return Table::create(client); }); };
  EXPECT_EQ(code(), grpc::StatusCode::UNKNOWN);
  fake.created.set_state("dealt");
  EXPECT_EQ(code(), grpc::StatusCode::UNKNOWN);
  fake.created.add_updates();
  EXPECT_EQ(code(), grpc::StatusCode::UNKNOWN);
  fake.created.mutable_updates(0)->mutable_view();
  EXPECT_EQ(code(), grpc::StatusCode::OK);
  EXPECT_EQ(code_of([&] { return Table::resume(client, "dealt"); }), grpc::StatusCode::UNKNOWN);
}

TEST(Wire, APartThatWasNotSentIsNoEmptyOne) {
  Fake fake;
  Table table = dealt(&fake);
  const auto failed = failure_of([&] { return table.legal(0); });
  ASSERT_TRUE(failed.has_value());
  EXPECT_STREQ(failed->what(), "UNKNOWN: the answer has no legal_moves");
  EXPECT_FALSE(failed->transient());
  EXPECT_EQ(code_of([&] { return table.view(0); }), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(code_of([&] { return table.check(0, moves::draw()); }), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(code_of([&] { return table.issue_seat_token(0, true); }), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(code_of([&] { return table.play(0, moves::draw()); }), grpc::StatusCode::UNKNOWN);
  fake.applied.mutable_accepted();
  EXPECT_EQ(code_of([&] { return table.play(0, moves::draw()); }), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(table.state(), "dealt");
  fake.applied.mutable_rejected();
  EXPECT_EQ(code_of([&] { return table.play(0, moves::draw()); }), grpc::StatusCode::UNKNOWN);
  fake.issued.set_state("issued");
  EXPECT_EQ(code_of([&] { return table.issue_seat_token(0); }), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(code_of([&] { return table.score(); }), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(table.state(), "dealt");
  fake.listed.mutable_legal_moves();
  EXPECT_TRUE(moves::expand(table.legal(0)).empty());
  fake.checked.set_legal(true);
  EXPECT_TRUE(table.check(0, moves::draw()).empty());
}

TEST(Wire, TheNextLegalMovesAreThereWhereTheyWereAskedForAndSomebodyIsToMove) {
  Fake fake;
  Table table = dealt(&fake);
  v1::ApplyMovesRequest request;
  request.set_list_legal_moves(true);
  auto* accepted = fake.applied.mutable_accepted();
  accepted->set_state("over");
  EXPECT_EQ(code_of([&] { return table.apply(request); }), grpc::StatusCode::OK);
  accepted->set_state("played");
  accepted->set_turn(0);
  EXPECT_EQ(code_of([&] { return table.apply(request); }), grpc::StatusCode::UNKNOWN);
  EXPECT_EQ(table.state(), "over");
  EXPECT_EQ(code_of([&] { return table.play(0, moves::draw()); }), grpc::StatusCode::OK);
  accepted->mutable_legal_moves();
  EXPECT_EQ(code_of([&] { return table.apply(request); }), grpc::StatusCode::OK);
}

TEST(Wire, TheTablesStateAndRevisionWin) {
  Fake fake;
  fake.applied.mutable_accepted()->set_state("played");
  Table table = dealt(&fake);
  v1::ApplyMovesRequest request;
  request.set_state("of another match");
  request.set_expected_revision(99);
  request.set_seat(2);
  request.add_viewers()->set_seat(3);
  table.apply(request);
  EXPECT_EQ(fake.asked_to_apply.state(), "dealt");
  EXPECT_EQ(fake.asked_to_apply.expected_revision(), 0U);
  EXPECT_EQ(fake.asked_to_apply.seat(), 2U);
  EXPECT_EQ(fake.asked_to_apply.viewers(0).seat(), 3U);
}

}  // namespace
}  // namespace burraco
