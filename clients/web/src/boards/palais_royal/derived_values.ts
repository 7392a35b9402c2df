/** Values that the board of Palais Royal shows and the document does not hold; the shared vectors test them.
 *
 * They mirror PR-MAJ (majorities), PR-GATE, PR-MOVE, PR-MINT, PR-SEAL and PR-BACK (allowances), PR-PRICE and PR-ROW.
 */

import type { Board, Catalog, Noble, Player, Row } from "./documents.ts";

export const ORDER = ["setup", "pre", "a1", "a2", "a3", "a4", "a5", "over"];
export const SEAL_ROOMS = { king: "turquoise", madame: "violet" } as const;
const COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

// The palace

const hasBonus = (catalog: Catalog, room: string): boolean => !!catalog.rooms.get(room)?.majority_bonus;

/** Return the player who has the majority in a room: the one to move by card or servants, or else any other. */
export function findMajority(board: Board, catalog: Catalog, room: string): number | null {
  if (!hasBonus(catalog, room)) return null;
  const active = board.final.length ? -1 : board.turn.seat;
  if (active >= 0 && hasMajority(board, catalog, active, room)) return active;
  const leader = board.players.findIndex((_, seat) => hasMost(board, seat, room));
  return leader < 0 ? null : leader;
}

function hasMajority(board: Board, catalog: Catalog, seat: number, room: string): boolean {
  if (!hasBonus(catalog, room) || !board.rooms[room]?.[seat]) return false;
  return board.turn.majority_all || hasMost(board, seat, room);
}

/** Return whether a player has the most servants in a room; the Cardinal breaks ties. */
function hasMost(board: Board, seat: number, room: string): boolean {
  const strength = (at: number) => (board.rooms[room]?.[at] ?? 0) * 100 + (board.rooms["cardinal"]?.[at] ?? 0);
  const isAhead = (at: number) => at === seat || strength(seat) > strength(at);
  return !!board.rooms[room]?.[seat] && board.players.every((_, at) => isAhead(at));
}

/** Add up a player's lasting benefits of one kind. */
export function countBenefit(board: Board, catalog: Catalog, seat: number, kind: string): number {
  const nobles = board.players[seat]?.face_up.map((id) => catalog.nobles.get(id));
  return (nobles ?? []).reduce((sum, noble) => sum + (noble?.benefit === kind ? noble.amount : 0), 0);
}

// Allowances: what an action still allows, or would allow if it began now

export const isPast = (board: Board, phase: string): boolean => ORDER.indexOf(board.turn.phase) > ORDER.indexOf(phase);

/** Return icons and numbers of what an action allows; a room of a seal only if something is left for it. */
export function listAllowances(board: Board, catalog: Catalog, phase: string): [icon: string, number: string][] {
  const { turn, rooms } = board;
  const { seat } = turn;
  const working = (room: string) => (rooms[room]?.[seat] ?? 0) + +hasMajority(board, catalog, seat, room);
  const benefit = (kind: string) => countBenefit(board, catalog, seat, kind);
  const isNow = turn.phase === phase;
  switch (phase) {
    case "a1":
      if (turn.gate_unlimited) return [["gate", "∞"]];
      return [["gate", `${isNow ? turn.gate_left : working("parade_ground") + benefit("gate")}`]];
    case "a2":
      return [["stairway", `${isNow ? turn.moves_left : working("stairway") + benefit("moves") + turn.extra_moves}`]];
    case "a3":
      return [["mint", turn.gold_taken ? "–" : `${working("mint") + benefit("gold")}`], ...listSeals(board, catalog)];
    case "a4":
      return [["noble", `${rooms["office"]?.[seat] ?? 0}`]];
    default:
      return [["card", `${countCards(board, catalog)}`]];
  }
}

function listSeals(board: Board, catalog: Catalog): [string, string][] {
  const { seat, phase, seals_left } = board.turn;
  return Object.entries(SEAL_ROOMS).flatMap(([room, seal]) => {
    const more = +hasMajority(board, catalog, seat, room) + countBenefit(board, catalog, seat, `seal_${seal}`);
    const left = phase === "a3" ? (seals_left[room] ?? 0) : more;
    return left ? [[seal, `${left}`] as [string, string]] : [];
  });
}

function countCards(board: Board, catalog: Catalog): number {
  const { seat, drawn } = board.turn;
  const servants = board.rooms["back_entrance"]?.[seat];
  if (drawn || !servants || !(board.deck || board.discard.length)) return 0;
  return servants + countBenefit(board, catalog, seat, "cards");
}

// The park

/** List the spaces of the park row by row, A1 first. */
export function listSpaces({ park }: Catalog): string[] {
  const rows = Array.from({ length: park.rows }, (_, at) => at + 1);
  return rows.flatMap((row) => [...COLUMNS.slice(0, park.cols)].map((column) => column + row));
}

/** Return column and row of a space, from 0. */
export const locate = (space: string): [number, number] => [COLUMNS.indexOf(space.charAt(0)), +space.slice(1) - 1];

/** Return the price of the noble on a space: one gold less for each free neighbour not behind an ornament. */
export function findPrice(board: Board, catalog: Catalog, space: string, noble: Noble): number {
  const free = listSpaces(catalog).filter((other) => isNeighbour(catalog, space, other) && !board.park[other]);
  return Math.max(0, noble.gold - free.length);
}

function isNeighbour(catalog: Catalog, space: string, other: string): boolean {
  const [[column, row], [x, y]] = [locate(space), locate(other)];
  const isNear = space !== other && Math.abs(column - x) <= 1 && Math.abs(row - y) <= 1;
  return isNear && !catalog.park.obstacles.some(({ between }) => between.includes(space) && between.includes(other));
}

/** Return the seats in a border row with their strength, the strongest first. */
export function listStrengths(board: Board, row: Row): [seat: number, strength: number][] {
  const servants = [...row.spaces, ...row.double_spaces].map((space) => board.border[space]);
  const all = board.players.map((_, seat): [number, number] => [seat, servants.filter((each) => each === seat).length]);
  return all.filter(([, strength]) => strength).sort((one, other) => other[1] - one[1]);
}

// Players

/** Return the points of the nobles and cards that the viewer sees. */
export function countPoints(own: Player, catalog: Catalog): number {
  const nobles = [...own.face_up, ...own.face_down].map((id) => catalog.nobles.get(id)?.points ?? 0);
  const cards = own.front.map((id) => catalog.privileges.get(id)?.effect.points ?? 0);
  return [...nobles, ...cards].reduce((sum, points) => sum + points, 0);
}
