// Counters on boardgame.io: one counter for each seat, whole states to everybody, which is its quicker way.
// `node boardgame_io.cjs PORT [STORE]`: with the port of a Valkey, each action is appended to a stream there before it
// is broadcast. boardgame.io broadcasts before it awaits its storage, so the append is in what it broadcasts through.
const { ActivePlayers } = require("boardgame.io/core");
const { Server, SocketIO } = require("boardgame.io/server");
const { Redis } = require("ioredis");

const [port, store] = process.argv.slice(2);

const counter = {
  name: "counter",
  disableUndo: true, // otherwise every state is kept
  setup: () => ({ counters: [0, 0, 0, 0] }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    add: ({ G, playerID }) => {
      G.counters[Number(playerID)] += 1;
    },
  },
};

class DurablePubSub {
  constructor(redis) {
    this.redis = redis;
    this.callbacks = new Map();
  }

  async publish(channel, payload) {
    const [, state] = payload.args;
    const log = JSON.stringify(state?.deltalog ?? []);
    await this.redis.xadd(`match:${channel}`, "*", "version", state?._stateID ?? 0, "log", log);
    for (const callback of this.callbacks.get(channel) ?? []) callback(payload);
  }

  subscribe(channel, callback) {
    this.callbacks.set(channel, [...(this.callbacks.get(channel) ?? []), callback]);
  }

  unsubscribeAll(channel) {
    this.callbacks.delete(channel);
  }
}

function transport() {
  const redis = new Redis({ host: "127.0.0.1", port: Number(store), enableAutoPipelining: true });
  return new SocketIO({ pubSub: new DurablePubSub(redis) });
}

const server = Server({ games: [counter], origins: [/.*/], ...(store ? { transport: transport() } : {}) });
server.run({ port: Number(port), callback: () => console.log("ready") });
