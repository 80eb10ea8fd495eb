/** The vectors from headless Chromium, over gRPC-Web and CORS, through the real Envoy. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { bundle } from "../scripts/pages.js";
import { type Edge, envoyBinary, startEdge } from "./edge.js";
import type { Targets } from "./node.js";
import { chromiumBinary, openBrowser, serve } from "./pages.js";
import { skipSuite } from "./suite.js";
import type { Json } from "./values.js";

const PAGE = fileURLToPath(new URL("./page.ts", import.meta.url));
const HTML =
  '<!doctype html><html lang="en"><title>Vectors</title><script type="module" src="/page.js"></script></html>';

/** What the vectors are run against: an Envoy that is there, or one that is started before the service. */
export interface WebTargets extends Targets {
  /** Of an Envoy that is there: then `game` and `arbiter` are its ports too, which speak gRPC-Web and let back ends pass. */
  readonly web: string | undefined;
}

export async function runInBrowser({ game, arbiter, web }: WebTargets, vectors: string): Promise<boolean> {
  const read = async (path: string): Promise<string> => await readFile(join(vectors, path), "utf8");
  const [envoy, chromium] = [envoyBinary(), chromiumBinary()];
  const skip = async (why: string): Promise<boolean> =>
    await skipSuite(async (path) => JSON.parse(await read(path)) as Json, why, console.log);
  if (chromium === undefined) {
    return await skip("there is no Chromium (Debian: apt-get install chromium)");
  }
  if (envoy === undefined && web === undefined) {
    return await skip("there is no Envoy (beside BURRACO_PYTHON, or on the PATH)");
  }
  const script = await bundle({ entryPoints: [PAGE] });
  const pages = await serve(async (path) => {
    if (path === "/") {
      return { type: "text/html; charset=utf-8", body: HTML };
    }
    if (path === "/page.js") {
      return { type: "text/javascript; charset=utf-8", body: script };
    }
    return path.endsWith(".json") ? { type: "application/json", body: await read(path.slice(1)) } : undefined;
  });
  try {
    const edge =
      web === undefined ? await startEdge(envoy ?? "envoy", { game, arbiter, origin: pages.origin }) : running(game);
    try {
      const browser = await openBrowser(chromium);
      try {
        const page = await browser.newPage();
        page.on("pageerror", (failure) => console.log(`the page: ${failure.message}`));
        await page.exposeFunction("print", (line: string) => console.log(line));
        await page.goto(pages.origin);
        await page.waitForFunction("window.runVectors !== undefined");
        return await page.evaluate(async ([url, hasArbiter]) => await window.runVectors(url, hasArbiter), [
          edge.vectors,
          arbiter !== undefined,
        ] as const);
      } finally {
        await browser.close();
      }
    } finally {
      await edge.close();
    }
  } finally {
    await pages.close();
  }
}

function running(target: string): Pick<Edge, "vectors" | "close"> {
  return { vectors: `http://${target}`, close: async () => undefined };
}
