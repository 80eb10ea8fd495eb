/** Starts the example: against BURRACO_TARGET as a back end, with pages that call BURRACO_EDGE. */

import { connect } from "burraco/node";

import { BackEnd } from "./back_end.js";
import { serve } from "./server.js";

const { BURRACO_TARGET = "127.0.0.1:50051", BURRACO_API_KEY, BURRACO_EDGE = "http://127.0.0.1:8080" } = process.env;
const PORT = Number(process.env["PORT"] ?? 8099);

const client = connect(BURRACO_TARGET, BURRACO_API_KEY ? { apiKey: BURRACO_API_KEY } : {});
const { origin } = await serve(new BackEnd(client, BURRACO_EDGE), BURRACO_EDGE, PORT);
console.log(origin);
