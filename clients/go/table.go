package burraco

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"burraco/burracopb"
	"burraco/moves"
)

// A Position is where a match stands. It never changes, and neither may what it refers to.
type Position struct {
	// State is the sealed state: keep it, and [Resume] goes on from it.
	State []byte
	// Revision counts the changes so far: moves applied, and revocations of seat tokens.
	Revision uint64
	Phase    burracopb.Phase
	// Updates are what the latest change told each viewer that was asked for.
	Updates []*burracopb.ViewerUpdate

	turn *uint32
}

// Turn is the seat to move; false when the deal or the match is over.
func (p *Position) Turn() (seat uint32, ok bool) {
	if p.turn == nil {
		return 0, false
	}
	return *p.turn, true
}

// Over says whether the match is over.
func (p *Position) Over() bool { return p.Phase == burracopb.Phase_PHASE_MATCH_OVER }

// A Table is one match: a client, and the position that the match is at. Only what the service accepts changes it;
// after a refusal or a failed call it is as it was. Every method that calls the service fails with [*RulesError].
//
// Goroutines may share a table. They see whole positions, and of two changes made from the same one the first to be
// answered stands; the other fails with code Aborted and REASON_REVISION_MISMATCH, as one does that the service finds
// too late. This compares within one table: processes that keep a match together store with compare-and-set on the
// revision.
type Table struct {
	client *Client
	tokens []string
	now    atomic.Pointer[Position]
}

// String says where the match is; it shows no token and no state.
func (t *Table) String() string {
	return fmt.Sprintf("burraco.Table(%v, revision %d)", t.client, t.now.Load().Revision)
}

// GoString is String, so that %#v shows no token either.
func (t *Table) GoString() string { return t.String() }

// Create seats the players and deals. A request without rules gets Italian Burraco for four; one without viewers tells
// what every seat may know.
func Create(ctx context.Context, client *Client, request *burracopb.CreateMatchRequest) (*Table, error) {
	asked := clone(request)
	if asked.GetRules() == nil {
		asked.Rules = Rules(burracopb.Preset_PRESET_ITALIAN)
	}
	created, err := client.Game.CreateMatch(ctx, asked)
	if err != nil {
		return nil, err
	}
	updates := created.GetUpdates()
	switch {
	case len(created.GetState()) == 0:
		return nil, lacks("CreateMatch", "a state")
	case len(updates) == 0 || updates[0].GetView() == nil:
		return nil, lacks("CreateMatch", "a view")
	}
	table := newTable(client, position(created.GetState(), updates[0].GetView(), updates))
	table.tokens = created.GetSeatTokens()
	return table, nil
}

// Resume goes on from a state that was kept. A client that is a seat names itself as the viewer, since it sees no other
// view; nil is a spectator.
func Resume(ctx context.Context, client *Client, state []byte, viewer *burracopb.Viewer) (*Table, error) {
	view, err := view(ctx, client, state, viewer)
	if err != nil {
		return nil, err
	}
	return newTable(client, position(state, view, nil)), nil
}

// Position is where the match stands.
func (t *Table) Position() *Position { return t.now.Load() }

// State is that of the position: the sealed state.
func (t *Table) State() []byte { return t.Position().State }

// Revision is that of the position.
func (t *Table) Revision() uint64 { return t.Position().Revision }

// Turn is that of the position: the seat to move.
func (t *Table) Turn() (seat uint32, ok bool) { return t.Position().Turn() }

// SeatTokens are the tokens by seat, where this table made the match: give each player his own.
func (t *Table) SeatTokens() []string { return t.tokens }

// Play makes moves of a seat, all or none, and tells what the seat may know of them. A move that the rules forbid is an
// [*IllegalMove].
func (t *Table) Play(ctx context.Context, seat uint32, played ...*burracopb.Move) (*burracopb.Accepted, error) {
	return t.Apply(ctx, &burracopb.ApplyMovesRequest{Seat: seat, Moves: played})
}

// Apply is Play with all that a request can ask for: viewers, the order of hands, the next seat's legal moves. State
// and expected revision are the table's, whatever the request has.
func (t *Table) Apply(ctx context.Context, request *burracopb.ApplyMovesRequest) (*burracopb.Accepted, error) {
	now, asked := t.Position(), clone(request)
	asked.State, asked.ExpectedRevision = now.State, &now.Revision
	answer, err := t.client.Game.ApplyMoves(ctx, asked)
	if err != nil {
		return nil, err
	}
	if rejected := answer.GetRejected(); rejected != nil {
		return nil, &IllegalMove{Violations: rejected.GetViolations()}
	}
	accepted := answer.GetAccepted()
	switch {
	case accepted == nil:
		return nil, lacks("ApplyMoves", "an outcome that this client knows")
	case len(accepted.GetState()) == 0:
		return nil, lacks("ApplyMoves", "a state")
	case asked.GetListLegalMoves() && accepted.Turn != nil && accepted.GetLegalMoves() == nil:
		return nil, lacks("ApplyMoves", "legal moves")
	}
	err = t.change(now, &Position{
		State:    accepted.GetState(),
		Revision: accepted.GetRevision(),
		Phase:    accepted.GetPhase(),
		Updates:  accepted.GetUpdates(),
		turn:     accepted.Turn,
	})
	if err != nil {
		return nil, err
	}
	return accepted, nil
}

// NextDeal deals again once a deal is over.
func (t *Table) NextDeal(ctx context.Context) (*burracopb.Accepted, error) {
	return t.Play(ctx, 0, moves.NextDeal())
}

// Check says everything that is wrong with the first illegal one of these moves, without making them: nothing where all
// are legal.
func (t *Table) Check(ctx context.Context, seat uint32, checked ...*burracopb.Move) ([]*burracopb.Violation, error) {
	now := t.Position()
	answer, err := t.client.Game.CheckMoves(ctx, &burracopb.CheckMovesRequest{
		State: now.State, Seat: seat, Moves: checked, ExpectedRevision: &now.Revision,
	})
	if err != nil {
		return nil, err
	}
	if !answer.GetLegal() && len(answer.GetViolations()) == 0 {
		return nil, lacks("CheckMoves", "the violations of an illegal move")
	}
	return answer.GetViolations(), nil
}

// Legal lists every legal move of a seat, compact; [moves.Expand] goes through them one by one.
func (t *Table) Legal(ctx context.Context, seat uint32) (*burracopb.LegalMoves, error) {
	return t.LegalUpTo(ctx, seat, 0)
}

// LegalUpTo lists legal moves of a seat, at most so many single ones; 0 is the service's limit.
func (t *Table) LegalUpTo(ctx context.Context, seat, most uint32) (*burracopb.LegalMoves, error) {
	answer, err := t.client.Game.ListLegalMoves(ctx, &burracopb.ListLegalMovesRequest{
		State: t.State(), Seat: seat, MaxMoves: most,
	})
	switch {
	case err != nil:
		return nil, err
	case answer.GetLegalMoves() == nil:
		return nil, lacks("ListLegalMoves", "legal moves")
	}
	return answer.GetLegalMoves(), nil
}

// View shows what a viewer may know; nil is a spectator. GetView of the stub can also sort hands and add the rules.
func (t *Table) View(ctx context.Context, viewer *burracopb.Viewer) (*burracopb.View, error) {
	return view(ctx, t.client, t.State(), viewer)
}

// Score counts the finished deal.
func (t *Table) Score(ctx context.Context) (*burracopb.ScoreDealResponse, error) {
	counted, err := t.client.Game.ScoreDeal(ctx, &burracopb.ScoreDealRequest{
		What: &burracopb.ScoreDealRequest_State{State: t.State()},
	})
	switch {
	case err != nil:
		return nil, err
	case counted.GetScoreSheet() == nil:
		return nil, lacks("ScoreDeal", "a score sheet")
	}
	return counted, nil
}

// RenewSeatToken issues another token of a seat, for so many whole seconds; 0 is the service's default. For back ends
// only.
func (t *Table) RenewSeatToken(
	ctx context.Context, seat uint32, lifetime time.Duration,
) (*burracopb.IssueSeatTokenResponse, error) {
	return t.issue(ctx, seat, lifetime, false)
}

// RevokeSeatTokens ends the tokens of a seat and issues another one. The table changes: store its state as after a
// move. For back ends only.
func (t *Table) RevokeSeatTokens(
	ctx context.Context, seat uint32, lifetime time.Duration,
) (*burracopb.IssueSeatTokenResponse, error) {
	return t.issue(ctx, seat, lifetime, true)
}

func (t *Table) issue(
	ctx context.Context, seat uint32, lifetime time.Duration, revoke bool,
) (*burracopb.IssueSeatTokenResponse, error) {
	seconds := int64(lifetime / time.Second)
	if seconds < 0 || seconds > 1<<31 || lifetime%time.Second != 0 {
		return nil, fmt.Errorf("burraco: a seat token cannot last %v: give whole seconds, a minute to a year", lifetime)
	}
	now := t.Position()
	issued, err := t.client.Game.IssueSeatToken(ctx, &burracopb.IssueSeatTokenRequest{
		State: now.State, Seat: seat, Revoke: revoke, LifetimeSeconds: uint32(seconds),
	})
	switch {
	case err != nil:
		return nil, err
	case issued.GetSeatToken() == "":
		return nil, lacks("IssueSeatToken", "a seat token")
	case len(issued.GetState()) == 0:
		return nil, lacks("IssueSeatToken", "a state")
	}
	if revoke {
		next := *now
		next.State, next.Revision = issued.GetState(), issued.GetRevision()
		if err := t.change(now, &next); err != nil {
			return nil, err
		}
	}
	return issued, nil
}

// change puts a position in the place of the one that it was made from, unless another one is there by now.
func (t *Table) change(from, to *Position) error {
	if t.now.CompareAndSwap(from, to) {
		return nil
	}
	actual := t.Revision()
	return &RulesError{
		Code: codes.Aborted,
		Message: fmt.Sprintf(
			"the table has gone on from revision %d to %d in the meantime: look again", from.Revision, actual,
		),
		Reason: burracopb.Reason_REASON_REVISION_MISMATCH,
		Arguments: map[string]string{
			"expected": strconv.FormatUint(from.Revision, 10), "actual": strconv.FormatUint(actual, 10),
		},
	}
}

func newTable(client *Client, now *Position) *Table {
	table := &Table{client: client}
	table.now.Store(now)
	return table
}

func view(
	ctx context.Context, client *Client, state []byte, viewer *burracopb.Viewer,
) (*burracopb.View, error) {
	if viewer == nil {
		viewer = Spectator()
	}
	answer, err := client.Game.GetView(ctx, &burracopb.GetViewRequest{State: state, Viewer: viewer})
	switch {
	case err != nil:
		return nil, err
	case answer.GetView() == nil:
		return nil, lacks("GetView", "a view")
	}
	return answer.GetView(), nil
}

func position(state []byte, view *burracopb.View, updates []*burracopb.ViewerUpdate) *Position {
	return &Position{
		State: state, Revision: view.GetRevision(), Phase: view.GetPhase(), Updates: updates, turn: view.Turn,
	}
}

// clone copies a request, so that the caller's stays as it is; nil is an empty one.
func clone[M proto.Message](request M) M {
	if !request.ProtoReflect().IsValid() {
		return request.ProtoReflect().Type().New().Interface().(M) //nolint:forcetypeassert // a new M
	}
	return proto.CloneOf(request)
}
