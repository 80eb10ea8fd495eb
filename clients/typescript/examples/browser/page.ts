/**
 * A player's page. It looks and asks over gRPC-Web, as the seat whose token it has; it sends moves to its back end, which
 * keeps the match. Of the match itself it holds a sealed state that it cannot read, for as long as it is shown.
 */

import { fromJson, toJson } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { type Client, moves, RulesError } from "burraco";
import {
  type Event,
  EventSchema,
  HandOrder,
  type LegalMoves,
  type Move,
  MoveKind,
  MoveSchema,
  type View,
} from "burraco/v1";
import { connect } from "burraco/web";

import { type Place, type Refusal, type Standing, TOKEN_HEADER } from "./api.js";
import { button, byId, renderHand, renderLog, renderTable } from "./render.js";
import { whatNow } from "./words.js";

const PLACE = "place";
const LOST_MS = 2000;

/** What is shown: all of it is asked for anew when the match has changed. */
interface Shown {
  readonly order: HandOrder;
  readonly standing: Standing;
  readonly state: Uint8Array;
  readonly view: View;
  readonly legal: LegalMoves | undefined;
  readonly events: readonly Event[];
}

class Page {
  readonly #place: Place;
  readonly #client: Client;
  #shown: Shown | undefined;
  #chosen: ReadonlySet<number> = new Set();
  #order = HandOrder.SUIT_FIRST;
  #asked = 0;

  constructor(place: Place) {
    this.#place = place;
    this.#client = connect(place.edge, { seatToken: place.token });
    const on = (id: string, act: () => void): void => {
      button(id).onclick = act;
    };
    on("draw", () => void this.#play(moves.draw()));
    on("take", () => void this.#play(moves.takePile()));
    on("next", () => void this.#play(moves.nextDeal()));
    on("meld", () => void this.#play(moves.meld(this.#chosenCards())));
    on("discard", () => void this.#play(...this.#chosenCards().map(moves.discard)));
    on("sort", () => {
      const isBySuit = this.#order === HandOrder.SUIT_FIRST;
      this.#order = isBySuit ? HandOrder.RANK_FIRST : HandOrder.SUIT_FIRST;
      byId("sort").textContent = isBySuit ? "Sort by suit" : "Sort by rank";
      void this.#look();
    });
  }

  /** Shows the match, and shows it anew whenever it has changed. */
  async follow(isCurrent: () => boolean): Promise<void> {
    await this.#look();
    while (isCurrent()) {
      const revision = this.#shown?.standing.revision;
      const standing = await this.#ask<Standing>(revision === undefined ? "" : `?after=${revision}`);
      if (standing === undefined) {
        await new Promise((resolve) => setTimeout(resolve, LOST_MS));
      } else if (isCurrent() && standing.revision !== this.#shown?.standing.revision) {
        await this.#look(standing);
      }
    }
  }

  /** Asks the service what the seat may see and do. */
  async #look(known?: Standing): Promise<void> {
    const standing = known ?? (await this.#ask<Standing>(""));
    if (standing === undefined) {
      return;
    }
    const { seat } = this.#place;
    const order = this.#order;
    const state = base64Decode(standing.state);
    try {
      const viewer = { who: { case: "seat" as const, value: seat } };
      const [{ view }, { legalMoves }] = await Promise.all([
        this.#client.game.getView({ state, viewer, handOrder: order }),
        this.#client.game.listLegalMoves({ state, seat }),
      ]);
      if (view !== undefined && view.revision >= (this.#shown?.view.revision ?? 0n)) {
        const events = standing.events.map((event) => fromJson(EventSchema, event));
        if (view.revision !== this.#shown?.view.revision || order !== this.#shown.order) {
          this.#chosen = new Set(); // what was chosen are places in the hand as it was
        }
        this.#shown = { order, standing, state, view, legal: legalMoves, events };
        say(whatNow(view, seat));
        this.#render();
      }
    } catch (failure) {
      complain(failure);
    }
  }

  /** Sends moves to the back end; the player's own, from what the player saw. */
  async #play(...made: Move[]): Promise<void> {
    if (this.#shown === undefined || made.length === 0) {
      return;
    }
    const play = { revision: this.#shown.standing.revision, moves: made.map((move) => toJson(MoveSchema, move)) };
    const answer = await this.#ask<{ revision: string }>("/moves", play);
    if (answer !== undefined) {
      await this.#look();
    }
  }

  #choose(index: number): void {
    const chosen = new Set(this.#chosen);
    if (!chosen.delete(index)) {
      chosen.add(index);
    }
    this.#chosen = chosen;
    this.#render();
  }

  #chosenCards() {
    const hand = this.#shown?.view.seats[this.#place.seat]?.hand ?? [];
    return hand.filter((_, index) => this.#chosen.has(index));
  }

  #render(): void {
    if (this.#shown === undefined) {
      return;
    }
    const { view, legal, events } = this.#shown;
    const { seat } = this.#place;
    const chosen = this.#chosenCards();
    const isOpen = (kind: MoveKind): boolean => view.openKinds.includes(kind);
    const handlers = {
      choose: (index: number) => {
        this.#choose(index);
      },
      layOff: (meldId: number) => void this.#play(moves.layOff(meldId, this.#chosenCards())),
    };
    renderTable(view, seat, isOpen(MoveKind.LAY_OFF) && chosen.length > 0, handlers);
    renderHand(view, seat, this.#chosen, handlers);
    renderLog(events, seat);
    button("draw").disabled = !isOpen(MoveKind.DRAW_STOCK);
    button("take").disabled = !isOpen(MoveKind.TAKE_PILE);
    button("next").hidden = !isOpen(MoveKind.NEXT_DEAL);
    button("meld").disabled = !isOpen(MoveKind.MELD) || chosen.length === 0;
    button("discard").disabled = chosen.length !== 1 || !chosen.every((card) => legal?.discards.includes(card));
    void this.#hint();
  }

  /** Says of the chosen cards, before they are laid, what the rules say of them. */
  async #hint(): Promise<void> {
    const asked = ++this.#asked;
    const hint = byId("hint");
    hint.textContent = "";
    const chosen = this.#chosenCards();
    if (this.#shown === undefined || chosen.length < 3 || !this.#shown.view.openKinds.includes(MoveKind.MELD)) {
      return;
    }
    const request = { state: this.#shown.state, seat: this.#place.seat, moves: [moves.meld(chosen)] };
    try {
      const { violations } = await this.#client.game.checkMoves(request);
      if (asked === this.#asked) {
        hint.textContent = violations.map(({ text }) => text).join(" ") || "These cards may be laid.";
      }
    } catch (failure) {
      complain(failure);
    }
  }

  /** Asks the back end; says why where nothing came of it. */
  async #ask<T>(path: string, sent?: object): Promise<T | undefined> {
    const post = sent && { method: "POST", body: JSON.stringify(sent) };
    try {
      const headers = { [TOKEN_HEADER]: this.#place.token };
      const response = await fetch(`/matches/${this.#place.match}${path}`, { ...post, headers });
      const answer: unknown = await response.json();
      if (response.ok) {
        return answer as T;
      }
      say((answer as Refusal).texts.join(" "));
      if ((answer as Refusal).kind === "stale") {
        await this.#look();
      }
    } catch {
      say("The back end does not answer. Trying again…");
    }
    return undefined;
  }
}

function complain(failure: unknown): void {
  const isOurs = failure instanceof RulesError;
  say(isOurs ? failure.rawMessage : String(failure));
}

function say(text: string): void {
  byId("status").textContent = text;
}

let place: Place | undefined;

async function sit(isNew: boolean): Promise<void> {
  const kept = isNew ? null : sessionStorage.getItem(PLACE);
  const mine = kept
    ? (JSON.parse(kept) as Place)
    : ((await (await fetch("/matches", { method: "POST" })).json()) as Place);
  sessionStorage.setItem(PLACE, JSON.stringify(mine));
  place = mine;
  await new Page(mine).follow(() => place === mine);
}

const unreached = (): void => {
  say("The back end does not answer: load the page again.");
};
button("new-match").onclick = () => void sit(true).catch(unreached);
void sit(false).catch(unreached);
