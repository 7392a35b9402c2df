/** `make lossy`: many games of each kind over a lossy line, with their progress and a table at the end. */

import { playGame, type Result, startQuickServer } from "./play.ts";

const GAMES = Number(process.env.GAMES ?? 100);
const AT_ONCE = { between_two_castles: 3, palais_royal: 3, noblemen: 12 }; // clients mostly wait until they ask again for what was lost
const SEATS = { between_two_castles: [3, 2, 5, 7], palais_royal: [3, 2, 4], noblemen: [3, 4, 5] };
const COLUMNS = ["games", "actions", "lost on the line", "doubled on the line", "delayed", "cut", "resumed"] as const;
const WRONG = ["mismatches", "lost", "doubled", "failed"] as const;

type Row = Record<(typeof COLUMNS)[number] | (typeof WRONG)[number], number>;

const begun = Date.now();
const server = await startQuickServer();
try {
  const rows = Object.fromEntries(
    await Promise.all(Object.entries(SEATS).map(async ([game, seats]) => [game, await playAll(game, seats)] as const)),
  );
  console.table(rows);
  const isRight = Object.values(rows).every((row) => row.games === GAMES && WRONG.every((name) => row[name] === 0));
  console.log(`${isRight ? "Nothing is wrong" : "SOMETHING IS WRONG"}, after ${seconds()} seconds.`);
  process.exitCode = isRight ? 0 : 1;
} finally {
  await server.stop();
}

/** Play all games of one kind, a few at a time. */
async function playAll(game: string, seats: readonly number[]): Promise<Row> {
  const row = Object.fromEntries([...COLUMNS, ...WRONG].map((name) => [name, 0])) as Row;
  const rounds = Array.from({ length: GAMES }, (_, round) => round);
  const playNext = async () => {
    for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
      await playGame(server.url, game, seats[round % seats.length] as number, round + 1).then(
        (result) => add(row, result),
        (error) => fail(row, game, round, error),
      );
      if (row.games % 10 === 0) console.log(`${seconds()} s  ${game}: ${JSON.stringify(row)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE[game as keyof typeof AT_ONCE] }, playNext));
  return row;
}

function add(row: Row, { actions, resumed, harm, wrong }: Result): void {
  row.games++;
  row.actions += actions;
  row["lost on the line"] += harm.lost;
  row["doubled on the line"] += harm.doubled;
  row.delayed += harm.delayed;
  row.cut += harm.cut;
  row.resumed += resumed;
  row.mismatches += wrong.mismatches;
  row.lost += wrong.lost;
  row.doubled += wrong.doubled;
}

function fail(row: Row, game: string, round: number, error: unknown): void {
  row.failed++;
  console.log(`${game}, seed ${round + 1}:`, error);
}

function seconds(): number {
  return Math.round((Date.now() - begun) / 1000);
}
