/** Plays a match of Burraco to its end: `npm run example`, against BURRACO_TARGET, with BURRACO_API_KEY where it wants one. */

import { IllegalMove, moves, Table } from "burraco";
import { connect } from "burraco/node";
import { Phase, Preset } from "burraco/v1";

import { choose } from "./player.js";

const apiKey = process.env["BURRACO_API_KEY"];
const client = connect(process.env["BURRACO_TARGET"] ?? "127.0.0.1:50051", apiKey ? { apiKey } : {});
try {
  const table = await Table.create(client, { preset: Preset.TWO_PLAYER });
  while (table.phase !== Phase.MATCH_OVER) {
    const seat = table.turn ?? 0;
    const move = choose(await table.legal(seat), table.revision);
    try {
      await table.play(seat, move);
    } catch (refused) {
      if (refused instanceof IllegalMove) {
        console.error(`${moves.describe(move)} was refused: ${refused.message}`);
      }
      throw refused;
    }
    if (table.phase === Phase.DEAL_OVER) {
      const { scoreSheet } = await table.score();
      console.log(`deal ${scoreSheet?.dealNumber}: ${scoreSheet?.sides.map((side) => side.matchPoints).join(" : ")}`);
    }
  }
  const { result } = await table.score();
  console.log(`The match is over at revision ${table.revision}: ${result?.matchPoints.join(" : ")},`);
  console.log(`side ${result?.winningSides.join(", ")} wins.`);
} finally {
  client.close();
}
