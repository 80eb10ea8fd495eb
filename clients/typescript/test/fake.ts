/** A service of the test's own: gRPC over HTTP/2 on loopback, with answers that the test chooses. */

import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";

import type { ServiceImpl } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { GameService } from "burraco/v1";

export interface Fake {
  readonly port: number;
  readonly target: string;
  /** Ends it at once, calls and connections too. */
  close(): Promise<void>;
}

export async function fakeService(
  answers: Partial<ServiceImpl<typeof GameService>>,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Fake> {
  const sessions = new Set<ServerHttp2Session>();
  const server: Http2Server = createServer(
    connectNodeAdapter({ routes: (router) => router.service(GameService, answers) }),
  );
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: listening } = server.address() as AddressInfo;
  return {
    port: listening,
    target: `${host}:${listening}`,
    close: async () => {
      for (const session of sessions) {
        session.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
