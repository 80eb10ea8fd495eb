/**
 * The Burraco rules service: what Node and browsers share.
 *
 * `connect` of `burraco/node` or `burraco/web` opens a `Client`, a `Table` keeps a match, `moves` and `cards` write what a
 * player does. `burraco/v1` has the generated messages, which all of this is made of and which can be used alone.
 *
 * @packageDocumentation
 */

export * as cards from "./cards.js";
export {
  API_KEY_METADATA,
  type Client,
  clientOf,
  LANGUAGE_METADATA,
  type Metadata,
  SEAT_TOKEN_METADATA,
} from "./client.js";
export { codeName, type FieldViolation, IllegalMove, RulesError, type RulesErrorInit } from "./errors.js";
export * as moves from "./moves.js";
export { RETRY_POLICY, type RetryPolicy, retrying, TIMEOUT_MS } from "./retry.js";
export { type CreateOptions, type Eyes, type Options, type PlayOptions, Table } from "./table.js";
