/** The vectors of the protocol: messages, patches and digests that every client must agree on. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as reference from "@msgpack/msgpack";
import { canonical, digestOf } from "../dist/digest.js";
import { applyPatch, type Value } from "../dist/patch.js";
import { checkMessage } from "../dist/shape.js";
import { json, msgpack } from "./codecs.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "../../../protocol/vectors", name), "utf8"));

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("every message is decoded from both encodings, and has the shape of its type", () => {
  for (const { name, direction, message, msgpack: hex, json: text } of read("messages.json")) {
    assert.deepEqual(plain(msgpack.decode(Buffer.from(hex, "hex"))), message, name);
    assert.deepEqual(json.decode(text), message, name);
    if (direction === "server to client") checkMessage(message);
  }
});

test("every message is encoded so that an independent library reads it", () => {
  for (const { name, message } of read("messages.json")) {
    assert.deepEqual(reference.decode(msgpack.encode(message) as Uint8Array), message, name);
    assert.deepEqual(JSON.parse(json.encode(message) as string), message, name);
  }
});

test("every patch is applied, and leaves the old document as it was", () => {
  for (const { name, old, new: expected, patch } of read("patches.json").applied) {
    const before = plain(old);
    assert.deepEqual(plain(applyPatch(old, patch)), expected, name);
    assert.deepEqual(old, before, name);
  }
});

test("every patch that does not fit is refused", () => {
  for (const { name, old, patch } of read("patches.json").refused) {
    assert.throws(() => applyPatch(old, patch), RangeError, name);
  }
});

test("a value of a patched document cannot be changed", () => {
  const document = applyPatch({ list: [1, { deep: [2] }] }, [[["list", 1, "deep"], 1, 0, 3]]) as never as {
    list: object[];
  };
  assert.throws(() => document.list.push({}), TypeError);
  assert.throws(() => ((document.list[1] as { deep: number[] }).deep[0] = 9), TypeError);
});

test("a key __proto__ is a key like any other", () => {
  const old = JSON.parse('{"a": {"__proto__": {"x": 1}}}') as Value;
  const changed = applyPatch(old, [
    [["a", "__proto__", "x"], 2],
    [["b"], JSON.parse('{"__proto__": 3}')],
  ]);
  assert.equal(canonical(changed), '{"a":{"__proto__":{"x":2}},"b":{"__proto__":3}}');
  assert.equal(({} as { x?: number }).x, undefined);
  assert.throws(() => applyPatch({}, [[["__proto__", "polluted"], 1]]), RangeError);
  assert.throws(() => applyPatch({}, [[["constructor"]]]), RangeError);
});

test("every digest agrees, and so does its canonical form", () => {
  for (const { name, board, hand, canonical: text, digest } of read("digests.json")) {
    assert.equal(canonical(board) + (hand === null ? "" : canonical(hand)), text, name);
    assert.equal(digestOf(board, hand), digest, name);
  }
});

test("keys are ordered by their UTF-8 bytes, also where UTF-16 orders them otherwise", () => {
  const keys = ["🏰", "\uffee", "\ue000", "z", "é", "", "a", "ab", "\0"];
  const expected = keys
    .map((key) => Buffer.from(key))
    .sort(Buffer.compare)
    .map(String);
  const text = canonical(Object.fromEntries(keys.map((key) => [key, 1])));
  assert.deepEqual(
    text.match(/"(?:[^"\\]|\\.)*"/g)?.map((key) => JSON.parse(key)),
    expected,
  );
});

test("integers of all sizes survive msgpack in both directions", () => {
  const edges = [0, 7, 8, 15, 16, 31, 32, 53].flatMap((bits) => [2 ** bits - 1, 1 - 2 ** bits]);
  const integers = [...edges, 32, -32, -33, 128, -128, 2 ** 32, -(2 ** 32), 2 ** 40 + 5, -(2 ** 40) - 5];
  for (const integer of integers) {
    assert.deepEqual(reference.decode(msgpack.encode([integer] as never) as Uint8Array), [integer]);
    assert.deepEqual(msgpack.decode(reference.encode([integer])), [integer]);
  }
});

test("long strings, lists and maps survive msgpack", () => {
  for (const size of [0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536]) {
    const list = Array.from({ length: size }, (_, at) => at % 100);
    const value = { text: "é".repeat(size), list, map: Object.fromEntries(list.map((_, at) => [`key ${at}`, at])) };
    assert.deepEqual(reference.decode(msgpack.encode(value) as Uint8Array), value);
    assert.deepEqual(plain(msgpack.decode(reference.encode(value))), value);
  }
});

const nested = (depth: number): unknown => (depth ? [nested(depth - 1)] : 0);

for (const [name, frame] of Object.entries({
  "nothing at all": new Uint8Array(),
  "a byte that means nothing": Uint8Array.of(0xc1),
  "a list of four thousand million items": Uint8Array.of(0xdd, 255, 255, 255, 255),
  "a map of four thousand million items": Uint8Array.of(0xdf, 255, 255, 255, 255),
  "a string that ends too soon": Uint8Array.of(0xdb, 0, 0, 0, 9, 65),
  "a string that is not UTF-8": Uint8Array.of(0xa2, 0xff, 0xfe),
  "bytes after the end": Uint8Array.of(0xc0, 0xc0),
  "a float": reference.encode(1.5),
  "a binary string": reference.encode(new Uint8Array(3)),
  "a timestamp": reference.encode(new Date()),
  "a key that is no string": Uint8Array.of(0x81, 1, 1),
  "an integer that no double holds": Uint8Array.of(0xcf, 0, 0x20, 0, 0, 0, 0, 0, 1),
  "a negative integer that no double holds": Uint8Array.of(0xd3, 0x80, 0, 0, 0, 0, 0, 0, 0),
  "two hundred levels": reference.encode(nested(200), { maxDepth: 300 }),
})) {
  test(`msgpack refuses ${name}`, () => assert.throws(() => msgpack.decode(frame)));
}
