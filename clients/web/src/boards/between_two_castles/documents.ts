/** The documents and the catalog of Between Two Castles, as the drawing reads them. */

import type { Immutable } from "palatine-client";
import type { BetweenTwoCastles } from "palatine-client/games";

export type Cell = readonly [x: number, y: number];
export type Board = Immutable<Required<BetweenTwoCastles.Board>>;
export type Hand = Immutable<BetweenTwoCastles.Hand>;
export type Castle = Immutable<Omit<Required<BetweenTwoCastles.Castle>, "decision">> & {
  readonly decision: Decision | null;
};

/** A question of the partners; its options are ids of pieces, or cells. */
export interface Decision {
  readonly castle: number;
  readonly about: string;
  readonly options: readonly (string | Cell)[];
  readonly room?: string;
  readonly proposals?: readonly { readonly seat: number; readonly choice: string | Cell; readonly revision: number }[];
  readonly calls?: readonly number[];
}

/** A piece of the catalog: a room, a special room, a throne room, an attendant or a bonus card. */
export interface Piece {
  readonly id: string;
  readonly points: number;
  readonly type?: string;
  readonly decoration?: string;
  readonly target?: string;
  readonly pattern?: string;
  readonly points_otherwise?: number;
  readonly max_points?: number;
  readonly open_sky?: boolean;
  readonly types?: readonly string[];
  readonly cells?: readonly Cell[];
  readonly attendant_slots?: number;
  readonly [text: `${"name" | "text"}_${string}`]: string;
}

export interface Catalog {
  readonly meta: {
    readonly rounds: number;
    readonly turns_per_round: number;
    readonly bonus_thresholds: readonly number[];
    readonly normal_types: readonly string[];
  };
  readonly type: Readonly<Record<string, { readonly open_sky: boolean }>>;
  readonly decoration: Readonly<Record<string, object>>;
  readonly pattern: Readonly<Record<string, { readonly kind: string; readonly offsets?: readonly Cell[] }>>;
  readonly room: readonly Piece[];
  readonly special: readonly Piece[];
  readonly throne: readonly Piece[];
  readonly attendant: readonly Piece[];
  readonly bonus_card: readonly Piece[];
}

const known = new WeakMap<Catalog, Readonly<Record<string, Piece>>>();

/** Return the pieces of the catalog by id. */
export function findPieces(catalog: Catalog): Readonly<Record<string, Piece>> {
  const { room, special, throne, attendant, bonus_card } = catalog;
  const pieces =
    known.get(catalog) ??
    Object.fromEntries([room, special, throne, attendant, bonus_card].flat().map((piece) => [piece.id, piece]));
  known.set(catalog, pieces);
  return pieces;
}

/** Return the kind of a room: its type, and for special rooms and throne rooms what they are. */
export const kindOf = (piece: Piece): string =>
  piece.attendant_slots ? "throne" : piece.type === "special" ? piece.id : (piece.type ?? "any");

export const keyOf = ([x, y]: Cell): string => `${x},${y}`;
export const isSame = (one: unknown, other: unknown): boolean => `${one}` === `${other}`;
