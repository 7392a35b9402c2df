/** Every request of the protocol on a real server, the list of tables, replays, and the example. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { WebSocket } from "ws";
import { fetchGame } from "../dist/descriptions.js";
import { createGuest } from "../dist/guests.js";
import { type Client, connect, Refused, type View } from "../dist/index.js";
import { followTables } from "../dist/lobby.js";
import { actions, random } from "../dist/offers.js";
import { replay } from "../dist/replay.js";
import { addEntropy, create, fill, preview, sit, type Table, watch } from "../dist/tables.js";
import { startServer } from "./server.ts";

const server = await startServer();
const clients: Client[] = [];
after(async () => {
  for (const client of clients) client.close();
  await server.stop();
});

async function enter(name: string): Promise<Client> {
  const { token } = await createGuest(server.url, { name });
  const client = await connect(server.url, { token, WebSocket, client: "test 1.0" });
  clients.push(client);
  return client;
}

const isRefusal = (code: string) => (error: unknown) => error instanceof Refused && error.code === code;

test("a token is renewed, and a wrong one is refused", async () => {
  const guest = await createGuest(server.url, { name: "Ada" });
  const renewed = await createGuest(server.url, { token: guest.token, name: "Ada Lovelace" });
  assert.deepEqual([renewed.user, renewed.name], [guest.user, "Ada Lovelace"]);
  await assert.rejects(createGuest(server.url, { token: "wrong" }), isRefusal("bad_token"));
  await assert.rejects(connect(server.url, { token: "wrong", WebSocket }), { refusal: "bad_token" });
});

test("a guest is asked for again if the server has just closed the connection", async () => {
  let asked = 0;
  const closing = createServer((request, response) => {
    if (++asked === 1) request.socket.destroy();
    else response.end('{"token": "t"}');
  });
  await new Promise<void>((resolve) => closing.listen(0, "127.0.0.1", resolve));
  after(() => closing.close());
  const { port } = closing.address() as { port: number };
  assert.equal((await createGuest(`http://127.0.0.1:${port}`)).token, "t");
  assert.equal(asked, 2);
});

test("a game has its labels, look, examples and rules", async () => {
  const game = await fetchGame(server.url.replace(/^http/, "ws"), "between_two_castles", { lang: "de" });
  assert.equal(game.title, "Zwischen zwei Schlössern");
  assert.deepEqual(Object.keys(game.look.paper.light), Object.keys(game.look.paper.dark));
  assert.equal(game.look.glyphs[game.look.players["0"]?.glyph ?? ""]?.[0], "M");
  assert.equal(game.description.labels.verbs?.place?.label.en, "Place a room");
  const refused = game.examples.refusals.open_sky_below?.refused as { code: string; rule: string };
  assert.match(game.rules.paragraphs[refused.rule] ?? "", /stays empty/);
  assert.ok(game.description.labels.errors?.[refused.code]?.de);
  await assert.rejects(fetchGame(server.url, "chess/../noblemen"), Refused);
  await assert.rejects(fetchGame(server.url, "chess"), isRefusal("no_such_game"));
  await assert.rejects(fetchGame("http://127.0.0.1:1", "noblemen"), /There is no server/);
});

test("before the game: seats, bots, settings, invitations, readiness, the host", async () => {
  const [ada, bob] = [await enter("Ada"), await enter("Bob")];
  const table = await create(ada, "palais_royal", {
    seats: 3,
    visibility: "private",
    ready_check: true,
    clock: { move: 60 },
  });
  const { invitation } = await table.send("invite");
  await assert.rejects(watch(bob, table.id), isRefusal("no_such_table"));
  const guest = await watch(bob, table.id, { invitation });
  assert.equal(await sit(table), 0);
  assert.equal(await sit(guest, 2), 2);
  assert.match(guest.view.info.seats[2]?.entropy ?? "", /^[0-9a-f]{32}$/);
  await addEntropy(guest);
  await table.send("kick", { seat: 2 });
  await table.send("reserve", { seat: 2, user: bob.session.welcome?.user ?? null });
  assert.deepEqual(table.view.info.reserved, [2]);
  assert.equal(await sit(guest), 2);
  await table.send("change", { options: { stall_rounds: 3 }, delay: 2, visibility: "public" });
  await fill(table, "random");
  await table.send("remove_bot", { seat: 1 });
  await table.send("add_bot", { policy: "greedy", seat: 1 });
  await assert.rejects(table.send("start"), isRefusal("not_ready"));
  await guest.send("ready");
  await table.send("hand_over", { seat: 2 });
  await guest.catchUp();
  await assert.rejects(table.send("start"), isRefusal("not_the_host"));
  await guest.send("leave");
  await table.unwatch();
  assert.equal(table.view.info.options.stall_rounds, 3);
});

test("in the game: acting, asking, talking, pausing, going back", async () => {
  const ada = await enter("Ada");
  const table = await create(ada, "palais_royal", { seats: 2 });
  await sit(table);
  await fill(table);
  await table.send("start");
  const turns = table[Symbol.asyncIterator]();
  const { value: turn } = await turns.next();
  const [first] = actions(turn.offer);
  const shown = await preview(table, first as never);
  assert.notDeepEqual(shown.view.board, table.view.board);
  assert.equal(shown.scores.length, 2);
  const before = table.view.version;
  assert.ok((await turn.act(first)) > before);
  const explained = await table.send("explain", { lang: "de" });
  assert.ok(explained.questions?.length && explained.text?.length);
  assert.match((await table.send("describe", { lang: "de" })).text, /Bot 2/);
  await assert.rejects(table.act({ do: "fly" } as never), Refused);
  const why = await table.send("explain", { action: { do: "recruit", noble: "none" } }).catch((error) => error);
  assert.ok(why instanceof Refused || why.type === "explained");
  if (table.view.can_undo) await table.send("undo");
  const { version: line } = await table.send("say", { text: "Good luck! 🏰" });
  assert.equal(table.view.talk.at(-1)?.text, "Good luck! 🏰");
  await table.send("report", { line, why: "a test" });
  await table.send("mute", { line });
  assert.deepEqual(table.view.talk, []);
  await table.send("mute", { line, muted: false });
  await table.send("pause");
  await assert.rejects(table.act(first as never), isRefusal("paused"));
  await table.send("pause", { paused: false });
  await table.send("show");
  const eve = await watch(await enter("Eve"), table.id, { as: 0 });
  assert.deepEqual([eve.view.seat, eve.view.as], [null, 0]);
  assert.deepEqual(eve.view.hand, table.view.hand);
  await table.send("show", { shown: false });
  await table.send("rollback", { to: before });
  assert.deepEqual(table.view.board, turn.view.board);
  await assert.rejects(table.send("agree", { agree: false }), isRefusal("nothing_proposed"));
  await table.send("point", { action: null }).catch((error) => assert.ok(error instanceof Refused));
  await turns.return?.();
});

test("the list of tables shows a new one, and the end of a game leads to a replay and a rematch", async () => {
  const ada = await enter("Ada");
  let listed: readonly { table: string }[] = [];
  let wake = () => {};
  const stop = followTables(await enter("Bob"), { game: "palais_royal", free: true }, (tables) => {
    listed = tables;
    wake();
  });
  const table = await create(ada, "palais_royal", { seats: 2, options: { max_rounds: 2 } });
  while (!listed.some((row) => row.table === table.id)) await new Promise<void>((resolve) => (wake = resolve));
  stop();
  await sit(table);
  await fill(table);
  await table.send("start");
  for await (const turn of table) await turn.act(random(turn.offer));
  assert.equal(table.view.info.standings?.length, 2);

  const views: View[] = [];
  for await (const view of replay(ada, table.id, { open: true })) views.push(view);
  assert.deepEqual(
    views.map(({ version }) => version),
    Array.from({ length: table.view.version + 1 }, (_, version) => version),
  );
  assert.deepEqual(views.at(-1)?.board, table.view.board);
  assert.equal(views.at(-1)?.hands?.length, 2);
  const seen: View[] = [];
  for await (const view of replay(ada, table.id, { as: 0, from: 5 })) seen.push(view);
  assert.deepEqual([seen[0]?.version, seen.at(-1)?.hand], [5, table.view.hand]);
  await assert.rejects(replay(ada, "nowhere").next(), isRefusal("no_such_table"));

  const next: Table = await watch(ada, (await table.send("rematch")).table);
  assert.equal(next.view.seat, 1);
});

test("the script of the README plays a whole game", async () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  const script = /```js\n(.*?)```/s.exec(readme)?.[1]?.replace("http://localhost:8080", server.url) as string;
  const cwd = join(import.meta.dirname, "..");
  const { stdout } = await promisify(execFile)("node", ["--input-type=module", "-e", script], { cwd });
  assert.match(stdout, /rank: 3/);
});

test("the example plays a whole game", async () => {
  const example = join(import.meta.dirname, "../examples/random.mjs");
  const { stdout } = await promisify(execFile)("node", [example, server.url, "between_two_castles"]);
  assert.match(stdout, /room_placed/);
  assert.equal(stdout.match(/^\d\. .* points$/gm)?.length, 3);
});
