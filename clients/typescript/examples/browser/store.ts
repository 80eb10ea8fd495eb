/**
 * Where the example's matches are: in memory, so they end with the program. A real one has a database here, and the same
 * condition on every write: docs/storing-state.md has PostgreSQL and Redis.
 */

import { EventEmitter } from "node:events";

import type { JsonValue } from "@bufbuild/protobuf";

/** What is kept of a match. */
export interface Kept {
  readonly state: Uint8Array;
  readonly revision: bigint;
  /** What the player at the page's seat was told, the newest last. */
  readonly events: readonly JsonValue[];
}

export class Store {
  readonly #matches = new Map<string, Kept>();
  readonly #changed = new EventEmitter().setMaxListeners(0);

  #isClosed = false;

  get(match: string): Kept | undefined {
    return this.#matches.get(match);
  }

  /** Writes a match if it is still at the revision that the change was made from; says whether it was. */
  put(match: string, before: bigint | undefined, kept: Kept): boolean {
    if (this.#matches.get(match)?.revision !== before) {
      return false;
    }
    this.#matches.set(match, kept);
    this.#changed.emit(match);
    return true;
  }

  /** Waits until a match is at another revision, or the time is over. */
  async waitForChange(match: string, revision: bigint, milliseconds: number): Promise<void> {
    if (this.#isClosed || this.#matches.get(match)?.revision !== revision) {
      return;
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#changed.off(match, done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#changed.on(match, done);
    });
  }

  /** Ends all waiting, and lets nobody wait any more. */
  close(): void {
    this.#isClosed = true;
    for (const match of this.#matches.keys()) {
      this.#changed.emit(match);
    }
  }
}
