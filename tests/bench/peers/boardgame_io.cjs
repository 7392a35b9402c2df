// Counters on boardgame.io, in memory: one counter for each seat, whole states to everybody, its quicker way of telling.
const { ActivePlayers } = require("boardgame.io/core");
const { Server } = require("boardgame.io/server");

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

const server = Server({ games: [counter], origins: [/.*/] });
server.run({ port: Number(process.argv[2]), callback: () => console.log("ready") });
