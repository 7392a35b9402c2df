// A complete player that chooses at random and knows no game.
//
//   node random.mjs http://localhost:8080 palais_royal    opens a table and plays with house bots
//   node random.mjs http://localhost:8080 --table ID      takes a seat at a table that waits for players
//
// Node 22 and later, Deno and Bun have websockets of their own; in Node 20, `npm install ws` first.
import { connect } from "palatine-client";
import { createGuest } from "palatine-client/guests";
import { random } from "palatine-client/offers";
import { create, fill, sit, watch } from "palatine-client/tables";

const [url = "http://localhost:8080", game = "noblemen", id] = process.argv.slice(2);
const WebSocket = globalThis.WebSocket ?? (await import("ws")).default;
const { token } = await createGuest(url, { name: "Random" });
const client = await connect(url, { token, WebSocket });

const table = game === "--table" ? await watch(client, id) : await create(client, game, { seats: 3 });
await sit(table);
if (game !== "--table") {
  await fill(table);
  await table.send("start");
}
table.subscribe((view) => view.news.map(({ news, ...fields }) => console.log(news, JSON.stringify(fields))));

for await (const turn of table) await turn.act(random(turn.offer));

for (const { seat, score, rank } of table.view.info.standings) {
  console.log(`${rank}. ${table.view.info.seats[seat].name}: ${score} points`);
}
client.close();
