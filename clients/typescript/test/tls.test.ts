/** TLS: certificates are compared with the name that was asked for, whichever address answers. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { Code } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { RulesError } from "burraco";
import { connect } from "burraco/node";
import { GameService } from "burraco/v1";

import { wanting } from "./service.js";

const noTls = wanting(spawnSync("openssl", ["version"]).status === 0, "there is no openssl to make a certificate with");

test("with tls nothing is sent in the clear, whatever the target", () => {
  for (const target of ["127.0.0.1:1", "http://127.0.0.1:1", "burraco.example:443"]) {
    assert.throws(() => connect(target, { apiKey: "key", tls: {} }), TypeError);
  }
  connect("https://127.0.0.1:1", { apiKey: "key", tls: {} }).close();
});

describe("over TLS", { skip: noTls }, () => {
  const folder = mkdtempSync(join(tmpdir(), "burraco-tls-"));
  const file = (name: string): string => join(folder, name);
  let certificate: string;
  let port: number;
  let server: ReturnType<typeof createSecureServer>;

  before(async () => {
    const options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    const names = ["-subj", "/CN=burraco.test", "-addext", "subjectAltName=DNS:localhost"];
    const files = ["-keyout", file("key.pem"), "-out", file("cert.pem")];
    assert.equal(spawnSync("openssl", ["req", "-x509", ...options, ...names, ...files]).status, 0);
    certificate = readFileSync(file("cert.pem"), "utf8");
    const routes = connectNodeAdapter({ routes: (router) => router.service(GameService, { listPresets: () => ({}) }) });
    server = createSecureServer({ key: readFileSync(file("key.pem")), cert: certificate }, routes);
    // Here alone: where the name stands for ::1 too, the other address has to do.
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  test("a server with a certificate of its name is called", async () => {
    const client = connect(`https://localhost:${port}`, { tls: { ca: certificate } });
    await client.game.listPresets({});
    client.close();
  });

  for (const [what, host, ca] of [
    ["a certificate of another name", "127.0.0.1", true],
    ["a certificate that nobody vouches for", "localhost", false],
  ] as const) {
    test(`${what} is refused`, async () => {
      const client = connect(`https://${host}:${port}`, ca ? { tls: { ca: certificate } } : {});
      await assert.rejects(client.game.listPresets({}), (failure) => {
        assert.ok(failure instanceof RulesError, String(failure));
        assert.notEqual(failure.code, Code.DeadlineExceeded, failure.message);
        return true;
      });
      client.close();
    });
  }

  test("a caller without TLS gets nothing", async () => {
    const client = connect(`127.0.0.1:${port}`, { timeoutMs: 2000 });
    await assert.rejects(client.game.listPresets({}), RulesError);
    client.close();
  });
});
