/** Whole games of random players over a lossy line, and the proof that nothing was lost, doubled or seen wrongly. */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { WebSocket } from "ws";
import { createGuest } from "../dist/guests.js";
import type { Client, Problem } from "../dist/index.js";
import * as msgpack from "../dist/index.js";
import * as json from "../dist/json.js";
import { random } from "../dist/offers.js";
import { create, sit, type Table, watch } from "../dist/tables.js";
import { createRandom, HARSH, LossyProxy } from "./proxy.ts";
import { startServer } from "./server.ts";

/** What one game has shown: all of `wrong` must be 0. */
export interface Result {
  /** Actions that the server said it carried out. */
  readonly actions: number;
  /** Welcomes after the first one of each client. */
  readonly resumed: number;
  readonly harm: LossyProxy["harm"];
  readonly wrong: {
    /** Views that differ from the server's, by their digest, their history or the other players' board. */
    readonly mismatches: number;
    /** Actions with a reply that are not in the log at their version. */
    readonly lost: number;
    /** Actions in the log that no client has a reply for. */
    readonly doubled: number;
  };
}

/** The server's heartbeat is short, because a client asks again for what was lost after two half heartbeats. */
export const startQuickServer = () => startServer({ PALATINE_HEARTBEAT: "1" });

/** Play one game to its end, with a client on each seat, and compare its record with what the clients have seen. */
export async function playGame(url: string, game: string, seats: number, seed: number): Promise<Result> {
  const draw = createRandom(seed);
  const proxy = await new LossyProxy(url, draw, HARSH).start();
  const clients = await Promise.all(Array.from({ length: seats }, (_, seat) => join(url, proxy.url, seat)));
  const problems: Problem[] = [];
  let resumed = 0;
  for (const client of clients) {
    client.listen(([type, fact]) => {
      if (type === "problem") problems.push(fact);
      if (type === "welcome") resumed++;
    });
  }
  try {
    const tables = await openTable(clients, game);
    const acted = await Promise.all(tables.map((table) => playSeat(table, draw)));
    await Promise.all(tables.map((table) => table.catchUp()));
    const different = tables.filter(({ view }) => !isDeepStrictEqual(view.board, tables[0]?.view.board));
    const mismatches = problems.filter((problem) => problem !== "gap").length + different.length;
    const logged = await fetchActions(url, tables[0]?.id as string);
    const wrong = { mismatches, ...compareActions(acted.flat(), logged) };
    return { actions: acted.flat().length, resumed, harm: proxy.harm, wrong };
  } finally {
    for (const client of clients) client.close();
    proxy.stop();
  }
}

async function join(server: string, proxy: string, seat: number): Promise<Client> {
  const { token } = await createGuest(server, { name: `Player ${seat}` });
  const entry = seat % 2 ? json : msgpack;
  return entry.connect(server, {
    token,
    WebSocket,
    dial: (address) => address.replace(server.replace("http", "ws"), proxy),
  });
}

async function openTable(clients: Client[], game: string): Promise<Table[]> {
  const [host, ...guests] = clients as [Client, ...Client[]];
  const first = (await create(host, game, { seats: clients.length })) as unknown as Table;
  const tables = [first, ...(await Promise.all(guests.map((guest) => watch(guest, first.id))))];
  for (const [seat, table] of tables.entries()) assert.equal(await sit(table, seat), seat);
  await first.send("start");
  return tables;
}

/** An action, who did it, and the version that it led to. */
interface Acted {
  readonly version: number | undefined;
  readonly seat: number | null;
  readonly action: unknown;
}

/** Answer every turn at random, and return what the server said it carried out. */
async function playSeat(table: Table, draw: () => number): Promise<Acted[]> {
  const acted: Acted[] = [];
  for await (const turn of table) {
    const action = random(turn.offer, draw);
    const version = await turn.act(action);
    if (version) acted.push({ version, seat: turn.view.seat, action });
  }
  return acted;
}

interface Entry {
  version?: number;
  seat?: number;
  did?: { do: string; action?: unknown };
}

/** Return the actions in the record of a finished game. */
async function fetchActions(url: string, table: string): Promise<Acted[]> {
  const text = await (await fetch(`${url}/v1/tables/${table}/record`)).text();
  const entries: Entry[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  return entries
    .filter(({ did }) => did?.do === "act")
    .map(({ version, seat = 0, did }) => ({ version, seat, action: did?.action }));
}

/** Count the actions that only one side has: the clients by the replies they got, or the log. */
function compareActions(acted: Acted[], logged: Acted[]): { lost: number; doubled: number } {
  const without = (some: Acted[], others: Acted[]) =>
    some.filter((one) => !others.some((other) => isDeepStrictEqual(one, other))).length;
  const repeated = logged.length - new Set(logged.map(({ version }) => version)).size;
  return { lost: without(acted, logged), doubled: without(logged, acted) + repeated };
}
