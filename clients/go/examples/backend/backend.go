package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"burraco"
	"burraco/burracopb"
)

// What a player may be told instead of an answer. An illegal move is a *burraco.IllegalMove.
var (
	// ErrUnknown says that there is no such match, or that the caller is none of its players.
	ErrUnknown = errors.New("there is no such match of yours")
	// ErrStale says that somebody moved in between. Nothing was done: look again, and decide again.
	ErrStale = errors.New("the match has gone on: look again")
	// ErrOver says that the match is over.
	ErrOver = errors.New("the match is over")
	// ErrNotForPlayers says that only a back end makes such a move.
	ErrNotForPlayers = errors.New("a player cannot make this move")
	// ErrReused says that a request id came back with something else: a fault of the player's program.
	ErrReused = errors.New("the request id was that of another request")
)

// A BackEnd plays matches of a store by the rules of the service. Any number of them may share one store.
type BackEnd struct {
	client *burraco.Client
	store  *Store
}

// A Play is what a player decided.
type Play struct {
	// Revision that the player saw.
	Revision uint64
	// RequestID names the decision. Sent again because an answer got lost, it is done once, and answered the same.
	RequestID string
	Moves     []*burracopb.Move
}

func (p Play) equal(other Play) bool {
	return p.Revision == other.Revision && p.RequestID == other.RequestID &&
		slices.EqualFunc(p.Moves, other.Moves, func(a, b *burracopb.Move) bool { return proto.Equal(a, b) })
}

// Create deals a match and gives a session for each seat.
func (b *BackEnd) Create(ctx context.Context, name string, preset burracopb.Preset) ([]string, error) {
	created, err := b.client.Game.CreateMatch(ctx, &burracopb.CreateMatchRequest{
		Rules: burraco.Rules(preset), RequestId: name,
	})
	if err != nil {
		return nil, err
	}
	sessions := make([]string, len(created.GetSeatTokens()))
	for seat := range sessions {
		sessions[seat] = rand.Text()
	}
	if !b.store.Create(name, Match{State: created.GetState(), Sessions: sessions}) {
		return nil, fmt.Errorf("there is a match %q already", name)
	}
	return sessions, nil
}

// View shows a player what he may know.
func (b *BackEnd) View(ctx context.Context, name, session string) (*burracopb.View, error) {
	match, seat, err := b.find(name, session)
	if err != nil {
		return nil, err
	}
	answer, err := b.client.Game.GetView(ctx, &burracopb.GetViewRequest{
		State: match.State, Viewer: burraco.Seat(seat),
	})
	return answer.GetView(), err
}

// Play makes a player's moves, all or none, and returns what he may know of them as JSON.
func (b *BackEnd) Play(ctx context.Context, name, session string, play Play) ([]byte, error) {
	match, seat, err := b.find(name, session)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(play.Moves, forBackEnds) {
		return nil, ErrNotForPlayers // the service would take it from us, so it is for us to refuse
	}
	id := fmt.Sprintf("%d:%s", seat, play.RequestID)
	// Before all else, and after the load: this may be a request whose answer got lost.
	if receipt, ok := b.store.Receipt(name, id); ok {
		return again(receipt, play)
	}
	accepted, err := b.apply(ctx, match, seat, play)
	if err != nil {
		return nil, err
	}
	answer, err := protojson.Marshal(accepted.GetUpdates()[0])
	if err != nil {
		return nil, err
	}
	change := Change{
		Before:  play.Revision,
		After:   Match{State: accepted.GetState(), Revision: accepted.GetRevision(), Sessions: match.Sessions},
		ID:      id,
		Receipt: Receipt{Play: play, Answer: answer},
	}
	if b.store.Replace(name, change) {
		return answer, nil
	}
	// The race is lost. Never apply the moves to the newer state, which the player has not seen; but it may have been
	// lost to this very request, sent twice.
	if receipt, ok := b.store.Receipt(name, id); ok {
		return again(receipt, play)
	}
	return nil, ErrStale
}

func (b *BackEnd) apply(ctx context.Context, match Match, seat uint32, play Play) (*burracopb.Accepted, error) {
	if len(play.Moves) > 1 {
		// We may look ahead, a player may not: CheckMoves takes no move after one that reveals a hidden card.
		checked, err := b.client.Game.CheckMoves(ctx, &burracopb.CheckMovesRequest{
			State: match.State, Seat: seat, Moves: play.Moves, ExpectedRevision: &play.Revision,
		})
		if err != nil {
			return nil, refusal(err)
		}
		if !checked.GetLegal() {
			return nil, &burraco.IllegalMove{Violations: checked.GetViolations()}
		}
	}
	applied, err := b.client.Game.ApplyMoves(ctx, &burracopb.ApplyMovesRequest{
		State: match.State, Seat: seat, Moves: play.Moves, ExpectedRevision: &play.Revision,
	})
	if err != nil {
		return nil, refusal(err)
	}
	if rejected := applied.GetRejected(); rejected != nil {
		return nil, &burraco.IllegalMove{Violations: rejected.GetViolations()}
	}
	if len(applied.GetAccepted().GetUpdates()) == 0 {
		return nil, errors.New("the service answered no update")
	}
	return applied.GetAccepted(), nil
}

// find tells the seat from the session, never from the request.
func (b *BackEnd) find(name, session string) (Match, uint32, error) {
	match, ok := b.store.Load(name)
	if ok {
		for seat, known := range match.Sessions {
			if subtle.ConstantTimeCompare([]byte(known), []byte(session)) == 1 {
				return match, uint32(seat), nil
			}
		}
	}
	return Match{}, 0, ErrUnknown
}

func forBackEnds(move *burracopb.Move) bool {
	return move.GetTimeOutTurn() != nil || move.GetCallTime() != nil
}

func refusal(err error) error {
	if failed, ok := errors.AsType[*burraco.RulesError](err); ok {
		switch failed.Reason {
		case burracopb.Reason_REASON_REVISION_MISMATCH:
			return ErrStale
		case burracopb.Reason_REASON_MATCH_FINISHED:
			return ErrOver
		}
	}
	return err
}

func again(receipt Receipt, play Play) ([]byte, error) {
	if !receipt.Play.equal(play) {
		return nil, ErrReused
	}
	return receipt.Answer, nil
}
