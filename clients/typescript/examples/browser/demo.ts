/** Starts all that the page needs, on loopback: the service, Envoy as it is shipped, the back end. `npm run demo:browser` */

import { connect } from "burraco/node";

import { envoyBinary, startEdge } from "../../conformance/edge.js";
import { API_KEY, startService } from "../../test/service.js";
import { BackEnd } from "./back_end.js";
import { serve } from "./server.js";

const PORT = Number(process.env["PORT"] ?? 8099);
const origin = `http://127.0.0.1:${PORT}`;

const envoy = envoyBinary();
if (envoy === undefined) {
  throw new Error("there is no Envoy: it comes with the project's Python environment (make .venv/.dev)");
}
const service = await startService();
const edge = await startEdge(envoy, { game: service.target, origin });
const client = connect(service.target, { apiKey: API_KEY });
const backEnd = new BackEnd(client, edge.web);
const pages = await serve(backEnd, edge.web, PORT);
console.log(`Play at ${origin}; Ctrl-C ends it.`);

const stop = async (): Promise<void> => {
  backEnd.close();
  await pages.close();
  client.close();
  await edge.close();
  await service.close();
};
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stop());
}
