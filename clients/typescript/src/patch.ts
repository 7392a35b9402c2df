/** Patches turn one document into the next without changing the old one: both share whatever stayed the same. */

/** A value of a document. There are no floats; integers are exact as doubles. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

const DEEPEST = 64; // levels of lists and maps in a document

function fail(): never {
  throw new RangeError("bad patch");
}

/** Return the document after a patch; an operation that does not fit raises a RangeError. */
export function applyPatch(document: Value, patch: unknown): Value {
  if (!Array.isArray(patch)) fail();
  return patch.reduce((zone, op) => (Array.isArray(op?.[0]) ? change(zone, op[0], op.slice(1), 0) : fail()), document);
}

// `rest` is [] to delete, [value] to set, [at, count, ...items] to splice.
function change(place: Value, path: unknown[], rest: unknown[], depth: number): Value {
  if (depth === path.length) return rest.length === 1 ? checkValue(rest[0], depth) : splice(place, rest, depth);
  const key = path[depth] as never;
  const isLast = depth + 1 === path.length;
  const isDelete = isLast && !rest.length;
  const isNew = isLast && rest.length === 1 && isMap(place) && typeof key === "string";
  if ((!isNew && !has(place, key)) || (isDelete && !isMap(place))) fail();
  return replace(place, key, isDelete ? undefined : change((place as never)[key], path, rest, depth + 1));
}

const isObject = (value: unknown): value is object => Object(value) === value;

/** Return whether a value is a map. */
export function isMap(value: unknown): value is { readonly [key: string]: Value } {
  return isObject(value) && !Array.isArray(value);
}

function has(place: Value, key: unknown): boolean {
  const isKey = typeof key === (Array.isArray(place) ? "number" : "string");
  return isKey && isObject(place) && Object.hasOwn(place, key as string);
}

// A computed key defines an own property, also for `__proto__`; an assignment would not.
function replace(place: Value, key: never, value: Value | undefined): Value {
  const copy = Array.isArray(place) ? [...place] : { ...(place as object), [key]: value as Value };
  if (value === undefined) delete copy[key];
  else if (Array.isArray(copy)) copy[key] = value;
  return Object.freeze(copy);
}

function splice(place: Value, [at, count, ...items]: unknown[], depth: number): Value {
  if (!Array.isArray(place) || !isCount(at) || !isCount(count) || at + count > place.length) fail();
  const list = [...place];
  list.splice(at, count, ...items.map((item) => checkValue(item, depth + 1)));
  return Object.freeze(list);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Freeze a value that may be part of a document, and return it. */
export function checkValue(value: unknown, depth = 0): Value {
  if (isObject(value)) {
    if (depth >= DEEPEST) fail();
    for (const item of Object.values(value)) checkValue(item, depth + 1);
  } else if (value === undefined || (typeof value === "number" && !Number.isSafeInteger(value))) fail();
  return Object.freeze(value) as Value;
}
