/** The scene: what all parts of the board of Palais Royal read. */

import type { SayOfBoard } from "../../i18n/languages.ts";
import type { BoardProps, Choice, Part, Words } from "../contract.ts";
import { nameEntry } from "../drawing/documents.ts";
import { continueWith, listOffered } from "../drawing/meanings.ts";
import { addOwnNobles, type Board, type Catalog, type Hand, readCatalog } from "./documents.ts";

export interface Scene {
  readonly board: Board;
  readonly hand: Hand | null;
  readonly seat: number | null;
  readonly catalog: Catalog;
  readonly words: Words;
  readonly say: SayOfBoard<"palais_royal">;
  readonly choice: Choice;
  readonly waiting: readonly number[];
  readonly isTall: boolean;
  inspect(question: Part): void;
  /** Choose what a tap means; let the player decide if it means several things. */
  decide(meanings: readonly Part[]): void;
}

const CATALOGS = new WeakMap<object, Catalog>();

/** Return the indexed catalog of a game; it is read once. */
function findCatalog(plain: object): Catalog {
  const catalog = CATALOGS.get(plain) ?? readCatalog(plain);
  CATALOGS.set(plain, catalog);
  return catalog;
}

/** Build the scene of a view; the viewer's secret nobles lie with the face-down ones. */
export function buildScene(props: BoardProps, decide: Scene["decide"]): Scene {
  const { view, game, words, choice, inspect, layout } = props;
  return {
    board: addOwnNobles(view.board, view.as, view.hand),
    hand: view.hand,
    seat: view.as,
    catalog: findCatalog(game.catalog),
    words,
    say: words.speak("palais_royal"),
    choice,
    waiting: view.waiting.map(({ seat }) => seat),
    isTall: layout === "tall",
    inspect,
    decide,
  };
}

export const colourOf = ({ board }: Scene, seat: number): string => board.players[seat]?.colour ?? "";

export const nameOf = ({ catalog, words }: Scene, id: string): string =>
  nameEntry(catalog.names.get(id) ?? catalog.nobles.get(id) ?? catalog.privileges.get(id), words.lang);

// Rooms

const ROOM_FIELDS = ["to", "room", "source", "border_from"];
const ALLOWANCES: Readonly<Record<string, string>> = {
  parade_ground: "gate",
  gate: "gate",
  stairway: "moves",
  mint: "gold",
  back_entrance: "cards",
};

/** List what a tap on a room can mean now. */
export function listRoomMeanings({ choice }: Scene, room: string): readonly Part[] {
  const next = continueWith(choice, ROOM_FIELDS, room);
  if (next) return [next];
  return listOffered(choice, [
    { do: "place", room },
    { do: "add_seal_servant", room },
    ...(room === "gate" ? [{ do: "reinforce" }] : []),
    ...(room === "mint" ? [{ do: "take_gold" }] : []),
    { do: "move", source: room },
  ]);
}

/** Choose a room, or say why it cannot be chosen. */
export function tapRoom(scene: Scene, room: string): void {
  const meanings = listRoomMeanings(scene, room);
  const { choice } = scene;
  if (meanings.length) scene.decide(meanings);
  else if (choice.given["source"] && choice.given["do"] === "move") choice.explainWhyNot({ ...choice.given, to: room });
  else askRoom(scene, room);
}

/** Ask for the majority in a room; where none counts, for what the room allows. */
export function askRoom({ catalog, inspect, board }: Scene, room: string): void {
  const of = ALLOWANCES[room];
  if (catalog.rooms.get(room)?.majority_bonus) inspect({ do: "majority", room });
  else if (of && !board.final.length) inspect({ do: "allowance", of });
  else inspect({ do: "majority", room: "king" });
}
