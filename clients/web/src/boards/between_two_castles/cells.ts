/** The free cells of a castle: where the viewer may put a room, what it would bring, and who proposes or points there. */

import type { Part } from "../contract.ts";
import { type Cell, isSame, keyOf } from "./documents.ts";
import { listDecisions, type Scene } from "./scene.ts";
import { scoreGain } from "./scoring.ts";

/** A player who wants a cell. */
export interface Person {
  readonly seat: number;
  readonly fact?: string;
  readonly isPointing: boolean;
}

export interface PlannedCell {
  readonly cell: Cell;
  /** Whether some action that is offered names the cell. */
  readonly isLegal: boolean;
  /** Whether the cell fits what is given so far. */
  readonly isPossible: boolean;
  /** What a tap gives; null if nothing can be put there. */
  readonly part: Part | null;
  /** The points that the room would bring to the castle, as far as it is known which room. */
  readonly gain: number | undefined;
  /** The room that somebody else would put there. */
  readonly ghost: string | undefined;
  readonly people: readonly Person[];
}

export interface CellPlan {
  /** The room that the viewer would put there. */
  readonly room: string | undefined;
  readonly cells: readonly PlannedCell[];
}

interface Wish extends Person {
  readonly cell: Cell;
  readonly room: string | undefined;
}

/** Return the proposals for cells and the cells that partners point at. */
function listWishes(scene: Scene, number: number): Wish[] {
  const proposed = listDecisions(scene, number)
    .filter(([, { about }]) => about === "cell")
    .flatMap(([path, { room, proposals = [] }]) =>
      proposals.map(({ seat, choice }) => {
        return { seat, room, cell: choice as Cell, fact: `${path}/proposals/${seat}`, isPointing: false };
      }),
    );
  const pointed = Object.entries(scene.view.pointed).flatMap(([seat, action]): Wish[] => {
    if (action?.castle !== number || !Array.isArray(action.cell)) return [];
    const room = (action.tile as string) ?? findRoom(scene, number);
    return [{ seat: Number(seat), room, cell: action.cell as unknown as Cell, isPointing: true }];
  });
  const seats = proposed.map(({ seat, cell }) => `${seat}:${cell}`);
  return [...proposed, ...pointed.filter(({ seat, cell }) => !seats.includes(`${seat}:${cell}`))];
}

/** Return the room for which the partners seek a cell. */
const findRoom = (scene: Scene, number: number): string | undefined =>
  listDecisions(scene, number).find(([, { about }]) => about === "cell")?.[1].room;

/** Return the cells beside the castle that are free. */
function listBeside(taken: ReadonlySet<string>): Cell[] {
  const found = new Map<string, Cell>();
  for (const key of taken) {
    const [x = 0, y = 0] = key.split(",").map(Number);
    for (const cell of [
      [x + 1, y],
      [x - 1, y],
      [x, y + 1],
      [x, y - 1],
    ] as Cell[]) {
      if (!taken.has(keyOf(cell))) found.set(keyOf(cell), cell);
    }
  }
  return [...found.values()];
}

/** Return the free cells of a castle that a picture shows. */
export function listCells(scene: Scene, number: number): CellPlan {
  const { choice, castles, catalog } = scene;
  const castle = castles[number] as Scene["castles"][number];
  const sought = findRoom(scene, number);
  const tile = choice.given.do === "place" ? (choice.given.tile as string | undefined) : undefined;
  const verb: Part = sought ? { do: "propose_cell", castle: number } : { do: "place", castle: number };
  const part: Part = tile && !sought ? { ...verb, tile } : verb;
  const legal = choice.valuesAfter(verb, "cell") as readonly Cell[];
  const possible = choice.valuesAfter(part, "cell") as readonly Cell[];
  const room = sought ?? tile;
  const taken = new Set(["0,0", "1,0", ...castle.rooms.map(([, x, y]) => keyOf([x, y]))]);
  const wishes = listWishes(scene, number).filter(({ cell }) => !taken.has(keyOf(cell)));
  const own = [...legal, ...wishes.map(({ cell }) => cell)];
  const beside =
    tile && legal.length
      ? listBeside(taken).filter((cell) => isInside(cell, [...own, [0, 0], ...roomsOf(castle)]))
      : [];
  const cells = new Map([...own, ...beside].map((cell) => [keyOf(cell), cell]));
  const isIn = (list: readonly Cell[], cell: Cell) => list.some((each) => isSame(each, cell));
  const planned = [...cells.values()].map((cell): PlannedCell => {
    const wanted = wishes.filter((wish) => isSame(wish.cell, cell));
    const isPossible = isIn(possible, cell);
    const shown = isPossible ? room : wanted[0]?.room;
    return {
      cell,
      isLegal: isIn(legal, cell),
      isPossible: isPossible || !(tile && choice.offer),
      part: choice.offer && (isPossible || tile) ? { ...part, cell } : null,
      gain: shown === undefined ? undefined : scoreGain(castle, catalog, shown, cell),
      ghost: wanted[0]?.room,
      people: wanted,
    };
  });
  return { room, cells: planned };
}

const roomsOf = (castle: Scene["castles"][number]): Cell[] => castle.rooms.map(([, x, y]): Cell => [x, y]);

/** Whether a cell lies between the outermost of others, so that the picture need not grow for it. */
function isInside([x, y]: Cell, others: readonly Cell[]): boolean {
  const [xs, ys] = [others.map((cell) => cell[0]), others.map((cell) => cell[1])];
  return x >= Math.min(...xs) && x <= Math.max(...xs) && y >= Math.min(...ys) && y <= Math.max(...ys);
}
