// Plays a match of Burraco to its end and prints its result. The server is at BURRACO_TARGET; one that asks back ends for an API key
// gets BURRACO_API_KEY. Each seat is played by a client that is that seat alone, as on a player's device.
#include <cstdlib>
#include <iostream>

#include "burraco/burraco.h"

namespace {

using burraco::Client;
using burraco::Table;
namespace moves = burraco::moves;
namespace v1 = burraco::v1;

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

int cards_of(const v1::Move& move) { return move.meld().cards_size() + move.lay_off().cards_size(); }

// What the player of a seat does: lay whatever can be laid, the most cards first; else discard the card with the highest number.
v1::Move choose(const Client& player, const Table& match, std::uint32_t seat) {
  const Table table = Table::resume(player, match.state(), seat);
  if (table.phase() == v1::PHASE_DRAW) {
    return moves::draw();
  }
  v1::Move chosen;
  for (const auto& move : moves::expand(table.legal(seat))) {
    const bool better = cards_of(move) > cards_of(chosen);
    const bool higher = cards_of(chosen) == 0 && move.has_discard() && move.discard().card() >= chosen.discard().card();
    if (better || higher) {
      chosen = move;
    }
  }
  return chosen;
}

void say_score(const Table& table) {
  const auto view = table.view();
  for (const auto& side : view.sides()) {
    std::cout << "deal " << view.deal_number() << ", side " << side.side() << ": " << side.match_points() << " points";
    for (const auto& meld : view.melds()) {
      if (meld.side() == side.side()) {
        std::cout << " | " << burraco::pretty(burraco::of(meld.cards()));
      }
    }
    std::cout << '\n';
  }
}

}  // namespace

int main() {
  burraco::Options options;
  options.api_key = variable("BURRACO_API_KEY", "");
  const Client back_end(variable("BURRACO_TARGET", "127.0.0.1:50051"), options);
  Table table = Table::create(back_end);
  std::vector<Client> players;
  for (const auto& token : table.seat_tokens()) {
    players.push_back(back_end.as_seat(token));
  }
  while (table.phase() != v1::PHASE_MATCH_OVER) {
    if (const auto seat = table.turn()) {
      table.play(*seat, choose(players.at(*seat), table, *seat));
    } else {
      say_score(table);
      table.next_deal();
    }
  }
  say_score(table);
  const auto result = table.view().result();
  for (const auto side : result.winning_sides()) {
    std::cout << "side " << side << " wins with " << result.match_points(side) << " points, after " << table.revision() << " moves\n";
  }
}
