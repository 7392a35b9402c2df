// Counters on Colyseus, in memory: one counter for each seat, and a patch to everybody at once after every action.
// With "views" each player has a view of his own, with a hand in it, as at every table of Palatine.
import { Room, Server, logger } from "@colyseus/core";
import { StateView, schema } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

const [port, way] = process.argv.slice(2);
const Hand = schema({ size: "uint8" });
const Board = schema({ counters: ["uint32"], hands: { array: Hand, view: true } });

class Counters extends Room {
  maxClients = 4;
  patchRate = null; // no clock: patches go out when something has happened

  onCreate() {
    this.seats = new Map();
    this.state = new Board();
    this.state.counters.push(0, 0, 0, 0);
    this.onMessage("add", (client) => {
      this.state.counters[this.seats.get(client.sessionId)] += 1;
      this.broadcastPatch();
    });
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
    if (way === "views") {
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
