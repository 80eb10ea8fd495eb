// A match as its caller keeps it: the sealed state, and the revision that goes with it.
#ifndef BURRACO_TABLE_H_
#define BURRACO_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "burraco/client.h"
#include "burraco/moves.h"

namespace burraco {

// A seat, or a spectator.
[[nodiscard]] v1::Viewer viewer(std::optional<std::uint32_t> seat);

// A match by its preset; set the rest of it as of any message.
[[nodiscard]] v1::CreateMatchRequest match_of(v1::Preset preset);

// One match. Only an accepted move changes it: after a refusal or a failed call it is as it was. Every method that calls the
// service throws RulesError when the call fails, and when its answer lacks a part that the table needs (UNKNOWN).
class Table {
 public:
  // Seats the players and deals.
  [[nodiscard]] static Table create(Client client, const v1::CreateMatchRequest& request = match_of(v1::PRESET_ITALIAN));

  // Goes on from a state that was kept. A client that is a seat has to name it: it sees no other view.
  [[nodiscard]] static Table resume(Client client, std::string state, std::optional<std::uint32_t> seat = std::nullopt);

  // The sealed state: keep it, and `resume` goes on from it.
  [[nodiscard]] const std::string& state() const { return state_; }
  // Number of changes so far: moves applied, and revocations of seat tokens.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  [[nodiscard]] v1::Phase phase() const { return phase_; }
  // The seat to move; none when the deal or the match is over.
  [[nodiscard]] std::optional<std::uint32_t> turn() const { return turn_; }
  // What the latest change told each viewer that was asked for.
  [[nodiscard]] const std::vector<v1::ViewerUpdate>& updates() const { return updates_; }
  // The token of each seat, by seat, where this made the match: give each player his own.
  [[nodiscard]] const std::vector<std::string>& seat_tokens() const { return seat_tokens_; }

  // Makes moves, all or none. Throws IllegalMove, with everything that is wrong with the first illegal one.
  v1::Accepted play(std::uint32_t seat, const v1::Move& move);
  v1::Accepted play(std::uint32_t seat, const std::vector<v1::Move>& moves);

  // Makes the moves of a request, which may name viewers and ask for the next legal moves; the table fills in its state and
  // revision. Throws as `play` does.
  v1::Accepted apply(v1::ApplyMovesRequest request);

  // Says what is wrong with moves, without making them; nothing if they are legal.
  [[nodiscard]] std::vector<v1::Violation> check(std::uint32_t seat, const v1::Move& move) const;
  [[nodiscard]] std::vector<v1::Violation> check(std::uint32_t seat, const std::vector<v1::Move>& moves) const;

  // Lists every legal move of a seat; `moves::expand` gives them one by one. With `max_moves` at most so many.
  [[nodiscard]] v1::LegalMoves legal(std::uint32_t seat, std::uint32_t max_moves = 0) const;

  // Shows what a seat may know, or a spectator.
  [[nodiscard]] v1::View view(std::optional<std::uint32_t> seat = std::nullopt, v1::HandOrder order = v1::HAND_ORDER_UNSPECIFIED,
                              bool include_rules = false) const;

  // Counts the finished deal.
  [[nodiscard]] v1::ScoreDealResponse score() const;

  // Deals again once a deal is over.
  v1::Accepted next_deal(std::uint32_t seat = 0) { return play(seat, moves::next_deal()); }

  // Issues another token of a seat; for back ends only. With `revoke` those before end, and the state changes: store it, as
  // after a move.
  v1::IssueSeatTokenResponse issue_seat_token(std::uint32_t seat, bool revoke = false, std::uint32_t lifetime_seconds = 0);

 private:
  Table(Client client, std::string state, const v1::View& view);

  Client client_;
  std::string state_;
  std::uint64_t revision_;
  v1::Phase phase_;
  std::optional<std::uint32_t> turn_;
  std::vector<v1::ViewerUpdate> updates_;
  std::vector<std::string> seat_tokens_;
};

}  // namespace burraco

#endif  // BURRACO_TABLE_H_
