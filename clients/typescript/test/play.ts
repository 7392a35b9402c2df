/** Whole games of random players over a lossy line, and the proof that nothing was lost, doubled or seen wrongly. */

import assert from "node:assert/strict";
import { WebSocket } from "ws";
import { createGuest, type Guest } from "../dist/guests.js";
import type { Client, Problem } from "../dist/index.js";
import * as msgpack from "../dist/index.js";
import * as json from "../dist/json.js";
import { random } from "../dist/offers.js";
import { create, sit, type Table, watch } from "../dist/tables.js";
import { createRandom, HARSH, LossyProxy } from "./proxy.ts";
import { startServer } from "./server.ts";

export interface Result {
  readonly actions: number;
  readonly problems: Problem[];
  readonly harm: LossyProxy["harm"];
}

/** The server's heartbeat is short, because a client asks again for what was lost after two half heartbeats. */
export const startQuickServer = () => startServer({ PALATINE_HEARTBEAT: "1" });

/** Play one game to its end, with a client on each seat, and check its record. */
export async function playGame(url: string, game: string, seats: number, seed: number): Promise<Result> {
  const draw = createRandom(seed);
  const proxy = await new LossyProxy(url, draw, HARSH).start();
  const clients = await Promise.all(Array.from({ length: seats }, (_, seat) => join(url, proxy.url, seat)));
  const problems: Problem[] = [];
  for (const client of clients) client.listen(([type, fact]) => type === "problem" && problems.push(fact));
  try {
    const tables = await openTable(clients, game);
    const acted = await Promise.all(tables.map((table) => playSeat(table, draw)));
    await Promise.all(tables.map((table) => table.catchUp()));
    for (const { view } of tables) assert.deepEqual(view.board, tables[0]?.view.board);
    checkRecord(await fetchRecord(url, tables[0]?.id as string), acted);
    return { actions: acted.flat().length, problems, harm: proxy.harm };
  } finally {
    for (const client of clients) client.close();
    proxy.stop();
  }
}

async function join(server: string, proxy: string, seat: number): Promise<Client> {
  const { token } = await getToken(server, `Player ${seat}`);
  const entry = seat % 2 ? json : msgpack;
  return entry.connect(server, {
    token,
    WebSocket,
    dial: (address) => address.replace(server.replace("http", "ws"), proxy),
  });
}

// The server closes an idle HTTP connection just when node reuses it, once in a few hundred requests.
function getToken(server: string, name: string): Promise<Guest> {
  return createGuest(server, { name }).catch(() => createGuest(server, { name }));
}

async function openTable(clients: Client[], game: string): Promise<Table[]> {
  const [host, ...guests] = clients as [Client, ...Client[]];
  const first = (await create(host, game, { seats: clients.length })) as unknown as Table;
  const tables = [first, ...(await Promise.all(guests.map((guest) => watch(guest, first.id))))];
  for (const [seat, table] of tables.entries()) assert.equal(await sit(table, seat), seat);
  await first.send("start");
  return tables;
}

type Acted = { version: number; action: unknown }[];

/** Answer every turn at random, and return what the server said it carried out. */
async function playSeat(table: Table, draw: () => number): Promise<Acted> {
  const acted: Acted = [];
  for await (const turn of table) {
    const action = random(turn.offer, draw);
    const version = await turn.act(action);
    if (version) acted.push({ version, action });
  }
  return acted;
}

interface Entry {
  version?: number;
  seat?: number;
  did?: { do: string; action?: unknown };
}

async function fetchRecord(url: string, table: string): Promise<Entry[]> {
  const text = await (await fetch(`${url}/v1/tables/${table}/record`)).text();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The log has exactly the actions that the clients got replies for, each once, at the version that the reply named. */
function checkRecord(entries: Entry[], acted: Acted[]): void {
  const logged = acted.map((_, seat) =>
    entries
      .filter((entry) => entry.did?.do === "act" && (entry.seat ?? 0) === seat)
      .map(({ version, did }) => ({ version, action: did?.action })),
  );
  assert.deepEqual(acted, logged);
}
