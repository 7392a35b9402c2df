/** The views of a finished game from its record, for links to games whose tables the server no longer keeps. */

import type { Value, View } from "palatine-client";
import { applyUpdate, loadSnapshot } from "palatine-client/view";
import { fromHex, join, sha256, toBytes, toHex } from "../parts/sha256.ts";

/** A seat, all hands, or what spectators saw. */
export interface RecordPerspective {
  readonly as?: number;
  readonly open?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: lines of any game
type Line = Readonly<Record<string, any>>;

/** Return the views of all versions; see RECORD.md in the protocol. */
export function listRecordViews(text: string, perspective: RecordPerspective): View[] {
  const lines: Line[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [header = {}, ...rest] = restoreTexts(lines);
  const entries = rest.filter((line) => "version" in line);
  const seat = perspective.open ? null : (perspective.as ?? null);
  const views = [loadSnapshot(buildOpening(header, entries[0] ?? {}, seat, perspective.open ?? false) as never)];
  for (const entry of entries)
    views.push(applyUpdate(views.at(-1) as View, readUpdate(entry, seat, perspective.open ?? false) as never, null));
  return views;
}

/** Return the snapshot of version 0. Nothing is on the table yet, nor after the first entry: the digests are the same. */
function buildOpening(header: Line, first: Line, seat: number | null, isOpen: boolean): Line {
  const empty = { board: null, hand: null, ...(isOpen ? { hands: header.opening.seats.map(() => null) } : {}) };
  const digest = first.digests?.at(-1);
  return { table: header.table, version: 0, seat: null, as: seat, info: header.opening, ...empty, digest };
}

/** Return an entry as the update that this perspective got; the digests are those of the record. */
function readUpdate(entry: Line, seat: number | null, isOpen: boolean): Line {
  const { version, info = [], board = [], hands = [], news = [], digests = [] } = entry;
  const heard = (news as Line[]).filter(({ to }) => isOpen || !to || to.includes(seat)).map((item) => item.news);
  const zones = { info, board, hand: seat === null ? [] : (hands[seat] ?? []), ...(isOpen ? { hands } : {}) };
  return { version, ...zones, news: heard, digest: seat === null ? digests.at(-1) : digests[seat] };
}

/** Put names and chat back where their hashes are; one that was erased is a dash. */
function restoreTexts(lines: readonly Line[]): Line[] {
  const texts = new Map(
    lines.filter(({ salt }) => salt).map(({ kind, salt, text }) => [hashText(kind, salt, text), text as string]),
  );
  return lines.map((line) => restore(line, texts) as Line);
}

const hashText = (kind: string, salt: string, text: string): string =>
  toHex(sha256(join(toBytes(`palatine ${kind} `), fromHex(salt), toBytes(text))));

function restore(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => restore(each, texts));
  const { name_hash, chat_hash } = value as Record<string, Value>;
  const hash = name_hash ?? chat_hash;
  if (typeof hash === "string") return texts.get(hash) ?? "–";
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, restore(each, texts)]));
}
