// Play plays a match to its end on a running server, all seats by itself, and prints the result.
//
//	BURRACO_TARGET=127.0.0.1:50051 go run ./examples/play -preset PRESET_GIN
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"burraco"
	"burraco/burracopb"
	"burraco/cards"
	"burraco/moves"
)

// mostMoves is more than any match takes.
const mostMoves = 20_000

func main() {
	target := flag.String("target", cmp.Or(os.Getenv("BURRACO_TARGET"), "127.0.0.1:50051"), "address of the service")
	apiKey := flag.String("api-key", os.Getenv("BURRACO_API_KEY"), "key of a back end, where the service wants one")
	preset := flag.String("preset", "PRESET_ITALIAN", "the rules")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *target, *apiKey, *preset); err != nil {
		fmt.Fprintln(os.Stderr, "play:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, target, apiKey, preset string) (err error) {
	number, ok := burracopb.Preset_value[preset]
	if !ok {
		return fmt.Errorf("there is no preset %s", preset)
	}
	client, err := burraco.Dial(target, burraco.WithAPIKey(apiKey))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	table, err := play(ctx, client, &burracopb.CreateMatchRequest{Rules: burraco.Rules(burracopb.Preset(number))})
	if err != nil {
		return err
	}
	return tell(ctx, table)
}

// play plays a match to its end.
func play(ctx context.Context, client *burraco.Client, request *burracopb.CreateMatchRequest) (*burraco.Table, error) {
	table, err := burraco.Create(ctx, client, request)
	if err != nil {
		return nil, err
	}
	for range mostMoves {
		if table.Position().Over() {
			return table, nil
		}
		if err := step(ctx, table); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the match is not over after %d moves", mostMoves)
}

// step makes one move of the seat to move, or deals again.
func step(ctx context.Context, table *burraco.Table) error {
	seat, ok := table.Turn()
	if !ok {
		fmt.Printf("revision %d: next deal\n", table.Revision())
		_, err := table.NextDeal(ctx)
		return err
	}
	legal, err := table.Legal(ctx, seat)
	if err != nil {
		return err
	}
	move, err := choose(legal)
	if err != nil {
		return err
	}
	_, err = table.Play(ctx, seat, move)
	if illegal, ok := errors.AsType[*burraco.IllegalMove](err); ok {
		return fmt.Errorf("the service lists a move and refuses it, %s: %w", moves.Describe(move), illegal)
	}
	return err
}

// choose takes the draw, else what lays most cards, else the last discard of the list, else whatever is legal: a stock
// that has run out leaves the pile to be taken, say. It gives up only where there is nothing else.
func choose(legal *burracopb.LegalMoves) (*burracopb.Move, error) {
	expanded, err := moves.Expand(legal)
	if err != nil {
		return nil, err
	}
	var best *burracopb.Move
	for move := range expanded {
		if best == nil || worth(move) >= worth(best) {
			best = move
		}
	}
	if best == nil {
		return nil, errors.New("there is no legal move")
	}
	return best, nil
}

// worth orders moves.
func worth(move *burracopb.Move) int {
	switch kind := move.GetKind().(type) {
	case *burracopb.Move_Resign:
		return -1
	case *burracopb.Move_DrawStock, *burracopb.Move_DeclareStalemate: // a pile of one card would go round for ever
		return 1000
	case *burracopb.Move_Knock:
		return 500
	case *burracopb.Move_Meld:
		return 100 + len(kind.Meld.GetCards())
	case *burracopb.Move_LayOff:
		return 100 + len(kind.LayOff.GetCards())
	case *burracopb.Move_Discard:
		return 1
	default:
		return 0
	}
}

func tell(ctx context.Context, table *burraco.Table) error {
	view, err := table.View(ctx, nil)
	if err != nil {
		return err
	}
	for _, meld := range view.GetMelds() {
		fmt.Printf("side %d: %s\n", meld.GetSide(), cards.Pretty(meld.GetCards()...))
	}
	result := view.GetResult()
	fmt.Printf("match over after %d moves in %d deals: points %v, won by side %v\n",
		view.GetRevision(), view.GetDealNumber(), result.GetMatchPoints(), result.GetWinningSides())
	return nil
}
