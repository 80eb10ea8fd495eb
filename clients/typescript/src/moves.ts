/** Moves: one constructor each, and every single move of a list of legal ones. */

import { create } from "@bufbuild/protobuf";

import { type Cards, card, cards, text } from "./cards.js";
import { Card, type CardCount } from "./gen/burraco/v1/cards_pb.js";
import { MeldKind } from "./gen/burraco/v1/melds_pb.js";
import { type LegalMoves, type Move, type MoveGroup, MoveKind, MoveSchema } from "./gen/burraco/v1/moves_pb.js";

/** A way of reading cards as a meld, where the rules leave a choice. */
export interface Reading {
  readonly kind?: MeldKind;
  /** The card that the wild is to stand for. */
  readonly wildAs?: string | Card;
}

/** Draw the top card of the stock. */
export function draw(): Move {
  return create(MoveSchema, { kind: { case: "drawStock", value: {} } });
}

/** Take the discard pile. */
export function takePile(): Move {
  return create(MoveSchema, { kind: { case: "takePile", value: {} } });
}

/** Lay a new meld; `reading` names one, where the rules leave a choice. */
export function meld(selection: Cards, reading: Reading = {}): Move {
  const named = { kind: reading.kind ?? MeldKind.UNSPECIFIED, wildAs: one(reading.wildAs) };
  const isNamed = named.kind !== MeldKind.UNSPECIFIED || named.wildAs !== Card.CARD_UNSPECIFIED;
  const value = { cards: cards(selection), ...(isNamed ? { reading: named } : {}) };
  return create(MoveSchema, { kind: { case: "meld", value } });
}

/** Add cards to a meld on the table, all together. */
export function layOff(meldId: number, selection: Cards, reading: Pick<Reading, "wildAs"> = {}): Move {
  const value = { meldId, cards: cards(selection), wildAs: one(reading.wildAs) };
  return create(MoveSchema, { kind: { case: "layOff", value } });
}

/** Discard a card, which ends the turn. */
export function discard(shown: string | Card): Move {
  return create(MoveSchema, { kind: { case: "discard", value: { card: one(shown) } } });
}

/** Put a card in the place of a meld's joker, and take the joker. Not a move of Burraco. */
export function replaceWild(meldId: number, shown: string | Card): Move {
  return create(MoveSchema, { kind: { case: "replaceWild", value: { meldId, card: one(shown) } } });
}

/** Knock with a discard, or without one for big gin. A move of Gin only. */
export function knock(shown?: string | Card, melds: Iterable<Cards> = []): Move {
  const value = { discard: one(shown), melds: Array.from(melds, (group) => ({ cards: cards(group) })) };
  return create(MoveSchema, { kind: { case: "knock", value } });
}

/** Pass the first up-card. A move of Gin only. */
export function passUpcard(): Move {
  return create(MoveSchema, { kind: { case: "passUpcard", value: {} } });
}

/** End the deal because a one-card pile goes round. */
export function declareStalemate(): Move {
  return create(MoveSchema, { kind: { case: "declareStalemate", value: {} } });
}

/** Deal again once a deal is over. */
export function nextDeal(): Move {
  return create(MoveSchema, { kind: { case: "nextDeal", value: {} } });
}

/** Give up the match. */
export function resign(): Move {
  return create(MoveSchema, { kind: { case: "resign", value: {} } });
}

/** Complete an absent player's turn; for back ends only. */
export function timeOutTurn(): Move {
  return create(MoveSchema, { kind: { case: "timeOutTurn", value: {} } });
}

/** Say that the tournament clock has run out; for back ends only. */
export function callTime(): Move {
  return create(MoveSchema, { kind: { case: "callTime", value: {} } });
}

/**
 * Makes a move that has no arguments, by its kind.
 *
 * @throws RangeError for a kind that has arguments, or that this client does not know.
 */
export function simple(kind: MoveKind): Move {
  switch (kind) {
    case MoveKind.DRAW_STOCK:
      return draw();
    case MoveKind.TAKE_PILE:
      return takePile();
    case MoveKind.PASS_UPCARD:
      return passUpcard();
    case MoveKind.DECLARE_STALEMATE:
      return declareStalemate();
    case MoveKind.NEXT_DEAL:
      return nextDeal();
    case MoveKind.RESIGN:
      return resign();
    case MoveKind.TIME_OUT_TURN:
      return timeOutTurn();
    case MoveKind.CALL_TIME:
      return callTime();
    default:
      throw unknownKind("without arguments", kind);
  }
}

/**
 * Goes through every single move that the list stands for, each once: `legal.count` in all.
 *
 * @throws RangeError at once, before the first move, when the service is newer and lists moves that this client does not know.
 */
export function expand(legal: LegalMoves): Generator<Move, void, undefined> {
  const single = [...legal.simple.map(simple), ...legal.discards.map(discard)];
  const groups = legal.groups.map(expandGroup);
  const known = BigInt(single.length) + sum(legal.groups.map(({ count }) => count));
  compare("the list of legal moves", legal.count, known);
  return (function* () {
    yield* single;
    for (const group of groups) {
      yield* group;
    }
  })();
}

/**
 * Goes through every single move of a group: `group.count` in all.
 *
 * @throws RangeError as `expand` does.
 */
export function expandGroup(group: MoveGroup): Generator<Move, void, undefined> {
  const make = makerOf(group.kind);
  compare("a group", group.count, sizeOf(group));
  const wilds = group.wildChoices.length === 0 ? [[]] : group.wildChoices.map((wild) => [wild]);
  const there = group.optional.reduce((total, { count }) => total + count, 0);
  const most = Math.min(group.maxOptional, there);
  const always = group.required.length + (wilds[0]?.length ?? 0);
  fits(group.kind, always + group.minOptional, OLDER);
  fits(group.kind, always + Math.max(most, group.minOptional), OLDER);
  return (function* () {
    for (let size = group.minOptional; size <= most; size++) {
      for (const chosen of choices(group.optional, size)) {
        for (const wild of wilds) {
          yield make(group, [...group.required, ...chosen, ...wild]);
        }
      }
    }
  })();
}

/**
 * Makes the move of a group that has these cards.
 *
 * @throws RangeError for a kind of move that this client does not know, or for so many cards as the kind does not take.
 */
export function ofGroup(group: MoveGroup, selection: readonly Card[]): Move {
  const make = makerOf(group.kind);
  fits(group.kind, selection.length);
  return make(group, selection);
}

/** Says a move in a few words, for logs: `lay off 10S on meld 2`; of what is no known card, its number. */
export function describe(move: Move): string {
  const { kind } = move;
  switch (kind.case) {
    case undefined:
      return "no move";
    case "meld":
      return `meld ${said(kind.value.cards)}`;
    case "layOff":
      return `lay off ${said(kind.value.cards)} on meld ${kind.value.meldId}`;
    case "discard":
      return `discard ${said([kind.value.card])}`;
    case "replaceWild":
      return `replace the wild of meld ${kind.value.meldId} by ${said([kind.value.card])}`;
    case "knock":
      return kind.value.discard === Card.CARD_UNSPECIFIED ? "knock" : `knock with ${said([kind.value.discard])}`;
    default:
      return kind.case.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  }
}

/** A log has to say those too that are none, or that a newer service has. */
function said(shown: readonly Card[]): string {
  return shown.map((one) => (one in Card && one !== Card.CARD_UNSPECIFIED ? text(one) : `card ${one}`)).join(" ");
}

function one(shown: string | Card | undefined): Card {
  return typeof shown === "string" ? card(shown) : (shown ?? Card.CARD_UNSPECIFIED);
}

const OLDER = ": this client is older than the service";

/** How many cards a move of a group has, where the kind says so. */
const FEWEST_AND_MOST: ReadonlyMap<MoveKind, readonly [number, number]> = new Map([
  [MoveKind.REPLACE_WILD, [1, 1]],
  [MoveKind.KNOCK, [0, 1]],
]);

type Maker = (group: MoveGroup, selection: readonly Card[]) => Move;

/** Finds what makes a move of a group of this kind. */
function makerOf(kind: MoveKind): Maker {
  switch (kind) {
    case MoveKind.MELD:
      return (_, selection) => meld(selection);
    case MoveKind.LAY_OFF:
      return ({ meldId }, selection) => layOff(meldId, selection);
    case MoveKind.REPLACE_WILD:
      return ({ meldId }, [first]) => replaceWild(meldId, first ?? Card.CARD_UNSPECIFIED);
    case MoveKind.KNOCK:
      return (_, [first]) => knock(first);
    default:
      throw unknownKind("of a group", kind);
  }
}

/** Sees that a kind of move takes so many cards: of more, some would be left out without a word. */
function fits(kind: MoveKind, cards: number, why = ""): void {
  const [fewest, most] = FEWEST_AND_MOST.get(kind) ?? [0, cards];
  if (cards < fewest || cards > most) {
    const taken = fewest === most ? String(most) : `${fewest} to ${most}`;
    throw new RangeError(`a move of the kind ${MoveKind[kind]} takes ${taken} cards, not ${cards}${why}`);
  }
}

/** How many moves a group expands to. */
function sizeOf({ optional, minOptional, maxOptional, wildChoices }: MoveGroup): bigint {
  // By the number of cards chosen, the ways to choose them from the faces so far.
  let ways = [1n];
  for (const { count } of optional) {
    const before = ways;
    ways = Array.from({ length: before.length + count }, (_, size) =>
      sum(before.slice(Math.max(0, size - count), size + 1)),
    );
  }
  return sum(ways.slice(minOptional, maxOptional + 1)) * BigInt(wildChoices.length || 1);
}

function sum(numbers: readonly bigint[]): bigint {
  return numbers.reduce((total, each) => total + each, 0n);
}

/** A newer service may list moves in ways that this client does not see; it counts them all the same. */
function compare(what: string, count: bigint, known: bigint): void {
  if (count !== known) {
    throw new RangeError(`${what} counts ${count} moves, and not ${known}${OLDER}`);
  }
}

/** Chooses `size` cards; a face at most as often as it is there, order meaning nothing. */
function* choices(optional: readonly CardCount[], size: number): Generator<readonly Card[], void, undefined> {
  if (size === 0) {
    yield [];
    return;
  }
  const [first, ...rest] = optional;
  if (first === undefined) {
    return;
  }
  for (let copies = Math.min(first.count, size); copies >= 0; copies--) {
    for (const others of choices(rest, size - copies)) {
      yield [...new Array<Card>(copies).fill(first.card), ...others];
    }
  }
}

function unknownKind(which: string, kind: MoveKind): RangeError {
  return new RangeError(`no move ${which} has the kind ${kind}${OLDER}`);
}
