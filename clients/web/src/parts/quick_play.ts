/** Play at once: a seat at a fitting open table, or a table of one's own that bots fill after a while. */

import { type Client, Refused } from "palatine-client";
import { create, fill, sit, type Table, watch } from "palatine-client/tables";
import type { GameSummary } from "../game/catalog.ts";
import { recall, remember } from "../preferences.ts";
import { call } from "../session.ts";

const PATIENCE = 15_000; // milliseconds until bots take the free seats
const KEY = "quick_play"; // the table that bots will fill, and when

/** Take a seat and return the table's id. */
export async function playNow(client: Client, game: GameSummary): Promise<string> {
  const joined = await joinOpenTable(client, game.game);
  if (joined) return joined;
  const seats = Math.min(Math.max(3, game.players[0]), game.players[1]);
  const table = await create(client, game.game, { seats });
  await sit(table);
  remember(KEY, JSON.stringify({ table: table.id, at: Date.now() + waitingTime() }));
  return table.id;
}

/** How long others have to join; tests shorten it. */
const waitingTime = (): number => Number(recall("quick_play_ms")) || PATIENCE;

/** Return when bots take the free seats of this table; null if they do not. It outlasts a reload of the page. */
export function findBotTime(table: string): number | null {
  const known = JSON.parse(recall(KEY) || "null");
  return known?.table === table ? Number(known.at) : null;
}

/** Wait for people, however long. */
export function waitForPeople(): void {
  remember(KEY, "");
}

/** Put bots on the free seats and begin. */
export async function fillAndStart(table: Table): Promise<void> {
  waitForPeople();
  await fill(table);
  await table.send("start");
}

async function joinOpenTable(client: Client, game: string): Promise<string> {
  const { tables } = await call<{ tables: { table: string; seats: (string | null)[]; reserved?: number[] }[] }>(
    `v1/tables?game=${game}&status=open`,
  );
  for (const { table, seats, reserved = [] } of tables) {
    if (!seats.some((name, seat) => !name && !reserved.includes(seat))) continue;
    if (await takeSeat(client, table)) return table;
  }
  return "";
}

/** Sit down at a table if it still has a seat for this user. */
async function takeSeat(client: Client, id: string): Promise<boolean> {
  try {
    const table = await watch(client, id);
    if (table.view.seat === null) await sit(table);
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return false;
  }
}
