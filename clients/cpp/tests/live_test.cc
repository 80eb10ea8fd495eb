// The layer against the service at BURRACO_TARGET, which knows back ends by the key of the vectors.
#include <cstdlib>
#include <iostream>

#include <gtest/gtest.h>

#include "burraco/burraco.h"
#include "failures.h"
#include "player.h"

namespace burraco {
namespace {

using support::code_of;
using support::failure_of;

constexpr char kApiKey[] = "public-key-of-the-conformance-vectors";

std::string target() {
  const char* value = std::getenv("BURRACO_TARGET");
  if (value == nullptr) {
    throw std::runtime_error("set BURRACO_TARGET to HOST:PORT of a server with the environment of the vectors' manifest");
  }
  return value;
}

Client back_end(std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
  Options options;
  options.api_key = kApiKey;
  options.timeout = timeout;
  return Client(target(), options);
}

v1::CreateMatchRequest seeded(v1::Preset preset = v1::PRESET_ITALIAN) {
  auto request = match_of(preset);
  request.set_given_seed(std::string(32, '\7'));
  return request;
}

TEST(Live, ATurnIsPlayed) {
  Table table = Table::create(back_end(), seeded());
  const auto seat = table.turn().value();
  EXPECT_EQ(table.seat_tokens().size(), 4U);
  EXPECT_EQ(table.updates().size(), 4U);
  table.play(seat, moves::draw());
  EXPECT_EQ(table.phase(), v1::PHASE_PLAY);
  const auto legal = table.legal(seat);
  const auto card = legal.discards(0);
  EXPECT_TRUE(table.check(seat, moves::discard(static_cast<v1::Card>(card))).empty());
  const auto accepted = table.play(seat, moves::discard(static_cast<v1::Card>(card)));
  EXPECT_EQ(table.revision(), 2U);
  EXPECT_EQ(table.turn(), (seat + 1) % 4);
  EXPECT_EQ(table.state(), accepted.state());
  EXPECT_EQ(Table::resume(back_end(), table.state()).revision(), 2U);
}

TEST(Live, ARefusalIsEveryViolationAndChangesNothing) {
  Table table = Table::create(back_end(), seeded());
  const std::string before = table.state();
  try {
    table.play(table.turn().value(), moves::meld(cards("7S 7S 8S")));
    FAIL() << "it was accepted";
  } catch (const IllegalMove& refused) {
    EXPECT_GT(refused.violations().size(), 1U);
    EXPECT_TRUE(refused.has(v1::REASON_MUST_DRAW_FIRST));
  }
  EXPECT_EQ(table.state(), before);
  EXPECT_EQ(table.revision(), 0U);
}

TEST(Live, WhatIsWrongWithAMoveIsAnAnswer) {
  const Table table = Table::create(back_end(), seeded());
  const auto seat = table.turn().value();
  EXPECT_TRUE(table.check(seat, moves::draw()).empty());
  const auto wrong = table.check(seat, moves::meld(cards("7S 7S 8S")));
  ASSERT_FALSE(wrong.empty());
  EXPECT_EQ(wrong.front().reason(), v1::REASON_MUST_DRAW_FIRST);
  EXPECT_EQ(table.check(seat, {moves::draw(), moves::next_deal()}).front().reason(), v1::REASON_MOVE_AFTER_REVEAL);
}

TEST(Live, AFailedCallTellsItsReason) {
  Table table = Table::create(back_end(), seeded());
  Table behind = table;
  table.play(table.turn().value(), moves::draw());
  const auto expect = [](const std::optional<RulesError>& failed, grpc::StatusCode code, v1::Reason reason) {
    ASSERT_TRUE(failed.has_value());
    EXPECT_EQ(failed->code(), code);
    EXPECT_EQ(failed->reason(), reason);
  };
  const auto seat = failure_of([&] { return table.play(9, moves::draw()); });
  expect(seat, grpc::StatusCode::INVALID_ARGUMENT, v1::REASON_FIELD_OUT_OF_RANGE);
  ASSERT_EQ(seat->fields().size(), 1U);
  EXPECT_EQ(seat->fields()[0].field, "seat");
  EXPECT_EQ(seat->fields()[0].reason, v1::REASON_FIELD_OUT_OF_RANGE);
  EXPECT_FALSE(seat->fields()[0].description.empty());
  expect(failure_of([&] { return table.score(); }), grpc::StatusCode::FAILED_PRECONDITION, v1::REASON_DEAL_UNFINISHED);
  const auto nobody = failure_of([&] { return Table::create(Client(target())); });
  expect(nobody, grpc::StatusCode::UNAUTHENTICATED, v1::REASON_CALLER_NOT_KNOWN);
  EXPECT_EQ(code_of([&] { return behind.play(behind.turn().value(), moves::draw()); }), grpc::StatusCode::OK);  // calls are pure
}

TEST(Live, ASeatIsKnownByItsTokenUntilItIsRevoked) {
  Table table = Table::create(back_end(), seeded());
  const auto seat = table.turn().value();
  const Client player = back_end().as_seat(table.seat_tokens().at(seat));
  const Table own = Table::resume(player, table.state(), seat);
  EXPECT_GT(own.view(seat).seats(static_cast<int>(seat)).hand_size(), 0);
  EXPECT_EQ(code_of([&] { return own.view((seat + 1) % 4); }), grpc::StatusCode::PERMISSION_DENIED);
  table.issue_seat_token(seat, true);
  EXPECT_EQ(table.revision(), 1U);
  EXPECT_EQ(code_of([&] { return Table::resume(player, table.state(), seat); }), grpc::StatusCode::UNAUTHENTICATED);
}

// Every single move of every list stands as many times as the service counted, and each of a sample is legal.
TEST(Live, ExpandedListsAreWhatTheServiceCountsAndAccepts) {
  for (const auto preset : {v1::PRESET_ITALIAN, v1::PRESET_RAMINO, v1::PRESET_GIN, v1::PRESET_SCALA_40}) {
    Table table = Table::create(back_end(), seeded(preset));
    for (std::size_t step = 0; step < 60 && table.turn(); ++step) {
      const auto legal = table.legal(*table.turn());
      auto all = moves::expand(legal);
      ASSERT_EQ(all.size(), legal.count()) << v1::Preset_Name(preset) << ", step " << step;
      std::vector<v1::Move> open;
      for (const auto& move : all) {
        if (!move.has_resign()) {
          open.push_back(move);
        }
      }
      ASSERT_NO_THROW(table.play(*table.turn(), open.at(step * 7 % open.size())));
    }
  }
}

TEST(Live, AnAddressWhereNobodyListensCostsNoCall) {
  Options options;
  options.api_key = kApiKey;
  const Table table = Table::create(Client("ipv4:127.0.0.1:1," + target() + ",127.0.0.1:2", options), seeded());
  for (int call = 0; call < 20; ++call) {
    EXPECT_EQ(table.view(0).revision(), 0U);
  }
}

// What the README shows.
void say_in_italian(const Client& client, const std::string& state) {
#include "readme_language.inc"
}

TEST(Live, TheReadmesTableSpeaksItalian) {
  auto match = seeded();
  match.mutable_given_seats()->set_dealer(0);
  testing::internal::CaptureStdout();
  say_in_italian(back_end(), Table::create(back_end(), match).state());
  EXPECT_NE(testing::internal::GetCapturedStdout().find("turno"), std::string::npos);
}

TEST(Live, AViolationIsToldInTheLanguageOfTheTable) {
  const Client client = back_end();
  const auto told = [](const Client& by) {
    const Table table = Table::create(by, seeded());
    return table.check(table.turn().value(), moves::meld(cards("7S 8S 9S"))).front().text();
  };
  const std::string english = told(client);
  EXPECT_NE(english.find("raw"), std::string::npos) << english;  // to draw, pescare
  EXPECT_NE(told(client.in_language("it")).find("esca"), std::string::npos) << told(client.in_language("it"));
  EXPECT_EQ(told(client), english);
  EXPECT_EQ(told(client.in_language("it").in_language("")), english);
}

// Plays with the player of the example, who may not give up, and tells how often he took the pile: he does where nothing is left to
// draw, and has to then.
int piles_taken_in_a_match(v1::Preset preset, char seed) {
  auto match = seeded(preset);
  match.set_given_seed(std::string(32, seed));
  Table table = Table::create(back_end(), match);
  v1::LegalMoves legal = table.legal(table.turn().value());
  int taken = 0;
  while (table.phase() != v1::PHASE_MATCH_OVER) {
    v1::ApplyMovesRequest request;
    request.set_seat(table.turn().value_or(0));
    *request.add_moves() = table.turn() ? player::choose(legal) : moves::next_deal();
    request.set_list_legal_moves(true);
    if (request.moves(0).has_resign() || table.revision() > 10'000) {
      throw std::runtime_error("it did not come to its end");
    }
    taken += request.moves(0).has_take_pile() ? 1 : 0;
    legal = table.apply(request).legal_moves();
  }
  return taken;
}

TEST(Live, TheExamplesPlayerPlaysOnToTheEnd) {
  int taken = 0;
  for (const char seed : {'\1', '\2', '\3', '\4', '\5', '\6'}) {
    taken += piles_taken_in_a_match(v1::PRESET_TWO_PLAYER, seed);
  }
  EXPECT_GT(taken, 0);
  for (const auto preset : {v1::PRESET_ITALIAN, v1::PRESET_GIN, v1::PRESET_RAMINO, v1::PRESET_SCALA_40}) {
    EXPECT_NO_THROW(piles_taken_in_a_match(preset, '\3')) << v1::Preset_Name(preset);
  }
}

TEST(Live, TextsComeInALanguageOrInEnglish) {
  Options options;
  options.api_key = kApiKey;
  options.language = "tlh";
  const auto unknown = Client(target(), options).call(&Stub::ListPresets, v1::ListPresetsRequest());
  EXPECT_EQ(unknown.SerializeAsString(), back_end().call(&Stub::ListPresets, v1::ListPresetsRequest()).SerializeAsString());
}

TEST(Live, AServiceThatIsNotThereIsUnavailableWithinTheDeadline) {
  Options options;
  options.timeout = std::chrono::milliseconds(1500);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(code_of([&] { return Table::create(Client("127.0.0.1:1", options)); }), grpc::StatusCode::UNAVAILABLE);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
}

}  // namespace
}  // namespace burraco
