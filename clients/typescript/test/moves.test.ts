import assert from "node:assert/strict";
import { test } from "node:test";

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { cards, moves } from "burraco";
import { Card, LegalMovesSchema, MeldKind, type Move, MoveGroupSchema, MoveKind, MoveSchema } from "burraco/v1";

/** One of each kind, and how it is said. */
const ALL: readonly (readonly [Move, string])[] = [
  [moves.draw(), "draw stock"],
  [moves.takePile(), "take pile"],
  [moves.meld("7S 8S JK"), "meld 7S 8S JK"],
  [moves.layOff(2, "10S"), "lay off 10S on meld 2"],
  [moves.discard("KD"), "discard KD"],
  [moves.replaceWild(3, "7H"), "replace the wild of meld 3 by 7H"],
  [moves.knock("KD"), "knock with KD"],
  [moves.passUpcard(), "pass upcard"],
  [moves.declareStalemate(), "declare stalemate"],
  [moves.nextDeal(), "next deal"],
  [moves.resign(), "resign"],
  [moves.timeOutTurn(), "time out turn"],
  [moves.callTime(), "call time"],
];

function keyOf(move: Move): string {
  return base64Encode(toBinary(MoveSchema, move));
}

test("every kind of move has a constructor, in the contract's order, and a description", () => {
  const kinds = MoveSchema.oneofs[0]?.fields.map((field) => field.localName);
  assert.deepEqual(
    ALL.map(([move]) => move.kind.case),
    kinds,
  );
  for (const [move, said] of ALL) {
    assert.equal(moves.describe(move), said);
  }
  assert.equal(moves.describe(moves.knock()), "knock");
  assert.equal(moves.describe(create(MoveSchema)), "no move");
  assert.equal(moves.describe(moves.discard(Card.CARD_UNSPECIFIED)), "discard card 0");
  assert.equal(moves.describe(moves.meld([Card.CARD_7S, 99 as Card])), "meld 7S card 99");
});

test("cards come as text or as values, and a reading is sent only when one is named", () => {
  assert.deepEqual(moves.meld("7S 8S 9S"), moves.meld(cards.cards("7S 8S 9S")));
  const plain = moves.meld("7S 8S 9S").kind;
  assert.ok(plain.case === "meld" && plain.value.reading === undefined);
  const named = moves.meld("7S 8S JK", { kind: MeldKind.SEQUENCE, wildAs: "9S" }).kind;
  assert.ok(named.case === "meld");
  assert.deepEqual([named.value.reading?.kind, named.value.reading?.wildAs], [MeldKind.SEQUENCE, Card.CARD_9S]);
  const laid = moves.layOff(2, "JK", { wildAs: Card.CARD_9S }).kind;
  assert.ok(laid.case === "layOff" && laid.value.wildAs === Card.CARD_9S);
  const knock = moves.knock("KD", ["7S 8S 9S", "AS AH AD"]).kind;
  assert.ok(knock.case === "knock");
  assert.deepEqual(
    knock.value.melds.map((group) => cards.text(group.cards)),
    ["7S 8S 9S", "AS AH AD"],
  );
});

test("a group expands to what its definition says, each move once", () => {
  // Two of {7H twice, 8H}, and one of two wilds: {7H 7H, 7H 8H} times {2S, JK}.
  const group = create(MoveGroupSchema, {
    kind: MoveKind.LAY_OFF,
    meldId: 4,
    required: cards.cards("9H"),
    optional: [
      { card: Card.CARD_7H, count: 2 },
      { card: Card.CARD_8H, count: 1 },
    ],
    minOptional: 2,
    maxOptional: 2,
    wildChoices: cards.cards("2S JK"),
    count: 4n,
  });
  assert.deepEqual(Array.from(moves.expandGroup(group), moves.describe), [
    "lay off 9H 7H 7H 2S on meld 4",
    "lay off 9H 7H 7H JK on meld 4",
    "lay off 9H 7H 8H 2S on meld 4",
    "lay off 9H 7H 8H JK on meld 4",
  ]);
});

test("groups of random shapes expand to every choice there is", () => {
  const random = generator(20_261_130);
  const faces = cards.cards("7S 8S 9S 10S KH KD");
  for (let round = 0; round < 300; round++) {
    const optional = faces.slice(0, random(5)).map((card) => ({ card, count: 1 + random(3) }));
    const most = optional.reduce((sum, each) => sum + each.count, 0);
    const minOptional = random(most + 2);
    const maxOptional = minOptional + random(3);
    const wildChoices = cards.cards("2S JK").slice(0, random(3));
    const shape = { kind: MoveKind.MELD, required: cards.cards("AC"), optional, minOptional, maxOptional, wildChoices };
    // The oracle goes through all subsets of single cards, and takes equal ones together.
    const single = optional.flatMap(({ card, count }) => new Array<Card>(count).fill(card));
    const expected = new Set<string>();
    for (let subset = 0; subset < 1 << single.length; subset++) {
      const chosen = single.filter((_, index) => (subset >> index) & 1);
      if (chosen.length >= minOptional && chosen.length <= maxOptional) {
        for (const wild of wildChoices.length > 0 ? wildChoices.map((one) => [one]) : [[]]) {
          expected.add(keyOf(moves.meld(["AC", ...[...chosen, ...wild].map((one) => cards.text(one))].join(" "))));
        }
      }
    }
    const group = create(MoveGroupSchema, { ...shape, count: BigInt(expected.size) });
    const made = Array.from(moves.expandGroup(group), keyOf);
    assert.equal(new Set(made).size, made.length, "a move came twice");
    assert.deepEqual(new Set(made), expected);
  }
});

test("moves that this client does not know are an error before the first move", () => {
  const later = 99 as MoveKind;
  const older = { name: "RangeError", message: /this client is older than the service$/ };
  const known = { kind: MoveKind.MELD, required: cards.cards("7S 8S 9S"), count: 1n };
  const lists: readonly MessageInitShape<typeof LegalMovesSchema>[] = [
    { simple: [MoveKind.DRAW_STOCK, later], count: 2n },
    { simple: [MoveKind.DRAW_STOCK, MoveKind.MELD], count: 2n },
    { discards: [Card.CARD_7S], groups: [known, { ...known, kind: later }], count: 3n },
    { groups: [{ ...known, kind: MoveKind.DISCARD }], count: 1n },
    // Of a list, or a group, that has another way of saying moves.
    { discards: [Card.CARD_7S], groups: [known], count: 3n },
    { groups: [{ ...known, count: 2n }], count: 2n },
    { groups: [{ ...known, kind: MoveKind.REPLACE_WILD }], count: 1n },
    { groups: [{ ...known, kind: MoveKind.KNOCK }], count: 1n },
  ];
  for (const list of lists) {
    assert.throws(() => moves.expand(create(LegalMovesSchema, list)), older);
  }
  assert.throws(() => moves.expandGroup(create(MoveGroupSchema, { kind: later, count: 1n })), /kind 99.*older/);
  assert.throws(() => moves.expandGroup(create(MoveGroupSchema, { ...known, count: 2n })), older);
  assert.throws(() => moves.ofGroup(create(MoveGroupSchema, { kind: MoveKind.REPLACE_WILD, meldId: 2 }), []), /not 0$/);
  const knocks = create(MoveGroupSchema, { kind: MoveKind.KNOCK });
  assert.throws(() => moves.ofGroup(knocks, cards.cards("7S 8S")), { message: /KNOCK takes 0 to 1 cards, not 2$/ });
});

test("a group that lets more cards be chosen than it has ends with those", () => {
  const optional = [{ card: Card.CARD_7S, count: 1 }];
  const group = create(MoveGroupSchema, { kind: MoveKind.MELD, optional, maxOptional: 2 ** 32 - 1, count: 2n });
  assert.deepEqual(Array.from(moves.expandGroup(group), moves.describe), ["meld ", "meld 7S"]);
});

/** Numbers below a bound, always the same ones. */
function generator(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
