/** Patches turn one document into the next without changing the old one: both share whatever stayed the same. */

/** A value of a document. There are no floats; integers are exact as doubles. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

const DEEPEST = 64; // levels of lists and maps in a document

/** A patch does not fit its document, or makes another one of it than the server has. */
export class PatchError extends Error {
  readonly isWrongDigest: boolean;

  constructor(sentence: string, isWrongDigest = false) {
    super(sentence);
    this.isWrongDigest = isWrongDigest;
  }
}

/** Return the document after a patch; an operation that does not fit raises a PatchError. */
export function applyPatch(document: Value, patch: unknown): Value {
  if (!Array.isArray(patch)) throw new PatchError("a patch is a list of operations");
  return patch.reduce(carryOut, document);
}

function carryOut(document: Value, operation: unknown): Value {
  if (!Array.isArray(operation) || !Array.isArray(operation[0]))
    throw new PatchError("an operation begins with a path");
  return change(document, operation[0], 0, operation.slice(1));
}

// `rest` is [] to delete, [value] to set, [at, count, ...items] to splice.
function change(place: Value, path: unknown[], depth: number, rest: unknown[]): Value {
  if (depth === path.length) return rest.length === 1 ? checkValue(rest[0], depth) : splice(place, rest, depth);
  const key = path[depth];
  const isLast = depth === path.length - 1;
  if (isLast && !rest.length) return remove(place, key);
  const isNewKey = isLast && rest.length === 1 && isMap(place) && typeof key === "string";
  if (!isNewKey && !has(place, key)) throw new PatchError(`there is nothing at ${String(key)}`);
  return replace(place, key as never, change((place as never)[key as never] as Value, path, depth + 1, rest));
}

function isMap(place: Value): place is { readonly [key: string]: Value } {
  return typeof place === "object" && place !== null && !Array.isArray(place);
}

function has(place: Value, key: unknown): boolean {
  if (Array.isArray(place)) return Number.isInteger(key) && place[key as number] !== undefined;
  return typeof key === "string" && isMap(place) && Object.hasOwn(place, key);
}

// A computed key defines an own property, also for `__proto__`; an assignment would not.
function replace(place: Value, key: never, value: Value): Value {
  if (!Array.isArray(place)) return Object.freeze({ ...(place as object), [key]: value });
  const list = [...place];
  list[key] = value;
  return Object.freeze(list);
}

function remove(place: Value, key: unknown): Value {
  if (!isMap(place) || !has(place, key)) throw new PatchError("only a key that a map has can be deleted");
  const { [key as string]: _, ...rest } = place;
  return Object.freeze(rest);
}

function splice(place: Value, [at, count, ...items]: unknown[], depth: number): Value {
  const isInside = Array.isArray(place) && isIndex(at) && isIndex(count) && at + count <= place.length;
  if (!isInside) throw new PatchError("a splice stays inside its list");
  const added = items.map((item) => checkValue(item, depth + 1));
  return Object.freeze([...place.slice(0, at), ...added, ...place.slice(at + count)]);
}

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Freeze a value that may be part of a document, and return it. */
export function checkValue(value: unknown, depth = 0): Value {
  if (value === null || Number.isSafeInteger(value) || /^(string|boolean)$/.test(typeof value)) return value as Value;
  if (typeof value !== "object" || depth >= DEEPEST) throw new PatchError("a value is too deep, or no integer");
  for (const item of Object.values(value as object)) checkValue(item, depth + 1);
  return Object.freeze(value) as Value;
}
