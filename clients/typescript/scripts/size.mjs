// Says what a page pays for the client: the smallest page that plays a move, bundled and minified, raw and compressed.
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

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

/** Bytes of each page, raw and compressed, by its name. */
export async function sizes() {
  const found = {};
  for (const [name, contents] of Object.entries(PAGES)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: import.meta.dirname, loader: "js" },
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      write: false,
    });
    const [{ contents: bytes }] = outputFiles;
    found[name] = { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length };
  }
  return found;
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, { raw, gzip }] of Object.entries(await sizes())) {
    console.log(`${name}: ${raw} bytes, ${gzip} with gzip`);
  }
}
