/** A watched table: its view, requests about it, and iterators over turns and changes. */

import type { Client, FieldsOf } from "./client.ts";
import { Refused } from "./errors.ts";
import type { AnyGame, Game } from "./game.ts";
import type { Request } from "./messages.ts";
import type { OfferOf } from "./offers.ts";
import { applyPatch, type Value } from "./patch.ts";
import type { ReplyTo, WatchTerms } from "./session.ts";
import { Store, type Unsubscribe } from "./store.ts";
import type { View } from "./view.ts";

const MAX_CHANGES = 256; // that one iterator has not read; at the limit, one view marked as a snapshot replaces them
const MAX_NEWS = 1000; // since the last turn; at the limit, the oldest is dropped

/** The requests about one table. */
export type TableRequest = Extract<Request, { table: string }>["type"];
type FieldsAt<T extends TableRequest> = Omit<FieldsOf<T>, "table">;

/** What an action would change. */
export interface Preview<G extends Game = AnyGame> {
  /** The view after the action. */
  readonly view: View<G>;
  /** The change of each seat's score; null where the user cannot know it. */
  readonly scores: readonly (number | null)[];
}

/** A table that this client watches. */
export class Table<G extends Game = AnyGame> {
  readonly id: string;
  #client: Client;
  #views = new Store<View<G>>(null as never); // `Client.watch` waits for the first view
  /** Call a listener with the present view and every later one, until the returned function is called. */
  readonly subscribe: (listener: (view: View<G>) => void) => Unsubscribe = this.#views.subscribe;
  #checks = new Store<null>(null); // changes with everything that `until` depends on
  #lost: Refused | null = null;

  /** Use `client.watch` instead. */
  constructor(client: Client, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** The table as the user sees it now. */
  get view(): View<G> {
    return this.#views.value;
  }

  /** Whether the view shows everything that the server has mentioned. */
  get isCurrent(): boolean {
    return !!this.#client.session.tables.get(this.id)?.isCurrent;
  }

  get isOver(): boolean {
    return this.view.info.status === "over";
  }

  /** Whether the table waits for this user. */
  get mustDecide(): boolean {
    return this.view.waiting.some(({ seat }) => seat === this.view.seat);
  }

  // Requests

  /** Send a request about this table; when its promise resolves, the view shows the effect. */
  async send<T extends TableRequest>(
    type: T,
    ...[fields]: object extends FieldsAt<T> ? [fields?: FieldsAt<T>] : [fields: FieldsAt<T>]
  ): Promise<ReplyTo<T>> {
    const reply = await this.#client.send(type, { ...fields, table: this.id } as unknown as FieldsOf<T>);
    if (reply.type === "done") await this.until(() => this.isCurrent || undefined);
    return reply;
  }

  /** Take this seat, or the first free one, and add random bytes to the seed; return the seat. */
  async sit(seat: number | null = null): Promise<number> {
    const invitation = this.#client.session.tables.get(this.id)?.terms.invitation ?? "";
    const done = await this.send("sit", { seat, invitation });
    await this.addEntropy();
    return done.seat as number;
  }

  /** Add random bytes to the seed, so that no other party can choose it; do nothing if they are there already. */
  async addEntropy(): Promise<void> {
    const { info, seat } = this.view;
    const seated = info.seats[seat ?? -1];
    if (info.status !== "open" || !info.commitment || !seated || seated.entropy) return;
    const bytes = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
    await this.send("contribute", { entropy: bytes.join("") }).catch((error) => {
      if (!(error instanceof Refused)) throw error; // the game has started, or the host removed this user
    });
  }

  /** Put house bots on all seats that are free and not reserved. */
  async fill(policy = "greedy"): Promise<void> {
    const { seats, reserved = [] } = this.view.info;
    for (const seat of seats.keys()) {
      if (!seats[seat] && !reserved.includes(seat)) await this.send("add_bot", { policy, seat });
    }
  }

  /** Answer an offer, by default the present one. */
  act(action: G["action"], offer: number = this.view.offer?.id ?? 0): Promise<ReplyTo<"act">> {
    return this.send("act", { offer, action: action as FieldsOf<"act">["action"] });
  }

  /** Return the view as it would be after an action, and the change of the scores. */
  preview(action: G["action"]): Promise<Preview<G>> {
    const fields = { table: this.id, action: action as FieldsOf<"preview">["action"] };
    return this.#client.send("preview", fields, ({ board, hand, scores }) => {
      const { view } = this;
      const patched = { board: applyPatch(view.board as Value, board), hand: applyPatch(view.hand as Value, hand) };
      return { scores, view: Object.freeze({ ...view, ...patched } as View<G>) };
    });
  }

  // Turns and changes

  [Symbol.asyncIterator](): AsyncGenerator<Turn<G>> {
    return this.turns();
  }

  /** Yield a turn whenever the table waits for this user, until the end; with `free`, whenever they may act. */
  async *turns({ free = false } = {}): AsyncGenerator<Turn<G>> {
    let news: View<G>["news"] = [];
    let last: Turn<G> | undefined;
    const stop = this.subscribe((view) => {
      news = [...news, ...view.news].slice(-MAX_NEWS);
    });
    try {
      while (await this.until(() => (this.isOver ? false : this.#isTurn(free, last) || undefined))) {
        last = new Turn(this, news, () => this.update());
        news = [];
        yield last;
      }
    } finally {
      stop();
    }
  }

  // An unanswered turn is not repeated, unless the offer changed or the decision became obligatory.
  #isTurn(free: boolean, last?: Turn<G>): boolean {
    const { view, mustDecide } = this;
    const seated = view.info.seats[view.seat ?? -1];
    if (!this.isCurrent || !view.offer?.choices.length || !seated || seated.bot) return false; // or a bot plays for them
    return (free || mustDecide) && !(last?.isOpen && last.offer === view.offer && last.must === mustDecide);
  }

  /** Yield the present view and then every later one, until the game is over; with `afterEnd`, also after that. */
  async *changes({ afterEnd = false } = {}): AsyncGenerator<View<G>> {
    let queue: View<G>[] = [];
    const stop = this.subscribe((view) => {
      queue = queue.length < MAX_CHANGES ? [...queue, view] : [{ ...view, news: [], snapshot: true }];
    });
    try {
      while (await this.until(() => queue.length > 0 || (this.isOver && !afterEnd ? false : undefined))) {
        yield queue.shift() as View<G>;
      }
    } finally {
      stop();
    }
  }

  /** Wait until `find` returns something else than undefined; it is asked again after every change. */
  until<R>(find: () => R | undefined): Promise<R> {
    return this.#checks.until(() => {
      const found = find();
      const reason = this.#lost ?? this.#client.status.reason;
      if (found === undefined && reason) throw reason;
      return found;
    });
  }

  // Following

  /** Wait until this client has seen everything that has happened up to now. */
  async catchUp(terms?: WatchTerms): Promise<void> {
    await this.#client.sendWatch(this.id, terms);
    await this.until(() => this.isCurrent || undefined);
  }

  /** Take in a new view, or only a reason to look again. */
  update(view?: View<AnyGame>): void {
    if (view) this.#views.set(view as unknown as View<G>);
    this.#checks.set(null);
  }

  /** Take in that the server no longer lets this client watch the table. */
  lose(reason: Refused): void {
    this.#lost = reason;
    this.update();
  }
}

/** A moment at which this user may decide. */
export class Turn<G extends Game = AnyGame> {
  readonly table: Table<G>;
  readonly view: View<G>;
  readonly offer: OfferOf<G["action"]>;
  /** What happened since the last turn. */
  readonly news: View<G>["news"];
  /** Whether the table waits for the decision; otherwise it is optional. */
  readonly must: boolean;
  /** Whether nothing was answered yet. */
  isOpen = true;
  #wake: () => void;

  constructor(table: Table<G>, news: View<G>["news"], wake: () => void) {
    this.table = table;
    this.view = table.view;
    this.offer = table.view.offer as OfferOf<G["action"]>;
    this.news = news;
    this.must = table.mustDecide;
    this.#wake = wake;
  }

  /**
   * Choose an action; return false if the table advanced first, and then decide again at the next turn.
   *
   * A refusal by a table that has not advanced is thrown.
   */
  async act(action: G["action"]): Promise<boolean> {
    try {
      await this.table.act(action, this.offer.id);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await this.table.catchUp();
      if (this.table.view.version === this.view.version) throw error;
      return false;
    } finally {
      this.isOpen = false; // the iterator yields the same offer again if it is still open
      this.#wake();
    }
  }
}
