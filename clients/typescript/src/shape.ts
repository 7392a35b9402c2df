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

const fieldsOf = Object.fromEntries(
  Object.entries(SHAPES).map(([name, shape]) => [name, shape.split(" ").map((word) => word.split(":"))]),
) as Record<string, [string, string][]>;

/** Return whether there is a shape of this name. */
export const isKnown = (name: unknown): name is string => typeof name === "string" && Object.hasOwn(fieldsOf, name);

/** Return whether a value is a map with the fields of a shape; it may have others too. */
export function hasShape(value: unknown, name: string): boolean {
  const fields = fieldsOf[name] as [string, string][];
  return isMap(value) && fields.every(([field, kind]) => isKind((value as Record<string, unknown>)[field], kind));
}

function isKind(value: unknown, kind: string): boolean {
  if (kind.endsWith("?")) return value === undefined || value === null || isKind(value, kind.slice(0, -1));
  if (kind.endsWith("[]")) return Array.isArray(value) && value.every((item) => isKind(item, kind.slice(0, -2)));
  return TESTS[kind]?.(value) ?? hasShape(value, kind);
}

function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
