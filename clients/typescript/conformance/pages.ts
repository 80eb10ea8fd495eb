/** Pages for a test: bundled with esbuild, served on loopback, opened in headless Chromium. */

import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** It calls nobody but the page's own servers; without a sandbox, since it may run as root in a container. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where Chromium is: what BURRACO_CHROMIUM names, or where Debian has it. */
export function chromiumBinary(): string | undefined {
  const named = process.env["BURRACO_CHROMIUM"];
  return [...(named ? [named] : []), ...PATHS].find((path) => existsSync(path));
}

export async function openBrowser(binary: string): Promise<Browser> {
  return await chromium.launch({ executablePath: binary, args: FLAGS, headless: true });
}

export interface Pages {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves files on a port of loopback, a free one where none is named. */
export async function serve(find: (path: string) => Promise<Answer | undefined>, at = 0): Promise<Pages> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? "/", "http://page");
      const answer = request.method === "GET" ? await find(pathname).catch(complain) : undefined;
      response.writeHead(answer ? 200 : 404, answer ? { "content-type": answer.type } : {});
      response.end(answer?.body);
    })();
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function complain(failure: unknown): undefined {
  console.error(failure);
}

export interface Answer {
  readonly type: string;
  readonly body: string | Uint8Array;
}

/** A script for browsers, made of TypeScript and all that it imports. */
export async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}
