// Plays a match of Burraco to its end and prints its result. The server is at BURRACO_TARGET; one that asks back ends for an API key
// gets BURRACO_API_KEY. Each seat is played by a client that is that seat alone, as on a player's device.
#include <cstdlib>
#include <iostream>
#include <vector>

#include "burraco/burraco.h"
#include "player.h"

namespace {

using burraco::Client;
using burraco::Table;
namespace v1 = burraco::v1;

std::string variable(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

// What the player of a seat does, who knows what the seat may know.
v1::Move choice(const Client& device, const Table& match, std::uint32_t seat) {
  return player::choose(Table::resume(device, match.state(), seat).legal(seat));
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
  std::vector<Client> devices;
  for (const auto& token : table.seat_tokens()) {
    devices.push_back(back_end.as_seat(token));
  }
  while (table.phase() != v1::PHASE_MATCH_OVER) {
    if (const auto seat = table.turn()) {
      table.play(*seat, choice(devices.at(*seat), table, *seat));
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
