// Moves: a function for each, and every single move of a list of legal ones.
#ifndef BURRACO_MOVES_H_
#define BURRACO_MOVES_H_

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "burraco/cards.h"
#include "burraco/v1/moves.pb.h"

namespace burraco::moves {

[[nodiscard]] v1::Move draw();
[[nodiscard]] v1::Move take_pile();
// `reading` is for where the rules leave a choice.
[[nodiscard]] v1::Move meld(const Cards& cards, const std::optional<v1::MeldReading>& reading = std::nullopt);
// `wild_as` is the card that an added wild stands for, where the rules leave a choice.
[[nodiscard]] v1::Move lay_off(std::uint32_t meld_id, const Cards& cards, v1::Card wild_as = v1::CARD_UNSPECIFIED);
[[nodiscard]] v1::Move discard(v1::Card card);
[[nodiscard]] v1::Move replace_wild(std::uint32_t meld_id, v1::Card card);
// Without a discard: big gin. Without melds the service arranges them.
[[nodiscard]] v1::Move knock(v1::Card discard = v1::CARD_UNSPECIFIED, const std::vector<Cards>& melds = {});
[[nodiscard]] v1::Move pass_upcard();
[[nodiscard]] v1::Move declare_stalemate();
[[nodiscard]] v1::Move next_deal();
[[nodiscard]] v1::Move resign();
// For back ends only.
[[nodiscard]] v1::Move time_out_turn();
// For back ends only.
[[nodiscard]] v1::Move call_time();

// The list has moves of a kind that this client does not know: it is older than the service.
class UnknownMoves : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Every single move that the list stands for, each once, in a stable order: `legal.count()` in all. Throws UnknownMoves
// rather than leave one out.
[[nodiscard]] std::vector<v1::Move> expand(const v1::LegalMoves& legal);

// Every single move of a group: `group.count()` in all. Throws UnknownMoves.
[[nodiscard]] std::vector<v1::Move> expand(const v1::MoveGroup& group);

// A few words, for logs: `lay off 10S on meld 2`.
[[nodiscard]] std::string describe(const v1::Move& move);

}  // namespace burraco::moves

#endif  // BURRACO_MOVES_H_
