/** The package as others get it: what is in it, what it costs, and that its README is true. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { bundle } from "../scripts/pages.js";
import { sizes } from "../scripts/size.js";
import { noService, startService } from "./service.js";

const FOLDER = fileURLToPath(new URL("../", import.meta.url));
/** Bytes that the two pages may have, raw and compressed. Raise it with a reason. */
const BUDGET = [
  { raw: 185_000, gzip: 58_000 },
  { raw: 192_000, gzip: 61_500 },
];

const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
const README = read("README.md");

/** The blocks of the README in a language. */
function blocks(language: string): readonly string[] {
  const all = README.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"));
  return Array.from(all, ([, code = ""]) => code);
}

/** Compiles a program beside the client's own, and lets more be done in its folder. */
function checked(program: string, act: (folder: string) => void = () => undefined): void {
  const folder = join(FOLDER, "out");
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(join(folder, "program.ts"), program);
    writeFileSync(join(folder, "tsconfig.json"), '{"extends": "../tsconfig.json", "include": ["program.ts"]}');
    run(join(FOLDER, "node_modules", ".bin", "tsc"), ["-p", join(folder, "tsconfig.json")], FOLDER);
    act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, options: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, options, { cwd, encoding: "utf8" });
  assert.equal(status, 0, `${command} ${options.join(" ")}: ${stdout}${stderr}${error ?? ""}`);
  return stdout;
}

test("pages stay within their budget, and the README says what they have", async () => {
  const found = [...(await sizes())];
  assert.equal(found.length, BUDGET.length);
  for (const [index, [name, { raw, gzip }]] of found.entries()) {
    const most = BUDGET[index];
    assert.ok(most && raw <= most.raw && gzip <= most.gzip, `${name}: ${raw} bytes, ${gzip} with gzip`);
    const row = README.split("\n").find((line) => line.startsWith(`| ${name} |`));
    const told = [...(row?.matchAll(/[\d,]{4,}/g) ?? [])].map(([text]) => Number(text.replaceAll(",", "")));
    for (const [at, bytes] of [raw, gzip].entries()) {
      const said = told[at] ?? 0;
      assert.ok(Math.abs(said - bytes) <= bytes / 50, `README has ${said} bytes for ${bytes}: npm run size`);
    }
  }
});

test("what a page does not use is not in it, and nothing of Node is", async () => {
  const page = async (contents: string): Promise<string> =>
    await bundle({ stdin: { contents, resolveDir: FOLDER, loader: "js" } });
  const text = await page('import { cards } from "burraco"; console.log(cards.card("7S"));');
  assert.match(text, /is no card/);
  assert.ok(text.length < 5000, `${text.length} bytes for the text of a card`);
  assert.doesNotMatch(text, /IllegalMove|grpc/);
  const web = await page('import { connect } from "burraco/web"; console.log(connect);');
  assert.doesNotMatch(web, /is no card|ArbiterService|node:http2/);
});

test("the packed package works where it is installed, and is typed there", () => {
  const folder = mkdtempSync(join(tmpdir(), "burraco-package-"));
  try {
    const [{ filename, files }] = JSON.parse(
      run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], FOLDER),
    );
    const names = files.map(({ path }: { path: string }) => path);
    assert.ok(["README.md", "dist/index.js", "dist/web.d.ts", "src/index.ts"].every((name) => names.includes(name)));
    assert.ok(!names.some((name: string) => /^(test|conformance|examples|node_modules)\//.test(name)), names.join());
    const home = join(folder, "app", "node_modules");
    mkdirSync(join(home, "burraco"), { recursive: true });
    run("tar", ["-xzf", join(folder, filename), "-C", join(home, "burraco"), "--strip-components", "1"], folder);
    for (const name of ["@bufbuild", "@connectrpc", "@types"]) {
      symlinkSync(join(FOLDER, "node_modules", name), join(home, name));
    }
    const app = join(folder, "app");
    writeFileSync(join(app, "package.json"), '{"type": "module"}');
    writeFileSync(
      join(app, "app.ts"),
      `import { cards, type Client, IllegalMove, moves, Table } from "burraco";
       import { connect } from "burraco/node";
       import { connect as connectWeb } from "burraco/web";
       import { GameService, type Move } from "burraco/v1";
       import { ErrorInfoSchema } from "burraco/google/rpc";
       const made: Move = moves.meld("7S 8S 9S");
       const client: Client = connect("127.0.0.1:1", { apiKey: "k" });
       client.close();
       // @ts-expect-error a page has no key
       connectWeb("/", { apiKey: "k" });
       console.log(moves.describe(made), cards.text([7]), GameService.typeName, ErrorInfoSchema.typeName,
         typeof Table.create, typeof connectWeb, IllegalMove.name);`,
    );
    const tsc = join(FOLDER, "node_modules", ".bin", "tsc");
    const options = [
      "--module",
      "nodenext",
      "--target",
      "es2022",
      "--lib",
      "es2022,dom,dom.iterable",
      "--types",
      "node",
    ];
    run(tsc, [...options, "--strict", "--exactOptionalPropertyTypes", "app.ts"], app);
    const said = run("node", ["app.js"], app);
    assert.equal(said, "meld 7S 8S 9S 7S burraco.v1.GameService google.rpc.ErrorInfo function function IllegalMove\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the quick start of the README runs, prints what it says, and has ten lines of code", {
  skip: noService,
}, async () => {
  const [code = "", printed = ""] = ["js", "text"].map((language) => blocks(language)[0]);
  const lines = code.split("\n").filter((line) => line !== "" && !/^(import|\/\/)/.test(line));
  assert.ok(lines.length >= 5 && lines.length <= 10, `${lines.length} lines`);
  const service = await startService({ BURRACO_REQUIRE_CREDENTIALS: "", BURRACO_TRUST_NETWORK: "true" });
  try {
    const program = code.replace("127.0.0.1:50051", service.target);
    assert.notEqual(program, code);
    checked(program, (folder) => {
      writeFileSync(join(folder, "start.mjs"), program);
      assert.equal(run("node", [join(folder, "start.mjs")], FOLDER), printed);
    });
  } finally {
    await service.close();
  }
});

test("the other code of the README is right about the client's types", () => {
  const pieces = blocks("ts");
  assert.ok(pieces.length >= 2);
  checked(`
    import { cards, type Client, moves, Table } from "burraco";
    import { connect } from "burraco/node";
    export async function all(client: Client, state: Uint8Array, seatToken: string) {
      ${pieces.map((piece) => `{ ${piece} }`).join("\n")}
    }`);
});

test("the lock names no host, and has a checksum for everything", () => {
  const lock = read("package-lock.json");
  assert.doesNotMatch(lock, /:\/\/|"resolved"/);
  for (const [path, { integrity }] of Object.entries<{ integrity?: string }>(JSON.parse(lock).packages)) {
    assert.ok(path === "" || integrity?.startsWith("sha512-"), `${path} has no checksum`);
  }
});

test("dependencies are pinned", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json"));
  for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies })) {
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
  }
});

test("the contract's comments are in the generated types", () => {
  assert.match(read("dist/gen/burraco/v1/moves_pb.d.ts"), /A lay-off of several cards is one move/);
  assert.ok(existsSync(join(FOLDER, "dist/gen/burraco/v1/game_service_pb.d.ts")));
});
