/** One game of each kind over a lossy line; `make lossy` plays a hundred. */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { playGame, startQuickServer } from "./play.ts";

const server = await startQuickServer();
after(() => server.stop());

describe("over a lossy line", { concurrency: true, timeout: 120_000 }, () => {
  for (const game of ["between_two_castles", "palais_royal", "noblemen"]) {
    test(`a game of ${game} is played to its end, and nothing is lost, doubled or seen wrongly`, async () => {
      const { wrong, actions, resumed, harm } = await playGame(server.url, game, 3, 1);
      assert.deepEqual(wrong, { mismatches: 0, lost: 0, doubled: 0 });
      assert.ok(actions > 0 && resumed > 0 && harm.cut > 0 && harm.lost > 0, "the line did no harm");
    });
  }
});
