/** All scenarios and the match, in Node and in browsers alike. */

import type { Client } from "burraco";

import type { Transports } from "./caller.js";
import { object } from "./caller.js";
import { playMatch } from "./match.js";
import { list, run } from "./scenario.js";
import type { Json, JsonObject } from "./values.js";

const FORMAT = 1;
const GAME = "burraco.v1.GameService";
const ARBITER = "burraco.v1.ArbiterService";
const MATCH = "match";

export interface Suite {
  /** Reads a file that stands beside the manifest. */
  readonly read: (path: string) => Promise<Json>;
  /** Transports without retries. */
  readonly transports: Transports;
  /** The hand-written layer's own client, which says who calls by the manifest's metadata. */
  readonly connect: (metadata: JsonObject) => Client;
  readonly print: (line: string) => void;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs all of it, prints what failed and the sums, and says whether nothing failed. */
export async function runSuite({ read, transports, connect, print }: Suite): Promise<boolean> {
  const manifest = object(await read("manifest.json"), "the manifest");
  if (manifest["format"] !== FORMAT) {
    throw new RangeError(`the vectors have format ${String(manifest["format"])}, this runner knows ${FORMAT} alone`);
  }
  const able = new Set(["rawRequests", "unknownEnums", ...(transports.has(ARBITER) ? ["arbiter"] : [])]);
  const metadata = object(manifest["metadata"], "metadata");
  const counts = new Map<string, Counts>();
  const count = (folder: string, how: keyof Counts): void => {
    const row = counts.get(folder) ?? { passed: 0, failed: 0, skipped: 0 };
    row[how] += 1;
    counts.set(folder, row);
  };
  for (const file of list(manifest["files"])) {
    const path = String(object(file, "an entry of files")["path"]);
    const folder = path.split("/")[1] ?? path;
    const scenario = object(await read(path), path);
    const lacking = list(scenario["needs"]).filter((need) => !able.has(String(need)));
    if (lacking.length > 0) {
      print(`SKIPPED ${path}, which needs ${lacking.join(", ")}`);
      count(folder, "skipped");
      continue;
    }
    count(folder, (await passes(path, scenario, transports, metadata, print)) ? "passed" : "failed");
  }
  count(MATCH, (await matchPasses(connect, metadata, print)) ? "passed" : "failed");
  const all = { passed: 0, failed: 0, skipped: 0 };
  for (const [folder, row] of counts) {
    print(`${folder}: ${written(row)}`);
    all.passed += row.passed;
    all.failed += row.failed;
    all.skipped += row.skipped;
  }
  print(written(all));
  return all.failed === 0;
}

/** Counts all of it as skipped, and says why. */
export async function skipSuite(read: Suite["read"], why: string, print: Suite["print"]): Promise<boolean> {
  print(`SKIPPED all of it: ${why}`);
  const folders = list(object(await read("manifest.json"), "the manifest")["files"]).map(
    (file) => String(object(file, "an entry of files")["path"]).split("/")[1] ?? "",
  );
  for (const folder of new Set(folders)) {
    print(`${folder}: ${written({ passed: 0, failed: 0, skipped: folders.filter((each) => each === folder).length })}`);
  }
  print(`${MATCH}: ${written({ passed: 0, failed: 0, skipped: 1 })}`);
  print(written({ passed: 0, failed: 0, skipped: folders.length + 1 }));
  return true;
}

async function passes(
  path: string,
  scenario: JsonObject,
  transports: Transports,
  metadata: JsonObject,
  print: (line: string) => void,
): Promise<boolean> {
  try {
    const failure = await run(scenario, transports, metadata);
    for (const each of failure?.differences ?? []) {
      const values = `expected ${JSON.stringify(each.expected)}, actual ${JSON.stringify(each.actual)}`;
      print(`FAILED ${path}, step ${failure?.step}, ${failure?.rpc}, ${each.path || "(whole)"}: ${values}`);
    }
    return failure === undefined;
  } catch (failure) {
    print(`FAILED ${path}: ${String(failure)}`);
    return false;
  }
}

/** The match is played twice: the same seed and choices have to give the same match. */
async function matchPasses(
  connect: (metadata: JsonObject) => Client,
  metadata: JsonObject,
  print: (line: string) => void,
): Promise<boolean> {
  const client = connect(metadata);
  try {
    const [first, second] = [await playMatch(client), await playMatch(client)];
    if (first !== second) {
      print(`FAILED match: expected ${first}, actual ${second} of the same seed and moves`);
    }
    return first === second;
  } catch (failure) {
    print(`FAILED match: ${String(failure)}`);
    return false;
  } finally {
    client.close();
  }
}

function written({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

export { ARBITER, GAME };
