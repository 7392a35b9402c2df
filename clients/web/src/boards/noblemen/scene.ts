/** The scene: what all parts of the board of Noblemen read. */

import type { SayOfBoard } from "../../i18n/languages.ts";
import type { BoardProps, Choice, Part, Words } from "../contract.ts";
import { type Entry, nameEntry } from "../drawing/documents.ts";
import { continueWith, listOffered } from "../drawing/meanings.ts";
import type { Board, Catalog, Draft, Hand } from "./documents.ts";
import { type Cell, type Land, readLand, readTile, type Tile } from "./estate_model.ts";

export interface Scene {
  readonly board: Board;
  readonly hand: Hand | null;
  readonly draft: Draft | null;
  readonly seat: number | null;
  readonly lands: readonly Land[];
  readonly catalog: Catalog;
  readonly words: Words;
  readonly say: SayOfBoard<"noblemen">;
  readonly choice: Choice;
  readonly waiting: readonly number[];
  readonly isTall: boolean;
  inspect(question: Part): void;
  decide(meanings: readonly Part[]): void;
}

/** Build the scene of a view. */
export function buildScene(props: BoardProps, decide: Scene["decide"]): Scene {
  const { view, game, words, choice, inspect, layout } = props;
  const board = view.board as Board;
  return {
    board,
    hand: view.hand,
    draft: view.hand?.draft ?? null,
    seat: view.as,
    lands: board.noblemen.map(({ estate }) => readLand(estate)),
    catalog: game.catalog,
    words,
    say: words.speak("noblemen"),
    choice,
    waiting: view.waiting.map(({ seat }) => seat),
    isTall: layout === "tall",
    inspect,
    decide,
  };
}

/** Return the tiles that the viewer has laid but not for good. */
export const listDrafted = ({ draft }: Scene): Tile[] => (draft?.tiles ?? []).map(readTile);

export const nameEntryOf = ({ words }: Scene, entry: Entry | undefined): string => nameEntry(entry, words.lang);

/** Return the first form of a title, which has one for men and one for women. */
export const nameTitle = ({ words }: Scene, title: string): string => words.piece(title).split("/")[0] ?? "";

// What a tap means

const tap = (scene: Scene, meanings: readonly Part[], ask: () => void): void =>
  meanings.length ? scene.decide(meanings) : ask();

/** List what a tap on a kind of tile can mean. */
export function listTileMeanings({ choice }: Scene, kind: string): readonly Part[] {
  const next = continueWith(choice, ["kind"], kind);
  if (next) return [next];
  const verbs = ["take", "lay", "give", "want", "donate"];
  return listOffered(
    choice,
    verbs.map((verb) => ({ do: verb, kind })),
  );
}

/** List what a tap on a cell of the own estate can mean. */
export function listCellMeanings({ choice }: Scene, [x, y]: Cell): readonly Part[] {
  const next = continueWith(choice, ["cell"], [x, y]);
  if (next) return [next];
  const cell = [x, y];
  return listOffered(choice, [
    { do: "lay", cell },
    { do: "site", cell },
  ]);
}

/** List what a tap on the symbol of an area can mean. */
export function listVertexMeanings({ choice }: Scene, player: number, [x, y]: Cell): readonly Part[] {
  const vertex = [x, y];
  return listOffered(choice, [
    { do: "lift_knight", player, vertex },
    { do: "place_knight", player, vertex },
  ]);
}

export const tapCell = (scene: Scene, cell: Cell, ask: () => void): void =>
  tap(scene, listCellMeanings(scene, cell), ask);

export const tapVertex = (scene: Scene, player: number, vertex: Cell, ask: () => void): void =>
  tap(scene, listVertexMeanings(scene, player, vertex), ask);

/** Choose a part that is offered, or ask. */
export function chooseOrAsk({ choice }: Scene, part: Part, ask: () => void): void {
  if (choice.can(part)) choice.choose(part);
  else ask();
}
