// Writes src/gen anew from the protos, with the buf that stands beside BURRACO_PYTHON, or with the one of the PATH.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";

const python = process.env.BURRACO_PYTHON;
const buf = python ? join(dirname(python), "buf") : "buf";
const { status, error } = spawnSync(buf, ["generate"], { stdio: "inherit" });
if (error) {
  console.error(
    `${buf} does not start (${error.message}): install buf, or name this project's Python in BURRACO_PYTHON.`,
  );
}
process.exitCode = status ?? 1;
