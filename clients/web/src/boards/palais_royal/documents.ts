/** The documents of Palais Royal as the board reads them, and its catalog indexed by id. */

import type { PalaisRoyal } from "palatine-client/games";
import { type Complete, type Entry, indexById } from "../drawing/documents.ts";

export type Board = Complete<PalaisRoyal.Board>;
export type Hand = Omit<Complete<PalaisRoyal.Hand>, "nobles"> & { readonly nobles?: readonly string[] };
export type Player = Board["players"][number];

export interface Noble extends Entry {
  readonly gold: number;
  readonly turquoise: number;
  readonly violet: number;
  readonly points: number;
  readonly benefit: string;
  readonly amount: number;
}

export interface Privilege extends Entry {
  readonly price: number;
  readonly timing: string;
  readonly effect: { readonly kind: string; readonly [number: string]: number | string } & { readonly points?: number };
}

export interface Row extends Entry {
  readonly side: "left" | "right" | "top" | "bottom";
  readonly spaces: readonly string[];
  readonly double_spaces: readonly string[];
  readonly first: number;
  readonly second: number;
}

interface Park {
  readonly rows: number;
  readonly cols: number;
  readonly border_rows: readonly Row[];
  readonly obstacles: readonly { readonly between: readonly string[]; readonly kind: string }[];
}

interface Source {
  readonly meta: Readonly<Record<string, string>>;
  readonly park: Park;
  readonly rooms: readonly (Entry & { readonly majority_bonus: boolean })[];
  readonly nobles: readonly Noble[];
  readonly privileges: readonly Privilege[];
  readonly phases: readonly Entry[];
  readonly stocks: readonly Entry[];
  readonly benefits: Readonly<Record<string, Entry>>;
}

export interface Catalog {
  readonly source: Source;
  readonly park: Park;
  readonly rooms: ReadonlyMap<string, Entry & { readonly majority_bonus: boolean }>;
  readonly nobles: ReadonlyMap<string, Noble>;
  readonly privileges: ReadonlyMap<string, Privilege>;
  readonly names: ReadonlyMap<string, Entry>;
}

/** Return the catalog with its pieces by id. */
export function readCatalog(plain: unknown): Catalog {
  const source = plain as Source;
  return {
    source,
    park: source.park,
    rooms: indexById(source.rooms),
    nobles: indexById(source.nobles),
    privileges: indexById(source.privileges),
    names: indexById<Entry>([...source.rooms, ...source.phases, ...source.stocks]),
  };
}

/** Return the board as a viewer sees it: the viewer's own secret nobles lie with the face-down ones. */
export function addOwnNobles(board: Board, seat: number | null, hand: Hand | null): Board {
  const secret = hand?.nobles ?? [];
  if (seat === null || !secret.length) return board;
  const see = (own: Player) => ({ ...own, face_down: [...own.face_down, ...secret], hidden_nobles: 0 });
  return { ...board, players: board.players.map((own, at) => (at === seat ? see(own) : own)) };
}
