/** Watched tables: their views, requests about them, turns, and what players and their programs do there. */

import type { Client, FieldsOf } from "./client.ts";
import { Refused, type RefusedFields } from "./errors.ts";
import type { AnyGame, Game, GameOf } from "./game.ts";
import type { Request, Watch } from "./messages.ts";
import type { Action, OfferOf } from "./offers.ts";
import { applyPatch, type Value } from "./patch.ts";
import { isCurrent, type ReplyTo } from "./session.ts";
import { createStore, type Subscribe } from "./store.ts";
import type { View } from "./view.ts";

const MAX_UNREAD = 256; // views that one iterator has not read; at the limit, one marked as a snapshot replaces them

/** The settings of a new table; `options` are those of the game. */
export type TableSettings<G extends Game = AnyGame> = Omit<FieldsOf<"create">, "game" | "options"> & {
  readonly options?: Partial<G["options"]>;
};

/** The requests about one table. */
export type TableRequest = Extract<Request, { table: string }>["type"];
type FieldsAt<T extends TableRequest> = Omit<FieldsOf<T>, "table">;

/** A table that this client watches. Iterate over it to get a turn whenever it waits for this user, until the end. */
export interface Table<G extends Game = AnyGame> extends AsyncIterable<Turn<G>> {
  readonly client: Client;
  readonly id: string;
  /** The table as the user sees it now. */
  readonly view: View<G>;
  /** Call a listener with the present view and every later one, until the returned function is called. */
  readonly subscribe: Subscribe<View<G>>;
  /** Whether the view shows everything that the server has mentioned. */
  readonly isCurrent: boolean;
  readonly isOver: boolean;
  /** Whether the table waits for this user. */
  readonly mustDecide: boolean;
  /** Send a request about this table; when its promise resolves, the view shows the effect. */
  send<T extends TableRequest>(
    type: T,
    ...fields: object extends FieldsAt<T> ? [fields?: FieldsAt<T>] : [fields: FieldsAt<T>]
  ): Promise<ReplyTo<T>>;
  /** Answer an offer, by default the present one. */
  act(action: G["action"], offer?: number): Promise<ReplyTo<"act">>;
  /** Wait until `find` returns something else than undefined; it is asked again after every change. */
  until<R>(find: () => R | undefined): Promise<R>;
  /** Wait until this client has seen everything that has happened up to now. */
  catchUp(): Promise<void>;
  /** Stop watching; whatever waits for the table is rejected. */
  unwatch(): Promise<void>;
}

/** A moment at which this user must decide. */
export interface Turn<G extends Game = AnyGame> {
  readonly table: Table<G>;
  readonly view: View<G>;
  readonly offer: OfferOf<G["action"]>;
  /**
   * Choose an action and return its version; null if the table advanced first, and then decide again at the next turn.
   *
   * A refusal by a table that has not advanced is thrown.
   */
  act(action: G["action"]): Promise<number | null>;
}

/** Create a table and watch it. */
export async function create<Name extends string>(
  client: Client,
  game: Name,
  settings: TableSettings<GameOf<Name>>,
): Promise<Table<GameOf<Name>>> {
  const { table } = await client.send("create", { game, ...settings } as FieldsOf<"create">);
  return watch(client, table);
}

const known = new WeakMap<Client, Map<string, Table>>();

/** Watch a table, or over the shoulder of a seat that allows it (`as`); a client has one object for each table. */
export async function watch<G extends Game = AnyGame>(
  client: Client,
  id: string,
  terms?: Pick<Watch, "invitation" | "as">,
): Promise<Table<G>> {
  const tables = known.get(client) ?? new Map<string, Table>();
  known.set(client, tables);
  const table = tables.get(id) ?? createTable(client, id, () => tables.delete(id));
  tables.set(id, table);
  await client.watch(id, terms);
  await table.until(() => table.isCurrent || undefined);
  return table as unknown as Table<G>;
}

function createTable(client: Client, id: string, forget: () => void): Table {
  const views = createStore<View>(null as never); // `watch` waits for the first view
  const checks = createStore<null>(null); // changes with everything that `until` depends on
  let lost: Refused | undefined;

  const stopStatus = client.subscribe(() => checks.set(null));
  const stopEvents = client.listen((event) => {
    if (event[0] === "changed" && event[1].table === id) views.set(event[1]);
    if (event[0] === "lost" && event[1] === id) end(event[2]);
    checks.set(null);
  });

  function end(refused: RefusedFields): void {
    lost = new Refused(refused);
    stopStatus();
    stopEvents();
    forget();
    checks.set(null);
  }

  const table: Table = {
    client,
    id,
    subscribe: views.subscribe,

    get view() {
      return views.value;
    },

    get isCurrent() {
      return isCurrent(client.session.tables.get(id));
    },

    get isOver() {
      return table.view.info.status === "over";
    },

    get mustDecide() {
      const { waiting, seat, info } = table.view;
      return waiting.some((each) => each.seat === seat && !info.seats[seat]?.bot); // a bot plays for those who left
    },

    async send(type, ...[fields]) {
      const reply = await client.send(type, { ...fields, table: id } as never);
      if (reply.type === "done") await table.until(() => table.isCurrent || undefined);
      return reply;
    },

    act: (action, offer = table.view.offer?.id ?? 0) => table.send("act", { offer, action: action as never }),

    // A turn that was not answered is not repeated until the offer changes.
    async *[Symbol.asyncIterator]() {
      let last: unknown; // the offer of the last turn
      const isTurn = () => (table.isCurrent && table.mustDecide && table.view.offer !== last) || undefined;
      while (await table.until(() => !table.isOver && isTurn())) {
        if (!isTurn()) continue; // the table may have advanced before this line runs
        const turn = createTurn(table, () => {
          last = null;
          checks.set(null);
        });
        last = turn.offer;
        yield turn;
      }
    },

    until: (find) =>
      checks.until(() => {
        const found = find();
        const reason = lost ?? client.status.reason;
        if (found === undefined && reason) throw reason;
        return found;
      }),

    async catchUp() {
      await client.watch(id);
      await table.until(() => table.isCurrent || undefined);
    },

    async unwatch() {
      end({ code: "unwatched", sentence: "This client no longer watches the table." });
      await client.send("unwatch", { table: id });
    },
  };
  return table;
}

function createTurn(table: Table, repeat: () => void): Turn {
  const { view } = table;
  const offer = view.offer as OfferOf;
  async function act(action: Action): Promise<number | null> {
    try {
      return (await table.act(action, offer.id)).version;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await table.catchUp();
      repeat();
      if (table.view.version === view.version) throw error;
      return null;
    }
  }
  return { table, view, offer, act };
}

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
    if (seats[seat] || reserved.includes(seat)) continue;
    await table.send("add_bot", { policy, seat }).catch((error) => {
      if (error.code !== "seat_taken") throw error; // somebody was faster
    });
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
