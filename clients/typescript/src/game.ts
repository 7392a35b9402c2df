/** The types of a game: its documents, actions, news and options. */

import type { Games } from "./games/index.ts";
import type { Action } from "./offers.ts";

/** What a table of a game is made of. */
export interface Game {
  board: unknown;
  hand: unknown;
  options: object;
  action: object;
  news: object;
}

/** A game that this package has no types of. */
export interface AnyGame {
  // biome-ignore-start lint/suspicious/noExplicitAny: only the game knows its documents
  board: any;
  hand: any;
  options: Record<string, any>;
  action: Action;
  news: { readonly news: string; readonly [field: string]: any };
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
}

/** The types of the game of this name, or of any game. */
export type GameOf<Name> = Name extends keyof Games ? Games[Name] : AnyGame;

/** A value whose parts cannot be changed either. */
export type Immutable<T> = T extends object ? { readonly [key in keyof T]: Immutable<T[key]> } : T;
