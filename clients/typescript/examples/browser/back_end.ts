/** The back end of the example: it keeps the states, and plays for the seat that nobody sits at. */

import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import { Code } from "@connectrpc/connect";
import { type Client, type CreateOptions, IllegalMove, RulesError, Table } from "burraco";
import { EventSchema, MoveSchema, Phase, Preset, type ViewerUpdate } from "burraco/v1";

import { choose } from "../player.js";
import type { Place, Play, Refusal, Standing } from "./api.js";
import { type Kept, Store } from "./store.js";

const PLAYER = 0;
const OTHER = 1;
const POLL_MS = 20_000;
const KEPT_EVENTS = 40;

export interface BackEndOptions {
  /** How long a move of the other seat takes. */
  readonly thinkMs?: number;
  /** How matches are made, beside what the page needs. */
  readonly match?: CreateOptions;
}

export class BackEnd {
  readonly #client: Client;
  readonly #edge: string;
  readonly #thinkMs: number;
  readonly #options: CreateOptions;
  readonly #store = new Store();
  readonly #waiting = new Set<AbortController>();

  /** `edge` is where pages find the service. */
  constructor(client: Client, edge: string, { thinkMs = 700, match = {} }: BackEndOptions = {}) {
    this.#client = client;
    this.#edge = edge;
    this.#thinkMs = thinkMs;
    this.#options = match;
  }

  /** Makes a match for two and gives out the first seat. The other is played here. */
  async create(): Promise<Place> {
    const match = randomUUID();
    const table = await Table.create(this.#client, {
      ...this.#options,
      preset: Preset.TWO_PLAYER,
      requestId: match,
      seating: { case: "givenSeats", value: { dealer: OTHER } },
    });
    const events = eventsOf(table.updates);
    this.#store.put(match, undefined, { state: table.state, revision: table.revision, events });
    this.#playOn(match);
    return { match, seat: PLAYER, token: table.seatTokens[PLAYER] ?? "", edge: this.#edge };
  }

  /** Gives the match as it stands to whom the service knows by the token; with `after`, when it is at another revision. */
  async standing(match: string, token: string, after: bigint | undefined): Promise<Standing | Refusal> {
    return await refusing(async () => {
      // The service, not this program, says whose token it is.
      await this.#seat(match, token);
      if (after !== undefined) {
        await this.#store.waitForChange(match, after, POLL_MS);
      }
      const { state, revision, events } = this.#kept(match);
      return { state: base64Encode(state), revision: revision.toString(), events };
    });
  }

  /**
   * Makes the player's moves with the player's own right, and writes what follows if nobody was quicker. Why one is
   * illegal is told in `language`.
   */
  async play(match: string, token: string, play: Play, language?: string): Promise<{ revision: string } | Refusal> {
    return await refusing(async () => {
      const before = this.#kept(match);
      if (before.revision !== BigInt(play.revision)) {
        return STALE;
      }
      const table = await this.#seat(match, token, language);
      await table.play(
        PLAYER,
        play.moves.map((move) => fromJson(MoveSchema, move)),
      );
      if (!this.#put(match, before, table)) {
        return STALE;
      }
      this.#playOn(match);
      return { revision: table.revision.toString() };
    });
  }

  /** Ends what it does by itself. */
  close(): void {
    for (const each of this.#waiting) {
      each.abort();
    }
    this.#store.close();
  }

  async #seat(match: string, token: string, language?: string): Promise<Table> {
    return await Table.resume(this.#client.inLanguage(language).asSeat(token), this.#kept(match).state, PLAYER);
  }

  #kept(match: string): Kept {
    const kept = this.#store.get(match);
    if (kept === undefined) {
      throw new RulesError(Code.NotFound, "There is no such match here: it ended with the program that kept it.");
    }
    return kept;
  }

  #put(match: string, before: Kept, table: Table): boolean {
    const events = [...before.events, ...eventsOf(table.updates)].slice(-KEPT_EVENTS);
    return this.#store.put(match, before.revision, { state: table.state, revision: table.revision, events });
  }

  /** Plays for the other seat, a move at a time, until it is the player's turn. */
  #playOn(match: string): void {
    const ending = new AbortController();
    this.#waiting.add(ending);
    this.#playTurn(match, ending.signal)
      .catch((failure: unknown) => {
        if (!ending.signal.aborted) {
          console.error(failure);
        }
      })
      .finally(() => this.#waiting.delete(ending));
  }

  async #playTurn(match: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const before = this.#kept(match);
      const table = await Table.resume(this.#client, before.state);
      const { turn } = table;
      if (turn === undefined || turn === PLAYER || table.phase === Phase.MATCH_OVER) {
        return;
      }
      await wait(this.#thinkMs, undefined, { signal });
      await table.play(turn, choose(await table.legal(turn), table.revision), { viewers: [PLAYER] });
      if (!this.#put(match, before, table)) {
        return; // whoever was quicker goes on from there
      }
    }
  }
}

const STALE: Refusal = { kind: "stale", texts: ["Somebody has moved in between: look again."] };

function eventsOf(updates: readonly ViewerUpdate[]): JsonValue[] {
  const own = updates.find(({ viewer }) => viewer?.who.case === "seat" && viewer.who.value === PLAYER);
  return own?.events.map((event) => toJson(EventSchema, event)) ?? [];
}

async function refusing<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (failure) {
    if (failure instanceof IllegalMove) {
      return { kind: "illegal", texts: failure.violations.map(({ text }) => text) };
    }
    if (failure instanceof RulesError) {
      return failure.code === Code.Aborted ? STALE : { kind: "failed", texts: [failure.rawMessage] };
    }
    throw failure;
  }
}
