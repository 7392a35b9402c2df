/** What players and their programs do at a table, beyond sending requests. */

import { Refused } from "./errors.ts";
import type { AnyGame, Game } from "./game.ts";
import { applyPatch, type Value } from "./patch.ts";
import type { Table } from "./table.ts";
import type { View } from "./view.ts";

const MAX_UNREAD = 256; // views that one iterator has not read; at the limit, one marked as a snapshot replaces them

/** Take this seat, or the first free one, and add random bytes to the seed; return the seat. */
export async function sit<G extends Game>(table: Table<G>, seat: number | null = null): Promise<number> {
  const invitation = table.client.session.tables.get(table.id)?.terms.invitation ?? "";
  const done = await table.send("sit", { seat, invitation });
  await addEntropy(table);
  return done.seat as number;
}

/**
 * Add random bytes to the seed, so that no other party can choose it; do nothing if they are there already.
 *
 * Call it for a seat that the user got in another way than by `sit`: in a rematch, or before the page was loaded again.
 */
export async function addEntropy<G extends Game>(table: Table<G>): Promise<void> {
  const { info, seat } = table.view;
  const seated = info.seats[seat ?? -1];
  if (info.status !== "open" || !info.commitment || !seated || seated.entropy) return;
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  await table.send("contribute", { entropy: bytes.join("") }).catch((error) => {
    if (!(error instanceof Refused)) throw error; // the game has started, or the host removed this user
  });
}

/** Put house bots on all seats that are free and not reserved. */
export async function fill<G extends Game>(table: Table<G>, policy = "greedy"): Promise<void> {
  const { seats, reserved = [] } = table.view.info;
  for (const seat of seats.keys()) {
    if (!seats[seat] && !reserved.includes(seat)) await table.send("add_bot", { policy, seat });
  }
}

/** What an action would change. */
export interface Preview<G extends Game = AnyGame> {
  /** The view after the action. */
  readonly view: View<G>;
  /** The change of each seat's score; null where the user cannot know it. */
  readonly scores: readonly (number | null)[];
}

/** Return the view as it would be after an action, and the change of the scores. */
export function preview<G extends Game>(table: Table<G>, action: G["action"]): Promise<Preview<G>> {
  return table.client.send("preview", { table: table.id, action: action as never }, ({ board, hand, scores }) => {
    const { view } = table;
    const patched = { board: applyPatch(view.board as Value, board), hand: applyPatch(view.hand as Value, hand) };
    return { scores, view: Object.freeze({ ...view, ...patched }) as View<G> };
  });
}

/** Yield the present view and then every later one, until the game is over; with `afterEnd`, also after that. */
export async function* changes<G extends Game>(table: Table<G>, { afterEnd = false } = {}): AsyncGenerator<View<G>> {
  let unread: View<G>[] = [];
  const stop = table.subscribe((view) => {
    unread = unread.length < MAX_UNREAD ? [...unread, view] : [Object.freeze({ ...view, news: [], snapshot: true })];
  });
  try {
    while (await table.until(() => unread.length > 0 || (table.isOver && !afterEnd ? false : undefined))) {
      yield unread.shift() as View<G>;
    }
  } finally {
    stop();
  }
}
