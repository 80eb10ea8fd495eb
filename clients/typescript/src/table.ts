/** A match as its caller keeps it: the sealed state, and the revision that goes with it. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { create } from "@bufbuild/protobuf";
import type { Client } from "./client.js";
import { goneOn, IllegalMove, lacking } from "./errors.js";
import { type HandOrder, type Viewer, ViewerSchema } from "./gen/burraco/v1/cards_pb.js";
import type {
  Accepted,
  CreateMatchRequestSchema,
  IssueSeatTokenResponse,
  ScoreDealResponse,
  ViewerUpdate,
} from "./gen/burraco/v1/game_service_pb.js";
import type { LegalMoves, Move } from "./gen/burraco/v1/moves_pb.js";
import type { Violation } from "./gen/burraco/v1/reasons_pb.js";
import { Preset, type RulesSelectionSchema } from "./gen/burraco/v1/rules_pb.js";
import type { Phase, View } from "./gen/burraco/v1/views_pb.js";
import { nextDeal } from "./moves.js";

/** Options of one game that replace those of the preset, such as `{ case: "burraco", value: { target: 1000 } }`. */
export type Options = NonNullable<MessageInitShape<typeof RulesSelectionSchema>["game"]>;

type Creation = MessageInitShape<typeof CreateMatchRequestSchema>;

/** How a match is made; see `CreateMatchRequest` for each. */
export interface CreateOptions
  extends Pick<Creation, "requestId" | "seedSource" | "entropy" | "seating" | "handOrder" | "seatTokenSeconds"> {
  readonly preset?: Preset;
  readonly options?: Options;
}

/** Whose eyes an answer is made for: a seat's number, or a spectator's. */
export type Eyes = number | "spectator";

/** What an accepted move answers beside the new state. */
export interface PlayOptions {
  /** Whose views and events are answered; by default those of the seat that moves. */
  readonly viewers?: Iterable<Eyes>;
  /** Whether the legal moves of the seat that is next are answered; for back ends only. */
  readonly listLegalMoves?: boolean;
  readonly handOrder?: HandOrder;
}

/**
 * One match. Only an accepted move changes it: after a refusal or a failed call it is as it was. Of two changes that are
 * made at once from the same state the first to be answered stands; the other fails with `Code.Aborted` and
 * `Reason.REVISION_MISMATCH`.
 *
 * Every method that calls the service fails with `RulesError` when the call fails.
 */
export class Table {
  readonly client: Client;
  #state: Uint8Array;
  #revision: bigint;
  #phase: Phase;
  #turn: number | undefined;
  #updates: readonly ViewerUpdate[];
  /** The token of each seat, by seat, where this made the match: give each player his own. */
  readonly #seatTokens: readonly string[];

  private constructor(
    client: Client,
    state: Uint8Array,
    view: Pick<View, "revision" | "phase" | "turn">,
    updates: readonly ViewerUpdate[] = [],
    seatTokens: readonly string[] = [],
  ) {
    this.client = client;
    this.#state = state;
    this.#revision = view.revision;
    this.#phase = view.phase;
    this.#turn = view.turn;
    this.#updates = updates;
    this.#seatTokens = seatTokens;
  }

  /** The sealed state: keep it, and `resume` goes on from it. */
  get state(): Uint8Array {
    return this.#state;
  }

  /** Number of changes so far: moves applied, and revocations of seat tokens. */
  get revision(): bigint {
    return this.#revision;
  }

  /** Where the match stands. */
  get phase(): Phase {
    return this.#phase;
  }

  /** The seat to move; undefined when the deal or the match is over. */
  get turn(): number | undefined {
    return this.#turn;
  }

  /** What the latest change told each viewer that was asked for. */
  get updates(): readonly ViewerUpdate[] {
    return this.#updates;
  }

  /** The token of each seat, by seat, where this made the match: give each player his own. They are secrets. */
  get seatTokens(): readonly string[] {
    return this.#seatTokens;
  }

  /** Seats the players and deals; Italian Burraco for four where no preset is named. */
  static async create(
    client: Client,
    { preset = Preset.ITALIAN, options, ...rest }: CreateOptions = {},
  ): Promise<Table> {
    const game = options ?? { case: undefined };
    const response = await client.game.createMatch({ ...rest, rules: { preset, game } });
    const view = response.updates[0]?.view;
    if (view === undefined) {
      throw lacking("a view of the match");
    }
    see("a state", response.state.length > 0);
    return new Table(client, response.state, view, response.updates, response.seatTokens);
  }

  /** Goes on from a state that was kept. A client that is a seat has to name it: it sees no other view. */
  static async resume(client: Client, state: Uint8Array, eyes: Eyes = "spectator"): Promise<Table> {
    return new Table(client, state, await getView(client, { state, viewer: viewer(eyes) }));
  }

  /**
   * Makes moves, one or several, all or none.
   *
   * @throws IllegalMove with everything that is wrong with the first illegal move.
   */
  async play(seat: number, moves: Move | readonly Move[], options: PlayOptions = {}): Promise<Accepted> {
    const { viewers = [], ...rest } = options;
    const [from, revision] = [this.#state, this.#revision];
    const { outcome } = await this.client.game.applyMoves({
      ...rest,
      state: from,
      seat,
      moves: list(moves),
      expectedRevision: revision,
      viewers: Array.from(viewers, viewer),
    });
    if (outcome.case === "rejected") {
      throw new IllegalMove(outcome.value.violations);
    }
    if (outcome.case !== "accepted") {
      throw lacking("an outcome of the moves");
    }
    const accepted = outcome.value;
    see("a state", accepted.state.length > 0);
    const isListed = !options.listLegalMoves || accepted.turn === undefined || accepted.legalMoves !== undefined;
    see("the list of legal moves", isListed);
    this.#seeIsStill(from, revision);
    this.#state = accepted.state;
    this.#revision = accepted.revision;
    this.#phase = accepted.phase;
    this.#turn = accepted.turn;
    this.#updates = accepted.updates;
    return accepted;
  }

  /** Says what is wrong with moves, without making them; nothing if they are legal. */
  async check(seat: number, moves: Move | readonly Move[]): Promise<readonly Violation[]> {
    const request = { state: this.#state, seat, moves: list(moves), expectedRevision: this.#revision };
    const { legal, violations } = await this.client.game.checkMoves(request);
    see("the violations of an illegal move", legal || violations.length > 0);
    return violations;
  }

  /** Lists every legal move of a seat; `moves.expand` goes through them one by one. */
  async legal(seat: number, options: { readonly maxMoves?: number } = {}): Promise<LegalMoves> {
    const { legalMoves } = await this.client.game.listLegalMoves({ ...options, state: this.#state, seat });
    if (legalMoves === undefined) {
      throw lacking("the list of legal moves");
    }
    return legalMoves;
  }

  /** Shows what a seat may know, or a spectator. */
  async view(
    eyes: Eyes = "spectator",
    options: { readonly handOrder?: HandOrder; readonly includeRules?: boolean } = {},
  ): Promise<View> {
    return await getView(this.client, { ...options, state: this.#state, viewer: viewer(eyes) });
  }

  /** Counts the finished deal. */
  async score(): Promise<ScoreDealResponse> {
    const response = await this.client.game.scoreDeal({ what: { case: "state", value: this.#state } });
    see("a score sheet", response.scoreSheet !== undefined);
    return response;
  }

  /** Issues another token of a seat; for back ends only. With `revoke` those before end, and the state changes. */
  async issueSeatToken(
    seat: number,
    options: { readonly revoke?: boolean; readonly lifetimeSeconds?: number } = {},
  ): Promise<IssueSeatTokenResponse> {
    const [from, revision] = [this.#state, this.#revision];
    const response = await this.client.game.issueSeatToken({ ...options, state: from, seat });
    see("a seat token", response.seatToken !== "");
    see("a state", response.state.length > 0);
    if (options.revoke) {
      this.#seeIsStill(from, revision);
      this.#state = response.state;
      this.#revision = response.revision;
    }
    return response;
  }

  /** A change belongs to the state that it was made from; another one may have been answered in between. */
  #seeIsStill(from: Uint8Array, revision: bigint): void {
    if (this.#state !== from) {
      throw goneOn(revision, this.#revision);
    }
  }

  /** Deals again once a deal is over. */
  async nextDeal(seat = 0, options: PlayOptions = {}): Promise<Accepted> {
    return await this.play(seat, nextDeal(), options);
  }
}

async function getView(client: Client, request: Parameters<Client["game"]["getView"]>[0]): Promise<View> {
  const { view } = await client.game.getView(request);
  if (view === undefined) {
    throw lacking("a view");
  }
  return view;
}

/** Sees that a part of an answer is there which has to be. */
function see(part: string, isThere: boolean): void {
  if (!isThere) {
    throw lacking(part);
  }
}

function viewer(eyes: Eyes): Viewer {
  const who = eyes === "spectator" ? { case: "spectator" as const, value: {} } : { case: "seat" as const, value: eyes };
  return create(ViewerSchema, { who });
}

function list(moves: Move | readonly Move[]): Move[] {
  return "$typeName" in moves ? [moves] : [...moves];
}
