/** What the page and its back end say to each other, as JSON. */

import type { JsonValue } from "@bufbuild/protobuf";

/** A place at a match. The page keeps it while its tab is open; there is no state in it. */
export interface Place {
  readonly match: string;
  readonly seat: number;
  /** The seat's token: it goes into headers, never into an address. */
  readonly token: string;
  /** Where the page calls the service: the URL of the proxy that speaks gRPC-Web. */
  readonly edge: string;
}

/** The match as it stands. The state is sealed: the page passes it on, and reads views. */
export interface Standing {
  readonly state: string;
  readonly revision: string;
  readonly events: readonly JsonValue[];
}

/** Moves that the page wants made, from what the player saw. */
export interface Play {
  readonly revision: string;
  readonly moves: readonly JsonValue[];
}

/** Why a request came to nothing; nothing has changed then. */
export interface Refusal {
  /** `illegal`: the rules forbid it. `stale`: somebody has moved in between. `failed`: anything else. */
  readonly kind: "illegal" | "stale" | "failed";
  readonly texts: readonly string[];
}

export const TOKEN_HEADER = "burraco-seat-token";
