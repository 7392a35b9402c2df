/** Replays of games. */

import { type Client, createClient } from "./client.ts";
import type { AnyGame, Game } from "./game.ts";
import { isCurrent, type WatchTerms } from "./session.ts";
import { createStore } from "./store.ts";
import type { View } from "./view.ts";

const MAX_UNREAD = 20_000; // views; a table has fewer entries

/**
 * Yield the views of a game up to now, version by version, over a connection of its own.
 *
 * A finished game is seen as spectators saw it, as the seat `as` saw it, or with all hands (`open`); a running one as the
 * user has seen it. The server sends `pace` entries per second, or all at once. Views share what they have in common, so
 * keep them all to jump between them.
 */
export async function* replay<G extends Game = AnyGame>(
  client: Client,
  table: string,
  terms: WatchTerms = {},
): AsyncGenerator<View<G>> {
  const own = createClient(client.url, client.codec, { ...client.options, token: client.session.token });
  const unread: View<G>[] = [];
  const changes = createStore(null);
  let last = -1;
  own.subscribe(() => changes.set(null));
  own.listen(([type, view]) => {
    if (type !== "changed" || view.version <= last) return;
    last = view.version;
    if (unread.push(view as unknown as View<G>) > MAX_UNREAD) own.close();
    changes.set(null);
  });
  const hasMore = () => {
    if (unread.length) return true;
    if (isCurrent(own.session.tables.get(table))) return false;
    if (own.status.reason) throw own.status.reason;
    return undefined;
  };
  try {
    await own.watch(table, { from: 0, pace: 0, ...terms });
    while (await changes.until(hasMore)) yield unread.shift() as View<G>;
  } finally {
    own.close();
  }
}
