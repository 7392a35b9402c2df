/**
 * Shapes: the test that a message from the network has what this client reads in it.
 *
 * A field is `name:kind`. The kinds are `s` string, `i` integer, `o` map, `*` anything, or the name of another shape.
 * `kind[]` is a list of them, `kind0` may be null, and `kind?` may be absent. Documents are checked with their patches.
 */

import { isMap } from "./patch.ts";

const SHAPES: Readonly<Record<string, string>> = {
  welcome: "heartbeat:i time:i",
  refused: "code:s sentence:s",
  done: "version:i",
  watching: "version:i",
  resumed: "version:i",
  created: "table:s",
  tables: "tables:o[]",
  snapshot: "version:i waiting:o[] offer:Offer0 talk:o[]?",
  update: "version:i waiting:o[]? offer:Offer0? news:o[]?",
  lobby: "changed:o[]? gone:s[]?",
  lost: "code:s sentence:s",
  bye: "code:i reason:s",
  Offer: "id:i choices:o[]",
  Info: "status:s seats:*[]",
  Line: "name:s text:s",
};

const TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === "string",
  i: Number.isSafeInteger,
  o: isMap,
  "*": () => true,
};

/** Return whether a value is a map with the fields of a shape; a map of an unknown shape needs none. */
export function hasShape(value: unknown, name: string): boolean {
  const words = Object.hasOwn(SHAPES, name) ? (SHAPES[name] as string).split(" ") : [];
  return isMap(value) && typeof name === "string" && words.every((word) => isKind(value[word.split(":")[0] as string], word.split(":")[1] as string));
}

function isKind(value: unknown, kind: string): boolean {
  const [, inner, mark] = /(.*)(\?|0|\[\])$/.exec(kind) ?? [];
  if (!inner) return TESTS[kind]?.(value) ?? hasShape(value, kind);
  if (mark === "[]") return Array.isArray(value) && value.every((item) => isKind(item, inner));
  return value === (mark === "0" ? null : undefined) || isKind(value, inner);
}
