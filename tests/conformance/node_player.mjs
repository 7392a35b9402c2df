// A player on the TypeScript client, for the conformance kit: `node node_player.mjs ENTRY URL TOKEN TABLE`.
// ENTRY is `json` or `index`, the entry for msgpack. Deno, Bun and later versions of Node have websockets of their own.
import { random } from "../../clients/typescript/dist/offers.js";
import { sit, watch } from "../../clients/typescript/dist/tables.js";

const [entry, url, token, id] = process.argv.slice(2);
const WebSocket = globalThis.WebSocket ?? (await import("../../clients/typescript/node_modules/ws/wrapper.mjs")).default;
const { connect } = await import(`../../clients/typescript/dist/${entry}.js`);
const client = await connect(url, { token, WebSocket });
const table = await watch(client, id);
await sit(table);
for await (const turn of table) await turn.act(random(turn.offer));
client.close();
