/** Pages for a test: files served on loopback, and opened in headless Chromium. */

import { existsSync } from "node:fs";

import { type Browser, chromium } from "playwright-core";

import { listen, type Pages } from "../scripts/pages.js";

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

/** Serves files on a port of loopback, a free one where none is named. */
export async function serve(find: (path: string) => Promise<Answer | undefined>, at = 0): Promise<Pages> {
  return await listen((request, response) => {
    void (async () => {
      const { pathname } = new URL(request.url ?? "/", "http://page");
      const answer = request.method === "GET" ? await find(pathname).catch(complain) : undefined;
      response.writeHead(answer ? 200 : 404, answer ? { "content-type": answer.type } : {});
      response.end(answer?.body);
    })();
  }, at);
}

function complain(failure: unknown): undefined {
  console.error(failure);
}

export interface Answer {
  readonly type: string;
  readonly body: string | Uint8Array;
}
