/** A watched table: its view, requests about it, and an iterator over turns. */

import type { Client, FieldsOf } from "./client.ts";
import { Refused } from "./errors.ts";
import type { AnyGame, Game } from "./game.ts";
import type { Request } from "./messages.ts";
import type { Action, OfferOf } from "./offers.ts";
import { isCurrent, type ReplyTo, type WatchTerms } from "./session.ts";
import { createStore, type Subscribe } from "./store.ts";
import type { View } from "./view.ts";

const MAX_NEWS = 1000; // since the last turn; at the limit, the oldest is dropped

/** The requests about one table. */
export type TableRequest = Extract<Request, { table: string }>["type"];
type FieldsAt<T extends TableRequest> = Omit<FieldsOf<T>, "table">;

/** A table that this client watches. */
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
  /** Yield a turn whenever the table waits for this user, until the end; with `free`, whenever they may act. */
  turns(options?: { readonly free?: boolean }): AsyncGenerator<Turn<G>>;
  /** Wait until `find` returns something else than undefined; it is asked again after every change. */
  until<R>(find: () => R | undefined): Promise<R>;
  /** Wait until this client has seen everything that has happened up to now. */
  catchUp(terms?: WatchTerms): Promise<void>;
  /** Take in a new view, that the table is lost, or only a reason to look again. */
  update(view?: View, lost?: Refused): void;
}

/** A moment at which this user may decide. */
export interface Turn<G extends Game = AnyGame> {
  readonly table: Table<G>;
  readonly view: View<G>;
  readonly offer: OfferOf<G["action"]>;
  /** What happened since the last turn. */
  readonly news: View<G>["news"];
  /** Whether the table waits for the decision; otherwise it is optional. */
  readonly must: boolean;
  /**
   * Choose an action and return its version; null if the table advanced first, and then decide again at the next turn.
   *
   * A refusal by a table that has not advanced is thrown.
   */
  act(action: G["action"]): Promise<number | null>;
}

/** Create a table that follows what the client hears of it; `client.watch` is more convenient. */
export function createTable(client: Client, id: string): Table {
  const views = createStore<View>(null as never); // `client.watch` waits for the first view
  const checks = createStore<null>(null); // changes with everything that `until` depends on
  let lost: Refused | undefined;

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
      return table.view.waiting.some(({ seat }) => seat === table.view.seat);
    },

    // Requests

    async send(type, ...[fields]) {
      const reply = await client.send(type, { ...fields, table: id } as never);
      if (reply.type === "done") await table.until(() => table.isCurrent || undefined);
      return reply;
    },

    act: (action, offer = table.view.offer?.id ?? 0) => table.send("act", { offer, action: action as never }),

    // Turns

    [Symbol.asyncIterator]: () => table.turns(),

    async *turns({ free = false } = {}) {
      let news: View["news"] = [];
      let last: Turn | undefined;
      const stop = table.subscribe((view) => {
        news = [...news, ...view.news].slice(-MAX_NEWS);
      });
      try {
        while (await table.until(() => (table.isOver ? false : isTurn(free, last) || undefined))) {
          last = createTurn(news);
          news = [];
          yield last;
        }
      } finally {
        stop();
      }
    },

    // Following

    until: (find) =>
      checks.until(() => {
        const found = find();
        const reason = lost ?? client.status.reason;
        if (found === undefined && reason) throw reason;
        return found;
      }),

    async catchUp(terms) {
      await client.sendWatch(id, terms);
      await table.until(() => table.isCurrent || undefined);
    },

    update(view, reason) {
      lost = reason;
      if (view) views.set(view);
      checks.set(null);
    },
  };

  // An unanswered turn is not repeated, unless the offer changed or the decision became obligatory.
  const answered = new WeakSet<Turn>();
  function isTurn(free: boolean, last?: Turn): boolean {
    const { view, mustDecide } = table;
    const seated = view.info.seats[view.seat ?? -1];
    if (!table.isCurrent || !view.offer?.choices.length || !seated || seated.bot) return false; // or a bot plays for them
    const isOpen = last && !answered.has(last) && last.offer === view.offer && last.must === mustDecide;
    return (free || mustDecide) && !isOpen;
  }

  function createTurn(news: View["news"]): Turn {
    const { view, mustDecide: must } = table;
    const turn: Turn = { table, view, offer: view.offer as OfferOf, news, must, act };
    async function act(action: Action): Promise<number | null> {
      try {
        return (await table.act(action, turn.offer.id)).version;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        await table.catchUp();
        if (table.view.version === view.version) throw error;
        return null;
      } finally {
        answered.add(turn); // the iterator yields the same offer again if it is still open
        checks.set(null);
      }
    }
    return turn;
  }

  return table;
}
