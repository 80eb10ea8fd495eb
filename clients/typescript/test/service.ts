/** The real service, for tests: a process that ends with the test that started it. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { end, endWithThis } from "../conformance/edge.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const API_KEY = "a-back-end-of-the-tests";

/** The project's Python: what BURRACO_PYTHON names, or the one of its environment. */
export function pythonBinary(): string | undefined {
  return [process.env["BURRACO_PYTHON"] ?? "", `${ROOT}.venv/bin/python`].find(
    (path) => path !== "" && existsSync(path),
  );
}

/** Why a test is skipped for want of something; where CI is set nothing is, since there all tests have to run. */
export function wanting(isThere: boolean, why: string): string | false {
  return !isThere && !process.env["CI"] && why;
}

/** Says why there can be no service; false if there can. */
export const noService = wanting(
  pythonBinary() !== undefined,
  "there is no Python of this project: set BURRACO_PYTHON",
);

export interface Service {
  readonly target: string;
  close(): Promise<void>;
}

/** Starts a service that takes callers for what they show, as one behind the web's edge has to, if nothing else is set. */
export async function startService(others: Readonly<Record<string, string>> = {}): Promise<Service> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("BURRACO_"));
  const settings = {
    BURRACO_DEVELOPMENT: "true",
    BURRACO_HOST: "127.0.0.1",
    BURRACO_PORT: "0",
    BURRACO_DRAIN_SECONDS: "0",
    BURRACO_REQUIRE_CREDENTIALS: "true",
    BURRACO_API_KEYS: API_KEY,
    ...others,
  };
  const service = spawn(pythonBinary() ?? "python3", ["-m", "service"], {
    cwd: ROOT,
    env: { ...Object.fromEntries(own), ...settings },
    stdio: ["ignore", "pipe", "ignore"],
  });
  endWithThis(service);
  return { target: `127.0.0.1:${await portOf(service)}`, close: async () => await end(service) };
}

async function portOf(service: ChildProcess): Promise<number> {
  if (service.stdout === null) {
    throw new Error("the service has no output");
  }
  for await (const line of createInterface(service.stdout)) {
    return (JSON.parse(line) as { port: number }).port;
  }
  throw new Error("the service ended at its start");
}
