// Brings the browser that the tests of gRPC-Web drive: Debian's, where this is Debian's root. Elsewhere it says what to do,
// and what needs a browser is skipped.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const run = (command, ...options) => spawnSync(command, options, { stdio: "inherit" }).status === 0;
const isRoot = process.getuid?.() === 0;

if (existsSync("/usr/bin/chromium") || process.env.BURRACO_CHROMIUM) {
  console.log("Chromium is there.");
} else if (!isRoot || !existsSync("/usr/bin/apt-get")) {
  console.log("There is no Chromium: install it, or name one in BURRACO_CHROMIUM. What needs a browser is skipped.");
} else {
  process.env.DEBIAN_FRONTEND = "noninteractive";
  const install = ["-o", "DPkg::Lock::Timeout=300", "install", "-y", "-qq", "--no-install-recommends", "chromium"];
  const there = run("apt-get", ...install) || (run("apt-get", "update", "-qq") && run("apt-get", ...install));
  console.log(there ? "Chromium is installed." : "Chromium cannot be installed. What needs a browser is skipped.");
}
