/** Views: a table as this client sees it at one version. A view never changes; each update makes the next one. */

import { digestOf } from "./digest.ts";
import type { AnyGame, Game, Immutable } from "./game.ts";
import type { Info, Line, Pointed, Snapshot, Update, Waiting } from "./messages.ts";
import type { OfferOf } from "./offers.ts";
import { applyPatch, checkValue, isMap, type Value } from "./patch.ts";

const MAX_CHAT_LINES = 100;
export const WRONG_DIGEST = "wrong digest";

/** A table at one version. Fields have the names of the protocol. */
export interface View<G extends Game = AnyGame> {
  readonly table: string;
  readonly version: number;
  /** The name of the history up to this version; empty if the server did not tell it. */
  readonly fork: string;
  /** The user's own seat, or null. */
  readonly seat: number | null;
  /** The seat whose view this is: the user's own, or the one they look over the shoulder of; null for spectators. */
  readonly as: number | null;
  readonly info: Immutable<Omit<Info, "options">> & { readonly options: Immutable<G["options"]> };
  /** The zone that everybody sees; null before the start. */
  readonly board: Immutable<G["board"]> | null;
  /** The hand of the user's own seat, or of the one they look over the shoulder of. */
  readonly hand: Immutable<G["hand"]> | null;
  /** The hands of all seats, in an open replay. */
  readonly hands: readonly Immutable<G["hand"]>[] | null;
  /** Everything that the user may do now, or null. */
  readonly offer: OfferOf<G["action"]> | null;
  readonly waiting: readonly Readonly<Waiting>[];
  readonly can_undo: boolean;
  /** What happened in the update that led to this version; empty after a snapshot. */
  readonly news: readonly Immutable<G["news"]>[];
  /** Whether the server sent the whole table, so that more may have changed than `news` tell. */
  readonly snapshot: boolean;
  readonly talk: readonly Readonly<Line>[];
  /** The actions that partners point at, by seat; null for one who has stopped. */
  readonly pointed: Readonly<Record<number, G["action"] | null>>;
}

const EMPTY = { hands: null, fork: "", waiting: [], offer: null, talk: [] };

/** Return the view of a snapshot; a wrong document raises a RangeError. */
export function loadSnapshot(message: Snapshot): View {
  const view = { ...EMPTY, ...message, news: [], snapshot: true, pointed: {} };
  for (const zone of ["info", "board", "hand", "hands"] as const) checkValue(view[zone]);
  return check(view as unknown as View, message);
}

/** Return the view after an update of the next version; a patch that does not fit raises a RangeError. */
export function applyUpdate(view: View, update: Update, seat: number | null): View {
  const { fork = "", news = [] } = update;
  const zones = ["info", "board", "hand"] as const;
  const patched = Object.fromEntries(zones.map((zone) => [zone, applyPatch(view[zone], update[zone] ?? [])]));
  const hands = view.hands?.map((each, at) => applyPatch(each, update.hands?.[at] ?? []));
  const talk = collectTalk(view.talk, news, update.version);
  const next = {
    ...view,
    ...update,
    ...patched,
    hands,
    seat,
    fork,
    news,
    talk,
    snapshot: false,
    pointed: view.pointed,
  };
  return check(next as unknown as View, update);
}

/** Return whether a view has the digests that the server names. */
export function matches(
  { board, hand, info }: View,
  { digest, info_digest }: Pick<Update, "digest" | "info_digest">,
): boolean {
  return (
    digestOf(board, hand) === digest &&
    (info_digest === undefined || digestOf(info as unknown as Value) === info_digest)
  );
}

/** Return the view with what a partner points at; null if the partner stops pointing. */
export function setPointer(view: View, { seat, action }: Pointed): View {
  const pointed = { ...view.pointed, [seat]: action } as View["pointed"];
  return Object.freeze({ ...view, news: [], snapshot: false, pointed });
}

function check(view: View, digests: Update | Snapshot): View {
  if (!isMap(view.info) || !Array.isArray(view.info.seats)) throw new RangeError("bad info");
  if (!matches(view, digests)) throw new RangeError(WRONG_DIGEST);
  return Object.freeze(view);
}

function collectTalk(talk: View["talk"], news: readonly object[], version: number): View["talk"] {
  for (const { news: kind, ...rest } of news as { news: string; name?: unknown }[]) {
    if (kind === "said") talk = [...talk, { line: version, ...rest } as unknown as Line].slice(-MAX_CHAT_LINES);
    if (kind === "muted") talk = talk.filter(({ name }) => name !== rest.name);
  }
  return talk;
}
