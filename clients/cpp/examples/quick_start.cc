// Creates a match on a running server and plays one turn: `quick_start [HOST:PORT]`. The README shows it.
#include <iostream>

#include "burraco/burraco.h"

int main(int count, char** words) {
  const burraco::Client client(count > 1 ? words[1] : "127.0.0.1:50051");
  auto table = burraco::Table::create(client);
  const auto seat = table.turn().value();
  table.play(seat, burraco::moves::draw());
  const auto legal = table.legal(seat);
  for (const auto& move : burraco::moves::expand(legal)) {
    std::cout << burraco::moves::describe(move) << '\n';
  }
  table.play(seat, burraco::moves::discard(legal.discards(0)));
  // The state is what to keep: Table::resume(client, state) goes on from it.
  std::cout << table.state().size() << " bytes of state at revision " << table.revision() << '\n';
}
