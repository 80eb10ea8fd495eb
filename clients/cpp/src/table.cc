#include "burraco/table.h"

namespace burraco {
namespace {

template <class Message>
std::optional<std::uint32_t> turn_of(const Message& message) {
  return message.has_turn() ? std::optional(message.turn()) : std::nullopt;
}

template <class Request>
void put(const std::vector<v1::Move>& moves, Request* request) {
  for (const auto& move : moves) {
    *request->add_moves() = move;
  }
}

// An answer that lacks what the layer relies on is none.
void require(bool there, const char* what) {
  if (!there) {
    throw RulesError({grpc::StatusCode::UNKNOWN, std::string("the answer has no ") + what});
  }
}

v1::View view_of(const Client& client, const v1::GetViewRequest& request) {
  const auto response = client.call(&Stub::GetView, request);
  require(response.has_view(), "view");
  return response.view();
}

}  // namespace

v1::Viewer viewer(std::optional<std::uint32_t> seat) {
  v1::Viewer made;
  if (seat) {
    made.set_seat(*seat);
  } else {
    made.mutable_spectator();
  }
  return made;
}

v1::CreateMatchRequest match_of(v1::Preset preset) {
  v1::CreateMatchRequest request;
  request.mutable_rules()->set_preset(preset);
  return request;
}

Table::Table(Client client, std::string state, const v1::View& view)
    : client_(std::move(client)),
      state_(std::move(state)),
      revision_(view.revision()),
      phase_(view.phase()),
      turn_(turn_of(view)) {}

Table Table::create(Client client, const v1::CreateMatchRequest& request) {
  const auto response = client.call(&Stub::CreateMatch, request);
  require(!response.state().empty(), "state");
  require(response.updates_size() > 0 && response.updates(0).has_view(), "view");
  Table table(std::move(client), response.state(), response.updates(0).view());
  table.updates_ = {response.updates().begin(), response.updates().end()};
  table.seat_tokens_ = {response.seat_tokens().begin(), response.seat_tokens().end()};
  return table;
}

Table Table::resume(Client client, std::string state, std::optional<std::uint32_t> seat) {
  v1::GetViewRequest request;
  request.set_state(state);
  *request.mutable_viewer() = viewer(seat);
  const auto view = view_of(client, request);
  return Table(std::move(client), std::move(state), view);
}

v1::Accepted Table::play(std::uint32_t seat, const v1::Move& move) { return play(seat, std::vector{move}); }

v1::Accepted Table::play(std::uint32_t seat, const std::vector<v1::Move>& moves) {
  v1::ApplyMovesRequest request;
  request.set_seat(seat);
  put(moves, &request);
  return apply(std::move(request));
}

v1::Accepted Table::apply(v1::ApplyMovesRequest request) {
  request.set_state(state_);
  request.set_expected_revision(revision_);
  auto response = client_.call(&Stub::ApplyMoves, request);
  if (response.has_rejected()) {
    const auto& violations = response.rejected().violations();
    require(!violations.empty(), "violations");
    throw IllegalMove({violations.begin(), violations.end()});
  }
  require(response.has_accepted(), "outcome");
  require(!response.accepted().state().empty(), "state");
  require(response.accepted().has_legal_moves() || !request.list_legal_moves() || !response.accepted().has_turn(), "legal_moves");
  v1::Accepted accepted = std::move(*response.mutable_accepted());
  updates_ = {accepted.updates().begin(), accepted.updates().end()};
  state_ = accepted.state();
  revision_ = accepted.revision();
  phase_ = accepted.phase();
  turn_ = turn_of(accepted);
  return accepted;
}

std::vector<v1::Violation> Table::check(std::uint32_t seat, const v1::Move& move) const { return check(seat, std::vector{move}); }

std::vector<v1::Violation> Table::check(std::uint32_t seat, const std::vector<v1::Move>& moves) const {
  v1::CheckMovesRequest request;
  request.set_state(state_);
  request.set_seat(seat);
  request.set_expected_revision(revision_);
  put(moves, &request);
  const auto response = client_.call(&Stub::CheckMoves, request);
  require(response.legal() || response.violations_size() > 0, "violations, and does not say that the moves are legal");
  return {response.violations().begin(), response.violations().end()};
}

v1::LegalMoves Table::legal(std::uint32_t seat, std::uint32_t max_moves) const {
  v1::ListLegalMovesRequest request;
  request.set_state(state_);
  request.set_seat(seat);
  request.set_max_moves(max_moves);
  const auto response = client_.call(&Stub::ListLegalMoves, request);
  require(response.has_legal_moves(), "legal_moves");
  return response.legal_moves();
}

v1::View Table::view(std::optional<std::uint32_t> seat, v1::HandOrder order, bool include_rules) const {
  v1::GetViewRequest request;
  request.set_state(state_);
  *request.mutable_viewer() = viewer(seat);
  request.set_hand_order(order);
  request.set_include_rules(include_rules);
  return view_of(client_, request);
}

v1::ScoreDealResponse Table::score() const {
  v1::ScoreDealRequest request;
  request.set_state(state_);
  auto response = client_.call(&Stub::ScoreDeal, request);
  require(response.has_score_sheet(), "score_sheet");
  return response;
}

v1::IssueSeatTokenResponse Table::issue_seat_token(std::uint32_t seat, bool revoke, std::uint32_t lifetime_seconds) {
  v1::IssueSeatTokenRequest request;
  request.set_state(state_);
  request.set_seat(seat);
  request.set_revoke(revoke);
  request.set_lifetime_seconds(lifetime_seconds);
  const auto response = client_.call(&Stub::IssueSeatToken, request);
  require(!response.seat_token().empty(), "seat_token");
  require(!response.state().empty(), "state");
  state_ = response.state();
  revision_ = response.revision();
  return response;
}

}  // namespace burraco
