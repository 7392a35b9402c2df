/** Digests: the CRC-32 of a document's one JSON text, by which a client knows that it sees what the server sees. */

import type { Value } from "./patch.ts";

/** Return the one JSON text of a value: no spaces, keys in the order of their UTF-8 bytes. */
export function canonical(value: Value): string {
  if (typeof value !== "object" || !value) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  const keys = Object.keys(value).sort(compareKeys);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key as never])}`)}}`;
}

function compareKeys(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return rank(one, at) - rank(other, at);
}

// JavaScript compares UTF-16, where the surrogates of large characters come before U+E000; in UTF-8 they come last.
function rank(text: string, at: number): number {
  const unit = at < text.length ? text.charCodeAt(at) : -1;
  return (unit & 0xf800) === 0xd800 ? unit + 0x10000 : unit;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 && 0xedb88320);
  return byte;
});

/** Return the digest of a viewer's document, whose hand is null if they have none, or of the info of a table. */
export function digestOf(board: Value, hand: Value = null): number {
  const text = canonical(board) + (hand === null ? "" : canonical(hand));
  let crc = -1;
  for (const byte of new TextEncoder().encode(text)) crc = (TABLE[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}
