/** A player for the examples: it draws, lays what it can, and discards. It is no good player, and gives up last of all. */

import { moves } from "burraco";
import { type LegalMoves, type Move, MoveKind } from "burraco/v1";

const RARELY = 5n;

/** Chooses a legal move, always the same at the same revision. */
export function choose(legal: LegalMoves, revision: bigint): Move {
  const open = new Set(legal.simple);
  if (open.has(MoveKind.NEXT_DEAL)) {
    return moves.nextDeal();
  }
  if (open.has(MoveKind.DECLARE_STALEMATE)) {
    return moves.declareStalemate(); // else the pile of one card might go round for ever
  }
  if (open.has(MoveKind.TAKE_PILE) && (!open.has(MoveKind.DRAW_STOCK) || revision % RARELY === 0n)) {
    return moves.takePile();
  }
  if (open.has(MoveKind.DRAW_STOCK)) {
    return moves.draw();
  }
  const [group] = legal.groups;
  const [made] = group === undefined ? [] : moves.expandGroup(group);
  if (made !== undefined) {
    return made;
  }
  const shown = legal.discards[Number(revision % BigInt(legal.discards.length || 1))];
  if (shown !== undefined) {
    return moves.discard(shown);
  }
  const other = legal.simple.find((kind) => kind !== MoveKind.RESIGN) ?? legal.simple[0];
  if (other === undefined) {
    throw new Error("no move is open: it is not this seat's turn");
  }
  return moves.simple(other);
}
