/** The geometry of an estate, and its yields; the shared vectors test them.
 *
 * Cells (x, y): x grows east, y north. The vertex (x, y) is the lower left corner of the cell (x, y). This mirrors NM-AREA
 * (areas), NM-TAX, NM-LAND and NM-BALL-5 (yields), and NM-SCORE-1 to NM-SCORE-4 (points of buildings).
 */

import type { Catalog, Estate } from "./documents.ts";

export type Cell = readonly [x: number, y: number];
export interface Tile {
  readonly kind: string;
  readonly at: Cell;
  /** The corner with the quarter symbol; a tile without one has it in every corner. */
  readonly corner: string | null;
}
export interface Building {
  readonly kind: string;
  readonly at: Cell;
  readonly folly: string;
}

export const CORNERS: Readonly<Record<string, Cell>> = { NW: [0, 1], NE: [1, 1], SW: [0, 0], SE: [1, 0] };
export const AREA_OF: Readonly<Record<string, string>> = { field: "manor", grove: "forest", fountain: "garden" };
export const KIND_OF: Readonly<Record<string, string>> = { manor: "field", forest: "grove", garden: "fountain" };

export const keyOf = ([x, y]: Cell): string => `${x},${y}`;

export interface Land {
  readonly tiles: ReadonlyMap<string, Tile>;
  readonly buildings: readonly Building[];
  /** The areas by their vertices. */
  readonly areas: ReadonlyMap<string, { readonly at: Cell; readonly area: string }>;
  /** The seats of the owners of knights by their vertices. */
  readonly knights: ReadonlyMap<string, number>;
}

export const readTile = ([kind, x, y, corner = null]: Estate["tiles"][number]): Tile => ({ kind, at: [x, y], corner });

/** Read an estate; more tiles may be added to those that lie there. */
export function readLand(estate: Estate, more: readonly Tile[] = []): Land {
  const tiles = new Map([...estate.tiles.map(readTile), ...more].map((tile) => [keyOf(tile.at), tile]));
  const buildings = estate.buildings.map(([kind, x, y, folly = ""]) => ({ kind, at: [x, y] as Cell, folly }));
  const knights = new Map(estate.knights.map(([owner, x, y]) => [keyOf([x, y]), owner]));
  return { tiles, buildings, areas: findAreas(tiles), knights };
}

export const hasQuarter = ({ kind, corner }: Tile, at: string): boolean =>
  kind in AREA_OF && (corner === null || corner === at);

const add = ([x, y]: Cell, [dx, dy]: Cell, sign = 1): Cell => [x + sign * dx, y + sign * dy];

/** Return every area by the vertex at which four quarters of one kind meet. */
function findAreas(tiles: Land["tiles"]): Land["areas"] {
  const vertices = [...tiles.values()].flatMap(({ at }) => Object.values(CORNERS).map((corner) => add(at, corner)));
  const areas = new Map<string, { at: Cell; area: string }>();
  for (const at of vertices) {
    const area = findArea(tiles, at);
    if (area) areas.set(keyOf(at), { at, area });
  }
  return areas;
}

function findArea(tiles: Land["tiles"], vertex: Cell): string {
  const kinds = Object.entries(CORNERS).map(([name, corner]) => {
    const tile = tiles.get(keyOf(add(vertex, corner, -1)));
    return tile && hasQuarter(tile, name) ? tile.kind : "";
  });
  return AREA_OF[kinds.every((kind) => kind === kinds[0]) ? (kinds[0] ?? "") : ""] ?? "";
}

/** Return the area that a tile would complete; empty if none. */
export function findCompleted(estate: Estate, drafted: readonly Tile[], tile: Tile): string {
  const corner = CORNERS[tile.corner ?? ""];
  const land = readLand(estate, [...drafted, tile]);
  return (corner && land.areas.get(keyOf(add(tile.at, corner)))?.area) ?? "";
}

/** Count the taxes, land or prestige of an estate, without bribe markers and cards. */
export function countYield(
  lands: readonly Land[],
  seat: number,
  levy: "tax" | "land" | "prestige",
  catalog: Catalog,
): number {
  const own = lands[seat];
  if (!own) return 0;
  const terms = catalog.reward[levy];
  const area = AREA_OF[terms.tile];
  const tiles = [...own.tiles.values()].filter(({ kind }) => kind === terms.tile).length;
  const free = [...own.areas].filter(([at, found]) => found.area === area && !own.knights.has(at)).length;
  const knights = lands.flatMap((land) =>
    [...land.knights].filter(([at, owner]) => owner === seat && land.areas.get(at)?.area === area),
  ).length;
  const palaces = own.buildings.filter(({ kind }) => kind === "palace").length;
  return terms.per_tile * tiles + terms.free_area * free + terms.knight * knights + (terms.palace ?? 0) * palaces;
}

/** Return the points of a building: none unless there is land in all 8 cells around it. */
export function countBuildingPoints(land: Land, { kind, at }: Building, catalog: Catalog): number {
  const terms = catalog.building.find(({ id }) => id === kind);
  const around = [-1, 0, 1]
    .flatMap((dx) => [-1, 0, 1].map((dy) => keyOf(add(at, [dx, dy]))))
    .filter((key) => key !== keyOf(at));
  if (!terms?.enclosed || !around.every((key) => land.tiles.has(key))) return 0;
  const chapels = land.buildings.filter((other) => other.kind === "chapel" && around.includes(keyOf(other.at))).length;
  return terms.enclosed + (terms.per_chapel ?? 0) * chapels;
}
