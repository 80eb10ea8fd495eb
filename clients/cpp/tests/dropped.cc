// Drops results. The compiler warns of each line that is marked, and of no other: dropped.cmake compares.
#include "burraco/burraco.h"

namespace burraco {

void drop(const Client& client, const RulesError& error, const IllegalMove& illegal) {
  cards("7S");                                             // dropped
  card("7S");                                              // dropped
  text(v1::CARD_7S);                                       // dropped
  text(Cards());                                           // dropped
  pretty(Cards());                                         // dropped
  of(v1::LegalMoves().discards());                         // dropped
  client.as_seat("token");                                 // dropped
  client.in_language("it");                                // dropped
  client.call(&Stub::GetView, v1::GetViewRequest());       // dropped
  client.stub();                                           // dropped
  client.channel();                                        // dropped
  error.transient();                                       // dropped
  error.retry_after();                                     // dropped
  error.fields();                                          // dropped
  illegal.has(v1::REASON_PILE_EMPTY);                      // dropped
  illegal.violations();                                    // dropped
  code_name(error.code());                                 // dropped
}

void drop(const v1::LegalMoves& legal) {
  moves::draw();                                           // dropped
  moves::take_pile();                                      // dropped
  moves::meld({});                                         // dropped
  moves::lay_off(1, {});                                   // dropped
  moves::discard(v1::CARD_7S);                             // dropped
  moves::replace_wild(1, v1::CARD_7S);                     // dropped
  moves::knock();                                          // dropped
  moves::pass_upcard();                                    // dropped
  moves::declare_stalemate();                              // dropped
  moves::next_deal();                                      // dropped
  moves::resign();                                         // dropped
  moves::time_out_turn();                                  // dropped
  moves::call_time();                                      // dropped
  moves::expand(legal);                                    // dropped
  moves::expand(legal.groups(0));                          // dropped
  moves::describe(v1::Move());                             // dropped
}

void drop(const Client& client, Table* table) {
  Table::create(client);                                   // dropped
  Table::resume(client, "state");                          // dropped
  match_of(v1::PRESET_GIN);                                // dropped
  viewer(0);                                               // dropped
  table->check(0, moves::draw());                          // dropped
  table->check(0, {moves::draw(), moves::resign()});       // dropped
  table->legal(0);                                         // dropped
  table->view();                                           // dropped
  table->score();                                          // dropped
  table->state();                                          // dropped
  table->revision();                                       // dropped
  table->turn();                                           // dropped
  table->phase();                                          // dropped
  table->seat_tokens();                                    // dropped
  // The table keeps what these come to.
  table->play(0, moves::draw());
  table->play(0, {moves::draw(), moves::resign()});
  table->apply(v1::ApplyMovesRequest());
  table->next_deal();
  table->issue_seat_token(0, true);
}

}  // namespace burraco
