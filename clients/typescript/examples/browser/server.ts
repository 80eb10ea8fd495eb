/** Serves the page and its back end on loopback: `npm run example:browser`; the README says what it needs beside it. */

import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";

import { bundle, listen, type Pages } from "../../scripts/pages.js";
import { type Play, type Refusal, TOKEN_HEADER } from "./api.js";
import type { BackEnd } from "./back_end.js";

const HERE = fileURLToPath(new URL("./", import.meta.url));
const MOST_BYTES = 64 * 1024;
const STATUS = { illegal: 422, stale: 409, failed: 400 } as const;
/** The page loads nothing from elsewhere, and calls its own server and the proxy. */
const policy = (edge: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' ${edge}`;

export async function serve(backEnd: BackEnd, edge: string, port: number): Promise<Pages> {
  const script = await bundle({ entryPoints: [`${HERE}page.ts`], minify: true });
  const files = new Map([
    ["/", { type: "text/html; charset=utf-8", body: await readFile(`${HERE}index.html`, "utf8") }],
    ["/style.css", { type: "text/css; charset=utf-8", body: await readFile(`${HERE}style.css`, "utf8") }],
    ["/page.js", { type: "text/javascript; charset=utf-8", body: script }],
  ]);
  return await listen((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://page");
    const file = request.method === "GET" ? files.get(pathname) : undefined;
    if (file !== undefined) {
      response.writeHead(200, { "content-type": file.type, "content-security-policy": policy(edge) }).end(file.body);
      return;
    }
    answer(backEnd, request).then(
      (found) => send(response, found),
      (failure: unknown) => {
        console.error(failure);
        send(response, { kind: "failed", texts: ["The back end could not answer: see what it wrote."] });
      },
    );
  }, port);
}

async function answer(backEnd: BackEnd, request: IncomingMessage): Promise<object | undefined> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://page");
  const [, root, match = "", what] = pathname.split("/");
  const token = String(request.headers[TOKEN_HEADER] ?? "");
  const route = `${request.method} ${root === "matches"} ${match !== ""} ${what ?? ""}`;
  switch (route) {
    case "POST true false ":
      return await backEnd.create();
    case "GET true true ": {
      const after = searchParams.get("after");
      return await backEnd.standing(match, token, after === null ? undefined : BigInt(after));
    }
    case "POST true true moves":
      return await backEnd.play(
        match,
        token,
        JSON.parse(await body(request)) as Play,
        request.headers["accept-language"],
      );
    default:
      return undefined;
  }
}

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > MOST_BYTES) {
      throw new RangeError(`a request has more than ${MOST_BYTES} bytes`);
    }
  }
  return text;
}

function send(response: ServerResponse, found: object | undefined): void {
  const status = found === undefined ? 404 : "kind" in found ? STATUS[(found as Refusal).kind] : 200;
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(found ?? {}));
}
