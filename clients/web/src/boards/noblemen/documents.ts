/** The documents and the catalog of Noblemen as the board reads them. */

import type { Noblemen } from "palatine-client/games";
import type { Complete, Entry } from "../drawing/documents.ts";

type Place = readonly [x: number, y: number];

export interface Estate {
  readonly tiles: readonly (readonly [string, number, number, (string | null)?])[];
  readonly buildings: readonly (readonly [string, number, number, string?])[];
  readonly knights: readonly (readonly [number, number, number])[];
}

type Nobleman = Omit<Complete<Noblemen.Nobleman>, "estate"> & { readonly estate: Estate };
export type Board = Omit<Complete<Noblemen.Board>, "noblemen"> & { readonly noblemen: readonly Nobleman[] };

/** What the player has chosen of an action and not carried out; which fields there are depends on `draft`. */
export interface Draft {
  readonly draft: string;
  readonly kinds?: readonly string[];
  readonly tiles?: Estate["tiles"];
  readonly kind?: string;
  readonly folly?: string;
  readonly cell?: Place | null;
  readonly source?: { readonly player: number; readonly vertex: Place } | null;
  readonly target?: { readonly player: number; readonly vertex: Place } | null;
  readonly bribes?: number;
  readonly cards?: readonly string[];
}

export type Hand = Omit<Complete<Noblemen.Hand>, "draft"> & { readonly draft: Draft | null };

interface Terms {
  readonly tile: string;
  readonly per_tile: number;
  readonly free_area: number;
  readonly knight: number;
  readonly palace?: number;
}

interface BuildingTerms extends Entry {
  readonly prices: readonly number[];
  readonly enclosed?: number;
  readonly per_chapel?: number;
  readonly reward: string;
}

interface TitleTerms extends Entry {
  readonly prestige: number;
  readonly vp: number;
  readonly discount: number;
}

export interface Catalog {
  readonly building: readonly BuildingTerms[];
  readonly title: readonly TitleTerms[];
  readonly card: readonly Entry[];
  readonly folly: Entry & { readonly price: number; readonly vp: readonly number[]; readonly piece: readonly Entry[] };
  readonly bribe: { readonly price: number };
  readonly knight: { readonly per_player: number };
  readonly reward: Readonly<Record<"tax" | "land" | "prestige", Terms>> & {
    readonly church: { readonly max_per_kind: number };
  };
  readonly round_track: { readonly fields: readonly { readonly type: string }[] };
}
