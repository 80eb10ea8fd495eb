/** Runs the vectors from the command line, against BURRACO_TARGET, over BURRACO_TRANSPORT. */

import { runInBrowser } from "./browser.js";
import { runInNode } from "./node.js";

function needed(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set: see clients/typescript/README.md`);
  }
  return value;
}

const targets = { game: needed("BURRACO_TARGET"), arbiter: process.env["BURRACO_ARBITER_TARGET"] };
const vectors = needed("BURRACO_VECTORS");
const transport = process.env["BURRACO_TRANSPORT"] ?? "grpc";

if (transport === "grpc") {
  process.exitCode = (await runInNode(targets, vectors)) ? 0 : 1;
} else if (transport === "grpc-web") {
  process.exitCode = (await runInBrowser({ ...targets, web: process.env["BURRACO_WEB_TARGET"] }, vectors)) ? 0 : 1;
} else {
  throw new Error(`BURRACO_TRANSPORT is ${transport}: it may be grpc or grpc-web`);
}
