/** The games of the server, each loaded once in each language. */

import { signal } from "@preact/signals";
import type { GameInfo, Schema } from "../boards/contract.ts";
import { loadBoard } from "../boards/loaded_boards.ts";
import { serverLang } from "../i18n/languages.ts";
import { call } from "../session.ts";

/** A game in the list of all games. */
export interface GameSummary {
  readonly game: string;
  readonly title: string;
  readonly players: readonly [number, number];
  readonly policies: readonly string[];
  readonly options: Schema;
}

export const games = signal<readonly GameSummary[]>([]);
const loaded = new Map<string, Promise<GameInfo>>();

/** Load the list of games. */
export async function loadGames(): Promise<void> {
  const answer = await call<{ games: GameSummary[] }>(`v1/games?lang=${serverLang.value}`, { token: "" });
  games.value = answer.games;
}

/** Load one game with its catalog, description and look, and its drawing. */
export async function loadGame(name: string): Promise<GameInfo> {
  const [game] = await Promise.all([describeGame(name), loadBoard(name)]);
  return game;
}

function describeGame(name: string): Promise<GameInfo> {
  const key = `${name} ${serverLang.value}`;
  const found =
    loaded.get(key) ?? call<GameInfo>(`v1/games/${encodeURIComponent(name)}?lang=${serverLang.value}`, { token: "" });
  loaded.set(key, found);
  found.catch(() => loaded.delete(key));
  return found;
}

export const titleOf = (name: string): string => games.value.find((each) => each.game === name)?.title ?? name;
