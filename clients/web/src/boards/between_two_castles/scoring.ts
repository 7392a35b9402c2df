/**
 * The points of a castle at this moment. The document has score sheets only at the end of the game, but castles are
 * public, so everybody may count. The rules are in chapters 11 and 12 of RULES.md; tests compare the sums with the
 * sheets of the server.
 */

import { type Castle, type Catalog, type Cell, findPieces, keyOf, kindOf, type Piece } from "./documents.ts";

export type Building = Pick<Castle, "throne" | "rooms" | "attendants" | "cards">;

/** The points of one piece, and the cells of what it counts. */
export interface Score {
  readonly points: number;
  readonly counted: readonly string[];
}

const THRONE: readonly Cell[] = [
  [0, 0],
  [1, 0],
];
const RIGHT_HALF = "1,0";
const EDGES: readonly Cell[] = [
  [0, 1],
  [0, -1],
  [-1, 0],
  [1, 0],
];
const RING: readonly Cell[] = [...EDGES, [-1, 1], [1, 1], [-1, -1], [1, -1]];

const parse = (key: string): Cell => key.split(",").map(Number) as unknown as Cell;
const shift = ([x, y]: Cell, offsets: readonly Cell[]): string[] => offsets.map(([dx, dy]) => keyOf([x + dx, y + dy]));
const around = (cells: readonly Cell[], offsets: readonly Cell[]): string[] =>
  [...new Set(cells.flatMap((cell) => shift(cell, offsets)))].filter(
    (key) => !THRONE.some((half) => keyOf(half) === key),
  );
/** The throne room counts as one room, even if both halves are looked at. */
const once = (keys: readonly string[]): string[] =>
  keys.filter((key) => key !== RIGHT_HALF || !keys.includes(keyOf([0, 0])));

/** A castle as the rules of scoring see it. */
class Plan {
  /** What stands in each cell: its type, its kind, its decoration, and "any". */
  readonly traits = new Map<string, readonly (string | undefined)[]>();
  readonly building: Building;
  readonly catalog: Catalog;
  readonly pieces: Readonly<Record<string, Piece>>;

  constructor(building: Building, catalog: Catalog) {
    this.building = building;
    this.catalog = catalog;
    this.pieces = findPieces(catalog);
    const throne = this.piece(building.throne);
    for (const half of THRONE) this.traits.set(keyOf(half), ["any", "special", throne.decoration]);
    for (const [id, x, y] of building.rooms) {
      const piece = this.piece(id);
      this.traits.set(keyOf([x, y]), ["any", piece.type, kindOf(piece), piece.decoration]);
    }
  }

  piece(id: string): Piece {
    return this.pieces[id] as Piece;
  }

  /** Return the cells with this type, kind or decoration. */
  find(trait = "any"): string[] {
    return [...this.traits].filter(([, traits]) => traits.includes(trait)).map(([key]) => key);
  }

  /** Return how many normal types have at least so many rooms among these cells. */
  countTypes(least: number, among: readonly string[] = [...this.traits.keys()]): number {
    return this.catalog.meta.normal_types.filter(
      (type) => this.find(type).filter((key) => among.includes(key)).length >= least,
    ).length;
  }
}

// Rooms

type Counting = (plan: Plan, piece: Piece, cell: Cell) => readonly string[];

const inCells: Counting = (plan, piece, cell) => {
  const cells = shift(cell, plan.catalog.pattern[piece.pattern ?? ""]?.offsets ?? []);
  return plan.find(piece.target).filter((key) => cells.includes(key));
};

const inColumn =
  (isCounted: (y: number, own: number) => boolean): Counting =>
  (plan, piece, [x, y]) =>
    plan.find(piece.target).filter((key) => parse(key)[0] === x && isCounted(parse(key)[1], y));

const connected: Counting = (plan, piece, cell) => {
  const wanted = new Set(plan.find(piece.target));
  wanted.delete(keyOf(cell));
  const path = [keyOf(cell)];
  for (const key of path) {
    for (const next of shift(parse(key), EDGES)) if (wanted.delete(next)) path.push(next);
  }
  return path.slice(1);
};

const COUNTING: Readonly<Record<string, Counting>> = {
  cells: inCells,
  cells_decoration: inCells,
  cells_any: inCells,
  connected,
  anywhere: (plan, piece, cell) => plan.find(piece.target).filter((key) => key !== keyOf(cell)),
  column_above: inColumn((y, own) => y > own),
  column_above_below: inColumn((y, own) => y !== own),
  column_below_any: inColumn((y, own) => y < own),
  always: (_plan, _piece, cell) => [keyOf(cell)],
};

const limit = (piece: Piece, count: number): number => Math.min(piece.points * count, piece.max_points ?? Infinity);

function scoreRoom(plan: Plan, piece: Piece, cell: Cell): Score {
  const count = COUNTING[plan.catalog.pattern[piece.pattern ?? ""]?.kind ?? ""];
  if (count) {
    const counted = once(count(plan, piece, cell));
    return { points: limit(piece, counted.length), counted };
  }
  // The only other pattern: all six other types are somewhere in the castle.
  const hasAll = plan.countTypes(1) + (plan.find(piece.type).length ? 0 : 1) === plan.catalog.meta.normal_types.length;
  return { points: hasAll ? piece.points : (piece.points_otherwise ?? 0), counted: [] };
}

// Throne, attendants and bonus cards

function scoreThrone(plan: Plan, piece: Piece): number {
  const liked = (piece.types ?? []).flatMap((type) => plan.find(type));
  return limit(piece, (piece.cells ?? []).filter((cell) => liked.includes(keyOf(cell))).length);
}

/** Count the rooms whose whole ring of cells is occupied; the throne room has a ring of its own. */
function countEnclosed({ traits }: Plan, offsets: readonly Cell[]): number {
  const isFull = (ring: readonly string[]) => ring.every((key) => traits.has(key));
  const rooms = [...traits.keys()].filter((key) => !THRONE.some((half) => keyOf(half) === key));
  return rooms.filter((key) => isFull(shift(parse(key), offsets))).length + Number(isFull(around(THRONE, offsets)));
}

const countLines = ({ traits }: Plan, axis: 0 | 1): number =>
  new Set([...traits.keys()].map((key) => parse(key)[axis])).size;
const countFloors = ({ traits }: Plan, isCounted: (y: number) => boolean): number =>
  [...traits.keys()].filter((key) => isCounted(parse(key)[1])).length;

const CARDS: Readonly<Record<string, (plan: Plan) => number>> = {
  distinct_types: (plan) => plan.countTypes(1) + plan.catalog.special.filter(({ id }) => plan.find(id).length).length,
  per_attendant: (plan) => plan.building.attendants.length,
  underground_rooms: (plan) => countFloors(plan, (y) => y < 0),
  upper_rooms: (plan) => countFloors(plan, (y) => y >= 2),
  total_height: (plan) => countLines(plan, 1),
  total_width: (plan) => countLines(plan, 0),
  fully_surrounded: (plan) => countEnclosed(plan, RING),
  cross_surrounded: (plan) => countEnclosed(plan, EDGES),
  distinct_next_to_throne: (plan) => plan.countTypes(1, around(THRONE, EDGES)),
  cells_around_throne: (plan) => around(THRONE, RING).filter((key) => plan.traits.has(key)).length,
  five_of_a_type: (plan) => plan.countTypes(5),
  three_of_a_type: (plan) => plan.countTypes(3),
};

/** Count what a card counts; most cards count the rooms of one type, which their id names. */
const countForCard = (plan: Plan, id: string): number =>
  CARDS[id]?.(plan) ?? once(plan.find(id.replace("per_", ""))).length;

// Castles

/** The points of a castle: of each room by its cell, of each line of the score sheet, and in all. */
export interface CastleScore {
  readonly rooms: Readonly<Record<string, Score>>;
  readonly lines: Readonly<Record<string, number>>;
  readonly total: number;
}

/** Return the points of a castle, as if the game ended now. */
export function scoreCastle(building: Building, catalog: Catalog): CastleScore {
  const plan = new Plan(building, catalog);
  const rooms: Record<string, Score> = {};
  const lines: Record<string, number> = {};
  const add = (line: string, points: number) => {
    lines[line] = (lines[line] ?? 0) + points;
  };
  for (const [id, x, y] of building.rooms) {
    const score = scoreRoom(plan, plan.piece(id), [x, y]);
    rooms[keyOf([x, y])] = score;
    add(kindOf(plan.piece(id)), score.points);
  }
  for (const id of building.cards) add("bonus_card", limit(plan.piece(id), countForCard(plan, id)));
  for (const id of building.attendants) {
    const piece = plan.piece(id);
    add("attendant", limit(piece, once(plan.find(piece.decoration)).length));
  }
  add("throne", scoreThrone(plan, plan.piece(building.throne)));
  return { rooms, lines, total: Object.values(lines).reduce((sum, points) => sum + points, 0) };
}

/** Return by how much a castle gains from a room in a cell. */
export function scoreGain(building: Building, catalog: Catalog, room: string, [x, y]: Cell): number {
  const after = { ...building, rooms: [...building.rooms, [room, x, y] as const] };
  return scoreCastle(after as Building, catalog).total - scoreCastle(building, catalog).total;
}
