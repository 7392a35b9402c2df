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
import type { Bye, Done, Lobby, Lost, Pointed, Push, Refused, Reply, Request, Resumed, Snapshot } from "./messages.ts";
import type { Update, Watch, Watching, Welcome } from "./messages.ts";
import { PatchError } from "./patch.ts";
import { hasShape } from "./shape.ts";
import { applyUpdate, loadSnapshot, setPointer, type View } from "./view.ts";

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

const MAX_RESUMED = 32; // tables in one hello; the others are watched afterwards
const RETRY_LATER = ["try_again", "too_fast"]; // refusals after which the same request is sent again
const AFTER_RECONNECTING = ["shutting_down", "too_many_connections"];
const isTemporary = (code: string): boolean => [...RETRY_LATER, ...AFTER_RECONNECTING].includes(code);

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

/** A watched table; see the machine above. */
export class WatchedTable {
  readonly id: string;
  terms: WatchTerms;
  /** The last good view; null before the first. */
  view: View | null = null;
  /** The version that the session holds; null if it has none, or a wrong one. */
  version: number | null = null;
  seat: number | null = null;
  /** The newest version that the server mentioned. */
  newest = 0;
  /** The id of the pending watch. */
  watch = "";

  constructor(id: string, terms: WatchTerms) {
    this.id = id;
    this.terms = terms;
  }

  /** Whether the view has the newest version that the server mentioned. */
  get isCurrent(): boolean {
    return this.version !== null && this.version >= this.newest;
  }

  /** Whether `hello` can resume the table on these terms; otherwise the session watches it again. */
  get canBeResumed(): boolean {
    return (this.terms.as ?? this.terms.pace ?? null) === null;
  }

  /** Whether the server shows the table with a delay, as it may do to spectators. */
  get isDelayed(): boolean {
    const info = this.view?.info;
    return this.seat === null && !!info?.delay && info.status !== "over";
  }

  /** The fork of the version held; empty if it is unknown. */
  get fork(): string {
    return (this.version !== null && this.view?.fork) || "";
  }

  /** Build the request for everything since the version held. */
  buildWatch(): NewRequest<Watch> {
    return { type: "watch", table: this.id, ...this.terms, from: this.version ?? this.terms.from ?? null, fork: this.fork };
  }

  /** Whether the server has another history for the version held; an unknown fork matches any. */
  differs({ version, fork }: Watching | Resumed): boolean {
    return this.version === version && !!fork && !!this.fork && this.fork !== fork;
  }
}

/** The state of a client that outlives its connections: pending requests and watched tables. */
export class Session {
  state: "offline" | "greeting" | "welcomed" = "offline";
  welcome: Welcome | null = null;
  token: string;
  /** Half heartbeats since the last frame arrived. */
  silentBeats = 0;
  readonly tables = new Map<string, WatchedTable>();
  #codec: Codec;
  #prefix: string;
  #client: string;
  #count = 0;
  #pending = new Map<string, Pending>();
  #outgoing: Frame[] = [];
  #resumed = new Set<string>(); // tables in the last hello that the server has not answered yet
  #isIdle = true; // nothing was sent since the last beat
  #events: Event[] = [];

  constructor(token: string, codec: Codec, prefix: string, client = "") {
    this.token = token;
    this.#codec = codec;
    this.#prefix = prefix;
    this.#client = client;
  }

  // The connection

  /** Send hello on a new connection. */
  connectionMade(): void {
    this.connectionLost();
    this.state = "greeting";
    this.silentBeats = 0;
    const held = [...this.tables.values()].filter(isResumable).slice(0, MAX_RESUMED);
    this.#resumed = new Set(held.map(({ id }) => id));
    this.#add({ type: "hello", token: this.token, client: this.#client, ...describeHeld(held) }, true);
  }

  /** Keep the caller's requests for the next connection, and drop the session's own. */
  connectionLost(): void {
    this.state = "offline";
    this.#outgoing = [];
    for (const [id, { isOwn }] of this.#pending) if (isOwn) this.forget(id);
  }

  /** Return the frames to send now, and forget them. */
  takeFrames(): Frame[] {
    const frames = this.#outgoing;
    this.#outgoing = [];
    return frames;
  }

  /** Resend requests without a reply and send a sign of life; call this every half heartbeat. */
  beat(): void {
    if (this.state !== "welcomed") return;
    for (const [id, pending] of this.#pending) if (++pending.beats > 1) this.resend(id);
    for (const table of this.tables.values()) if (!table.isCurrent) this.#watch(table);
    if (this.#isIdle) this.sendSignOfLife();
    this.#isIdle = true;
    this.silentBeats++;
  }

  /**
   * Send a request whose reply shows that the connection is alive.
   *
   * It is a `watch` of one table after the other, which also detects a lost update that no later one reveals.
   */
  sendSignOfLife(): void {
    const table = [...this.tables.values()].find((each) => !each.watch && each.canBeResumed && !each.isDelayed);
    if (table) {
      this.tables.delete(table.id);
      this.tables.set(table.id, table);
      this.#watch(table);
    } else if (this.state === "welcomed") this.#add({ type: "ping" }, true);
  }

  // Requests

  /** Send a request as soon as the server has welcomed the client, keep it until its reply arrives, and return its id. */
  request(request: NewRequest): string {
    if (request.type === "unwatch") {
      this.#dropOwnWatches(request.table);
      this.tables.delete(request.table);
    }
    return this.#add(request, false);
  }

  /** Watch a table, from the version held unless the terms are new, and return the id of the request. */
  watch(id: string, terms?: WatchTerms): string {
    this.#dropOwnWatches(id);
    let table = this.tables.get(id);
    if (!table || (terms && !haveSameValues(terms, table.terms))) table = new WatchedTable(id, terms ?? {});
    this.tables.set(id, table);
    table.watch = this.#add(table.buildWatch(), false);
    return table.watch;
  }

  /** Send a pending request again, unchanged. */
  resend(id: string): void {
    const pending = this.#pending.get(id);
    if (!pending || this.state !== "welcomed") return;
    pending.beats = 0;
    this.#push(pending.frame);
  }

  /** Drop a request whose caller no longer waits; the server may still carry it out. */
  forget(id: string): void {
    for (const table of this.tables.values()) if (table.watch === id) table.watch = "";
    this.#pending.delete(id);
  }

  #add(request: NewRequest, isOwn: boolean): string {
    const id = `${this.#prefix}-${++this.#count}`;
    const complete = { ...request, id } as Request;
    const frame = this.#codec.encode(complete);
    this.#pending.set(id, { request: complete, frame, isOwn, beats: 0, refusals: 0 });
    if (this.state === "welcomed" || request.type === "hello") this.#push(frame);
    return id;
  }

  #push(frame: Frame): void {
    this.#outgoing.push(frame);
    this.#isIdle = false;
  }

  #watch(table: WatchedTable): void {
    if (!table.watch && this.state === "welcomed") table.watch = this.#add(table.buildWatch(), true);
  }

  /** Drop the session's own watches of a table that it left or watches on other terms. */
  #dropOwnWatches(table: string): void {
    for (const [id, { request, isOwn }] of this.#pending) {
      if (isOwn && request.type === "watch" && request.table === table) this.forget(id);
    }
  }

  // Incoming messages

  /** Decode a frame and return the events that it causes. */
  receive(frame: unknown): Event[] {
    this.silentBeats = 0;
    this.#events = [];
    try {
      this.#dispatch(this.#codec.decode(frame) as Reply | Push);
    } catch (error) {
      this.#report("unreadable", "", String(error));
    }
    return this.#events;
  }

  #report(kind: ProblemKind, table: string, detail: string): void {
    this.#events.push({ type: "problem", kind, table, detail });
  }

  // A later server may send messages of other types. A client can play without them.
  #dispatch(message: Reply | Push): void {
    const fits = hasShape(message, message.type);
    if (typeof message.type !== "string" || fits === false) throw new TypeError(`${message.type} lacks a field`);
    if (!fits) return;
    if ("re" in message) this.#handleReply(message);
    else if (message.type === "bye" || message.type === "lobby") this.#events.push({ type: "pushed", push: message });
    else if (this.tables.has(message.table)) this.#handlePush(message, this.tables.get(message.table) as WatchedTable);
  }

  #handlePush(message: Exclude<Push, Bye | Lobby>, table: WatchedTable): void {
    if (message.type === "snapshot") this.#handleSnapshot(table, message);
    else if (message.type === "update") this.#handleUpdate(table, message);
    else if (message.type === "pointed") this.#handlePointed(table, message);
    else if (message.type === "resumed") this.#handleResumed(table, message);
    else if (message.type === "lost") this.#handleLost(table, message);
  }

  // Replies

  // A request that was sent twice gets two replies; the second one is expected.
  #handleReply(reply: Reply): void {
    const pending = this.#pending.get(reply.re);
    if (pending) this.#handleAwaitedReply(pending, reply);
    else if (reply.type === "refused" && !reply.re) this.#report("unasked", "", `${reply.code}: ${reply.sentence}`);
  }

  #handleAwaitedReply(pending: Pending, reply: Reply): void {
    const { type } = pending.request;
    const expected = (REPLIES as Record<string, string>)[type] ?? "done";
    if (reply.type === "refused") this.#handleRefusal(pending, reply);
    else if (reply.type !== expected) throw new TypeError(`${type} was answered with ${reply.type}`);
    else if (reply.type === "welcome") this.#handleWelcome(reply);
    else this.#complete(pending, reply);
  }

  #handleWelcome(welcome: Welcome): void {
    this.forget(welcome.re);
    this.state = "welcomed";
    this.welcome = welcome;
    for (const id of this.#pending.keys()) this.resend(id);
    for (const table of this.tables.values()) if (!this.#resumed.has(table.id)) this.#watch(table);
    this.#events.push({ type: "welcomed", welcome });
  }

  #handleRefusal(pending: Pending, refused: Refused): void {
    const isForNow = isTemporary(refused.code);
    if (pending.request.type === "hello") {
      this.forget(refused.re);
      this.#events.push({ type: "hello_refused", refused, final: !isForNow });
    } else if (!isForNow) this.#complete(pending, refused);
    else {
      pending.refusals++;
      if (RETRY_LATER.includes(refused.code)) this.#events.push({ type: "postponed", refused, times: pending.refusals });
    }
  }

  #complete({ request, isOwn }: Pending, reply: Reply): void {
    this.forget(reply.re);
    const table = "table" in request && this.tables.get(request.table);
    if (table && request.type === "watch") this.#handleWatchReply(table, reply as Watching | Refused);
    if (table && reply.type === "done") noteDone(table, request, reply);
    if (!isOwn) this.#events.push({ type: "replied", request, reply });
  }

  // Tables

  #handleWatchReply(table: WatchedTable, reply: Watching | Refused): void {
    if (reply.type === "refused") this.#lose(table, reply);
    else this.#compareVersions(table, reply);
  }

  #lose(table: WatchedTable, { code, sentence }: RefusedFields): void {
    this.tables.delete(table.id);
    this.#events.push({ type: "lost", table: table.id, refused: { code, sentence } });
  }

  #handleLost(table: WatchedTable, lost: Lost): void {
    this.#resumed.delete(table.id);
    if (isTemporary(lost.code)) this.#watch(table);
    else this.#lose(table, lost);
  }

  #compareVersions(table: WatchedTable, watching: Watching): void {
    const { version, seat = null } = watching;
    table.newest = version;
    if (table.version !== null && (version < table.version || table.differs(watching))) {
      this.#discard(table, "went_back", `to version ${version}`);
    }
    this.#setSeat(table, seat);
  }

  // The missing updates arrive next. If the client holds another history, the server sends a snapshot instead.
  #handleResumed(table: WatchedTable, resumed: Resumed): void {
    table.newest = resumed.version;
    if (table.version === resumed.version && !table.differs(resumed)) this.#resumed.delete(table.id);
    this.#setSeat(table, resumed.seat ?? null);
  }

  #setSeat(table: WatchedTable, seat: number | null): void {
    table.seat = seat;
    if (table.view && table.version !== null && table.view.seat !== seat) {
      this.#show(table, Object.freeze({ ...table.view, seat, news: [], snapshot: true }));
    }
  }

  #show(table: WatchedTable, view: View): void {
    table.view = view;
    table.version = view.version;
    table.seat = view.seat;
    this.#events.push({ type: "changed", table: table.id, view });
  }

  // A wrong snapshot is not asked for again before the next beat.
  #handleSnapshot(table: WatchedTable, snapshot: Snapshot): void {
    const hasGoneBack = table.version !== null && snapshot.version < table.version;
    const isAnswer = this.#resumed.delete(table.id);
    table.version = null;
    try {
      this.#show(table, loadSnapshot(snapshot, findOwnSeat(table, snapshot)));
      if (isAnswer || hasGoneBack) table.newest = snapshot.version;
    } catch (error) {
      this.#report(kindOf(error), table.id, String(error));
    }
  }

  #handleUpdate(table: WatchedTable, update: Update): void {
    this.#resumed.delete(table.id);
    if (table.version !== null && update.version <= table.version) return;
    if (table.version === update.version - 1) this.#applyUpdate(table, update);
    else if (!table.watch) this.#fillGap(table, update.version);
  }

  #fillGap(table: WatchedTable, version: number): void {
    this.#watch(table);
    table.newest = Math.max(table.newest, version);
    this.#report("gap", table.id, `${version} came after ${table.version}`);
  }

  #applyUpdate(table: WatchedTable, update: Update): void {
    try {
      this.#show(table, applyUpdate(table.view as View, update, table.seat));
    } catch (error) {
      this.#discard(table, kindOf(error), String(error));
    }
  }

  #handlePointed(table: WatchedTable, { seat, action }: Pointed): void {
    if (table.view && table.version !== null) this.#show(table, setPointer(table.view, seat, action));
  }

  /** Discard the document and request a new one. */
  #discard(table: WatchedTable, kind: ProblemKind, detail: string): void {
    this.#dropOwnWatches(table.id); // a pending watch would continue from the wrong version
    table.version = null;
    table.watch = "";
    this.#watch(table);
    this.#report(kind, table.id, detail);
  }
}

// The update follows the reply. If the connection breaks in between, only the reply tells the client its new seat.
function noteDone(table: WatchedTable, request: Request, { seat = null, version }: Done): void {
  if (request.type === "sit") {
    table.seat = seat;
    table.terms = table.terms.invitation ? { invitation: table.terms.invitation } : {};
  }
  if (!table.isDelayed) table.newest = Math.max(table.newest, version);
}

// Before a game starts, players change seats, and `resumed` would not show which seat is the viewer's.
function isResumable(table: WatchedTable): boolean {
  return table.version !== null && table.canBeResumed && table.view?.info.status !== "open";
}

/** Return the fields of `hello` for the tables that it resumes. */
function describeHeld(held: WatchedTable[]) {
  const collect = <T>(value: (table: WatchedTable) => T): Record<string, NonNullable<T>> =>
    Object.fromEntries(held.map((table) => [table.id, value(table)]).filter(([, each]) => each || each === 0));
  return {
    resume: collect((table) => table.version),
    forks: collect((table) => table.fork),
    invitations: collect((table) => table.terms.invitation),
  };
}

const haveSameValues = (one: WatchTerms, other: WatchTerms): boolean =>
  (["invitation", "as", "open", "pace", "from"] as const).every((key) => (one[key] ?? null) === (other[key] ?? null));

// A snapshot names the watched seat too. Only `watching` says which seat is the user's own.
const findOwnSeat = (table: WatchedTable, { seat }: Snapshot): number | null =>
  seat === null || seat !== table.terms.as ? seat : table.seat;

function kindOf(error: unknown): ProblemKind {
  if (error instanceof PatchError) return error.isWrongDigest ? "wrong_digest" : "bad_patch";
  throw error;
}
