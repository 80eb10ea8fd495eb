/** Pages for browsers: their scripts, bundled with esbuild, and a server on loopback. */

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { type BuildOptions, build } from "esbuild";

/** Makes one script for browsers of a source and all that it imports. */
export async function bundle(source: Pick<BuildOptions, "entryPoints" | "stdin" | "minify">): Promise<string> {
  const { outputFiles } = await build({
    ...source,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
}

export interface Pages {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves on a port of loopback, a free one where none is named. */
export async function listen(answer: RequestListener, port = 0): Promise<Pages> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
