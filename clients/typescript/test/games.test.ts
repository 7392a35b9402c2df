/** Every game over a lossy line. GAMES=100 plays a hundred of each. */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { playGame, startQuickServer } from "./play.ts";

const ROUNDS = Number(process.env.GAMES ?? 1);
const AT_ONCE = 4; // games of one kind
const SEATS = { between_two_castles: [3, 2, 5, 7], palais_royal: [3, 2, 4], noblemen: [3, 4, 5] };

const server = await startQuickServer();
after(() => server.stop());

describe("over a lossy line", { concurrency: true, timeout: 60_000 * (ROUNDS + 1) }, () => {
  for (const [game, seats] of Object.entries(SEATS)) {
    test(`${ROUNDS} of ${game}`, async (context) => {
      const sum: Record<string, number> = {};
      const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
      const play = async () => {
        for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
          const result = await playGame(server.url, game, seats[round % seats.length] as number, round + 1);
          assert.deepEqual(
            result.problems.filter((problem) => problem !== "gap"),
            [],
          );
          for (const [name, count] of Object.entries({ actions: result.actions, ...result.harm })) {
            sum[name] = (sum[name] ?? 0) + count;
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, play));
      assert.ok((sum.cut as number) > 0 && (sum.lost as number) > 0, "the line did no harm");
      context.diagnostic(`${game}: ${JSON.stringify(sum)}`);
    });
  }
});
