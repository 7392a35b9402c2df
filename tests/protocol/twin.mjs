// A second implementation of patches, canonical form and digest, written from protocol/README.md alone.
// Reads a list of cases from standard input and writes the list of its answers to standard output:
//   {old, patch}   -> {canonical} of the patched document, or {refused}
//   {board, hand}  -> {canonical, digest}
import { readFileSync } from "node:fs";

class Refused extends Error {}

const refuse = (sentence) => {
  throw new Refused(sentence);
};

// Documents

const DEEPEST = 64;

const isMap = (value) => value instanceof Map;

const withMaps = (value) => {
  if (Array.isArray(value)) return value.map(withMaps);
  if (value === null || typeof value !== "object") return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, withMaps(item)]));
};

const isScalar = (value) =>
  value === null || typeof value === "boolean" || typeof value === "string" || Number.isSafeInteger(value);

const checked = (value, above) => {
  if (isScalar(value)) return value;
  if (typeof value !== "object") refuse("not a value of documents");
  if (above >= DEEPEST) refuse("too deep");
  for (const item of value.values()) checked(item, above + 1);
  return value;
};

// Patches

const apply = (zone, patch) => {
  if (!Array.isArray(patch)) refuse("a patch is a list");
  return patch.reduce(applyOne, zone);
};

const applyOne = (zone, op) => {
  if (!Array.isArray(op) || !Array.isArray(op[0])) refuse("an operation begins with a path");
  const path = op[0];
  if (op.length === 2 && path.length === 0) return checked(op[1], 0);
  if (op.length > 2) splice(follow(zone, path), path.length, ...op.slice(1));
  else if (path.length === 0) refuse("the zone itself cannot be deleted");
  else if (op.length === 1) remove(follow(zone, path.slice(0, -1)), path.at(-1));
  else set(follow(zone, path.slice(0, -1)), path.at(-1), checked(op[1], path.length));
  return zone;
};

const has = (place, step) => {
  if (isMap(place)) return typeof step === "string" && place.has(step);
  return Array.isArray(place) && Number.isInteger(step) && 0 <= step && step < place.length;
};

const follow = (place, path) => {
  for (const step of path) {
    if (!has(place, step)) refuse("the path leads through something that is not there");
    place = isMap(place) ? place.get(step) : place[step];
  }
  return place;
};

const remove = (place, key) => {
  if (!isMap(place) || !has(place, key)) refuse("no such key");
  place.delete(key);
};

const set = (place, key, value) => {
  if (isMap(place) && typeof key === "string") place.set(key, value);
  else if (has(place, key)) place[key] = value;
  else refuse("no such item");
};

const splice = (list, depth, at, count, ...items) => {
  if (!Array.isArray(list)) refuse("not a list");
  if (!Number.isInteger(at) || !Number.isInteger(count)) refuse("not integers");
  if (at < 0 || count < 0 || at + count > list.length) refuse("outside of the list");
  list.splice(at, count, ...items.map((item) => checked(item, depth + 1)));
};

// Canonical form and digest

const canonical = (value) => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isMap(value)) return JSON.stringify(value);
  const keys = [...value.keys()].sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value.get(key))}`).join(",")}}`;
};

const crcOfByte = (byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte;
};

const crc32 = (bytes) => {
  const crc = bytes.reduce((crc, byte) => (crc >>> 8) ^ crcOfByte((crc ^ byte) & 0xff), 0xffffffff);
  return (crc ^ 0xffffffff) >>> 0;
};

// The cases

const patched = ({ old, patch }) => {
  try {
    return { canonical: canonical(apply(old, patch)) };
  } catch (error) {
    if (error instanceof Refused) return { refused: true };
    throw error;
  }
};

const digested = ({ board, hand }) => {
  const text = canonical(board) + (hand === null ? "" : canonical(hand));
  return { canonical: text, digest: crc32(new TextEncoder().encode(text)) };
};

const answer = (question) => {
  const fields = Object.fromEntries(Object.entries(question).map(([name, value]) => [name, withMaps(value)]));
  return "patch" in fields ? patched(fields) : digested(fields);
};

const questions = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(questions.map(answer)));
