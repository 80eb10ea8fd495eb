/** Cards as people write them: `7S`, `10H`, `AS`, and `JK` for a joker. */

import { Card } from "./gen/burraco/v1/cards_pb.js";

/** A selection of cards, as text (`"7S 8S JK"`) or as values. */
export type Cards = string | Iterable<Card>;

const RANKS: readonly string[] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS = "SHDC";
const SIGNS = "♠♥♦♣";
const JOKER = "JK";
const ACCEPTED = "a rank (A, 2 to 10, J, Q, K) and a suit (S, H, D, C), as in 7S or 10H; or JK, a joker";

/**
 * Reads one card; case means nothing.
 *
 * @throws RangeError naming the text and what is accepted.
 */
export function card(shown: string): Card {
  const upper = shown.trim().toUpperCase();
  if (upper === JOKER) {
    return Card.CARD_JOKER;
  }
  const rank = RANKS.indexOf(upper.slice(0, -1)) + 1;
  const suit = SUITS.indexOf(upper.slice(-1));
  if (upper.length < 2 || rank === 0 || suit < 0) {
    throw new RangeError(`${JSON.stringify(shown)} is no card; a card is ${ACCEPTED}`);
  }
  return suit * 16 + rank;
}

/**
 * Reads cards parted by spaces or commas; values pass as they are.
 *
 * @throws RangeError as `card` does.
 */
export function cards(selection: Cards): Card[] {
  if (typeof selection !== "string") {
    return [...selection];
  }
  return selection
    .split(/[\s,]+/)
    .filter((each) => each !== "")
    .map(card);
}

/** Writes one card, or several parted by spaces, so that `card` or `cards` reads them again. */
export function text(shown: Card | Iterable<Card>): string {
  return write(shown, SUITS);
}

/** Writes cards with suit signs, for showing: `7♠ 10♥ JK`. */
export function pretty(shown: Card | Iterable<Card>): string {
  return write(shown, SIGNS);
}

function write(shown: Card | Iterable<Card>, suits: string): string {
  return typeof shown === "number"
    ? writeOne(shown, suits)
    : Array.from(shown, (one) => writeOne(one, suits)).join(" ");
}

function writeOne(value: Card, suits: string): string {
  if (value === Card.CARD_JOKER) {
    return JOKER;
  }
  const rank = RANKS[(value & 15) - 1];
  const suit = suits[value >> 4];
  if (rank === undefined || suit === undefined || value !== ((value & 15) | (value & 0x30))) {
    throw new RangeError(`${value} is the number of no card`);
  }
  return rank + suit;
}
