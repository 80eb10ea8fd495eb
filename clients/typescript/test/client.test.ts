/** The connection: who calls, deadlines, retries, and failures of streams. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";

import { Code, ConnectError, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import {
  API_KEY_METADATA,
  LANGUAGE_METADATA,
  RETRY_POLICY,
  RulesError,
  SEAT_TOKEN_METADATA,
  TIMEOUT_MS,
} from "burraco";
import { connect, type NodeOptions } from "burraco/node";
import type { GameService } from "burraco/v1";
import { connect as connectWeb } from "burraco/web";

import { fakeService } from "./fake.js";

type Answers = Partial<ServiceImpl<typeof GameService>>;

async function clientOf(context: TestContext, answers: Answers, options: NodeOptions = {}) {
  const service = await fakeService(answers);
  const client = connect(service.target, options);
  context.after(async () => {
    client.close();
    await service.close();
  });
  return client;
}

async function failureOf(call: Promise<unknown>): Promise<RulesError> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof RulesError, String(failure));
  return failure;
}

test("the numbers are those of the service config that is shipped", () => {
  const path = new URL("../../python/burraco/service_config.json", import.meta.url);
  const [{ retryPolicy }] = JSON.parse(readFileSync(path, "utf8")).methodConfig;
  const milliseconds = (text: string): number => Math.round(Number(text.replace("s", "")) * 1000);
  assert.deepEqual(
    {
      maxAttempts: retryPolicy.maxAttempts,
      initialBackoffMs: milliseconds(retryPolicy.initialBackoff),
      maxBackoffMs: milliseconds(retryPolicy.maxBackoff),
      backoffMultiplier: retryPolicy.backoffMultiplier,
      retryableCodes: retryPolicy.retryableStatusCodes.map(
        (name: string) => ({ UNAVAILABLE: Code.Unavailable, CANCELLED: Code.Canceled })[name],
      ),
    },
    RETRY_POLICY,
  );
  assert.equal(TIMEOUT_MS, 3000);
});

for (const code of [Code.Unavailable, Code.Canceled]) {
  test(`a replica that goes away is no failure: ${Code[code]}`, async (context) => {
    let calls = 0;
    const client = await clientOf(context, {
      listPresets: () => {
        calls += 1;
        if (calls < 4) {
          throw new ConnectError("draining", code);
        }
        return {};
      },
    });
    await client.game.listPresets({});
    assert.equal(calls, 4);
  });

  test(`a call is made four times at most: ${Code[code]}`, async (context) => {
    let calls = 0;
    const client = await clientOf(context, {
      listPresets: () => {
        calls += 1;
        throw new ConnectError("draining", code);
      },
    });
    const failure = await failureOf(client.game.listPresets({}));
    assert.deepEqual([failure.code, failure.transient], [code, true]);
    assert.equal(calls, 4);
  });
}

test("other failures are not retried", async (context) => {
  let calls = 0;
  const client = await clientOf(context, {
    listPresets: () => {
      calls += 1;
      throw new ConnectError("moved in between", Code.Aborted);
    },
  });
  assert.equal((await failureOf(client.game.listPresets({}))).code, Code.Aborted);
  assert.equal(calls, 1);
});

test("the pauses grow, and are never longer than the longest", async (context) => {
  const times: number[] = [];
  const client = await clientOf(
    context,
    {
      listPresets: () => {
        times.push(performance.now());
        throw new ConnectError("draining", Code.Unavailable);
      },
    },
    { retry: { ...RETRY_POLICY, maxAttempts: 5, initialBackoffMs: 100, maxBackoffMs: 250 } },
  );
  await failureOf(client.game.listPresets({}));
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  assert.equal(pauses.length, 4);
  // Whatever the machine has to do beside, no pause is shorter than its own less a fifth.
  for (const [index, least] of [80, 160, 200, 200].entries()) {
    assert.ok((pauses[index] ?? 0) >= least - 2, `pause ${index}: ${pauses[index]} ms`);
  }
});

test("a deadline holds for a call with its retries, and each attempt tells the server what is left", async (context) => {
  const left: number[] = [];
  const client = await clientOf(
    context,
    {
      listPresets: async (_request, { timeoutMs }: HandlerContext) => {
        left.push(timeoutMs() ?? Number.POSITIVE_INFINITY);
        await wait(600);
        throw new ConnectError("draining", Code.Unavailable);
      },
    },
    { timeoutMs: 1500 },
  );
  const began = performance.now();
  const failure = await failureOf(client.game.listPresets({}));
  assert.equal(failure.code, Code.DeadlineExceeded);
  assert.equal(failure.transient, true);
  assert.ok(performance.now() - began >= 1495);
  assert.ok(left.length >= 2, `${left.length} attempts`);
  assert.ok((left[0] ?? 0) <= 1500 && (left[1] ?? 0) <= 900, `the server was told ${left.join(", ")} ms`);
});

test("a call may bring a deadline of its own", async (context) => {
  const client = await clientOf(context, {
    listPresets: async () => {
      await wait(2000, undefined, { ref: false });
      return {};
    },
  });
  const failure = await failureOf(client.game.listPresets({}, { timeoutMs: 100 }));
  assert.equal(failure.code, Code.DeadlineExceeded);
});

test("who gives up a call is not called again", async (context) => {
  let calls = 0;
  const giving = new AbortController();
  const client = await clientOf(context, {
    listPresets: async () => {
      calls += 1;
      giving.abort();
      await wait(500, undefined, { ref: false });
      return {};
    },
  });
  const failure = await failureOf(client.game.listPresets({}, { signal: giving.signal }));
  assert.deepEqual([failure.code, failure.transient], [Code.Canceled, false]);
  await wait(300);
  assert.equal(calls, 1);
});

test("a stream that its caller cancels is his cancel; one that the service cancels may be opened anew", async (context) => {
  const client = await clientOf(context, {
    async *streamApplyMoves(requests) {
      for await (const { correlationId } of requests) {
        yield { correlationId };
        if (correlationId === "last") {
          throw new ConnectError("ending", Code.Canceled);
        }
      }
    },
  });
  const giving = new AbortController();
  async function* once(correlationId: string) {
    yield { correlationId };
  }
  const failureAfter = async (correlationId: string, act: () => void): Promise<RulesError> =>
    await failureOf(
      (async () => {
        for await (const _ of client.game.streamApplyMoves(once(correlationId), { signal: giving.signal })) {
          act();
        }
      })(),
    );
  const ofService = await failureAfter("last", () => undefined);
  assert.deepEqual([ofService.code, ofService.transient], [Code.Canceled, true]);
  const ofCaller = await failureAfter("first", () => giving.abort());
  assert.deepEqual([ofCaller.code, ofCaller.transient], [Code.Canceled, false]);
});

test("nobody there is UNAVAILABLE, and the error says so", async () => {
  for (const target of ["127.0.0.1:1", "no-such-name.invalid:50051"]) {
    const nobody = connect(target);
    const failure = await failureOf(nobody.game.listPresets({}));
    assert.equal(failure.code, Code.Unavailable, `${target}: ${failure.message}`);
    nobody.close();
  }
});

test("metadata say who calls, and a seat's client is that seat alone", async (context) => {
  const seen: (string | null)[][] = [];
  const answers: Answers = {
    listPresets: (_request, { requestHeader }: HandlerContext) => {
      seen.push([requestHeader.get("burraco-api-key"), requestHeader.get("burraco-seat-token")]);
      return {};
    },
  };
  const backEnd = await clientOf(context, answers, { apiKey: "the-key" });
  await backEnd.game.listPresets({});
  await backEnd.asSeat("the-token").game.listPresets({});
  await (await clientOf(context, answers, { seatToken: "another" })).game.listPresets({});
  await (await clientOf(context, answers)).game.listPresets({});
  assert.deepEqual(seen, [
    ["the-key", null],
    [null, "the-token"],
    [null, "another"],
    [null, null],
  ]);
});

test("a language goes with every call, streams too; a client in another one shares all else", async (context) => {
  const seen: (string | null)[][] = [];
  const note = (what: string, { requestHeader }: HandlerContext): void => {
    const names = ["accept-language", "burraco-api-key", "burraco-seat-token"];
    seen.push([what, ...names.map((name) => requestHeader.get(name))]);
  };
  const answers: Answers = {
    listPresets: (_request, handler) => {
      note("call", handler);
      return {};
    },
    async *streamApplyMoves(_requests, handler) {
      note("stream", handler);
      yield {};
    },
  };
  const client = await clientOf(context, answers, { apiKey: "k", language: "it" });
  const polish = client.inLanguage("pl, en;q=0.5");
  const called = [client, polish, polish.asSeat("t"), polish.asSeat("t").inLanguage("my"), client];
  const silent = await clientOf(context, answers, { language: "" });
  for (const each of [...called, client.inLanguage(undefined), client.inLanguage(""), silent]) {
    await each.game.listPresets({});
  }
  for await (const _ of polish.game.streamApplyMoves((async function* () {})())) {
    // What the answers are means nothing here.
  }
  assert.deepEqual(seen, [
    ["call", "it", "k", null],
    ["call", "pl, en;q=0.5", "k", null],
    ["call", "pl, en;q=0.5", null, "t"],
    ["call", "my", null, "t"],
    ["call", "it", "k", null],
    ["call", null, "k", null],
    ["call", null, "k", null],
    ["call", null, null, null],
    ["stream", "pl, en;q=0.5", "k", null],
  ]);
});

for (const wrong of ["s\u00e9cret", "secret\n", "\u0000secret", "secret\u007f"]) {
  test(`what no header can have is refused at once, and not shown: ${JSON.stringify(wrong)}`, () => {
    const client = connect("127.0.0.1:1");
    const attempts: readonly (readonly [string, () => unknown])[] = [
      [API_KEY_METADATA, () => connect("127.0.0.1:1", { apiKey: wrong })],
      [SEAT_TOKEN_METADATA, () => connect("127.0.0.1:1", { seatToken: wrong })],
      [SEAT_TOKEN_METADATA, () => connectWeb("https://edge.test", { seatToken: wrong })],
      [SEAT_TOKEN_METADATA, () => client.asSeat(wrong)],
      [LANGUAGE_METADATA, () => connect("127.0.0.1:1", { language: wrong })],
      [LANGUAGE_METADATA, () => connectWeb("https://edge.test", { language: wrong })],
      [LANGUAGE_METADATA, () => client.inLanguage(wrong)],
    ];
    for (const [name, attempt] of attempts) {
      assert.throws(attempt, (failure) => {
        assert.ok(failure instanceof TypeError);
        assert.equal(failure.message, `${name} cannot be sent: it has characters that are not printable ASCII`);
        return true;
      });
    }
  });
}

test("no print of a client shows its secrets", async (context) => {
  const client = await clientOf(context, {}, { apiKey: "the-key" });
  for (const each of [client, client.asSeat("the-token")]) {
    assert.doesNotMatch(inspect(each, { depth: 20, showHidden: true }) + JSON.stringify(each), /the-key|the-token/);
  }
});

test("a caller is a seat or a back end", () => {
  assert.throws(() => connect("127.0.0.1:1", { apiKey: "k", seatToken: "t" }), /seatToken or apiKey, not both/);
});

const URLS = ["ftp://host:1", "dns:///host:1", "http://host:1/path", "http://host:1?a", "https://u:p@host", "http://"];
for (const wrong of ["", "a b", "host:port", "host", "host:1/", "host:1?a", "host:1#a", "u@host:1", "::1", ...URLS]) {
  test(`${JSON.stringify(wrong)} is no target, and the error says what is`, () => {
    assert.throws(() => connect(wrong), { name: "TypeError", message: /is no target: give HOST:PORT/ });
  });
}

for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
  test(`no call could succeed within ${wrong} ms, which is said at once`, () => {
    for (const attempt of [connect, connectWeb]) {
      assert.throws(() => attempt("http://127.0.0.1:1", { timeoutMs: wrong }), {
        name: "RangeError",
        message: `timeoutMs is ${wrong}: give milliseconds, more than 0 and at most 2147483647`,
      });
    }
  });
}

for (const wrong of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
  test(`no connection can be pinged every ${wrong} ms, which is said at once`, () => {
    assert.throws(() => connect("127.0.0.1:1", { keepaliveMs: wrong }), {
      name: "RangeError",
      message: `keepaliveMs is ${wrong}: give milliseconds, more than 0 and at most 2147483647`,
    });
  });
}

test("a client that is closed ends its calls, and makes none again", async (context) => {
  let calls = 0;
  const client = await clientOf(context, {
    listPresets: async () => {
      calls += 1;
      await wait(500, undefined, { ref: false });
      return {};
    },
  });
  const seat = client.asSeat("t");
  const underWay = failureOf(client.game.listPresets({}));
  await wait(100);
  seat.close();
  for (const failure of [await underWay, await failureOf(client.game.listPresets({}))]) {
    assert.deepEqual([failure.code, failure.rawMessage], [Code.Canceled, "the client is closed"]);
    assert.equal(failure.transient, false);
  }
  await wait(300);
  assert.equal(calls, 1);
});

test("a client that is closed ends its streams", async (context) => {
  const client = await clientOf(context, {
    async *streamApplyMoves(requests) {
      for await (const { correlationId } of requests) {
        yield { correlationId };
      }
    },
  });
  async function* requests() {
    yield { correlationId: "first" };
    await wait(2000, undefined, { ref: false });
  }
  const failure = await failureOf(
    (async () => {
      for await (const _ of client.game.streamApplyMoves(requests())) {
        client.close();
      }
    })(),
  );
  assert.deepEqual([failure.code, failure.transient], [Code.Canceled, false]);
});

test("many calls at once are no leak, of which Node would warn", async (context) => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  context.after(() => process.off("warning", warned));
  const client = await clientOf(context, { listPresets: () => ({}) });
  await Promise.all(Array.from({ length: 50 }, () => client.game.listPresets({})));
  await wait(0);
  assert.deepEqual(warnings, []);
});

test("what speaks another protocol fails the call, and not the program that closes its client then", async () => {
  const server = createServer((_request, response) => response.end("hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = connect(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const failure = await failureOf(client.game.listPresets({}));
  assert.equal(failure.code, Code.Unavailable);
  assert.match(failure.message, /the connection to 127\.0\.0\.1:\d+ is lost, or is no HTTP\/2 \(Protocol error\)$/);
  client.close();
  await wait(50); // the connection fails once more
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("a stream that breaks off fails as calls do, and has no deadline of its own", async (context) => {
  let deadline: number | undefined = 0;
  const client = await clientOf(
    context,
    {
      async *streamApplyMoves(_requests, { timeoutMs }: HandlerContext) {
        deadline = timeoutMs();
        yield { correlationId: "first" };
        throw new ConnectError("draining", Code.Unavailable);
      },
    },
    { timeoutMs: 100 },
  );
  async function* requests() {
    yield {};
  }
  const seen: string[] = [];
  const failure = await failureOf(
    (async () => {
      for await (const answer of client.game.streamApplyMoves(requests())) {
        seen.push(answer.correlationId);
      }
    })(),
  );
  assert.deepEqual([seen, failure.code, deadline], [["first"], Code.Unavailable, undefined]);
});
