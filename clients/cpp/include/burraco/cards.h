// Cards as people write them: `7S`, `10H`, `AS`, and `JK` for a joker.
#ifndef BURRACO_CARDS_H_
#define BURRACO_CARDS_H_

#include <string>
#include <string_view>
#include <vector>

#include "burraco/v1/cards.pb.h"

namespace burraco {

using Cards = std::vector<v1::Card>;

// Reads one card; case and space around it mean nothing. Throws std::invalid_argument, naming the text and what is accepted.
[[nodiscard]] v1::Card card(std::string_view text);

// Reads cards parted by space or commas. Throws as `card` does.
[[nodiscard]] Cards cards(std::string_view text);

// Writes a card so that `card` reads it again. Throws std::invalid_argument for the number of no card.
[[nodiscard]] std::string text(v1::Card card);

// Writes cards parted by spaces, so that `cards` reads them again.
[[nodiscard]] std::string text(const Cards& cards);

// Writes cards with suit signs in UTF-8, for showing: `7♠ 10♥ JK`.
[[nodiscard]] std::string pretty(const Cards& cards);

// The cards of a repeated field of a message: `of(view.discard())`.
template <class Field>
[[nodiscard]] Cards of(const Field& field) {
  Cards found;
  for (const int number : field) {
    found.push_back(static_cast<v1::Card>(number));
  }
  return found;
}

}  // namespace burraco

#endif  // BURRACO_CARDS_H_
