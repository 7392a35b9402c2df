/**
 * The client: it runs a session on one websocket after the other, checks that they are alive, connects again, and keeps
 * the promises of its callers.
 */

import { Closed, Refused } from "./errors.ts";
import type { Bye, Refused as RefusedMessage, Reply, Request } from "./messages.ts";
import {
  type Codec,
  createSession,
  type Event,
  type NewRequest,
  type ReplyTo,
  type Session,
  type WatchTerms,
} from "./session.ts";
import { createStore, notify, type Subscribe, type Unsubscribe } from "./store.ts";

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

/** One user's connection to a server. It outlives its websockets. */
export interface Client {
  readonly url: string;
  readonly codec: Codec;
  readonly options: ClientOptions;
  readonly session: Session;
  readonly status: Status;
  /** Call a listener with the present status and every later one, until the returned function is called. */
  readonly subscribe: Subscribe<Status>;
  /** By how many milliseconds the server's clock was ahead when it said welcome. */
  readonly clockOffset: number;
  /** Wait until the server has welcomed the client. */
  ready(): Promise<Client>;
  /** Call a listener with everything that the session tells: problems, pushed messages, changes of tables. */
  listen(listener: (event: Event) => void): Unsubscribe;
  /** End the connection for good; requests without a reply are rejected. */
  close(reason?: Closed): void;
  /**
   * Send a request of any type and return its reply, across lost connections if necessary.
   *
   * The promise is rejected with Refused or Closed. `read` turns the reply into something else as soon as it arrives.
   */
  send<T extends Request["type"], R = ReplyTo<T>>(
    type: T,
    fields: FieldsOf<T>,
    read?: (reply: ReplyTo<T>) => R,
  ): Promise<R>;
  /** Watch a table, from the version held unless there are terms; `watch` of tables.ts is more convenient. */
  watch(table: string, terms?: WatchTerms): Promise<ReplyTo<"watch">>;
}

const FIRST_DELAY = 100; // milliseconds before a reconnect, at most; the limit doubles after each failure
const MAX_DELAY = 5000;
const MAX_HINT = 60_000; // a longer delay that a server asks for is shortened to this
const HANDSHAKE_TIMEOUT = 10_000; // for a websocket to open and the server to say welcome
const PROBE_TIMEOUT = 1000; // for a sign of life after the page was hidden
const STEADY_RETRIES = 20; // retries of a temporarily refused request before the delay grows
const EXTRA_FAILURES = 4; // doublings that are skipped when the client should slow down
const MAX_SILENT_BEATS = 3; // half heartbeats without a frame although a reply is due, after which the connection counts as dead
const MAX_HEARTBEAT = 600; // seconds
const MAX_PENDING = 64; // requests without a reply
const FINAL_CODES = [1000, 1002, 1003, 1007, 1008, 1009, 4002, 4005, 4010]; // a reconnect would fail in the same way
const BACK_OFF_CODES = [1013, 4008, 4012];
const PAGE_EVENTS = ["online", "visibilitychange"];
const TOO_MANY = "too_many_requests";

/** Create a client. It connects at once, and again whenever the connection breaks. */
export function createClient(url: string, codec: Codec, options: ClientOptions): Client {
  const { WebSocket = globalThis.WebSocket as WebSocketConstructor, dial = String, random = Math.random } = options;
  const prefix = Math.random().toString(36).slice(2); // makes the ids of this client's requests unique for the user
  const session = createSession(options.token, codec, prefix, options.client);
  const status = createStore<Status>({ state: "offline", since: Date.now(), reason: null });
  const listeners = new Set<(event: Event) => void>();
  const waiters = new Map<string, (reply: Reply | Closed) => void>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>(); // by request, and a few of the client's own
  let socket: WebSocketLike | null = null;
  let failures = 0; // since the last welcome
  let bye: Partial<Bye> = {};
  let clockOffset = 0;

  const client: Client = {
    url,
    codec,
    options,
    session,
    subscribe: status.subscribe,

    get status() {
      return status.value;
    },

    get clockOffset() {
      return clockOffset;
    },

    ready: () =>
      status.until(({ state, reason }) => {
        if (reason) throw reason;
        return state === "online" ? client : undefined;
      }),

    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    close(reason = new Closed(1000, "closed")) {
      if (status.value.reason) return;
      for (const type of PAGE_EVENTS) globalThis.removeEventListener?.(type, wake);
      release()?.close(1000);
      stop(...timers.keys());
      setState("closed", reason);
      for (const settle of waiters.values()) settle(reason);
    },

    send: (type, fields, read) => exchange(() => session.request({ type, ...fields } as unknown as NewRequest), read),

    watch: (id, terms) => exchange(() => session.watch(id, terms)),
  };

  function exchange<R>(start: () => string, read: (reply: never) => R = (reply) => reply): Promise<R> {
    return new Promise((resolve, reject) => {
      if (status.value.reason) throw status.value.reason;
      if (waiters.size >= MAX_PENDING) throw new Refused({ code: TOO_MANY, sentence: TOO_MANY });
      waiters.set(start(), (reply) => {
        if (reply instanceof Closed) reject(reply);
        else if (reply.type === "refused") reject(new Refused(reply));
        else resolve(new Promise((done) => done(read(reply as never)))); // `read` may throw
      });
      flush();
    });
  }

  // From one websocket to the next

  function open(): void {
    setState("connecting");
    try {
      const opened = new WebSocket(dial(findAddress()), codec.subprotocol);
      opened.binaryType = "arraybuffer";
      opened.onopen = () => {
        session.opened();
        flush();
      };
      opened.onmessage = ({ data }) => receive(data);
      opened.onclose = ({ code, reason }) => handleClose(code, reason);
      opened.onerror = () => {}; // `onclose` follows
      socket = opened;
      after("alive", HANDSHAKE_TIMEOUT, drop);
    } catch (error) {
      client.close(new Closed(0, `${error}`));
    }
  }

  /** Return the address that `bye` named, for the first attempt only, and never from a secure server to another. */
  function findAddress(): string {
    const usual = `${url.replace(/^http/, "ws").replace(/\/(v1\/ws)?$/, "")}/v1/ws`;
    const other = bye.reconnect_to ?? "";
    bye = {};
    const isSafe = other.startsWith("wss:") || other.startsWith(usual.slice(0, 4));
    return failures === 1 && isSafe ? other : usual;
  }

  /** Detach from the websocket and return it; its events no longer count. */
  function release(): WebSocketLike | null {
    const released = socket;
    if (released) released.onopen = released.onmessage = released.onclose = null;
    socket = null;
    session.lost();
    stop("alive", "probe", "open");
    return released;
  }

  /** Give up this websocket without waiting for the other side, and connect again. */
  function drop(): void {
    const dropped = release();
    (dropped?.terminate ?? dropped?.close)?.call(dropped);
    handleClose(1006, "");
  }

  function handleClose(code: number, reason: string): void {
    release();
    const announced = bye.code ?? code;
    const final = [code, announced].find((each) => FINAL_CODES.includes(each));
    if (final) client.close(new Closed(final, reason || bye.reason || "closed"));
    else {
      if (BACK_OFF_CODES.includes(announced)) failures += EXTRA_FAILURES;
      setState("offline");
      after("open", findDelay(bye.reconnect_in_ms, 0, FIRST_DELAY, failures++), open);
    }
  }

  // Full jitter: a random delay up to a limit that doubles with each failure.
  function findDelay(hint: number | null | undefined, low: number, first: number, doublings: number): number {
    const limit = Math.min(first * 2 ** Math.max(0, doublings), MAX_DELAY);
    return Math.min(Math.max(hint ?? low + random() * (limit - low), 1), MAX_HINT);
  }

  function setState(state: Status["state"], reason: Closed | null = null): void {
    if (status.value.state !== state) status.set({ state, since: Date.now(), reason });
  }

  function after(name: string, delay: number, action: () => void): void {
    stop(name);
    timers.set(name, setTimeout(action, delay));
  }

  function stop(...names: string[]): void {
    for (const name of names) {
      clearTimeout(timers.get(name));
      timers.delete(name);
    }
  }

  // The page

  /** Connect at once if the page is shown again, or has its network back; a connection may be dead without knowing it. */
  function wake(): void {
    if (globalThis.document?.hidden) return;
    session.probe();
    flush();
    after("probe", status.value.state === "online" ? PROBE_TIMEOUT : 0, reconnect);
  }

  function reconnect(): void {
    drop();
    stop("open");
    open();
  }

  // On one websocket

  function flush(): void {
    if (socket?.readyState === 1) for (const frame of session.take()) socket.send(frame);
  }

  function receive(data: unknown): void {
    stop("probe");
    for (const event of session.receive(data)) handleEvent(event);
    flush();
  }

  /** Let the session check the connection twice per heartbeat; it is in seconds, or whatever a hostile server says. */
  function scheduleBeat(heartbeat: number): void {
    after("alive", Math.min(Math.max(heartbeat, 1) || 1, MAX_HEARTBEAT) * 500, () => {
      if (session.silence >= MAX_SILENT_BEATS) return drop();
      session.beat();
      flush();
      scheduleBeat(heartbeat);
    });
  }

  // Events

  function handleEvent(event: Event): void {
    const [type, fact] = event;
    if (type === "welcome") {
      stop("patience");
      failures = 0;
      clockOffset = fact.time - Date.now();
      scheduleBeat(fact.heartbeat);
      setState("online");
    }
    if (type === "refused" && event[2]) client.close(new Closed(4002, fact.sentence, fact.code));
    if (type === "replied") settle(fact);
    if (type === "postponed") scheduleRetry(fact, event[2]);
    if (type === "pushed" && fact.type === "bye") bye = fact;
    if (fact === "unreadable") {
      failures += EXTRA_FAILURES;
      drop();
    }
    notify(listeners, event);
  }

  function settle(reply: Reply): void {
    const waiter = waiters.get(reply.re);
    stop(reply.re);
    waiters.delete(reply.re);
    waiter?.(reply);
  }

  // A store fails over within three to seven seconds. The first retries stay quick, so that they succeed soon after.
  function scheduleRetry({ re, retry_after_ms }: RefusedMessage, times: number): void {
    after(re, findDelay(retry_after_ms, FIRST_DELAY, 5 * FIRST_DELAY, times - STEADY_RETRIES), () => {
      session.resend(re);
      flush();
    });
  }

  after("patience", options.patience ?? 60_000, () => client.close(new Closed(0, "no server")));
  for (const type of PAGE_EVENTS) globalThis.addEventListener?.(type, wake);
  open();
  return client;
}
