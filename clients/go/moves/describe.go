package moves

import (
	"fmt"
	"strings"

	"burraco/burracopb"
	"burraco/cards"
)

// Describe says a move in a few words, for logs: lay off 10S on meld 2.
func Describe(move *burracopb.Move) string {
	switch kind := move.GetKind().(type) {
	case nil:
		return "no move"
	case *burracopb.Move_Meld:
		return "meld " + cards.Text(kind.Meld.GetCards()...)
	case *burracopb.Move_LayOff:
		return fmt.Sprintf("lay off %s on meld %d", cards.Text(kind.LayOff.GetCards()...), kind.LayOff.GetMeldId())
	case *burracopb.Move_Discard:
		return "discard " + cards.Text(kind.Discard.GetCard())
	case *burracopb.Move_ReplaceWild:
		replaced := kind.ReplaceWild
		return fmt.Sprintf("replace the wild of meld %d by %s", replaced.GetMeldId(), cards.Text(replaced.GetCard()))
	case *burracopb.Move_Knock:
		if kind.Knock.GetDiscard() == burracopb.Card_CARD_UNSPECIFIED {
			return "knock"
		}
		return "knock with " + cards.Text(kind.Knock.GetDiscard())
	default:
		message := move.ProtoReflect()
		field := message.WhichOneof(message.Descriptor().Oneofs().ByName("kind"))
		return strings.ReplaceAll(string(field.Name()), "_", " ")
	}
}
