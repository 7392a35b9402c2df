/**
 * The client: it runs a session on one websocket after the other, sends heartbeats, connects again, and keeps the
 * promises of its callers.
 */

import { Closed, Refused } from "./errors.ts";
import type { AnyGame, Game, GameOf } from "./game.ts";
import { buildAddress } from "./guest.ts";
import type { Bye, Refused as RefusedMessage, Reply, Request, Watch } from "./messages.ts";
import { type Codec, type Event, type NewRequest, type ReplyTo, Session, type WatchTerms } from "./session.ts";
import { Store, type Unsubscribe } from "./store.ts";
import { Table } from "./table.ts";

/** The part of a websocket that this client uses; those of browsers, Node 22, Deno, Bun and `ws` have it. */
export interface WebSocketLike {
  binaryType: string;
  readonly readyState: number;
  // biome-ignore-start lint/suspicious/noExplicitAny: the events of `ws` are not those of browsers
  onopen: ((event: any) => void) | null;
  onmessage: ((event: any) => void) | null;
  onclose: ((event: any) => void) | null;
  onerror: ((event: any) => void) | null;
  send(data: any): void;
  // biome-ignore-end lint/suspicious/noExplicitAny: as above
  close(code?: number): void;
  terminate?(): void; // of `ws`, whose `close` keeps the process alive for half a minute
}

type WebSocketConstructor = new (url: string, protocol: string) => WebSocketLike;

export interface ClientOptions {
  /** The user's token; see `createGuest`. */
  readonly token: string;
  /** The constructor of websockets; the global one by default. */
  readonly WebSocket?: WebSocketConstructor;
  /** Rewrites every address before it is used, also those that the server names. */
  readonly dial?: (url: string) => string;
  /** For how many milliseconds the client tries to reach a server for the first time; 60,000 by default. */
  readonly patience?: number;
  /** The name and version of the program, for the server's log. */
  readonly client?: string;
  /** A source of random numbers, for tests. */
  readonly random?: () => number;
}

/** `connecting`: a websocket opens. `offline`: the next attempt follows by itself. `closed`: nothing follows. */
export interface Status {
  readonly state: "connecting" | "online" | "offline" | "closed";
  /** When the state began, in milliseconds since 1970. */
  readonly since: number;
  /** Why the client is closed; null if it is not. */
  readonly reason: Closed | null;
}

/** The fields of a request, without its id. */
export type FieldsOf<T extends Request["type"]> = Omit<Extract<Request, { type: T }>, "type" | "id">;

/** The settings of a new table; `options` are those of the game. */
export type TableSettings<G extends Game = AnyGame> = Omit<FieldsOf<"create">, "game" | "options"> & {
  readonly options?: Partial<G["options"]>;
};

const FIRST_DELAY = 100; // milliseconds before a reconnect, at most; the limit doubles after each failure
const MAX_DELAY = 5000;
const MAX_HINT = 60_000; // a longer delay that a server asks for is shortened to this
const HANDSHAKE_TIMEOUT = 10_000; // for a websocket to open and the server to say welcome
const PROBE_TIMEOUT = 1000; // for a sign of life after the page was hidden
const STEADY_RETRIES = 20; // retries of a temporarily refused request before the delay grows
const EXTRA_FAILURES = 4; // doublings that are skipped when the client should slow down
const MAX_SILENT_BEATS = 3; // half heartbeats without a frame after which the connection counts as dead
const MAX_PENDING = 64; // requests without a reply
const FINAL_CODES = [1000, 1002, 1003, 1007, 1008, 1009, 4002, 4005, 4010]; // a reconnect would fail in the same way
const BACK_OFF_CODES = [1013, 4008, 4012];
const TOO_MANY = { code: "too_many_requests", sentence: "Too many requests wait for a reply; this one was not sent." };

/** One user's connection to a server. It outlives its websockets. */
export class Client {
  readonly url: string;
  readonly codec: Codec;
  readonly options: ClientOptions;
  /** The protocol's state machine. */
  readonly session: Session;
  #status = new Store<Status>({ state: "offline", since: Date.now(), reason: null });
  /** Call a listener with the present status and every later one, until the returned function is called. */
  readonly subscribe: (listener: (status: Status) => void) => Unsubscribe = this.#status.subscribe;
  #events = new Store<Event | null>(null);
  #tables = new Map<string, Table<AnyGame>>();
  #waiters = new Map<string, (reply: Reply | Closed) => void>();
  #timers = new Map<string, ReturnType<typeof setTimeout>>(); // by request, and a few of the client's own
  #socket: WebSocketLike | null = null;
  #failures = 0; // since the last welcome
  #bye: Partial<Bye> = {};
  #clockOffset = 0;

  /** Connect at once, and again whenever the connection breaks. */
  constructor(url: string, codec: Codec, options: ClientOptions) {
    this.url = url;
    this.codec = codec;
    this.options = options;
    const prefix = Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) => byte.toString(36)).join("");
    this.session = new Session(options.token, codec, prefix, options.client ?? "palatine-typescript");
    this.#after("patience", options.patience ?? 60_000, () => this.close(new Closed(0, `There is no server at ${url}.`)));
    globalThis.addEventListener?.("online", this.#reconnect);
    globalThis.document?.addEventListener("visibilitychange", this.#handleVisibility);
    this.#open();
  }

  get status(): Status {
    return this.#status.value;
  }

  /** The time of the server's clock in milliseconds since 1970, estimated from its last welcome. */
  get serverTime(): number {
    return Date.now() + this.#clockOffset;
  }

  /** Wait until the server has welcomed the client. */
  async ready(): Promise<this> {
    await this.#status.until(({ state, reason }) => {
      if (reason) throw reason;
      return state === "online" || undefined;
    });
    return this;
  }

  /** Call a listener with everything that the session tells: problems, pushed messages, changes of tables. */
  listen(listener: (event: Event) => void): Unsubscribe {
    return this.#events.subscribe((event) => event && listener(event));
  }

  /** Return the HTTP address of a path on the server, as `dial` rewrites it. */
  address(path: string): string {
    return this.#dial(buildAddress(this.url, "http", path));
  }

  /** End the connection for good; requests without a reply are rejected. */
  close(reason = new Closed(1000, "This client has closed the connection.")): void {
    if (this.status.reason) return;
    globalThis.removeEventListener?.("online", this.#reconnect);
    globalThis.document?.removeEventListener("visibilitychange", this.#handleVisibility);
    this.#release()?.close(1000);
    this.#stop(...this.#timers.keys());
    this.#setState("closed", reason);
    for (const settle of this.#waiters.values()) settle(reason);
    for (const table of this.#tables.values()) table.update();
  }

  // Requests

  /**
   * Send a request of any type and return its reply, across lost connections if necessary.
   *
   * The promise is rejected with Refused or Closed. `read` turns the reply into something else as soon as it arrives.
   */
  send<T extends Request["type"], R = ReplyTo<T>>(
    type: T,
    fields: FieldsOf<T>,
    read?: (reply: ReplyTo<T>) => R,
  ): Promise<R> {
    return this.#exchange(() => this.session.request({ type, ...fields } as unknown as NewRequest), read);
  }

  /** Send a `watch`; `watch` is more convenient. */
  sendWatch(id: string, terms?: WatchTerms): Promise<ReplyTo<"watch">> {
    return this.#exchange(() => this.session.watch(id, terms));
  }

  /** Create a table and watch it. */
  async create<Name extends string>(game: Name, settings: TableSettings<GameOf<Name>>): Promise<Table<GameOf<Name>>> {
    return this.watch((await this.send("create", { game, ...settings } as FieldsOf<"create">)).table);
  }

  /** Watch a table, or over the shoulder of a seat that allows it (`as`); call `sit` on the table to play. */
  async watch<G extends Game = AnyGame>(id: string, terms?: Pick<Watch, "invitation" | "as">): Promise<Table<G>> {
    const table = this.#tables.get(id) ?? new Table<AnyGame>(this, id);
    this.#tables.set(id, table);
    await table.catchUp(terms);
    await table.addEntropy();
    return table as unknown as Table<G>;
  }

  /** Stop watching a table. */
  async unwatch(id: string): Promise<void> {
    this.#tables.delete(id);
    await this.send("unwatch", { table: id });
  }

  #exchange<R>(start: () => string, read: (reply: never) => R = (reply) => reply): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.status.reason) throw this.status.reason;
      if (this.#waiters.size >= MAX_PENDING) throw new Refused(TOO_MANY);
      this.#waiters.set(start(), (reply) => {
        if (reply instanceof Closed) reject(reply);
        else if (reply.type === "refused") reject(new Refused(reply));
        else resolve(read(reply as never));
      });
      this.#flush();
    });
  }

  // From one websocket to the next

  #open(): void {
    this.#setState("connecting");
    try {
      const { WebSocket = globalThis.WebSocket as WebSocketConstructor } = this.options;
      this.#attach(new WebSocket(this.#dial(this.#nextAddress()), this.codec.subprotocol));
    } catch (error) {
      this.close(new Closed(0, `No websocket can be opened: ${error}`));
    }
  }

  #dial(address: string): string {
    return this.options.dial?.(address) ?? address;
  }

  /** Return the address that `bye` named, for the first attempt only, and never from a secure server to another. */
  #nextAddress(): string {
    const usual = buildAddress(this.url, "ws", "/v1/ws");
    const { reconnect_to } = this.#bye;
    this.#bye = {};
    if (this.#failures !== 1 || !reconnect_to) return usual;
    const other = buildAddress(reconnect_to, "ws", "/v1/ws");
    return other.startsWith("wss:") || usual.startsWith("ws:") ? other : usual;
  }

  #attach(socket: WebSocketLike): void {
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.session.connectionMade();
      this.#flush();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code, reason }) => this.#handleClose(code, reason);
    socket.onerror = () => {}; // `onclose` follows
    this.#after("alive", HANDSHAKE_TIMEOUT, () => this.#drop());
  }

  /** Detach from the websocket and return it; its events no longer count. */
  #release(): WebSocketLike | null {
    const socket = this.#socket;
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    this.#socket = null;
    this.session.connectionLost();
    this.#stop("alive", "probe", "open");
    return socket;
  }

  /** Give up this websocket without waiting for the other side, and connect again. */
  #drop(): void {
    const socket = this.#release();
    if (socket?.terminate) socket.terminate();
    else socket?.close();
    this.#handleClose(1006, "");
  }

  #handleClose(code: number, reason: string): void {
    this.#release();
    const { code: announced = code, reason: sentence } = this.#bye;
    const final = [code, announced].find((each) => FINAL_CODES.includes(each));
    if (final) return this.close(new Closed(final, reason || sentence || "The server closed the connection."));
    if (BACK_OFF_CODES.includes(announced)) this.#failures += EXTRA_FAILURES;
    this.#setState("offline");
    this.#after("open", this.#nextDelay(), () => this.#open());
  }

  // Full jitter: a random delay up to a limit that doubles with each failure.
  #nextDelay(): number {
    return this.#delay(this.#bye.reconnect_in, 0, FIRST_DELAY, this.#failures++);
  }

  #delay(hint: number | null | undefined, low: number, first: number, doublings: number): number {
    if (hint != null) return Math.min(Math.max(hint, 1), MAX_HINT);
    const limit = Math.min(first * 2 ** Math.max(0, Math.min(doublings, 16)), MAX_DELAY);
    return low + (this.options.random ?? Math.random)() * (limit - low);
  }

  #setState(state: Status["state"], reason: Closed | null = null): void {
    if (this.status.state !== state) this.#status.set(Object.freeze({ state, since: Date.now(), reason }));
  }

  #after(name: string, delay: number, action: () => void): void {
    this.#stop(name);
    this.#timers.set(name, setTimeout(action, delay));
  }

  #stop(...names: string[]): void {
    for (const name of names) {
      clearTimeout(this.#timers.get(name));
      this.#timers.delete(name);
    }
  }

  // The page

  /** Connect at once: the network is back, so an old websocket leads nowhere. */
  readonly #reconnect = (): void => {
    this.#drop();
    this.#stop("open");
    this.#open();
  };

  // The system may have cut the connection of a hidden page without telling it.
  readonly #handleVisibility = (): void => {
    if (document.visibilityState !== "visible") return;
    if (this.status.state !== "online") return this.#reconnect();
    this.session.sendSignOfLife();
    this.#flush();
    this.#after("probe", PROBE_TIMEOUT, this.#reconnect);
  };

  // On one websocket

  #flush(): void {
    if (this.#socket?.readyState !== 1) return;
    for (const frame of this.session.takeFrames()) this.#socket.send(frame);
  }

  #receive(data: unknown): void {
    this.#stop("probe");
    const events = this.session.receive(data instanceof ArrayBuffer ? new Uint8Array(data) : data);
    for (const event of events) this.#handleEvent(event);
    this.#flush();
  }

  #beat(): void {
    if (this.session.silentBeats >= MAX_SILENT_BEATS) return this.#drop();
    this.session.beat();
    this.#flush();
    this.#scheduleBeat();
  }

  #scheduleBeat(): void {
    this.#after("alive", Math.max(this.session.welcome?.heartbeat ?? 0, 1) * 500, () => this.#beat());
  }

  // Events

  #handleEvent(event: Event): void {
    if (event.type === "welcomed") this.#handleWelcome(event.welcome.time);
    if (event.type === "hello_refused" && event.final) {
      this.close(new Closed(4002, event.refused.sentence, event.refused.code));
    }
    if (event.type === "replied") this.#settle(event.reply);
    if (event.type === "postponed") this.#scheduleRetry(event.refused, event.times);
    if (event.type === "changed") this.#tables.get(event.table)?.update(event.view);
    if (event.type === "lost") this.#lose(event.table, new Refused(event.refused));
    if (event.type === "pushed" && event.push.type === "bye") this.#bye = event.push;
    if (event.type === "problem" && event.kind === "unreadable") this.#handleUnreadable();
    this.#events.set(event);
  }

  #handleWelcome(time: number): void {
    this.#stop("patience");
    this.#failures = 0;
    this.#clockOffset = time - Date.now();
    this.#scheduleBeat();
    this.#setState("online");
  }

  #handleUnreadable(): void {
    this.#failures += EXTRA_FAILURES;
    this.#drop();
  }

  #settle(reply: Reply): void {
    const settle = this.#waiters.get(reply.re);
    this.#stop(reply.re);
    this.#waiters.delete(reply.re);
    settle?.(reply);
  }

  #lose(id: string, reason: Refused): void {
    this.#tables.get(id)?.lose(reason);
    this.#tables.delete(id);
  }

  // A store fails over within three to seven seconds. The first retries stay quick, so that they succeed soon after.
  #scheduleRetry({ re, retry_after }: RefusedMessage, times: number): void {
    this.#after(re, this.#delay(retry_after, FIRST_DELAY, 5 * FIRST_DELAY, times - STEADY_RETRIES), () => {
      this.session.resend(re);
      this.#flush();
    });
  }
}
