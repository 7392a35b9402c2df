/**
 * One client's side of the protocol, without any I/O: frames in, events out, frames to send.
 *
 * The owner of the socket calls `connectionMade` when it opens, `receive` for every frame, `connectionLost` when it
 * closes, `beat` twice per heartbeat, and `resend` some time after a `postponed` event. After each of these calls it
 * sends what `takeFrames` returns. No message of a server makes the session throw. After a problem of the kind
 * `unreadable`, the owner should connect again.
 *
 * The connection is a machine of three states:
 *
 *     offline --connectionMade--> greeting --welcome--> welcomed
 *        ^------------connectionLost----------------------'
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
 *
 * A table goes back when the store has lost its last entries. Its log may then reach version v with another history, so
 * every version has a *fork*, which names its history. The session sends the fork of the version it holds with every
 * `watch` and `hello`. A server with another history answers with a snapshot, which may be older than v.
 *
 * "Watch" means: send a `watch` unless one is pending. If a snapshot itself is wrong, the session asks for another at
 * the next beat. A view is kept for people to look at until a better one arrives, also when it is no longer valid.
 */

import type { RefusedFields } from "./errors.ts";
import type { Bye, Done, Lobby, Lost, Push, Refused, Reply, Request, Resumed, Snapshot } from "./messages.ts";
import type { Update, Watch, Watching, Welcome } from "./messages.ts";
import { PatchError } from "./patch.ts";
import { hasShape } from "./shape.ts";
import { applyUpdate, loadSnapshot, setPointer, type View, WRONG_DIGEST } from "./view.ts";

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

export type ProblemKind = "unreadable" | "unasked" | "went_back" | "gap" | "bad_patch" | "wrong_digest";

/** A message of the server was wrong; the session recovers where it can. */
export interface Problem {
  readonly type: "problem";
  readonly kind: ProblemKind;
  readonly table: string;
  readonly detail: string;
}

export type Event =
  | Problem
  | { readonly type: "welcomed"; readonly welcome: Welcome }
  | { readonly type: "hello_refused"; readonly refused: Refused; readonly final: boolean }
  | { readonly type: "replied"; readonly request: Request; readonly reply: Reply }
  | { readonly type: "postponed"; readonly refused: Refused; readonly times: number }
  | { readonly type: "changed"; readonly table: string; readonly view: View }
  | { readonly type: "lost"; readonly table: string; readonly refused: RefusedFields }
  | { readonly type: "pushed"; readonly push: Lobby | Bye };

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
  readonly state: "offline" | "greeting" | "welcomed";
  /** The latest welcome of the server. */
  readonly welcome: Welcome | null;
  /** Half heartbeats since the last frame arrived. */
  readonly silentBeats: number;
  readonly tables: Map<string, WatchedTable>;
  /** Send hello on a new connection. */
  connectionMade(): void;
  /** Keep the caller's requests for the next connection, and drop the session's own. */
  connectionLost(): void;
  /** Return the frames to send now, and forget them. */
  takeFrames(): Frame[];
  /** Resend requests without a reply and send a sign of life; call this every half heartbeat. */
  beat(): void;
  /** Send a request whose reply shows that the connection is alive. */
  sendSignOfLife(): void;
  /** Send a request as soon as the server has welcomed the client, keep it until its reply arrives; return its id. */
  request(request: NewRequest): string;
  /** Watch a table, from the version held unless the terms are new, and return the id of the request. */
  watch(table: string, terms?: WatchTerms): string;
  /** Send a pending request again, unchanged. */
  resend(id: string): void;
  /** Drop a request whose caller no longer waits; the server may still carry it out. */
  forget(id: string): void;
  /** Decode a frame and return the events that it causes. */
  receive(frame: unknown): Event[];
}

const MAX_RESUMED = 32; // tables in one hello; the others are watched afterwards
const RETRY_LATER = ["try_again", "too_fast"]; // refusals after which the same request is sent again
const TEMPORARY = [...RETRY_LATER, "shutting_down", "too_many_connections"]; // the last two, after reconnecting

/** The types of replies, by requests; all others are `done`. */
const REPLIES = {
  hello: "welcome",
  ping: "pong",
  list_tables: "tables",
  create: "created",
  rematch: "created",
  invite: "invitation",
  point: "noted",
  watch: "watching",
  preview: "previewed",
  explain: "explained",
  describe: "described",
} as const;

/** The reply to a request of this type. */
export type ReplyTo<T extends Request["type"]> = Extract<
  Reply,
  { type: T extends keyof typeof REPLIES ? (typeof REPLIES)[T] : "done" }
>;

interface Pending {
  readonly request: Request;
  readonly frame: Frame;
  readonly isOwn: boolean; // sent by the session itself: valid on one connection only, and no caller waits for it
  beats: number; // half heartbeats since it was sent
  refusals: number; // temporary ones, after which it was sent again
}

type TablePush = Exclude<Push, Bye | Lobby>;

/** Create a session; `prefix` makes the ids of its requests unique for the user. */
export function createSession(token: string, codec: Codec, prefix: string, client = ""): Session {
  const tables = new Map<string, WatchedTable>();
  const pending = new Map<string, Pending>();
  let outgoing: Frame[] = [];
  let events: Event[] = [];
  let resumed: WatchedTable[] = []; // tables in the last hello that the server has not answered yet
  let isIdle = true; // nothing was sent since the last beat
  let count = 0;
  const session = {
    token,
    state: "offline" as Session["state"],
    welcome: null as Welcome | null,
    silentBeats: 0,
    tables,

    // The connection

    connectionMade(): void {
      session.connectionLost();
      session.state = "greeting";
      session.silentBeats = 0;
      resumed = [...tables.values()].filter(isResumable).slice(0, MAX_RESUMED);
      add({ type: "hello", token: session.token, client, ...describeHeld(resumed) }, true);
    },

    connectionLost(): void {
      session.state = "offline";
      outgoing = [];
      for (const [id, { isOwn }] of pending) if (isOwn) session.forget(id);
    },

    takeFrames(): Frame[] {
      const frames = outgoing;
      outgoing = [];
      return frames;
    },

    beat(): void {
      if (session.state !== "welcomed") return;
      for (const [id, each] of pending) if (++each.beats > 1) session.resend(id);
      for (const table of tables.values()) if (!isCurrent(table)) watch(table);
      if (isIdle) session.sendSignOfLife();
      isIdle = true;
      session.silentBeats++;
    },

    // It is a `watch` of one table after the other, which also detects a lost update that no later one reveals.
    sendSignOfLife(): void {
      const table = [...tables.values()].find((each) => !each.watch && isPlain(each) && !isDelayed(each));
      if (table) {
        tables.delete(table.id);
        tables.set(table.id, table);
        watch(table);
      } else add({ type: "ping" }, true);
    },

    // Requests

    request(request: NewRequest): string {
      if (request.type === "unwatch") {
        dropOwnWatches(request.table);
        tables.delete(request.table);
      }
      return add(request, false);
    },

    watch(id: string, terms?: WatchTerms): string {
      const held = tables.get(id);
      const table = held && (!terms || hasTerms(held, terms)) ? held : createWatched(id, terms);
      dropOwnWatches(id);
      tables.set(id, table);
      return (table.watch = add(buildWatch(table), false));
    },

    resend(id: string): void {
      const each = pending.get(id);
      if (each && session.state === "welcomed") {
        each.beats = 0;
        push(each.frame);
      }
    },

    forget(id: string): void {
      for (const table of tables.values()) if (table.watch === id) table.watch = "";
      pending.delete(id);
    },

    receive(frame: unknown): Event[] {
      session.silentBeats = 0;
      events = [];
      try {
        dispatch(codec.decode(frame) as Reply | Push);
      } catch (error) {
        report("unreadable", "", error);
      }
      return events;
    },
  };

  function add(request: NewRequest, isOwn: boolean): string {
    const id = `${prefix}-${++count}`;
    const complete = { ...request, id } as Request;
    const frame = codec.encode(complete);
    pending.set(id, { request: complete, frame, isOwn, beats: 0, refusals: 0 });
    if (session.state === "welcomed" || request.type === "hello") push(frame);
    return id;
  }

  function push(frame: Frame): void {
    outgoing.push(frame);
    isIdle = false;
  }

  function watch(table: WatchedTable): void {
    if (!table.watch && session.state === "welcomed") table.watch = add(buildWatch(table), true);
  }

  /** Drop the session's own watches of a table that it left or watches on other terms. */
  function dropOwnWatches(id: string): void {
    for (const [key, { request, isOwn }] of pending) {
      if (isOwn && request.type === "watch" && request.table === id) session.forget(key);
    }
  }

  function report(kind: ProblemKind, table: string, detail: unknown): void {
    events.push({ type: "problem", kind, table, detail: `${detail}` });
  }

  // Incoming messages. A later server may send messages of other types; a client can play without them.

  function dispatch(message: Reply | Push): void {
    const { type } = message;
    const fits = hasShape(message, type);
    if (typeof type !== "string" || fits === false) throw new TypeError(`${type} lacks a field`);
    if (!fits) return;
    if ("re" in message) handleReply(message);
    else if (message.type === "bye" || message.type === "lobby") events.push({ type: "pushed", push: message });
    else handlePush(message);
  }

  function handlePush(message: TablePush): void {
    const table = tables.get(message.table);
    if (!table) return;
    if (message.type === "update") handleUpdate(table, message);
    if (message.type === "snapshot") handleSnapshot(table, message);
    if (message.type === "resumed") handleResumed(table, message);
    if (message.type === "lost") handleLost(table, message);
    if (message.type === "pointed" && table.view && table.version !== null) show(table, setPointer(table.view, message));
  }

  // Replies. A request that was sent twice gets two of them; the second one is expected.

  function handleReply(reply: Reply): void {
    const each = pending.get(reply.re);
    if (each) handleAwaitedReply(each, reply);
    else if (reply.type === "refused" && !reply.re) report("unasked", "", `${reply.code}: ${reply.sentence}`);
  }

  function handleAwaitedReply(each: Pending, reply: Reply): void {
    const { type } = each.request;
    if (reply.type === "refused") handleRefusal(each, reply);
    else if (reply.type !== ((REPLIES as Record<string, string>)[type] ?? "done")) throw new TypeError(`${type} got ${reply.type}`);
    else if (reply.type === "welcome") handleWelcome(reply);
    else complete(each, reply);
  }

  function handleWelcome(welcome: Welcome): void {
    session.forget(welcome.re);
    session.state = "welcomed";
    session.welcome = welcome;
    for (const id of pending.keys()) session.resend(id);
    for (const table of tables.values()) if (!resumed.includes(table)) watch(table);
    events.push({ type: "welcomed", welcome });
  }

  function handleRefusal(each: Pending, refused: Refused): void {
    const isTemporary = TEMPORARY.includes(refused.code);
    if (each.request.type === "hello") {
      session.forget(refused.re);
      events.push({ type: "hello_refused", refused, final: !isTemporary });
    } else if (!isTemporary) complete(each, refused);
    else if (++each.refusals && RETRY_LATER.includes(refused.code)) {
      events.push({ type: "postponed", refused, times: each.refusals });
    }
  }

  function complete({ request, isOwn }: Pending, reply: Reply): void {
    session.forget(reply.re);
    const table = "table" in request && tables.get(request.table);
    if (table && request.type === "watch") handleWatchReply(table, reply as Watching | Refused);
    if (table && reply.type === "done") noteDone(table, request, reply);
    if (!isOwn) events.push({ type: "replied", request, reply });
  }

  // Tables

  function handleWatchReply(table: WatchedTable, reply: Watching | Refused): void {
    if (reply.type === "refused") return lose(table, reply);
    table.newest = reply.version;
    if (table.version !== null && (reply.version < table.version || hasOtherFork(table, reply))) {
      discard(table, "went_back", reply.version);
    }
    setSeat(table, reply.seat);
  }

  // The missing updates arrive next. If the client holds another history, the server sends a snapshot instead.
  function handleResumed(table: WatchedTable, message: Resumed): void {
    table.newest = message.version;
    if (table.version === message.version && !hasOtherFork(table, message)) noteResumed(table);
    setSeat(table, message.seat);
  }

  function noteResumed(table: WatchedTable): boolean {
    const wasExpected = resumed.includes(table);
    resumed = resumed.filter((each) => each !== table);
    return wasExpected;
  }

  function setSeat(table: WatchedTable, seat: number | null = null): void {
    table.seat = seat;
    if (table.view && table.version !== null && table.view.seat !== seat) {
      show(table, Object.freeze({ ...table.view, seat, news: [], snapshot: true }));
    }
  }

  function show(table: WatchedTable, view: View): void {
    table.view = view;
    table.version = view.version;
    table.seat = view.seat;
    events.push({ type: "changed", table: table.id, view });
  }

  function lose(table: WatchedTable, refused: RefusedFields): void {
    tables.delete(table.id);
    events.push({ type: "lost", table: table.id, refused });
  }

  function handleLost(table: WatchedTable, lost: Lost): void {
    noteResumed(table);
    if (TEMPORARY.includes(lost.code)) watch(table);
    else lose(table, lost);
  }

  // A wrong snapshot is not asked for again before the next beat.
  function handleSnapshot(table: WatchedTable, snapshot: Snapshot): void {
    const hasGoneBack = table.version !== null && snapshot.version < table.version;
    const isAnswer = noteResumed(table);
    table.version = null;
    try {
      show(table, loadSnapshot(snapshot, findOwnSeat(table, snapshot)));
      if (isAnswer || hasGoneBack) table.newest = snapshot.version;
    } catch (error) {
      report(kindOf(error), table.id, error);
    }
  }

  function handleUpdate(table: WatchedTable, update: Update): void {
    noteResumed(table);
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
      discard(table, kindOf(error), error);
    }
  }

  /** Discard the document and request a new one. */
  function discard(table: WatchedTable, kind: ProblemKind, detail: unknown): void {
    dropOwnWatches(table.id); // a pending watch would continue from the wrong version
    table.version = null;
    table.watch = "";
    watch(table);
    report(kind, table.id, detail);
  }

  return session;
}

function createWatched(id: string, terms: WatchTerms = {}): WatchedTable {
  return { id, terms, view: null, version: null, seat: null, newest: 0, watch: "" };
}

/** Return whether the view has the newest version that the server mentioned. */
export const isCurrent = (table?: WatchedTable): boolean => table?.version != null && table.version >= table.newest;

/** Return whether `hello` can resume the table on its terms; otherwise the session watches it again. */
const isPlain = ({ terms }: WatchedTable): boolean => (terms.as ?? terms.pace ?? null) === null;

// Before a game starts, players change seats, and `resumed` would not show which seat is the viewer's.
const isResumable = (table: WatchedTable): boolean =>
  table.version !== null && isPlain(table) && table.view?.info.status !== "open";

/** Return whether the server shows the table with a delay, as it may do to spectators. */
const isDelayed = ({ seat, view }: WatchedTable): boolean =>
  seat === null && !!view?.info.delay && view.info.status !== "over";

const hasTerms = (table: WatchedTable, terms: WatchTerms): boolean =>
  (["invitation", "as", "open", "pace", "from"] as const).every((key) => table.terms[key] === terms[key]);

/** Return the fork of the version held; empty if it is unknown. */
const forkOf = ({ version, view }: WatchedTable): string => (version !== null && view?.fork) || "";

/** Return whether the server has another history for the version held; an unknown fork matches any. */
const hasOtherFork = (table: WatchedTable, { version, fork }: Watching | Resumed): boolean =>
  table.version === version && !!fork && !!forkOf(table) && forkOf(table) !== fork;

/** Build the request for everything since the version held. */
function buildWatch(table: WatchedTable): NewRequest<Watch> {
  const from = table.version ?? table.terms.from ?? null;
  return { type: "watch", table: table.id, ...table.terms, from, fork: forkOf(table) };
}

/** Return the fields of `hello` for the tables that it resumes. */
function describeHeld(held: WatchedTable[]) {
  const collect = <T>(find: (table: WatchedTable) => T): Record<string, NonNullable<T>> =>
    Object.fromEntries(held.map((table) => [table.id, find(table)]).filter(([, found]) => found || found === 0));
  return {
    resume: collect(({ version }) => version),
    forks: collect(forkOf),
    invitations: collect(({ terms }) => terms.invitation),
  };
}

// The update follows the reply. If the connection breaks in between, only the reply tells the client its new seat.
function noteDone(table: WatchedTable, request: Request, { seat = null, version }: Done): void {
  if (request.type === "sit") {
    table.seat = seat;
    table.terms = table.terms.invitation ? { invitation: table.terms.invitation } : {};
  }
  if (!isDelayed(table)) table.newest = Math.max(table.newest, version);
}

// A snapshot names the watched seat too. Only `watching` says which seat is the user's own.
const findOwnSeat = (table: WatchedTable, { seat }: Snapshot): number | null =>
  seat === null || seat !== table.terms.as ? seat : table.seat;

function kindOf(error: unknown): ProblemKind {
  if (!(error instanceof PatchError)) throw error;
  return error.message === WRONG_DIGEST ? "wrong_digest" : "bad_patch";
}
