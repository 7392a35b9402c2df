/** Digests: the CRC-32 of a document's one JSON text, by which a client knows that it sees what the server sees. */

import type { Value } from "./patch.ts";

/** Return the one JSON text of a value: no spaces, keys in the order of their UTF-8 bytes. */
export function canonical(value: Value): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const map = value as { readonly [key: string]: Value };
  const keys = Object.keys(map).sort(compareKeys);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(map[key] as Value)}`).join()}}`;
}

function compareKeys(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return rank(one, at) - rank(other, at);
}

// JavaScript compares UTF-16, where the surrogates of large characters come before U+E000; in UTF-8 they come last.
function rank(text: string, at: number): number {
  const unit = at < text.length ? text.charCodeAt(at) : -1;
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
});

/** Return the CRC-32 of a text in UTF-8, continued from that of the text before it. */
export function crc32(text: string, before = 0): number {
  let crc = ~before;
  for (const byte of new TextEncoder().encode(text)) crc = (TABLE[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}

const boards = new WeakMap<object, number>(); // boards never change, so each is digested once

/** Return the digest of a viewer's document. */
export function digestOf(board: Value, hand: Value): number {
  const ofBoard = digestOfBoard(board);
  return hand === null ? ofBoard : crc32(canonical(hand), ofBoard);
}

function digestOfBoard(board: Value): number {
  if (typeof board !== "object" || board === null) return crc32(canonical(board));
  const digest = boards.get(board) ?? crc32(canonical(board));
  boards.set(board, digest);
  return digest;
}
