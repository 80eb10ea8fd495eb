#include "burraco/moves.h"

#include <set>

#include <gtest/gtest.h>

#include "player.h"

namespace burraco::moves {
namespace {

using Faces = std::vector<std::pair<v1::Card, std::uint32_t>>;

v1::MoveGroup group(v1::MoveKind kind, const Faces& faces, std::uint32_t least, std::uint32_t most, const Cards& wilds = {}) {
  v1::MoveGroup made;
  made.set_kind(kind);
  made.set_meld_id(3);
  made.add_required(v1::CARD_7S);
  for (const auto& [card, count] : faces) {
    made.add_optional()->set_card(card);
    made.mutable_optional(made.optional_size() - 1)->set_count(count);
  }
  made.set_min_optional(least);
  made.set_max_optional(most);
  for (const auto wild : wilds) {
    made.add_wild_choices(wild);
  }
  return made;
}

std::vector<std::string> words(const v1::MoveGroup& given) {
  std::vector<std::string> all;
  for (const auto& move : expand(given)) {
    all.push_back(describe(move));
  }
  return all;
}

using Words = std::vector<std::string>;

TEST(Moves, AGroupIsEveryChoiceOfItsOptionalCards) {
  EXPECT_EQ(words(group(v1::MOVE_KIND_MELD, {{v1::CARD_8S, 2}, {v1::CARD_9S, 1}}, 1, 2)),
            (Words{"meld 7S 8S", "meld 7S 9S", "meld 7S 8S 8S", "meld 7S 8S 9S"}));
  EXPECT_EQ(words(group(v1::MOVE_KIND_LAY_OFF, {{v1::CARD_8S, 1}}, 0, 1, {v1::CARD_2S, v1::CARD_JOKER})),
            (Words{"lay off 7S 2S on meld 3", "lay off 7S JK on meld 3", "lay off 7S 8S 2S on meld 3", "lay off 7S 8S JK on meld 3"}));
  EXPECT_EQ(words(group(v1::MOVE_KIND_REPLACE_WILD, {}, 0, 0)), Words{"replace the wild of meld 3 by 7S"});
  EXPECT_EQ(words(group(v1::MOVE_KIND_KNOCK, {}, 0, 0)), Words{"knock with 7S"});
  EXPECT_TRUE(words(group(v1::MOVE_KIND_MELD, {{v1::CARD_8S, 1}}, 2, 3)).empty());
}

// Every small group there is, against going through all choices of the cards.
TEST(Moves, EveryChoiceComesOnce) {
  for (std::uint32_t n = 0; n < 27 * 49; ++n) {
    const std::uint32_t a = n % 3, b = n / 3 % 3, c = n / 9 % 3, least = n / 27 % 7, most = n / 189;
    std::size_t expected = 0;
    for (std::uint32_t m = 0; m < 27; ++m) {
      const std::uint32_t x = m % 3, y = m / 3 % 3, z = m / 9;
      expected += x <= a && y <= b && z <= c && x + y + z >= least && x + y + z <= most ? 1 : 0;
    }
    const auto all = words(group(v1::MOVE_KIND_MELD, {{v1::CARD_8S, a}, {v1::CARD_9S, b}, {v1::CARD_10S, c}}, least, most));
    EXPECT_EQ(all.size(), expected) << n;
    EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), expected) << n;
  }
}

TEST(Moves, AListIsSimpleMovesThenDiscardsThenGroups) {
  v1::LegalMoves legal;
  legal.add_simple(v1::MOVE_KIND_DRAW_STOCK);
  legal.add_simple(v1::MOVE_KIND_RESIGN);
  legal.add_discards(v1::CARD_AS);
  *legal.add_groups() = group(v1::MOVE_KIND_MELD, {}, 0, 0);
  legal.set_count(4);
  Words all;
  for (const auto& move : expand(legal)) {
    all.push_back(describe(move));
  }
  EXPECT_EQ(all, (Words{"draw", "resign", "discard AS", "meld 7S"}));
}

TEST(Moves, WhatThisClientDoesNotKnowIsNoShorterList) {
  v1::LegalMoves legal;
  legal.add_simple(static_cast<v1::MoveKind>(77));
  EXPECT_THROW((void)expand(legal), UnknownMoves);
  EXPECT_THROW((void)expand(group(static_cast<v1::MoveKind>(77), {}, 0, 0)), UnknownMoves);
  EXPECT_THROW((void)expand(group(v1::MOVE_KIND_MELD, {{v1::CARD_8S, 4'000'000'000U}}, 0, 4'000'000'000U)), UnknownMoves);
  auto bare = group(v1::MOVE_KIND_REPLACE_WILD, {}, 0, 0);
  bare.clear_required();
  EXPECT_THROW((void)expand(bare), UnknownMoves);
  // A group without a move in it, and moves with more cards than their kind has room for.
  EXPECT_THROW((void)expand(group(static_cast<v1::MoveKind>(77), {}, 1, 1)), UnknownMoves);
  EXPECT_THROW((void)expand(group(v1::MOVE_KIND_DISCARD, {}, 0, 0)), UnknownMoves);
  EXPECT_THROW((void)expand(group(v1::MOVE_KIND_KNOCK, {{v1::CARD_8S, 1}}, 0, 1)), UnknownMoves);
  EXPECT_THROW((void)expand(group(v1::MOVE_KIND_REPLACE_WILD, {}, 0, 0, {v1::CARD_JOKER})), UnknownMoves);
}

TEST(Moves, AListOfFewerThanAreFoundIsRefused) {
  v1::LegalMoves legal;
  legal.add_simple(v1::MOVE_KIND_DRAW_STOCK);
  EXPECT_THROW((void)expand(legal), UnknownMoves);
  // As many as nobody could go through: they are counted, and not made.
  legal.set_count(1);
  Faces faces;
  for (int card = v1::CARD_AS; card <= v1::CARD_KS; ++card) {
    faces.emplace_back(static_cast<v1::Card>(card), 8);
  }
  *legal.add_groups() = group(v1::MOVE_KIND_MELD, faces, 0, 104);
  EXPECT_THROW((void)expand(legal), UnknownMoves);
}

TEST(Moves, AListOfMoreThanIsKnownHereIsNoShorterList) {
  v1::LegalMoves legal;
  legal.add_simple(v1::MOVE_KIND_DRAW_STOCK);
  legal.set_count(1);
  EXPECT_EQ(expand(legal).size(), 1U);
  legal.set_count(2);  // the second in a field that came later
  try {
    const auto all = expand(legal);
    FAIL() << all.size();
  } catch (const UnknownMoves& unknown) {
    EXPECT_STREQ(unknown.what(),
                 "the legal moves are 2, of which 1 are known: this client is older than the service, and has to be "
                 "updated");
  }
}

TEST(Player, GivesUpWhereNothingElseIsLegal) {
  v1::LegalMoves legal;
  legal.add_simple(v1::MOVE_KIND_RESIGN);
  legal.set_count(1);
  EXPECT_EQ(describe(player::choose(legal)), "resign");
  legal.add_simple(v1::MOVE_KIND_DECLARE_STALEMATE);
  legal.set_count(2);
  EXPECT_EQ(describe(player::choose(legal)), "declare a stalemate");
  legal.add_discards(v1::CARD_AS);
  legal.add_discards(v1::CARD_KS);
  legal.set_count(4);
  EXPECT_EQ(describe(player::choose(legal)), "discard KS");
  legal.add_simple(v1::MOVE_KIND_TAKE_PILE);
  legal.set_count(5);
  EXPECT_EQ(describe(player::choose(legal)), "take the pile");
  legal.add_simple(v1::MOVE_KIND_DRAW_STOCK);
  legal.set_count(6);
  EXPECT_EQ(describe(player::choose(legal)), "draw");
  *legal.add_groups() = group(v1::MOVE_KIND_MELD, {{v1::CARD_8S, 2}}, 1, 2);
  legal.set_count(8);
  EXPECT_EQ(describe(player::choose(legal)), "meld 7S 8S 8S");
}

TEST(Moves, WhatIsNamedIsSent) {
  v1::MeldReading reading;
  reading.set_kind(v1::MELD_KIND_SEQUENCE);
  reading.set_wild_as(v1::CARD_9H);
  EXPECT_EQ(meld(cards("7H 8H JK"), reading).meld().reading().wild_as(), v1::CARD_9H);
  EXPECT_FALSE(meld(cards("7H 8H 9H")).meld().has_reading());
  EXPECT_EQ(lay_off(4, {v1::CARD_JOKER}, v1::CARD_5C).lay_off().wild_as(), v1::CARD_5C);
  EXPECT_EQ(knock(v1::CARD_KD, {cards("7H 7S 7D"), cards("AS 2S 3S")}).knock().melds(1).cards(2), v1::CARD_3S);
  EXPECT_EQ(describe(discard(static_cast<v1::Card>(99))), "discard card 99");
  EXPECT_EQ(describe(v1::Move()), "no move");
}

}  // namespace
}  // namespace burraco::moves
