/**
 * One client's side of the protocol, without any I/O: frames in, events out, frames to send.
 *
 * The owner of the socket calls `opened` when it opens, `receive` for every frame, `lost` when it
 * closes, `beat` twice per heartbeat, and `resend` some time after a `postponed` event. After each of these calls it
 * sends what `take` returns. No message of a server makes the session throw. After a problem of the kind
 * `unreadable`, the owner should connect again.
 *
 * The connection is a machine of three states:
 *
 *     offline --opened--> greeting --welcome--> welcomed (it has a `welcome`)
 *        ^------------lost----------------------'
 *
 * The session sends `hello` in *greeting*, with the version of every running game that it holds. A request stays
 * pending until its reply arrives, even if the connection is lost. The session sends it when it is *welcomed*, and
 * sends it again, unchanged, after each later welcome. The server recognises it by its id: no request is lost, and none
 * is applied twice.
 *
 * Every watched table is a machine too. It holds a *valid* version, or nothing; a `watch` is *pending* or not.
 *
 *     message                     holding version v                      holding nothing
 *     update v + 1                apply it: v + 1                        ignore it, watch
 *     update v or older           ignore it                                "
 *     update v + 2 or newer       a gap: ignore it, watch from v           "
 *     a patch or digest is wrong  discard the document, watch              -
 *     snapshot of any version     load it                                load it
 *     watching, older than v      the table went back: discard, watch    -
 *     watching v, another fork      "                                    -
 *     resumed v                   compare fork and digests               watch
 *     resumed, newer than v       a gap: watch from v                    watch
 *
 * A table goes back when the store has lost its last entries. Its log may then reach version v with another history, so
 * every version has a *fork*, which names its history. The session sends the fork of the version it holds with every
 * `watch` and `hello`. A server with another history answers with a snapshot, which may be older than v.
 *
 * After `hello` the server sends what a table has missed, and then `resumed` with the version and the digests that the
 * session must have now.
 *
 * "Watch" means: send a `watch` unless one is pending. If a snapshot itself is wrong, the session asks for another at
 * the next beat. A view is kept for people to look at until a better one arrives, also when it is no longer valid.
 */

import type { RefusedFields } from "./errors.ts";
import type {
  Bye,
  Done,
  Lobby,
  Push,
  Refused,
  Reply,
  Request,
  Resumed,
  Snapshot,
  Update,
  Watch,
  Watching,
  Welcome,
} from "./messages.ts";
import { checkMessage } from "./shape.ts";
import { applyUpdate, loadSnapshot, matches, setPointer, type View, WRONG_DIGEST } from "./view.ts";

export type Frame = string | Uint8Array;

/** An encoding of messages, under the name of its subprotocol. */
export interface Codec {
  readonly subprotocol: string;
  encode(message: object): Frame;
  /** Return what a frame holds, or throw. */
  decode(frame: unknown): unknown;
}

/** A request without its id, which the session gives it. */
export type NewRequest<R extends Request = Request> = R extends Request ? Omit<R, "id"> : never;

/** The terms on which a client watches a table: an invitation, a seat to look over the shoulder of, or a replay. */
export type WatchTerms = Partial<Pick<Watch, "invitation" | "as" | "open" | "pace" | "from">>;

/** The ways in which a message of the server can be wrong; the session recovers where it can. */
export type Problem = "unreadable" | "unasked" | "went_back" | "gap" | "bad_patch" | "wrong_digest";

/** What happened, and its facts. */
export type Event =
  | readonly [type: "welcome", welcome: Welcome]
  | readonly [type: "refused", refused: Refused, isFinal: boolean]
  | readonly [type: "replied", reply: Reply]
  | readonly [type: "postponed", refused: Refused, times: number]
  | readonly [type: "changed", view: View]
  | readonly [type: "lost", table: string, refused: RefusedFields]
  | readonly [type: "pushed", push: Lobby | Bye]
  | readonly [type: "problem", problem: Problem, table: string, detail: string];

/** A watched table; see the machine above. */
export interface WatchedTable {
  readonly id: string;
  terms: WatchTerms;
  /** The last good view; null before the first. */
  view: View | null;
  /** The version that the session holds; null if it has none, or a wrong one. */
  version: number | null;
  /** The user's own seat. */
  seat: number | null;
  /** The newest version that the server mentioned. */
  newest: number;
  /** The id of the pending watch; empty if there is none. */
  watch: string;
}

/** The state of a client that outlives its connections: pending requests and watched tables. */
export interface Session {
  /** The user's token, from the next connection on. */
  token: string;
  /** The server's welcome on this connection; null before it. */
  readonly welcome: Welcome | null;
  /** Half heartbeats in which a reply was due and no frame arrived. */
  readonly silence: number;
  readonly tables: Map<string, WatchedTable>;
  /** Send hello on a new connection. */
  opened(): void;
  /** Keep the caller's requests for the next connection, and drop the session's own. */
  lost(): void;
  /** Return the frames to send now, and forget them. */
  take(): Frame[];
  /**
   * Resend requests without a reply, and check an idle connection; call this every half heartbeat.
   *
   * The server needs no sign of life beyond pongs, which a websocket sends by itself. But a page cannot see the pings,
   * and a dead connection looks like one on which nothing happens. So the session asks something while it waits for
   * updates. A session that waits for nothing sends nothing.
   */
  beat(): void;
  /** Send a request whose reply shows that the connection is alive. */
  probe(): void;
  /** Send a request as soon as the server has welcomed the client, keep it until its reply arrives; return its id. */
  request(request: NewRequest): string;
  /** Watch a table, from the version held unless there are terms, and return the id of the request. */
  watch(table: string, terms?: WatchTerms): string;
  /** Send a pending request again, unchanged. */
  resend(id: string): void;
  /** Drop a request whose caller no longer waits; the server may still carry it out. */
  forget(id: string): void;
  /** Decode a frame and return the events that it causes. */
  receive(frame: unknown): Event[];
}

const MAX_RESUMED = 32; // tables in one hello; the others are watched afterwards
// The same request is sent again later; `hello_once` comes when the welcome was lost and the hello was doubled.
const TEMPORARY = /^(try_again|too_fast|shutting_down|too_many_connections|hello_once)$/;

interface Replies {
  hello: "welcome";
  ping: "pong";
  list_tables: "tables";
  create: "created";
  rematch: "created";
  invite: "invitation";
  point: "noted";
  watch: "watching";
  preview: "previewed";
  explain: "explained";
  describe: "described";
}

/** The reply to a request of this type. */
export type ReplyTo<T extends Request["type"]> = Extract<
  Reply,
  { type: T extends keyof Replies ? Replies[T] : "done" }
>;

interface Pending {
  readonly request: Request;
  readonly frame: Frame;
  readonly isOwn: boolean; // sent by the session itself: valid on one connection only, and no caller waits for it
  beats: number; // half heartbeats since it was sent
  times: number; // temporary refusals, after which it was sent again
}

/** Create a session; `prefix` makes the ids of its requests unique for the user. */
export function createSession(token: string, codec: Codec, prefix: string, client = ""): Session {
  const tables = new Map<string, WatchedTable>();
  const pending = new Map<string, Pending>();
  let outgoing: Frame[] = [];
  let events: Event[] = [];
  let resumed: WatchedTable[] = []; // tables in the last hello
  let isIdle = true; // nothing was sent since the last beat
  let count = 0;

  const session = {
    token,
    welcome: null as Welcome | null,
    silence: 0,
    tables,

    // The connection

    opened() {
      session.lost();
      resumed = [...tables.values()].filter(isResumable).slice(0, MAX_RESUMED);
      const collect = <T>(find: (table: WatchedTable) => T) =>
        Object.fromEntries(resumed.map((table) => [table.id, find(table)])) as Record<string, NonNullable<T>>;
      const resume = collect((table) => table.version);
      const invitations = collect((table) => table.terms.invitation ?? "");
      add({ type: "hello", token: session.token, client, resume, forks: collect(forkOf), invitations }, true);
    },

    lost() {
      session.welcome = null;
      outgoing = [];
      for (const [id, each] of pending) if (each.isOwn) session.forget(id);
    },

    take() {
      const frames = outgoing;
      outgoing = [];
      return frames;
    },

    beat() {
      if (!session.welcome) return;
      for (const [id, each] of pending) if (++each.beats > 1) session.resend(id);
      for (const table of tables.values()) if (!isCurrent(table)) watch(table);
      if (isIdle && tables.size) session.probe();
      isIdle = true;
      if (pending.size) session.silence++;
    },

    // It is a `watch` of one table after the other, which also detects a lost update that no later one reveals.
    probe() {
      const table = [...tables.values()].find((each) => !each.watch && isPlain(each) && !isDelayed(each));
      if (table) {
        tables.delete(table.id);
        tables.set(table.id, table);
        watch(table);
      } else if (session.welcome) add({ type: "ping" }, true);
    },

    // Requests

    request(request: NewRequest) {
      if (request.type === "unwatch") {
        dropOwnWatches(request.table);
        tables.delete(request.table);
      }
      return add(request);
    },

    watch(id: string, terms?: WatchTerms) {
      dropOwnWatches(id);
      const table = (!terms && tables.get(id)) || createWatched(id, terms);
      tables.set(id, table);
      table.watch = add(buildWatch(table));
      return table.watch;
    },

    resend(id: string) {
      const each = pending.get(id);
      if (!each || !session.welcome) return;
      each.beats = 0;
      push(each);
    },

    forget(id: string) {
      for (const table of tables.values()) if (table.watch === id) table.watch = "";
      pending.delete(id);
    },

    receive(frame: unknown) {
      session.silence = 0;
      events = [];
      try {
        dispatch(codec.decode(frame) as Reply | Push);
      } catch (error) {
        report("unreadable", "", error);
      }
      return events;
    },
  };

  function add(request: NewRequest, isOwn = false): string {
    const id = `${prefix}-${++count}`;
    const complete = { ...request, id } as Request;
    const each = { request: complete, frame: codec.encode(complete), isOwn, beats: 0, times: 0 };
    pending.set(id, each);
    if (session.welcome || request.type === "hello") push(each);
    return id;
  }

  function push({ frame }: Pending): void {
    outgoing.push(frame);
    isIdle = false;
  }

  function watch(table: WatchedTable): void {
    if (!table.watch && session.welcome) table.watch = add(buildWatch(table), true);
  }

  /** Drop the session's own watches of a table that it left or watches on other terms. */
  function dropOwnWatches(table: string): void {
    for (const [id, { request, isOwn }] of pending) {
      if (isOwn && request.type === "watch" && request.table === table) session.forget(id);
    }
  }

  function report(problem: Problem, table: string, detail: unknown): void {
    events.push(["problem", problem, table, `${detail}`]);
  }

  // Messages. A later server may push others; a client can play without them.

  function dispatch(message: Reply | Push): void {
    checkMessage(message);
    if ("re" in message) handleReply(message, pending.get(message.re));
    else if (message.type === "bye" || message.type === "lobby") events.push(["pushed", message]);
    else handlePush(message, tables.get(message.table));
  }

  function handlePush(message: Exclude<Push, Bye | Lobby>, table?: WatchedTable): void {
    if (!table) return;
    if (message.type === "update") handleUpdate(table, message);
    if (message.type === "snapshot") handleSnapshot(table, message);
    if (message.type === "resumed") settle(table, message);
    if (message.type === "lost") {
      if (TEMPORARY.test(message.code)) watch(table);
      else lose(table, message);
    }
    if (message.type === "pointed" && table.view && table.version !== null)
      show(table, setPointer(table.view, message));
  }

  // A request that was sent twice gets two replies; the second one is expected.
  function handleReply(reply: Reply, each?: Pending): void {
    if (reply.type === "refused") handleRefusal(reply, each);
    else if (each) {
      if ((reply.type === "welcome") !== (each.request.type === "hello")) throw new RangeError("wrong reply");
      if (reply.type === "welcome") handleWelcome(reply);
      else complete(reply, each);
    }
  }

  function handleWelcome(welcome: Welcome): void {
    session.forget(welcome.re);
    session.welcome = welcome;
    for (const id of pending.keys()) session.resend(id);
    for (const table of tables.values()) if (!resumed.includes(table)) watch(table);
    events.push(["welcome", welcome]);
  }

  function handleRefusal(refused: Refused, each?: Pending): void {
    const { code, re } = refused;
    if (!each) {
      if (!re) report("unasked", "", code);
    } else if (each.request.type === "hello") {
      session.forget(re);
      events.push(["refused", refused, !TEMPORARY.test(code)]);
    } else if (!TEMPORARY.test(code)) complete(refused, each);
    else events.push(["postponed", refused, ++each.times]);
  }

  function complete(reply: Reply, { request, isOwn }: Pending): void {
    session.forget(reply.re);
    const table = "table" in request && tables.get(request.table);
    if (table && reply.type === "watching") settle(table, reply);
    if (table && reply.type === "refused" && request.type === "watch") lose(table, reply);
    if (table && reply.type === "done") noteDone(table, request, reply);
    if (!isOwn) events.push(["replied", reply]);
  }

  // Tables

  /** Compare the version held with the one that the table has. */
  function settle(table: WatchedTable, reply: Watching | Resumed): void {
    const { type, version, fork, seat = null } = reply;
    const { view } = table;
    const held = forkOf(table);
    table.newest = version;
    table.seat = seat;
    if (!view || table.version === null || table.version < version) {
      if (type === "resumed") watch(table); // everything that was missed has arrived before; something was lost again
    } else if (
      table.version > version ||
      (fork && held && fork !== held) ||
      (type === "resumed" && !matches(view, reply))
    ) {
      discard(table, "went_back", version);
    } else if (view.seat !== seat) show(table, Object.freeze({ ...view, seat, news: [], snapshot: true }));
  }

  function lose(table: WatchedTable, refused: RefusedFields): void {
    tables.delete(table.id);
    events.push(["lost", table.id, refused]);
  }

  function show(table: WatchedTable, view: View): void {
    table.view = view;
    table.version = view.version;
    table.seat = view.seat;
    events.push(["changed", view]);
  }

  // A wrong snapshot is not asked for again before the next beat.
  function handleSnapshot(table: WatchedTable, snapshot: Snapshot): void {
    if (table.version !== null && snapshot.version < table.version) table.newest = snapshot.version;
    table.version = null;
    try {
      show(table, loadSnapshot(snapshot));
    } catch (error) {
      report(nameOf(error), table.id, error);
    }
  }

  function handleUpdate(table: WatchedTable, update: Update): void {
    if (table.version !== null && update.version <= table.version) return;
    if (table.version === update.version - 1) advance(table, update);
    else if (!table.watch) {
      watch(table);
      table.newest = Math.max(table.newest, update.version);
      report("gap", table.id, update.version);
    }
  }

  function advance(table: WatchedTable, update: Update): void {
    try {
      show(table, applyUpdate(table.view as View, update, table.seat));
    } catch (error) {
      discard(table, nameOf(error), error);
    }
  }

  /** Discard the document and request a new one. */
  function discard(table: WatchedTable, problem: Problem, detail: unknown): void {
    dropOwnWatches(table.id); // a pending watch would continue from the wrong version
    table.version = null;
    table.watch = "";
    watch(table);
    report(problem, table.id, detail);
  }

  return session;
}

const createWatched = (id: string, terms: WatchTerms = {}): WatchedTable => ({
  id,
  terms,
  view: null,
  version: null,
  seat: null,
  newest: 0,
  watch: "",
});

/** Return whether the view has the newest version that the server mentioned. */
export const isCurrent = (table?: WatchedTable): boolean => table?.version != null && table.version >= table.newest;

/** Return whether `hello` can resume the table on its terms; otherwise the session watches it again. */
const isPlain = ({ terms }: WatchedTable): boolean => (terms.as ?? terms.pace ?? null) === null;

// Before a game starts, players change seats, and `watching` shows it first.
const isResumable = (table: WatchedTable): boolean =>
  table.version !== null && isPlain(table) && table.view?.info.status !== "open";

/** Return whether the server shows the table with a delay, as it may do to spectators. */
const isDelayed = ({ seat, view }: WatchedTable): boolean =>
  seat === null && !!view?.info.delay && view.info.status !== "over";

/** Return the fork of the version held; empty if it is unknown. */
const forkOf = ({ version, view }: WatchedTable): string => (version !== null && view?.fork) || "";

/** Build the request for everything since the version held. */
const buildWatch = (table: WatchedTable): NewRequest<Watch> => ({
  type: "watch",
  table: table.id,
  ...table.terms,
  from: table.version ?? table.terms.from ?? null,
  fork: forkOf(table),
});

// The update follows the reply. If the connection breaks in between, only the reply tells the client its new seat.
function noteDone(table: WatchedTable, request: Request, { seat = null, version }: Done): void {
  if (request.type === "sit") {
    table.seat = seat;
    table.terms = { invitation: table.terms.invitation ?? "" };
  }
  if (!isDelayed(table)) table.newest = Math.max(table.newest, version);
}

const nameOf = (error: unknown): Problem => (`${error}`.includes(WRONG_DIGEST) ? "wrong_digest" : "bad_patch");
