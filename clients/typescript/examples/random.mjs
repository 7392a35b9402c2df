// A complete player that chooses at random and knows no game.
//
//   node random.mjs http://localhost:8080 palais_royal    opens a table and plays with house bots
//   node random.mjs http://localhost:8080 --table ID      takes a seat at a table that waits for players
//
// Node 22 and later, Deno and Bun have websockets of their own; in Node 20, `npm install ws` first.
import { connect } from "palatine-client";
import { createGuest } from "palatine-client/guests";
import { random } from "palatine-client/offers";
import { fill, sit } from "palatine-client/play";

const [url = "http://localhost:8080", game = "noblemen", id] = process.argv.slice(2);
const WebSocket = globalThis.WebSocket ?? (await import("ws")).default;
const { token } = await createGuest(url, { name: "Random" });
const client = await connect(url, { token, WebSocket });

const table = game === "--table" ? await client.watch(id) : await client.create(game, { seats: 3 });
await sit(table);
if (game !== "--table") {
  await fill(table);
  await table.send("start");
}
for await (const turn of table) {
  for (const { news, ...fields } of turn.news) console.log(news, JSON.stringify(fields));
  await turn.act(random(turn.offer));
}
for (const { seat, score, rank } of table.view.info.standings) {
  console.log(`${rank}. ${table.view.info.seats[seat].name}: ${score} points`);
}
client.close();
