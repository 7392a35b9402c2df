/** The scene: the props of the board with everything at hand that its parts read. */

import type { SayOfBoard } from "../../i18n/languages.ts";
import type { BoardProps, Part } from "../contract.ts";
import type { Look } from "../drawing/look.tsx";
import {
  type Board,
  type Castle,
  type Catalog,
  type Decision,
  findPieces,
  type Hand,
  type Piece,
} from "./documents.ts";
import { type CastleScore, scoreCastle } from "./scoring.ts";

export interface Scene extends BoardProps {
  readonly board: Board;
  readonly castles: readonly Castle[];
  readonly hand: Hand;
  /** The seat whose view this is; null for everybody else. */
  readonly viewer: number | null;
  /** The numbers of the viewer's own castles. */
  readonly mine: readonly number[];
  readonly catalog: Catalog;
  readonly look: Look;
  readonly say: SayOfBoard<"between_two_castles">;
  piece(id: string): Piece;
  /** The key of a player's mark in the look; Ludwig has the seat after the last player's. */
  markOf(seat: number): string;
}

/** Return the scene of a view. */
export function buildScene(props: BoardProps): Scene {
  const { view, game, words } = props;
  const board = view.board as Board;
  const castles = board.castles as unknown as readonly Castle[];
  const pieces = findPieces(game.catalog as Catalog);
  const players = board.seniority.length;
  return {
    ...props,
    board,
    castles,
    hand: (view.hand ?? {}) as Hand,
    viewer: view.as,
    mine: [...castles.keys()].filter((number) => castles[number]?.partners.includes(view.as ?? -1)),
    catalog: game.catalog as Catalog,
    look: game.look as Look,
    say: words.speak("between_two_castles"),
    piece: (id) => pieces[id] as Piece,
    markOf: (seat) => (seat < players ? `${seat}` : "ludwig"),
  };
}

const scores = new WeakMap<Castle, CastleScore>();

/** Return the points of a castle; those of a castle that has not changed are kept. */
export function findScore({ catalog }: Scene, castle: Castle): CastleScore {
  const score = scores.get(castle) ?? scoreCastle(castle, catalog);
  scores.set(castle, score);
  return score;
}

/** Return the open questions about a castle that the viewer knows, each with the path of its facts. */
export function listDecisions({ castles, hand }: Scene, number: number): [path: string, decision: Decision][] {
  const open = castles[number]?.decision;
  const secret = (hand.decisions ?? []) as unknown as readonly Decision[];
  return [
    ...(open ? [[`castles/${number}/decision`, open] as [string, Decision]] : []),
    ...secret
      .filter(({ castle }) => castle === number)
      .map((each): [string, Decision] => [`hand/decisions/${number}`, each]),
  ];
}

/** Return what is said about a room: its name, its type, what it counts and where, and its decoration. */
export function describeRoom({ piece, words, catalog }: Scene, id: string): string {
  const { type = "", points, target = "any", pattern = "", decoration = "" } = piece(id);
  const counted = pattern === "always" ? "" : ` × ${words.word("target", target)}`;
  return [
    words.piece(id),
    words.word("type", type),
    `${words.unit("point", points)}${counted} ${words.word("pattern", pattern)}`,
    decoration in catalog.decoration ? words.piece(decoration) : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** Choose an action and carry it out at once: for what is free to be changed again. */
export function act({ choice }: Scene, part: Part): void {
  choice.choose(part);
  choice.confirm();
}

/** Return the name of a castle without the word castle. */
export const nameShortly = ({ castles }: Scene, number: number): string => {
  const token = castles[number]?.token ?? "";
  return token.charAt(0).toUpperCase() + token.slice(1);
};

/** Open the explanation of a castle's points. */
export const askAboutCastle =
  ({ inspect, castles }: Scene, number: number) =>
  (): void =>
    inspect({ do: "castle", castle: castles[number]?.token ?? "" });
