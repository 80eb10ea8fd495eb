/** Says what a page pays for the client: the smallest page that plays a move, bundled and minified, raw and compressed. */

import { gzipSync } from "node:zlib";

import { bundle } from "./pages.js";

const PAGES = {
  "connect, one view": `
    import { connect } from "burraco/web";
    const client = connect("/", { seatToken: "t" });
    client.game.getView({ state: new Uint8Array(), viewer: { who: { case: "seat", value: 0 } } }).then(console.log);`,
  "a table: views, legal moves, moves": `
    import { moves, Table } from "burraco";
    import { connect } from "burraco/web";
    const table = await Table.resume(connect("/", { seatToken: "t" }), new Uint8Array(), 0);
    for (const move of moves.expand(await table.legal(0))) console.log(moves.describe(move));
    await table.play(0, moves.draw());`,
};

export interface Size {
  readonly raw: number;
  readonly gzip: number;
}

/** Bytes of each page, raw and compressed, by its name. */
export async function sizes(): Promise<ReadonlyMap<string, Size>> {
  const found = new Map<string, Size>();
  for (const [name, contents] of Object.entries(PAGES)) {
    const text = await bundle({ stdin: { contents, resolveDir: import.meta.dirname, loader: "js" }, minify: true });
    found.set(name, { raw: Buffer.byteLength(text), gzip: gzipSync(text, { level: 9 }).length });
  }
  return found;
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, { raw, gzip }] of await sizes()) {
    console.log(`${name}: ${raw} bytes, ${gzip} with gzip`);
  }
}
