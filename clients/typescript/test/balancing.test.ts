/** Calls go round all addresses of a name, and pass by one that is gone. */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { RETRY_POLICY, retrying } from "burraco";
import { GameService } from "burraco/v1";

import { RoundRobin, type RoundRobinOptions } from "../src/balancing.js";
import { type Fake, fakeService } from "./fake.js";

const HOSTS = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];

interface Replica {
  readonly host: string;
  readonly service: Fake;
  calls: number;
  authorities: Set<string>;
}

/** Replicas at one port of several addresses, all of which the name of the test stands for. */
async function replicas(context: TestContext): Promise<Replica[]> {
  const made: Replica[] = [];
  let port = 0;
  for (const host of HOSTS) {
    const seen = { host, calls: 0, authorities: new Set<string>() };
    const answers = {
      listPresets: (_request: unknown, { url }: { url: string }) => {
        seen.calls += 1;
        seen.authorities.add(new URL(url).host);
        return {};
      },
    };
    const service = await fakeService(answers, { host, port });
    port = service.port;
    made.push(Object.assign(seen, { service }));
  }
  context.after(() => Promise.all(made.map(({ service }) => service.close())));
  return made;
}

function clientOf(context: TestContext, port: number, options: RoundRobinOptions) {
  const balanced = new RoundRobin(new URL(`http://replicas.test:${port}`), options);
  context.after(() => {
    balanced.close();
  });
  const baseUrl = `http://replicas.test:${port}`;
  const interceptors = [retrying(RETRY_POLICY)];
  return createClient(GameService, createGrpcTransport({ baseUrl, sessionManager: balanced, interceptors }));
}

const addresses = (hosts: readonly string[]) => hosts.map((address) => ({ address, family: 4 }));

test("calls go round all addresses, which all are asked by the name", async (context) => {
  const all = await replicas(context);
  const port = all[0]?.service.port ?? 0;
  const client = clientOf(context, port, { resolve: async () => addresses(HOSTS) });
  for (let call = 0; call < 9; call++) {
    await client.listPresets({});
  }
  assert.deepEqual(
    all.map(({ calls }) => calls),
    [3, 3, 3],
  );
  for (const { authorities } of all) {
    assert.deepEqual([...authorities], [`replicas.test:${port}`]);
  }
});

test("no call fails while one of the replicas is gone, and it is called again when it is back", async (context) => {
  const all = await replicas(context);
  const [first, second] = all;
  assert.ok(first && second);
  const { port } = first.service;
  const client = clientOf(context, port, { resolve: async () => addresses(HOSTS) });
  await Promise.all(HOSTS.map(() => client.listPresets({})));
  await second.service.close();
  const before = second.calls;
  for (let call = 0; call < 30; call++) {
    await client.listPresets({});
  }
  assert.equal(second.calls, before);
  let calls = 0;
  const listPresets = () => {
    calls += 1;
    return {};
  };
  const again = await fakeService({ listPresets }, { host: second.host, port });
  context.after(() => again.close());
  const deadline = Date.now() + 20_000;
  while (calls === 0 && Date.now() < deadline) {
    await client.listPresets({});
  }
  assert.ok(calls > 0, "the replica that came back was never called");
});

test("a name is looked up again, and what is gone from it is not called any more", async (context) => {
  const all = await replicas(context);
  const port = all[0]?.service.port ?? 0;
  let hosts: readonly string[] = HOSTS.slice(0, 1);
  const client = clientOf(context, port, { freshMs: 0, resolve: async () => addresses(hosts) });
  await client.listPresets({});
  hosts = HOSTS.slice(1);
  for (let call = 0; call < 4; call++) {
    await client.listPresets({});
  }
  assert.deepEqual(
    all.map(({ calls }) => calls),
    [1, 2, 2],
  );
});

test("while the names' server is gone, the addresses that are known have to do", async (context) => {
  const all = await replicas(context);
  let isGone = false;
  const client = clientOf(context, all[0]?.service.port ?? 0, {
    freshMs: 0,
    resolve: async () => {
      if (isGone) {
        throw new Error("SERVFAIL");
      }
      return addresses(HOSTS);
    },
  });
  await client.listPresets({});
  isGone = true;
  await client.listPresets({});
});

test("a name without addresses, or that nobody knows, is UNAVAILABLE", async (context) => {
  const nobody = clientOf(context, 1, { resolve: async () => [] });
  const unknown = clientOf(context, 1, { resolve: () => Promise.reject(new Error("ENOTFOUND")) });
  for (const [client, said] of [
    [nobody, /replicas\.test has no address/],
    [unknown, /replicas\.test was not found \(ENOTFOUND\)/],
  ] as const) {
    await assert.rejects(client.listPresets({}), (failure) => {
      assert.ok(failure instanceof ConnectError);
      assert.equal(failure.code, Code.Unavailable);
      assert.match(failure.message, said);
      return true;
    });
  }
});
