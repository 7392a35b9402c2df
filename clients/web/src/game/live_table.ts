/** A watched table as signals: its view, its game, its log, and what the page does whenever it changes. */

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Client, View } from "palatine-client";
import { addEntropy, type Table, watch } from "palatine-client/tables";
import type { GameInfo } from "../boards/contract.ts";
import { announce } from "../parts/live_region.tsx";
import { callPlayer, showTitle } from "../parts/turn_call.ts";
import { describeError, notice } from "../session.ts";
import { loadGame } from "./catalog.ts";
import { createChoice, type LiveChoice } from "./choice.ts";
import { type Naming, sayNews } from "./values.ts";
import { createWords, namesOf, sayRefusal } from "./words.ts";

const KEPT = 500; // lines of the log

export interface LogLine {
  readonly version: number;
  readonly text: string;
}

export interface LiveTable {
  readonly table: Table;
  readonly view: ReadonlySignal<View>;
  readonly game: GameInfo;
  readonly log: ReadonlySignal<readonly LogLine[]>;
  readonly choice: LiveChoice;
  /** Whether the log lacks what happened before this page was opened. */
  readonly hasEarlier: ReadonlySignal<boolean>;
  /** Put what happened before into the log. */
  loadEarlier(): Promise<void>;
  stop(): void;
}

/** The terms of a link: the invitation, and the seat to look over the shoulder of. */
export interface Terms {
  readonly invitation?: string;
  readonly as?: number;
}

/** Watch a table until `stop`. */
export async function openTable(client: Client, id: string, terms: Terms): Promise<LiveTable> {
  loadHintedGame();
  const table = await watch(client, id, terms);
  const game = await loadGame(table.view.info.game);
  addEntropy(table).catch(() => {});
  const view = signal(table.view);
  const log = signal<readonly LogLine[]>([]);
  const tell = (sentence: string) => {
    notice.value = sentence;
  };
  const choice = createChoice(table, { tell, fail: (error) => tell(sayRefusal(error, game) || describeError(error)) });
  const stopViews = table.subscribe((next) => {
    const before = view.value;
    view.value = next;
    if (next === before) return;
    log.value = [...log.value, ...readNews(next, game, announce)].slice(-KEPT);
    showTitle(next, game.title);
    callPlayer(before, next, game.title);
  });
  showTitle(table.view, game.title);
  const first = table.view.version;
  const hasEarlier = signal(first > 0);
  const loadEarlier = async () => {
    hasEarlier.value = false;
    log.value = [...(await readEarlier(client, view.value, first, terms, game)), ...log.value].slice(-KEPT);
  };
  const stop = () => {
    stopViews();
    choice.stop();
    table.unwatch().catch(() => {});
  };
  return { table, view, game, log, choice, hasEarlier, loadEarlier, stop };
}

/** The server's page names the game of the table: load it while the table is still on its way. */
function loadHintedGame(): void {
  const hint = document.querySelector<HTMLMetaElement>('meta[name="game"]');
  if (hint) loadGame(hint.content).catch(() => {});
}

/** What names the values of a view. */
export function namingOf(view: View, game: GameInfo): Naming {
  return { game, words: createWords(game, namesOf(view)), documents: [view.board, view.hand] };
}

/** Put the news of a view into words, and let a screen reader say each of them once. */
function readNews(view: View, game: GameInfo, tell: (text: string) => void): LogLine[] {
  const naming = namingOf(view, game);
  const lines = view.news.map((news) => ({ version: view.version, text: sayNews(news, naming) }));
  const worded = lines.filter(({ text }) => text);
  for (const { text } of worded) tell(text);
  return worded;
}

/** Return the lines up to a version, from a replay as this user has seen the game. */
async function readEarlier(client: Client, view: View, last: number, terms: Terms, game: GameInfo): Promise<LogLine[]> {
  const { replay } = await import("palatine-client/replay");
  const seat = view.info.status === "over" && view.seat !== null ? { as: view.seat } : {};
  const { invitation } = terms;
  const lines: LogLine[] = [];
  for await (const past of replay(client, view.table, { ...seat, ...(invitation ? { invitation } : {}) })) {
    if (past.version > last) break;
    lines.push(...readNews(past, game, () => {}));
  }
  return lines;
}
