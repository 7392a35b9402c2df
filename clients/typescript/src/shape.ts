/**
 * Shapes: the test that a message from the network has the fields that its type promises.
 *
 * A field is `name:kind`. The kinds are `s` string, `i` integer, `b` boolean, `o` map, `*` anything, or the name of
 * another shape. `kind[]` is a list of them, `kind0` may be null, and `kind?` may be absent.
 */

import { isMap } from "./patch.ts";
import { SHAPES } from "./shapes.ts";

const TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === "string",
  i: Number.isSafeInteger,
  b: (value) => typeof value === "boolean",
  o: isMap,
  "*": () => true,
};

const shapes = new Map(
  Object.entries(SHAPES).map(([name, shape]) => [name, shape.split(" ").map((word) => word.split(":") as [string, string])]),
);

/** Return whether a value is a map with the fields of a shape, or undefined if there is no such shape. */
export function hasShape(value: unknown, name: string): boolean | undefined {
  return shapes.get(name)?.every(([field, kind]) => isMap(value) && isKind(value[field], kind));
}

function isKind(value: unknown, kind: string): boolean {
  const [, inner, mark] = /(.*)(\?|0|\[\])$/.exec(kind) ?? [];
  if (!inner) return TESTS[kind] ? TESTS[kind](value) : !!hasShape(value, kind);
  if (mark === "[]") return Array.isArray(value) && value.every((item) => isKind(item, inner));
  return value === (mark === "0" ? null : undefined) || isKind(value, inner);
}
