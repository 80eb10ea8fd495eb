/** Service, Envoy, page and browser together, for the tests that need a page. */

import { type AddressInfo, createServer } from "node:net";

import type { Browser } from "playwright-core";

import { type Edge, envoyBinary, startEdge } from "../conformance/edge.js";
import { chromiumBinary, openBrowser } from "../conformance/pages.js";
import { noService, type Service, startService, wanting } from "./service.js";

/** Says why there can be no page; false if there can. */
export const noPage =
  noService ||
  wanting(envoyBinary() !== undefined, "there is no Envoy: it comes with the project's Python environment") ||
  wanting(chromiumBinary() !== undefined, "there is no Chromium: apt-get install chromium");

export interface Stack {
  readonly service: Service;
  readonly edge: Edge;
  readonly browser: Browser;
  /** The port whose pages Envoy lets call. */
  readonly port: number;
  readonly origin: string;
  close(): Promise<void>;
}

export async function startStack(): Promise<Stack> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const ends: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) {
      await end();
    }
  };
  try {
    const service = await startService();
    ends.push(service.close);
    const edge = await startEdge(envoyBinary() ?? "envoy", { game: service.target, origin });
    ends.push(edge.close);
    const browser = await openBrowser(chromiumBinary() ?? "chromium");
    ends.push(() => browser.close());
    return { service, edge, browser, port, origin, close };
  } catch (failure) {
    // What has been started would keep the test from ending.
    await close();
    throw failure;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
