import assert from "node:assert/strict";
import { test } from "node:test";

import { cards } from "burraco";
import { Card } from "burraco/v1";

const ALL = Object.values(Card).filter(
  (value): value is Card => typeof value === "number" && value !== Card.CARD_UNSPECIFIED,
);

test("every card is written as the contract names it, and read again", () => {
  assert.equal(ALL.length, 53);
  for (const value of ALL) {
    const name = value === Card.CARD_JOKER ? "JK" : Card[value].replace("CARD_", "");
    assert.equal(cards.text(value), name);
    assert.equal(cards.card(name), value);
    assert.equal(cards.card(` ${name.toLowerCase()} `), value);
  }
});

test("several cards are parted by spaces or commas", () => {
  const some = [Card.CARD_7S, Card.CARD_10H, Card.CARD_JOKER];
  assert.deepEqual(cards.cards(" 7S, 10h\tJK "), some);
  assert.deepEqual(cards.cards(new Set(some)), some);
  assert.deepEqual(cards.cards(""), []);
  assert.equal(cards.text(some), "7S 10H JK");
  assert.equal(cards.pretty(some), "7♠ 10♥ JK");
  assert.equal(cards.pretty(Card.CARD_KC), "K♣");
});

for (const wrong of ["", " ", "S", "7", "11H", "1S", "7X", "77", "JKS", "10", "AS AS"]) {
  test(`${JSON.stringify(wrong)} is no card, and the error says so`, () => {
    assert.throws(() => cards.card(wrong), { name: "RangeError", message: /is no card; a card is a rank/ });
  });
}

for (const wrong of [0, 14, 15, 16, 62, 63, 65, -1, 80, 1.5, 2 ** 32 + 1]) {
  test(`${wrong} is the number of no card`, () => {
    assert.throws(() => cards.text(wrong), { name: "RangeError", message: `${wrong} is the number of no card` });
  });
}
