#include "burraco/error.h"

#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "burraco/client.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "values.h"

namespace burraco {
namespace {

grpc::Status failing(const google::rpc::Status& details) {
  return {grpc::StatusCode::RESOURCE_EXHAUSTED, "full", details.SerializeAsString()};
}

TEST(Errors, DetailsAreRead) {
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  info.set_domain("burraco");
  info.set_reason("REASON_FIELD_OUT_OF_RANGE");
  (*info.mutable_metadata())["max"] = "3";
  details.add_details()->PackFrom(info);
  google::rpc::BadRequest bad;
  for (const std::string field : {"seat", "moves"}) {
    auto* wrong = bad.add_field_violations();
    wrong->set_field(field);
    wrong->set_reason("REASON_FIELD_MISSING");
    wrong->set_description("is missing");
  }
  details.add_details()->PackFrom(bad);
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_seconds(1);
  retry.mutable_retry_delay()->set_nanos(500'000'000);
  details.add_details()->PackFrom(retry);
  const RulesError error(failing(details));
  EXPECT_EQ(error.reason(), v1::REASON_FIELD_OUT_OF_RANGE);
  EXPECT_EQ(error.arguments(), (std::map<std::string, std::string>{{"max", "3"}}));
  EXPECT_EQ(error.retry_after(), std::chrono::milliseconds(1500));
  EXPECT_EQ(error.fields().at(1).reason, v1::REASON_FIELD_MISSING);
  EXPECT_TRUE(error.transient());
  EXPECT_STREQ(error.what(), "RESOURCE_EXHAUSTED REASON_FIELD_OUT_OF_RANGE: full moves is missing");
}

TEST(Errors, WhatIsNotThisServicesOrNotKnownIsLeftOut) {
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  info.set_domain("elsewhere");
  info.set_reason("REASON_PILE_EMPTY");
  details.add_details()->PackFrom(info);
  EXPECT_EQ(RulesError(failing(details)).reason(), v1::REASON_UNSPECIFIED);
  info.set_domain("burraco");
  info.set_reason("REASON_OF_A_NEWER_SERVICE");
  details.mutable_details(0)->PackFrom(info);
  EXPECT_EQ(RulesError(failing(details)).reason(), v1::REASON_UNSPECIFIED);
  const RulesError cut(grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "wrong", "\xff"));
  EXPECT_STREQ(cut.what(), "INVALID_ARGUMENT: wrong");
  EXPECT_FALSE(cut.transient());
}

TEST(Errors, WhatMayBeMadeAgain) {
  google::rpc::Status details;
  google::rpc::RetryInfo retry;
  retry.mutable_retry_delay()->set_nanos(1'000'000);
  details.add_details()->PackFrom(retry);
  const std::set<grpc::StatusCode> always{grpc::StatusCode::UNAVAILABLE, grpc::StatusCode::DEADLINE_EXCEEDED,
                                          grpc::StatusCode::CANCELLED};
  for (int number = grpc::StatusCode::CANCELLED; number <= grpc::StatusCode::UNAUTHENTICATED; ++number) {
    const auto code = static_cast<grpc::StatusCode>(number);
    EXPECT_EQ(RulesError(grpc::Status(code, "")).transient(), always.count(code) == 1) << code_name(code);
    const bool with_retry = always.count(code) == 1 || code == grpc::StatusCode::RESOURCE_EXHAUSTED;
    EXPECT_EQ(RulesError(grpc::Status(code, "", details.SerializeAsString())).transient(), with_retry) << code_name(code);
  }
}

TEST(Errors, ARetryDelayIsOneThatCanBeWaited) {
  const auto delay_of = [](const google::rpc::RetryInfo& retry) {
    google::rpc::Status details;
    details.add_details()->PackFrom(retry);
    return RulesError(failing(details)).retry_after();
  };
  google::rpc::RetryInfo retry;
  EXPECT_EQ(delay_of(retry), std::chrono::milliseconds(0));
  retry.mutable_retry_delay()->set_seconds(-1);
  EXPECT_EQ(delay_of(retry), std::chrono::milliseconds(0));
  retry.mutable_retry_delay()->set_seconds(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(delay_of(retry), std::chrono::seconds(315'576'000'000));
}

TEST(Errors, AFieldHasPathReasonAndDescription) {
  google::rpc::Status details;
  google::rpc::BadRequest bad;
  for (const std::string reason : {"REASON_FIELD_OUT_OF_RANGE", "REASON_OF_A_NEWER_SERVICE", ""}) {
    auto* wrong = bad.add_field_violations();
    wrong->set_field("moves[0].meld.cards[2]");
    wrong->set_reason(reason);
    wrong->set_description("is wrong");
  }
  details.add_details()->PackFrom(bad);
  const RulesError error(failing(details));
  const std::vector<v1::Reason> reasons{v1::REASON_FIELD_OUT_OF_RANGE, v1::REASON_UNSPECIFIED, v1::REASON_UNSPECIFIED};
  ASSERT_EQ(error.fields().size(), reasons.size());
  for (std::size_t at = 0; at < reasons.size(); ++at) {
    EXPECT_EQ(error.fields()[at].field, "moves[0].meld.cards[2]");
    EXPECT_EQ(error.fields()[at].reason, reasons[at]);
    EXPECT_EQ(error.fields()[at].description, "is wrong");
  }
}

TEST(Errors, ARefusalTellsEveryViolation) {
  v1::Violation first, second;
  first.set_reason(v1::REASON_PILE_EMPTY);
  first.set_text("The pile is empty.");
  first.set_rule_id("B4-15");
  second.set_text("And more.");
  second.set_rule_id("R2");
  const IllegalMove refused({first, second});
  EXPECT_STREQ(refused.what(), "The pile is empty. (B4-15); And more. (R2)");
  EXPECT_TRUE(refused.has(v1::REASON_PILE_EMPTY));
  EXPECT_FALSE(refused.has(v1::REASON_MATCH_OVER));
}

TEST(Client, ACallerIsASeatOrABackEnd) {
  Options both;
  both.api_key = "key";
  both.seat_token = "token";
  EXPECT_THROW(Client("127.0.0.1:1", both), std::invalid_argument);
  EXPECT_THROW((void)Client("127.0.0.1:1").as_seat(""), std::invalid_argument);
}

TEST(Client, WhatMetadataCannotCarryIsRefusedAndNotShown) {
  for (const std::string wrong : {"a-key\n", "\ta-key", "a-k\xc3\xa9y", "a-key\x7f"}) {
    Options key, token, language;
    key.api_key = token.seat_token = language.language = wrong;
    for (const auto& options : {key, token, language}) {
      try {
        const Client client("127.0.0.1:1", options);
        FAIL() << wrong;
      } catch (const std::invalid_argument& refused) {
        const std::string said = refused.what();
        EXPECT_NE(said.find(" has a character, at index "), std::string::npos) << said;
        EXPECT_EQ(said.find("a-k"), std::string::npos) << said;
      }
    }
    const Client client("127.0.0.1:1");
    EXPECT_THROW((void)client.as_seat(wrong), std::invalid_argument);
    EXPECT_THROW((void)client.in_language(wrong), std::invalid_argument);
  }
}

// The numbers are those of the service config that other languages use as it is; its deadline stands for the bare stub alone.
TEST(Client, TheServiceConfigIsTheSharedOne) {
  std::ifstream file(SERVICE_CONFIG);
  std::stringstream shared;
  shared << file.rdbuf();
  auto expected = conformance::parse(shared.str());
  auto own = conformance::parse(service_config(std::chrono::seconds(3)));
  EXPECT_EQ(conformance::text_at(own, "methodConfig[0].timeout"), "5.000s");
  EXPECT_EQ(conformance::take_out(&own, "methodConfig[0].timeout"), 1);
  EXPECT_EQ(conformance::take_out(&expected, "methodConfig[0].timeout"), 1);
  std::vector<std::string> found;
  conformance::differences(expected, own, "", &found);
  EXPECT_EQ(found, std::vector<std::string>{});
}

}  // namespace
}  // namespace burraco
