#include "burraco/cards.h"

#include <gtest/gtest.h>

namespace burraco {
namespace {

std::string refusal(const std::string& text) {
  try {
    (void)cards(text.empty() ? "," : text);
    (void)card(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Cards, EachOfThe53FacesIsReadAsItIsWritten) {
  int faces = 0;
  for (int number = 1; number <= 64; ++number) {
    if (v1::Card_IsValid(number)) {
      ++faces;
      EXPECT_EQ(card(text(static_cast<v1::Card>(number))), number);
    }
  }
  EXPECT_EQ(faces, 53);
}

TEST(Cards, SelectionsArePartedBySpacesAndCommas) {
  const Cards read = cards(" 7s, 8S\tJK,,10H ");
  EXPECT_EQ(read, (Cards{v1::CARD_7S, v1::CARD_8S, v1::CARD_JOKER, v1::CARD_10H}));
  EXPECT_EQ(text(read), "7S 8S JK 10H");
  EXPECT_EQ(pretty(read), "7♠ 8♠ JK 10♥");
  EXPECT_EQ(pretty({v1::CARD_AD, v1::CARD_QC}), "A♦ Q♣");
  EXPECT_TRUE(cards("").empty());
}

TEST(Cards, WhatIsNoCardIsNamed) {
  for (const std::string wrong : {"1S", "11S", "7X", "S7", "JOKER", "UNSPECIFIED", "CARD_7S", "7♠", ""}) {
    EXPECT_EQ(refusal(wrong).rfind("\"" + wrong + "\" is no card; a card is a rank", 0), 0U) << wrong << ": " << refusal(wrong);
  }
  EXPECT_THROW((void)text(static_cast<v1::Card>(99)), std::invalid_argument);
  EXPECT_THROW((void)text(v1::CARD_UNSPECIFIED), std::invalid_argument);
}

}  // namespace
}  // namespace burraco
