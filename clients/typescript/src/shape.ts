/**
 * Shapes: the test that a message from the network has the fields that its type promises.
 *
 * A field is `name:kind`. The kinds are `s` string, `i` integer, `b` boolean, `o` map, `*` anything, or the name of
 * another shape; `kind[]` is a list of them, and `kind?` may be absent or null.
 */

import { SHAPES } from "./shapes.ts";

const TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === "string",
  i: Number.isSafeInteger,
  b: (value) => typeof value === "boolean",
  o: isMap,
  "*": () => true,
};

type Map = Record<string, unknown>;

const fieldsOf = new globalThis.Map(
  Object.entries(SHAPES).map(([name, shape]) => [name, shape.split(" ").map((word) => word.split(":"))]),
);

/** Return whether a value is a map with the fields of a shape, or undefined if there is no such shape. */
export function hasShape(value: unknown, name: string): boolean | undefined {
  const fields = fieldsOf.get(name);
  return fields && isMap(value) && fields.every(([field, kind]) => isKind((value as Map)[field as string], kind as string));
}

function isKind(value: unknown, kind: string): boolean {
  if (kind.endsWith("?")) return value === undefined || value === null || isKind(value, kind.slice(0, -1));
  if (kind.endsWith("[]")) return Array.isArray(value) && value.every((item) => isKind(item, kind.slice(0, -2)));
  return TESTS[kind]?.(value) ?? !!hasShape(value, kind);
}

function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
