// Compiles src to dist, from nothing, so that no file of an older build is left in the package.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
process.exitCode = spawnSync("tsc", ["-p", "tsconfig.build.json"], { stdio: "inherit", shell: false }).status ?? 1;
