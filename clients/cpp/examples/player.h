// The player of the example: he lays whatever can be laid, and discards the card with the highest number. One who thinks is left
// to you.
#ifndef BURRACO_EXAMPLES_PLAYER_H_
#define BURRACO_EXAMPLES_PLAYER_H_

#include <algorithm>
#include <stdexcept>

#include "burraco/moves.h"

namespace player {

namespace v1 = burraco::v1;

// How much he wants a move. One that he has no plan for is better than none, and giving up is the last that he does.
inline int wish(const v1::Move& move) {
  switch (move.kind_case()) {
    case v1::Move::kKnock:
      return 3000;
    case v1::Move::kMeld:
      return 2000 + move.meld().cards_size();
    case v1::Move::kLayOff:
      return 2000 + move.lay_off().cards_size();
    case v1::Move::kDrawStock:
      return 1001;
    case v1::Move::kTakePile:
      return 1000;
    case v1::Move::kDiscard:
      return 100 + move.discard().card();
    case v1::Move::kResign:
      return -1;
    default:
      return 0;
  }
}

inline v1::Move choose(const v1::LegalMoves& legal) {
  const auto all = burraco::moves::expand(legal);
  if (all.empty()) {
    throw std::runtime_error("no move is legal");
  }
  return *std::max_element(all.begin(), all.end(), [](const auto& one, const auto& other) { return wish(one) < wish(other); });
}

}  // namespace player

#endif  // BURRACO_EXAMPLES_PLAYER_H_
