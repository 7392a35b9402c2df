// Counters on Colyseus: one counter for each seat, and a patch to everybody at once after every action.
// `node colyseus.mjs PORT [views] [STORE]`: with "views" each player has a view of their own, with a hand in it, as at
// every table of Palatine; with the port of a Valkey, each action is appended to a stream there before it happens.
import { Room, Server, logger } from "@colyseus/core";
import { StateView, schema } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Redis } from "ioredis";

const [port, ...words] = process.argv.slice(2);
const hasViews = words.includes("views");
const store = words.find((word) => word !== "views");
const redis = store && new Redis({ host: "127.0.0.1", port: Number(store), enableAutoPipelining: true });
const Hand = schema({ size: "uint8" });
const Board = schema({ counters: ["uint32"], hands: { array: Hand, view: true } });

class Counters extends Room {
  maxClients = 4;
  patchRate = null; // no clock: patches go out when something has happened

  onCreate() {
    this.seats = new Map();
    this.state = new Board();
    this.state.counters.push(0, 0, 0, 0);
    this.onMessage("add", redis ? (client) => this.addDurably(client) : (client) => this.add(client));
  }

  async addDurably(client) {
    const seat = this.seats.get(client.sessionId);
    await redis.xadd(`room:${this.roomId}`, "*", "action", "add", "seat", seat, "session", client.sessionId);
    this.add(client);
  }

  add(client) {
    this.state.counters[this.seats.get(client.sessionId)] += 1;
    this.broadcastPatch();
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
    if (hasViews) {
      const hand = new Hand();
      this.state.hands.push(hand);
      client.view = new StateView();
      client.view.add(hand);
    }
  }
}

logger.info = () => {};
const server = new Server({ greet: false, transport: new WebSocketTransport({ pingInterval: 0 }) });
server.define("counter", Counters);
await server.listen(Number(port), "127.0.0.1");
console.log("ready");
