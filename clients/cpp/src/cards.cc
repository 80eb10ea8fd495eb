#include "burraco/cards.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace burraco {
namespace {

constexpr std::string_view kPrefix = "CARD_";
constexpr std::string_view kJoker = "JK";
constexpr std::string_view kSuits = "SHDC";
constexpr std::string_view kSigns[] = {"♠", "♥", "♦", "♣"};

bool is_space(char sign) { return std::isspace(static_cast<unsigned char>(sign)) != 0; }

bool parts(char sign) { return sign == ',' || is_space(sign); }

std::string pretty_one(v1::Card card) {
  std::string written = text(card);
  if (card != v1::CARD_JOKER) {
    const auto suit = kSuits.find(written.back());
    written.pop_back();
    written += kSigns[suit];
  }
  return written;
}

template <class Write>
std::string joined(const Cards& cards, Write write) {
  std::string all;
  for (const v1::Card card : cards) {
    all += (all.empty() ? "" : " ") + write(card);
  }
  return all;
}

}  // namespace

v1::Card card(std::string_view given) {
  std::string name(given);
  name.erase(name.begin(), std::find_if_not(name.begin(), name.end(), is_space));
  name.erase(std::find_if_not(name.rbegin(), name.rend(), is_space).base(), name.end());
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char sign) { return std::toupper(sign); });
  v1::Card found = v1::CARD_UNSPECIFIED;
  if (name == kJoker) {
    return v1::CARD_JOKER;
  }
  const bool known = v1::Card_Parse(std::string(kPrefix) + name, &found);
  if (!known || found == v1::CARD_JOKER || found == v1::CARD_UNSPECIFIED) {
    throw std::invalid_argument("\"" + std::string(given) +
                                "\" is no card; a card is a rank (A, 2 to 10, J, Q, K) and a suit (S, H, D, C), as in 7S or "
                                "10H; or JK, a joker");
  }
  return found;
}

Cards cards(std::string_view given) {
  Cards found;
  for (auto at = given.begin(); at != given.end();) {
    at = std::find_if_not(at, given.end(), parts);
    const auto end = std::find_if(at, given.end(), parts);
    if (at != end) {
      found.push_back(card(std::string(at, end)));
    }
    at = end;
  }
  return found;
}

std::string text(v1::Card card) {
  if (card == v1::CARD_JOKER) {
    return std::string(kJoker);
  }
  if (card == v1::CARD_UNSPECIFIED || !v1::Card_IsValid(card)) {
    throw std::invalid_argument(std::to_string(card) + " is the number of no card");
  }
  return v1::Card_Name(card).substr(kPrefix.size());
}

std::string text(const Cards& cards) {
  return joined(cards, [](v1::Card card) { return text(card); });
}

std::string pretty(const Cards& cards) { return joined(cards, pretty_one); }

}  // namespace burraco
