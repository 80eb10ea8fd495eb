#include "burraco/moves.h"

#include <algorithm>
#include <limits>

namespace burraco::moves {
namespace {

// More cards than any game has: 53 faces, at most 8 copies of each.
constexpr std::uint64_t kMostCards = 53 * 8;

template <class Field>
void put(const Cards& cards, Field* field) {
  for (const v1::Card card : cards) {
    field->Add(card);
  }
}

UnknownMoves older(const std::string& found) {
  return UnknownMoves(found + ": this client is older than the service, and has to be updated");
}

v1::Move simple(int kind) {
  switch (kind) {
    case v1::MOVE_KIND_DRAW_STOCK:
      return draw();
    case v1::MOVE_KIND_TAKE_PILE:
      return take_pile();
    case v1::MOVE_KIND_PASS_UPCARD:
      return pass_upcard();
    case v1::MOVE_KIND_DECLARE_STALEMATE:
      return declare_stalemate();
    case v1::MOVE_KIND_NEXT_DEAL:
      return next_deal();
    case v1::MOVE_KIND_RESIGN:
      return resign();
    case v1::MOVE_KIND_TIME_OUT_TURN:
      return time_out_turn();
    case v1::MOVE_KIND_CALL_TIME:
      return call_time();
    default:
      throw older("the legal moves have a kind without arguments with the number " + std::to_string(kind));
  }
}

// Cards that a group chooses among. Throws UnknownMoves for more than any game has.
std::uint64_t choosable(const v1::MoveGroup& group) {
  std::uint64_t there = 0;
  for (const auto& face : group.optional()) {
    there += face.count();
  }
  if (there > kMostCards) {
    throw UnknownMoves("the legal moves choose among more than " + std::to_string(kMostCards) + " cards");
  }
  return there;
}

std::uint64_t added(std::uint64_t one, std::uint64_t other) {
  return one + std::min(other, std::numeric_limits<std::uint64_t>::max() - one);
}

// Number of moves of a group: ways to choose so many cards, order meaning nothing, for each number of them.
std::uint64_t size_of(const v1::MoveGroup& group) {
  std::vector<std::uint64_t> ways(choosable(group) + 1);  // by number of cards
  ways[0] = 1;
  for (const auto& face : group.optional()) {
    for (std::size_t size = ways.size(); size-- > 1;) {
      for (std::size_t copies = 1; copies <= std::min<std::size_t>(size, face.count()); ++copies) {
        ways[size] = added(ways[size], ways[size - copies]);
      }
    }
  }
  std::uint64_t all = 0;
  for (std::uint64_t size = group.min_optional(); size < ways.size() && size <= group.max_optional(); ++size) {
    for (int wild = 0; wild < std::max(1, group.wild_choices_size()); ++wild) {
      all = added(all, ways[size]);
    }
  }
  return all;
}

// Whether a move of the kind may have so many cards. No kind but these comes in groups.
bool takes(int kind, std::uint64_t cards) {
  switch (kind) {
    case v1::MOVE_KIND_MELD:
    case v1::MOVE_KIND_LAY_OFF:
      return true;
    case v1::MOVE_KIND_KNOCK:
      return cards <= 1;
    case v1::MOVE_KIND_REPLACE_WILD:
      return cards == 1;
    default:
      return false;
  }
}

// Throws UnknownMoves unless every move of the group, should it have none even, is one that `of_group` makes.
void require_known(const v1::MoveGroup& group, std::uint64_t least, std::uint64_t most) {
  const std::uint64_t always = group.required_size() + (group.wild_choices().empty() ? 0 : 1);
  for (const std::uint64_t cards : {always + least, always + most}) {
    if (!takes(group.kind(), cards)) {
      throw older("the legal moves have a group of the kind " + std::to_string(group.kind()) + " with " + std::to_string(cards) +
                  " cards");
    }
  }
}

v1::Move of_group(const v1::MoveGroup& group, const Cards& cards) {
  switch (group.kind()) {
    case v1::MOVE_KIND_MELD:
      return meld(cards);
    case v1::MOVE_KIND_LAY_OFF:
      return lay_off(group.meld_id(), cards);
    case v1::MOVE_KIND_KNOCK:
      return cards.empty() ? knock() : knock(cards.front());
    default:  // MOVE_KIND_REPLACE_WILD: there is no other, see `takes`
      return replace_wild(group.meld_id(), cards.front());
  }
}

// Chooses `left` cards of the faces from `at` on, most copies of a face first; a face at most as often as it is there.
void choose(const v1::MoveGroup& group, int at, std::uint32_t left, Cards* chosen, std::vector<v1::Move>* found) {
  if (left == 0) {
    if (group.wild_choices().empty()) {
      found->push_back(of_group(group, *chosen));
    }
    for (const int wild : group.wild_choices()) {
      Cards with = *chosen;
      with.push_back(static_cast<v1::Card>(wild));
      found->push_back(of_group(group, with));
    }
    return;
  }
  if (at == group.optional_size()) {
    return;
  }
  const auto& face = group.optional(at);
  const std::size_t before = chosen->size();
  for (std::uint32_t copies = std::min(face.count(), left) + 1; copies-- > 0;) {
    chosen->insert(chosen->end(), copies, face.card());
    choose(group, at + 1, left - copies, chosen, found);
    chosen->resize(before);
  }
}

std::string shown(const Cards& cards) {
  std::string all;
  for (const v1::Card card : cards) {
    // A newer service may have cards that this client does not know.
    const bool known = card != v1::CARD_UNSPECIFIED && v1::Card_IsValid(card);
    all += (all.empty() ? "" : " ") + (known ? text(card) : "card " + std::to_string(card));
  }
  return all;
}

}  // namespace

v1::Move draw() {
  v1::Move move;
  move.mutable_draw_stock();
  return move;
}

v1::Move take_pile() {
  v1::Move move;
  move.mutable_take_pile();
  return move;
}

v1::Move meld(const Cards& cards, const std::optional<v1::MeldReading>& reading) {
  v1::Move move;
  put(cards, move.mutable_meld()->mutable_cards());
  if (reading) {
    *move.mutable_meld()->mutable_reading() = *reading;
  }
  return move;
}

v1::Move lay_off(std::uint32_t meld_id, const Cards& cards, v1::Card wild_as) {
  v1::Move move;
  auto* added = move.mutable_lay_off();
  added->set_meld_id(meld_id);
  put(cards, added->mutable_cards());
  added->set_wild_as(wild_as);
  return move;
}

v1::Move discard(v1::Card card) {
  v1::Move move;
  move.mutable_discard()->set_card(card);
  return move;
}

v1::Move replace_wild(std::uint32_t meld_id, v1::Card card) {
  v1::Move move;
  move.mutable_replace_wild()->set_meld_id(meld_id);
  move.mutable_replace_wild()->set_card(card);
  return move;
}

v1::Move knock(v1::Card discarded, const std::vector<Cards>& melds) {
  v1::Move move;
  move.mutable_knock()->set_discard(discarded);
  for (const Cards& cards : melds) {
    put(cards, move.mutable_knock()->add_melds()->mutable_cards());
  }
  return move;
}

v1::Move pass_upcard() {
  v1::Move move;
  move.mutable_pass_upcard();
  return move;
}

v1::Move declare_stalemate() {
  v1::Move move;
  move.mutable_declare_stalemate();
  return move;
}

v1::Move next_deal() {
  v1::Move move;
  move.mutable_next_deal();
  return move;
}

v1::Move resign() {
  v1::Move move;
  move.mutable_resign();
  return move;
}

v1::Move time_out_turn() {
  v1::Move move;
  move.mutable_time_out_turn();
  return move;
}

v1::Move call_time() {
  v1::Move move;
  move.mutable_call_time();
  return move;
}

std::vector<v1::Move> expand(const v1::LegalMoves& legal) {
  // Before one is made: a list of a newer service may stand for more than there is room for.
  std::uint64_t known = static_cast<std::uint64_t>(legal.simple_size()) + static_cast<std::uint64_t>(legal.discards_size());
  for (const auto& group : legal.groups()) {
    known = added(known, size_of(group));
  }
  if (known != legal.count()) {
    throw older("the legal moves are " + std::to_string(legal.count()) + ", of which " + std::to_string(known) + " are known");
  }
  std::vector<v1::Move> found;
  for (const int kind : legal.simple()) {
    found.push_back(simple(kind));
  }
  for (const int card : legal.discards()) {
    found.push_back(discard(static_cast<v1::Card>(card)));
  }
  for (const auto& group : legal.groups()) {
    const auto moves = expand(group);
    found.insert(found.end(), moves.begin(), moves.end());
  }
  return found;
}

std::vector<v1::Move> expand(const v1::MoveGroup& group) {
  const std::uint64_t there = choosable(group);
  std::vector<v1::Move> found;
  const std::uint64_t most = std::min<std::uint64_t>(group.max_optional(), there);
  require_known(group, std::min<std::uint64_t>(group.min_optional(), most), most);
  for (std::uint64_t size = group.min_optional(); size <= most; ++size) {
    Cards chosen = of(group.required());
    choose(group, 0, static_cast<std::uint32_t>(size), &chosen, &found);
  }
  return found;
}

std::string describe(const v1::Move& move) {
  switch (move.kind_case()) {
    case v1::Move::kDrawStock:
      return "draw";
    case v1::Move::kTakePile:
      return "take the pile";
    case v1::Move::kMeld:
      return "meld " + shown(of(move.meld().cards()));
    case v1::Move::kLayOff:
      return "lay off " + shown(of(move.lay_off().cards())) + " on meld " + std::to_string(move.lay_off().meld_id());
    case v1::Move::kDiscard:
      return "discard " + shown({move.discard().card()});
    case v1::Move::kReplaceWild:
      return "replace the wild of meld " + std::to_string(move.replace_wild().meld_id()) + " by " +
             shown({move.replace_wild().card()});
    case v1::Move::kKnock:
      return move.knock().discard() == v1::CARD_UNSPECIFIED ? "knock" : "knock with " + shown({move.knock().discard()});
    case v1::Move::kPassUpcard:
      return "pass the up-card";
    case v1::Move::kDeclareStalemate:
      return "declare a stalemate";
    case v1::Move::kNextDeal:
      return "next deal";
    case v1::Move::kResign:
      return "resign";
    case v1::Move::kTimeOutTurn:
      return "time out";
    case v1::Move::kCallTime:
      return "call time";
    case v1::Move::KIND_NOT_SET:
      break;
  }
  return "no move";
}

}  // namespace burraco::moves
