/** The client on real websockets: connecting again, keeping promises, and giving up. */

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, test } from "node:test";
import { WebSocket } from "ws";
import { digestOf } from "../dist/digest.js";
import { createGuest } from "../dist/guests.js";
import { type Client, type ClientOptions, Closed, createClient, type Event, Refused } from "../dist/json.js";
import { followTables } from "../dist/lobby.js";
import { changes as changesOf, preview as previewTable, watch as watchTable } from "../dist/tables.js";
import { Scripted } from "./scripted.ts";

const T = "k3Xq9ZpTd0Rw7LmA";
const INFO = { game: "g", status: "playing", visibility: "public", host: "h", seats: [{ name: "n" }], options: {} };

let script: Scripted;
const clients: Client[] = [];

beforeEach(async () => {
  script = await new Scripted().start();
});

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  script.stop();
});

function open(options: Partial<ClientOptions> = {}): Client {
  const client = createClient(script.url, { token: "secret", WebSocket, random: () => 0, ...options });
  clients.push(client);
  return client;
}

function snapshot(version: number, given: object = {}): object {
  const board = { turn: version };
  const rest = { seat: 0, as: 0, hand: null, offer: null, waiting: [], can_undo: false, fork: `fork ${version}` };
  const digests = { digest: digestOf(board, null), info_digest: digestOf(INFO as never, null) };
  return { type: "snapshot", table: T, version, info: INFO, board, ...rest, ...digests, ...given };
}

function update(version: number, given: object = {}): object {
  const digest = digestOf({ turn: version }, null);
  return { type: "update", table: T, version, board: [[["turn"], version]], digest, fork: `fork ${version}`, ...given };
}

async function watch(limits: object = {}, options: Partial<ClientOptions> = {}) {
  const client = open(options);
  const line = await script.line();
  await line.greet(limits);
  const watching = watchTable(client, T);
  await line.answer("watch", { type: "watching", table: T, version: 1, seat: 0 });
  line.say(snapshot(1));
  return { client, line, table: await watching };
}

const statusOf = (client: Client, state: string) =>
  new Promise<void>((resolve) => client.subscribe((status) => status.state === state && resolve()));

test("a request survives two lost connections, and its promise resolves once", async () => {
  const client = open();
  const asked = client.send("say", { table: T, text: "Hello" });
  const first = await script.line();
  await first.greet();
  const said = await first.hear("say");
  first.cut();
  const second = await script.line();
  await second.greet();
  assert.deepEqual(await second.hear("say"), said);
  second.cut();
  const third = await script.line();
  await third.greet();
  const again = await third.hear("say");
  assert.deepEqual(again, said);
  const done = { type: "done", re: again.id, table: T, version: 7 };
  third.say(done, { ...done, version: 8 }, { type: "refused", re: again.id, code: "muted", sentence: "No." });
  assert.equal((await asked).version, 7);
});

test("a table is resumed with its version and its fork", async () => {
  const { line, table } = await watch();
  line.say(update(2));
  await table.until(() => table.view.version === 2 || undefined);
  line.cut();
  const hello = await (await script.line()).greet();
  assert.deepEqual([hello.resume, hello.forks], [{ [T]: 2 }, { [T]: "fork 2" }]);
});

test("a turn that has passed before a program takes it is left out", async () => {
  let socket = new EventEmitter();
  class Tapped extends WebSocket {
    constructor(...given: ConstructorParameters<typeof WebSocket>) {
      super(...given);
      socket = this;
    }
  }
  const { table } = await watch({}, { WebSocket: Tapped });
  const turns = table[Symbol.asyncIterator]();
  const next = turns.next();
  await new Promise((resolve) => setImmediate(resolve)); // the iterator waits now
  const offered = { offer: { id: 1, choices: [{ do: "lay", fields: {} }] }, waiting: [{ seat: 0 }] };
  const passed = { offer: { id: 1, choices: [] }, waiting: [{ seat: 1 }] };
  for (const message of [update(2, offered), update(3, passed), update(4), update(5, offered)]) {
    socket.emit("message", Buffer.from(JSON.stringify(message)), false); // all in one turn of the event loop
    if ((message as { version: number }).version === 4) await new Promise((resolve) => setImmediate(resolve));
  }
  const { value: turn } = await next;
  assert.equal(turn?.view.version, 5);
});

test("views never change, subscribers see every one, and one that throws harms nobody", async () => {
  const { line, table } = await watch();
  const seen: number[] = [];
  const crashes: unknown[] = [];
  process.setUncaughtExceptionCaptureCallback((error) => crashes.push(error));
  const first = table.view;
  table.subscribe(({ version }) => version === 2 && assert.fail("a mistake of the page"));
  const stop = table.subscribe(({ version }) => seen.push(version));
  line.say(update(2), update(3));
  await table.until(() => table.view.version === 3 || undefined);
  stop();
  line.say(update(4));
  await table.until(() => table.view.version === 4 || undefined);
  assert.deepEqual([seen, first.board, table.view.board], [[1, 2, 3], { turn: 1 }, { turn: 4 }]);
  assert.throws(() => ((first as { version: number }).version = 9), TypeError);
  await new Promise((resolve) => setTimeout(resolve, 1));
  process.setUncaughtExceptionCaptureCallback(null);
  assert.equal(crashes.length, 1);
});

test("a wrong digest is healed, and the last good view is shown meanwhile", async () => {
  const { client, line, table } = await watch();
  const events: Event[] = [];
  client.listen((event) => void events.push(event));
  line.say(update(2, { digest: 1 }));
  const asked = await line.hear("watch");
  assert.equal(asked.from ?? null, null);
  assert.deepEqual([table.view.version, table.isCurrent], [1, false]);
  line.say({ type: "watching", re: asked.id, table: T, version: 3, seat: 0 }, snapshot(3));
  await table.until(() => table.isCurrent || undefined);
  assert.equal(table.view.version, 3);
  assert.deepEqual(
    events.flatMap(([type, fact]) => (type === "problem" ? fact : [])),
    ["wrong_digest"],
  );
});

test("a refusal rejects with its code, rule and path", async () => {
  const { line, table } = await watch();
  const acting = table.act({ do: "build" });
  await line.answer("act", { type: "refused", code: "not_now", sentence: "Not now.", rule: "G-1", path: "$.action" });
  await assert.rejects(acting, (error) => {
    assert.ok(error instanceof Refused);
    assert.deepEqual([error.code, error.rule, error.path, error.message], ["not_now", "G-1", "$.action", "Not now."]);
    return true;
  });
});

test("a preview that does not fit is rejected, and harms nothing", async () => {
  const { line, table } = await watch();
  const previewed = previewTable(table, { do: "build" });
  await line.answer("preview", { type: "previewed", table: T, board: [[["nowhere", "at"], 1]], hand: [], scores: [] });
  await assert.rejects(previewed, RangeError);
  line.say(update(2));
  await table.until(() => table.view.version === 2 || undefined);
});

test("a request that is refused for now is sent again unchanged", async () => {
  const client = open();
  const line = await script.line();
  await line.greet();
  const asked = client.send("ping", {});
  const ping = await line.answer("ping", { type: "refused", code: "try_again", sentence: "Later." });
  assert.deepEqual(await line.answer("ping", { type: "pong" }), ping);
  assert.equal((await asked).type, "pong");
});

test("an unreadable frame is reported, and the client connects again", async () => {
  const { client, line, table } = await watch();
  const events: Event[] = [];
  client.listen((event) => void events.push(event));
  line.say("{");
  const hello = await (await script.line()).greet();
  assert.deepEqual(hello.resume, { [T]: 1 });
  assert.equal(events.filter(([, fact]) => fact === "unreadable").length, 1);
  assert.equal(table.view.version, 1);
});

test("bye says when and where to connect, and dial rewrites every address", async () => {
  const other = await new Scripted().start();
  const dialled: string[] = [];
  const client = open({
    dial: (url) => {
      dialled.push(url);
      return url.replace("ws://elsewhere.example/prefix", other.url);
    },
  });
  const line = await script.line();
  await line.greet();
  line.say({
    type: "bye",
    code: 1012,
    reason: "restart",
    reconnect_in_ms: 1,
    reconnect_to: "ws://elsewhere.example/prefix/v1/ws",
  });
  line.close(1012);
  const elsewhere = await other.line();
  assert.equal(elsewhere.path, "/v1/ws");
  elsewhere.cut();
  await (await script.line()).greet();
  await client.ready();
  assert.deepEqual(dialled, [`${script.url}/v1/ws`, "ws://elsewhere.example/prefix/v1/ws", `${script.url}/v1/ws`]);
  other.stop();
});

for (const [code, sentence] of [
  [4002, "expired"],
  [4010, ""],
  [1002, ""],
  [4005, ""],
  [1000, ""],
] as const) {
  test(`the client stops after ${code}, and rejects whatever waits`, async () => {
    const { client, line, table } = await watch();
    const results = Promise.allSettled([
      client.send("ping", {}),
      table.until(() => undefined),
      changesOf(table, { afterEnd: true })
        .next()
        .then(() => table[Symbol.asyncIterator]().next()),
    ]);
    line.close(code, sentence);
    await statusOf(client, "closed");
    for (const result of await results) {
      assert.ok(result.status === "rejected" && result.reason instanceof Closed && result.reason.code === code);
    }
    await assert.rejects(client.send("ping", {}), Closed);
    await assert.rejects(client.ready(), Closed);
    assert.equal(client.status.reason?.code, code);
  });
}

test("a refused token closes the client with the server's code", async () => {
  const client = open();
  await (await script.line()).answer("hello", { type: "refused", code: "token_revoked", sentence: "Shut out." });
  await assert.rejects(client.ready(), (error) => error instanceof Closed && error.refusal === "token_revoked");
});

test("the client gives up if there never was a server", async () => {
  const client = createClient("ws://127.0.0.1:9", { token: "secret", WebSocket, patience: 150 });
  await assert.rejects(client.ready(), (error) => error instanceof Closed && error.code === 0);
  await assert.rejects(createGuest("http://127.0.0.1:9"), Closed);
});

test("an address that is none closes the client at once", async () => {
  for (const url of ["javascript:alert(1)", "nowhere", ""]) {
    await assert.rejects(createClient(url, { token: "secret", WebSocket }).ready(), Closed);
    await assert.rejects(createGuest(url), Closed);
  }
});

test("at most 64 requests wait; the next is refused and was not sent", async () => {
  const client = open();
  const waiting = Array.from({ length: 64 }, () => client.send("ping", {}));
  await assert.rejects(
    client.send("ping", {}),
    (error) => error instanceof Refused && error.code === "too_many_requests",
  );
  client.close();
  for (const result of await Promise.allSettled(waiting)) assert.equal(result.status, "rejected");
});

test("heartbeats that no server means do no harm", async () => {
  for (const heartbeat of ["x", -1, 0, 1e12, null, {}]) {
    const client = open();
    const line = await script.line();
    await line.greet({ heartbeat });
    await client.ready();
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(client.session.silence, 0); // no beat yet
    client.close();
  }
});

test("a silent server is left after three half heartbeats", async () => {
  const client = open();
  const line = await script.line();
  await line.greet({ heartbeat: 1 });
  const asked = client.send("describe", { table: T, lang: "en" });
  const first = await line.hear("describe");
  const next = await script.line();
  await next.greet();
  assert.deepEqual(await next.answer("describe", { type: "described", table: T, version: 1, text: "" }), first);
  await asked;
});

test("a client that waits for nothing sends nothing and stays connected", async () => {
  const client = open();
  const line = await script.line();
  await line.greet({ heartbeat: 1 });
  await client.ready();
  await new Promise((resolve) => setTimeout(resolve, 2500)); // five half heartbeats
  assert.equal(client.status.state, "online");
  const asked = client.send("ping", {});
  await line.answer("ping", { type: "pong" }); // it would hear any earlier ping first
  assert.equal((await asked).re.split("-")[1], "2"); // hello was the first request
  client.close();
});

test("a silent line is left by a client that only watches", async () => {
  const { client, line } = await watch({ heartbeat: 1 });
  await line.hear("watch"); // it checks the connection, and no reply comes
  await (await script.line()).greet();
  await client.ready();
});

test("a table that the server no longer shows rejects with the reason", async () => {
  const { line, table } = await watch();
  const turns = table[Symbol.asyncIterator]().next();
  line.say({ type: "lost", table: T, code: "table_unreadable", sentence: "Broken." });
  await assert.rejects(turns, (error) => error instanceof Refused && error.code === "table_unreadable");
  assert.equal(table.view.version, 1);
});

test("a table that was lost can be watched again, also by whoever hears of it", async () => {
  const { client, line, table } = await watch();
  const again = new Promise<typeof table>((resolve) => {
    client.listen(([type, id]) => type === "lost" && id === T && resolve(watchTable(client, T)));
  });
  line.say({ type: "lost", table: T, code: "table_unreadable", sentence: "Broken." });
  await line.answer("watch", { type: "watching", table: T, version: 5, seat: 0 });
  line.say(snapshot(5));
  assert.equal((await again).view.version, 5);
  assert.equal(table.view.version, 1);
});

test("a table that is no longer watched rejects whatever waits for it", async () => {
  const { line, table } = await watch();
  const turn = table[Symbol.asyncIterator]().next();
  const rejected = assert.rejects(turn, (error) => error instanceof Refused && error.code === "unwatched");
  const unwatched = table.unwatch();
  await line.answer("unwatch", { type: "done", table: T, version: 1 });
  await unwatched;
  await rejected;
});

test("an iterator that nobody reads is bounded, and says that it skipped", async () => {
  const { line, table } = await watch();
  const changes = changesOf(table, { afterEnd: true });
  await changes.next();
  for (let version = 2; version <= 600; version++) line.say(update(version, { news: [{ news: "x" }] }));
  await table.until(() => table.view.version === 600 || undefined);
  const views = [];
  for (let next = await changes.next(); ; next = await changes.next()) {
    views.push(next.value);
    if (next.value?.version === 600) break;
  }
  assert.ok(views.length <= 256 && views[0]?.snapshot);
});

test("the list of tables is followed over lost connections", async () => {
  const client = open();
  const row = (table: string, created: number) => ({
    table,
    game: "g",
    status: "open",
    visibility: "public",
    seats: [null],
    host: "h",
    created,
  });
  const seen: string[][] = [];
  let wake = () => {};
  const stop = followTables(client, { game: "g" }, (tables) => {
    seen.push(tables.map(({ table }) => table));
    wake();
  });
  const first = await script.line();
  await first.greet();
  const asked = await first.answer("list_tables", { type: "tables", tables: [row("a", 1)] });
  assert.deepEqual([asked.game, asked.follow], ["g", true]);
  first.say({ type: "lobby", changed: [row("b", 2)], gone: [] }, { type: "lobby", gone: ["a"] });
  while (seen.length < 3) await new Promise<void>((resolve) => (wake = resolve));
  first.cut();
  const second = await script.line();
  await second.greet();
  second.say({ type: "lobby", changed: [row("x", 9)] }); // of another list, before the answer
  await second.answer("list_tables", { type: "tables", tables: [row("c", 3)] });
  while (seen.length < 4) await new Promise<void>((resolve) => (wake = resolve));
  assert.deepEqual(seen, [["a"], ["b", "a"], ["b"], ["c"]]);
  stop();
  assert.equal((await second.hear("list_tables")).follow ?? false, false);
});

// The page

const page = new EventTarget();

async function withPage(run: (turn: (state: string) => void) => Promise<void>): Promise<void> {
  const document = { hidden: false };
  const global = globalThis as Record<string, unknown>;
  Object.assign(global, {
    document,
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
  try {
    await run((state) => {
      document.hidden = state === "hidden";
      page.dispatchEvent(new Event("visibilitychange")); // it bubbles from the document to the window
    });
  } finally {
    for (const client of clients.splice(0)) client.close();
    for (const name of ["document", "addEventListener", "removeEventListener"]) delete global[name];
  }
}

test("a page that gets its network back connects at once, whatever the delay was", () =>
  withPage(async () => {
    const client = open({ random: () => 1 });
    const line = await script.line();
    await line.greet();
    await client.ready();
    line.say({ type: "bye", code: 1012, reason: "restart", reconnect_in_ms: 60_000 });
    line.close(1012);
    await statusOf(client, "offline");
    page.dispatchEvent(new Event("online"));
    await (await script.line()).greet();
    await client.ready();
  }));

test("a page that is shown again asks whether the line is alive, and connects again if it is not", () =>
  withPage(async (turn) => {
    const client = open();
    const line = await script.line();
    await line.greet();
    await client.ready();
    turn("hidden");
    turn("visible");
    await line.answer("ping", { type: "pong" });
    const answered = client.send("ping", {});
    await line.answer("ping", { type: "pong" });
    await answered;
    turn("hidden");
    turn("visible");
    await line.hear("ping");
    await (await script.line()).greet();
  }));
