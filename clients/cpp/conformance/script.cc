#include "script.h"

#include <algorithm>
#include <iostream>

#include "burraco/burraco.h"
#include "values.h"

namespace conformance {
namespace {

using burraco::Table;
namespace moves = burraco::moves;
namespace v1 = burraco::v1;

// Far above what a match takes.
constexpr int kMostMoves = 20'000;

void require(bool holds, const std::string& otherwise) {
  if (!holds) {
    throw Problem(otherwise);
  }
}

// The draw, else the first move that lays cards, else the first discard, else whatever is first; never the resignation.
v1::Move choose(const v1::LegalMoves& legal) {
  auto all = moves::expand(legal);
  require(legal.truncated() || all.size() == legal.count(),
          std::to_string(legal.count()) + " moves expand to " + std::to_string(all.size()));
  all.erase(std::remove_if(all.begin(), all.end(), [](const auto& move) { return move.has_resign(); }), all.end());
  require(!all.empty(), "there is no legal move");
  const auto first = [&](auto is) { return std::find_if(all.begin(), all.end(), is); };
  for (const auto& found : {first([](const auto& move) { return move.has_draw_stock(); }),
                            first([](const auto& move) { return move.has_meld() || move.has_lay_off(); }),
                            first([](const auto& move) { return move.has_discard(); })}) {
    if (found != all.end()) {
      return *found;
    }
  }
  return all.front();
}

// A move against the rules and a call that fails are exceptions of their types, and change nothing.
void check_refusals(Table* table) {
  const std::string before = table->state();
  bool refused = false;
  try {
    table->play(table->turn().value(), moves::next_deal());
  } catch (const burraco::IllegalMove& illegal) {
    refused = illegal.has(v1::REASON_DEAL_NOT_OVER);
  }
  require(refused, "the next deal was no illegal move");
  bool failed = false;
  try {
    table->play(9, moves::draw());
  } catch (const burraco::RulesError& error) {
    failed = error.code() == grpc::StatusCode::INVALID_ARGUMENT && error.fields().size() == 1;
  }
  require(failed, "a draw of seat 9 was no failed call");
  require(table->state() == before && table->revision() == 0, "a refusal changed the table");
}

Table play(const burraco::Client& client) {
  auto request = burraco::match_of(v1::PRESET_ITALIAN);
  request.set_request_id("conformance");
  request.set_given_seed(std::string(32, '\7'));
  request.mutable_given_seats()->set_dealer(0);
  Table table = Table::create(client, request);
  check_refusals(&table);
  for (int made = 0; table.phase() != v1::PHASE_MATCH_OVER; ++made) {
    require(made < kMostMoves, "it is not over after " + std::to_string(made) + " moves");
    if (const auto seat = table.turn()) {
      table.play(*seat, choose(table.legal(*seat)));
    } else {
      table.next_deal();
    }
  }
  const auto view = table.view();
  require(view.has_result(), "the match is over, and has no result");
  const Table resumed = Table::resume(client, table.state());
  require(resumed.revision() == table.revision() && !resumed.turn(), "it goes on as another match");
  std::cout << "match: " << table.revision() << " changes, " << view.deal_number() << " deals, " << print(view.result()) << '\n';
  return table;
}

}  // namespace

void play_twice(const burraco::Client& client) {
  const Table first = play(client);
  const Table second = play(client);
  require(first.revision() == second.revision() && first.state() == second.state(),
          "it ended at revision " + std::to_string(first.revision()) + ", and then at " + std::to_string(second.revision()) +
              ", in another state");
}

}  // namespace conformance
