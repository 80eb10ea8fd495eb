/** Draws what the player may see. All of it comes from one view: nothing is kept here. */

import { cards } from "burraco";
import { Card, type Event, type Meld, type View } from "burraco/v1";

import { burraco, meldKind, sentence, spoken } from "./words.js";

/** So many lines of what happened are shown. */
const SAID = 12;

/** What a press of a button does. */
export interface Handlers {
  choose(index: number): void;
  layOff(meldId: number): void;
}

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no ${id}`);
  }
  return found as T;
}

export function button(id: string): HTMLButtonElement {
  return byId<HTMLButtonElement>(id);
}

export function renderTable(view: View, seat: number, mayLayOff: boolean, handlers: Handlers): void {
  const own = view.seats[seat];
  const other = view.seats.find((each) => each.side !== own?.side);
  const points = view.sides.map((side) => ({ ...side, name: side.side === own?.side ? "You" : "They" }));
  byId("points").textContent = points
    .map(({ name, matchPoints, tablePoints }) => `${name}: ${matchPoints} points, ${tablePoints} on the table`)
    .join(" · ");
  byId("their-hand").textContent = `${other?.handCount ?? 0} cards in hand.`;
  byId("draw").textContent = `Draw (${view.stockCount} left)`;
  byId("pile").replaceChildren(...view.discard.map((card) => item(face(card))));
  const laid = (isOwn: boolean): HTMLElement[] =>
    view.melds
      .filter((meld) => (meld.side === own?.side) === isOwn)
      .map((meld) => renderMeld(meld, isOwn && mayLayOff ? handlers : undefined));
  byId("their-melds").replaceChildren(...laid(false));
  byId("your-melds").replaceChildren(...laid(true));
}

/** The hand, a button for each card, those that are chosen pressed. */
export function renderHand(view: View, seat: number, chosen: ReadonlySet<number>, handlers: Handlers): void {
  const hand = view.seats[seat]?.hand ?? [];
  const drawn = hand.lastIndexOf(view.drawn);
  const made = hand.map((card, index) => {
    const one = document.createElement("button");
    one.type = "button";
    dress(one, card);
    one.classList.toggle("new", index === drawn);
    one.replaceChildren(unspoken(one.textContent), unseen(spoken(card) + (index === drawn ? ", just drawn" : "")));
    one.setAttribute("aria-pressed", String(chosen.has(index)));
    one.addEventListener("click", () => {
      handlers.choose(index);
    });
    return item(one);
  });
  // Whoever plays by keyboard stays where he is.
  const focused = [...byId("hand").querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
  byId("hand").replaceChildren(...made);
  byId("hand").querySelectorAll("button")[focused]?.focus();
}

export function renderLog(events: readonly Event[], seat: number): void {
  const said = events.map((event) => sentence(event, seat)).filter((text) => text !== undefined);
  byId("log").replaceChildren(
    ...said
      .reverse()
      .slice(0, SAID)
      .map((text) => item(text)),
  );
}

function renderMeld(meld: Meld, handlers: Handlers | undefined): HTMLElement {
  const row = document.createElement("ol");
  row.className = "cards";
  row.append(
    ...meld.cards.map((card, index) => {
      const shown = face(card);
      if (index === meld.wildIndex) {
        shown.classList.add("wild");
        shown.setAttribute("aria-label", `${spoken(card)} as a wild card`);
      }
      return item(shown);
    }),
  );
  const name = document.createElement("span");
  name.textContent = burraco(meld.burraco) || meldKind(meld.kind);
  const made = item(row);
  made.append(name);
  if (handlers !== undefined) {
    const add = document.createElement("button");
    add.type = "button";
    add.textContent = "Add the chosen cards";
    add.setAttribute("aria-label", `Add the chosen cards to the ${name.textContent} ${cards.text(meld.cards)}`);
    add.addEventListener("click", () => {
      handlers.layOff(meld.meldId);
    });
    made.append(" ", add);
  }
  return made;
}

function face(card: Card): HTMLElement {
  const shown = document.createElement("span");
  shown.setAttribute("role", "img");
  shown.setAttribute("aria-label", spoken(card));
  dress(shown, card);
  return shown;
}

function dress(shown: HTMLElement, card: Card): void {
  const isRed = card >> 4 === 1 || card >> 4 === 2;
  shown.className = `card${card === Card.CARD_JOKER ? " joker" : isRed ? " red" : ""}`;
  shown.textContent = card === Card.CARD_JOKER ? "★" : cards.pretty(card);
}

/** For eyes alone: what is read out stands beside it. */
function unspoken(text: string): HTMLElement {
  const made = document.createElement("span");
  made.setAttribute("aria-hidden", "true");
  made.textContent = text;
  return made;
}

function unseen(text: string): HTMLElement {
  const made = document.createElement("span");
  made.className = "unseen";
  made.textContent = text;
  return made;
}

function item(content: string | HTMLElement): HTMLElement {
  const made = document.createElement("li");
  made.append(content);
  return made;
}
