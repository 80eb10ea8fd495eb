/** What the page says, in English; refusals and reasons come in the player's language from the service. */

import { cards } from "burraco";
import { BurracoKind, Card, type Event, MeldKind, Phase, type View } from "burraco/v1";

const RANKS = ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];
const SUITS = ["spades", "hearts", "diamonds", "clubs"];
const BURRACOS = {
  [BurracoKind.DIRTY]: "dirty burraco",
  [BurracoKind.SEMI_CLEAN]: "semi-clean burraco",
  [BurracoKind.CLEAN]: "clean burraco",
};

/** A card as it is read out. */
export function spoken(card: Card): string {
  return card === Card.CARD_JOKER ? "joker" : `${RANKS[(card & 15) - 1]} of ${SUITS[card >> 4]}`;
}

export function burraco(kind: BurracoKind): string {
  return kind === BurracoKind.UNSPECIFIED ? "" : BURRACOS[kind];
}

export function meldKind(kind: MeldKind): string {
  return kind === MeldKind.SET ? "set" : "sequence";
}

/** What the player is to do, or waits for. */
export function whatNow(view: View, seat: number): string {
  switch (view.phase) {
    case Phase.MATCH_OVER:
      return view.result?.winningSides.includes(view.seats[seat]?.side ?? -1)
        ? "The match is over: you win."
        : "The match is over: you lose.";
    case Phase.DEAL_OVER:
      return "The deal is over. Go on with the next one.";
    case Phase.DRAW:
      return view.turn === seat ? "Your turn: draw a card, or take the pile." : "The other player is to draw.";
    default:
      return view.turn === seat ? "Your turn: lay what you like, then discard a card." : "The other player is at play.";
  }
}

/** An event in a sentence; nothing of one that says little. */
export function sentence(event: Event, seat: number): string | undefined {
  const who = event.seat === seat ? "You" : "The other player";
  const { what } = event;
  switch (what.case) {
    case "dealt":
      return `Deal ${what.value.dealNumber}.`;
    case "drew":
      return what.value.card === Card.CARD_UNSPECIFIED
        ? `${who} drew a card.`
        : `${who} drew ${cards.pretty(what.value.card)}.`;
    case "tookPile":
      return `${who} took the pile of ${what.value.count}.`;
    case "melded":
      return `${who} laid ${cards.pretty(what.value.meld?.cards ?? [])}.`;
    case "laidOff":
      return `${who} laid off ${cards.pretty(what.value.cards)}.`;
    case "discarded":
      return `${who} discarded ${cards.pretty(what.value.card)}.`;
    case "tookPozzetto":
      return `${who} took a pozzetto.`;
    case "closed":
      return `${who} closed.`;
    case "dealScored":
      return `Counted: ${what.value.scoreSheet?.sides.map((side) => `${side.dealPoints} points`).join(" to ")}.`;
    case "matchEnded":
      return `The match ended ${what.value.result?.matchPoints.join(" to ")}.`;
    default:
      return undefined;
  }
}
