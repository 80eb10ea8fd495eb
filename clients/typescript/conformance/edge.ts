/**
 * The real Envoy with the configuration that is shipped, for pages of a test.
 *
 * The listener `web` is as shipped, but for what a site changes: addresses, replicas, and the origin of the pages. It knows
 * seats alone. The vectors are calls of back ends, so a second listener, `vectors`, is made of it: it lets the API key pass,
 * marks nothing as coming from the web, and has a route to the arbiter. Filters, CORS and limits are the same.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { parse } from "yaml";

const SHIPPED = fileURLToPath(new URL("../../../deploy/envoy/", import.meta.url));
const ENVIRONMENT = fileURLToPath(new URL("../../../.venv/bin", import.meta.url));
const LOOPBACK = "127.0.0.1";
const READY_MS = 30_000;
const API_KEY = "burraco-api-key";

/** What stands behind the proxy, and which pages may call it. */
export interface Site {
  /** HOST:PORT of GameService. */
  readonly game: string;
  readonly arbiter?: string | undefined;
  readonly origin: string;
}

export interface Edge {
  /** URL of the listener as it is shipped. */
  readonly web: string;
  /** URL of the one that lets back ends pass. */
  readonly vectors: string;
  close(): Promise<void>;
}

/** Where Envoy is: beside the project's Python, whose package it comes with, or on the PATH. */
export function envoyBinary(): string | undefined {
  const { BURRACO_PYTHON: python = "", PATH: path = "" } = process.env;
  const folders = [python === "" ? ENVIRONMENT : dirname(python), ...path.split(":")];
  return folders.map((folder) => join(folder, "envoy")).find((file) => existsSync(file));
}

/** Starts Envoy on free ports of loopback, and returns when it calls the replica. */
export async function startEdge(binary: string, site: Site): Promise<Edge> {
  const folder = await mkdtemp(join(tmpdir(), "burraco-edge-"));
  const file = (name: string): string => join(folder, name);
  await writeFile(file("envoy.json"), JSON.stringify(await configuration(site)));
  const options = ["--disable-hot-restart", "--concurrency", "1", "--log-level", "error"];
  const command = ["-c", file("envoy.json"), ...options, "--admin-address-path", file("admin")];
  const envoy = spawn(binary, command, { stdio: ["ignore", "ignore", "pipe"] });
  endWithThis(envoy);
  let said = "";
  envoy.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const close = async (): Promise<void> => {
    await end(envoy);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const ports = await until(async () => {
      if (envoy.exitCode !== null) {
        throw new Error(`Envoy ended by itself: ${said}`);
      }
      return existsSync(file("admin")) ? await portsOf(await readFile(file("admin"), "utf8")) : undefined;
    });
    return { web: url(ports, "web"), vectors: url(ports, "vectors"), close };
  } catch (failure) {
    await close();
    throw failure;
  }
}

/** Ports by listener, once the replica is healthy. */
async function portsOf(admin: string): Promise<ReadonlyMap<string, number> | undefined> {
  if (!admin.includes(":")) {
    return undefined;
  }
  const ask = async (path: string): Promise<string> => await (await fetch(`http://${admin}${path}`)).text();
  const healthy = await ask("/stats?filter=^cluster.burraco.membership_healthy$");
  if (!/: 1\s*$/.test(healthy)) {
    return undefined;
  }
  const { listener_statuses: listeners } = JSON.parse(await ask("/listeners?format=json")) as Listeners;
  return new Map(listeners.map((each) => [each.name, each.local_address.socket_address.port_value]));
}

interface Listeners {
  readonly listener_statuses: readonly {
    readonly name: string;
    readonly local_address: { readonly socket_address: { readonly port_value: number } };
  }[];
}

function url(ports: ReadonlyMap<string, number>, listener: string): string {
  const port = ports.get(listener);
  if (port === undefined) {
    throw new Error(`Envoy has no listener ${listener}`);
  }
  return `http://${LOOPBACK}:${port}`;
}

// --- the configuration -----------------------------------------------------------------------------------------------

/** A part of Envoy's configuration; only what is changed here is looked at. */
// biome-ignore lint/suspicious/noExplicitAny: the shipped file is what says its shape, and Envoy what judges it.
type Config = any;

async function configuration({ game, arbiter, origin }: Site): Promise<Config> {
  const text = await readFile(join(SHIPPED, "envoy.yaml"), "utf8");
  const parts = parse(text.replace("/etc/envoy/burraco.binpb", join(SHIPPED, "burraco.binpb")), {
    merge: true,
    maxAliasCount: -1,
  });
  // Anchors of the file are shared objects; a change of one listener is not to change another.
  const config: Config = JSON.parse(JSON.stringify(parts));
  const { listeners, clusters } = config.static_resources;
  const web = named(listeners, "web");
  const cluster = named(clusters, "burraco");
  corsOf(web).allow_origin_string_match = [{ exact: origin }];
  const vectors = structuredClone(web);
  vectors.name = "vectors";
  const routes = routesOf(vectors);
  delete routes.request_headers_to_add;
  routes.request_headers_to_remove = routes.request_headers_to_remove.filter((name: string) => name !== API_KEY);
  corsOf(vectors).allow_headers += `, ${API_KEY}`;
  if (arbiter !== undefined) {
    routes.virtual_hosts[0].routes.unshift({
      match: { prefix: "/burraco.v1.ArbiterService/" },
      route: { cluster: "arbiter", timeout: "30s" },
    });
    const { health_checks: _, ...rest } = structuredClone(cluster);
    clusters.push({ ...rest, name: "arbiter", load_assignment: assignment("arbiter", arbiter) });
  }
  cluster.load_assignment = assignment("burraco", game);
  config.static_resources.listeners = [web, vectors];
  for (const owner of [config.admin, web, vectors]) {
    owner.address = address(`${LOOPBACK}:0`);
  }
  return config;
}

function routesOf(listener: Config): Config {
  return listener.filter_chains[0].filters[0].typed_config.route_config;
}

function corsOf(listener: Config): Config {
  return routesOf(listener).virtual_hosts[0].typed_per_filter_config["envoy.filters.http.cors"];
}

function named(all: Config, name: string): Config {
  return all.find((each: Config) => each.name === name);
}

function assignment(name: string, target: string): Config {
  return { cluster_name: name, endpoints: [{ lb_endpoints: [{ endpoint: { address: address(target) } }] }] };
}

function address(target: string): Config {
  const at = target.lastIndexOf(":");
  return { socket_address: { address: target.slice(0, at), port_value: Number(target.slice(at + 1)) } };
}

// --- processes -------------------------------------------------------------------------------------------------------

/** Leaves nothing running when this program ends, however it does. */
export function endWithThis(child: ChildProcess): void {
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
}

/** Ends a process that was started here. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 5000);
  await ended;
  clearTimeout(late);
}

/** Asks until there is an answer. */
async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
    if (Date.now() > deadline) {
      throw new Error(`Envoy does not call the replica within ${READY_MS / 1000} s`);
    }
    await wait(50);
  }
}
