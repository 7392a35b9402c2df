/** Offers: all actions that a seat may take, as sets that a client without knowledge of the game lists and draws from. */

import { canonical } from "./digest.ts";
import type { Choice, Pick, Range } from "./messages.ts";
import type { Value } from "./patch.ts";

/** A verb and its fields. */
export interface Action {
  readonly do: string;
  readonly [field: string]: Value;
}

/** The set of values that a field may take: one of a list, a range of integers, or a pick of some items. */
export type Field = readonly Value[] | Range | Pick;

const MOST_VALUES = 1000; // of one range in `values`

const same = (one: unknown, other: unknown): boolean => canonical(one as Value) === canonical(other as Value);

/** The actions that a seat may take now. An offer never changes. */
export class Offer<A = Action> {
  /** The number that `act` quotes. */
  readonly id: number;
  /** The choices, without those that have a field of a kind that this client does not know. */
  readonly choices: readonly Choice[];

  constructor(id: number, choices: readonly Choice[]) {
    this.id = id;
    this.choices = Object.freeze(choices.filter((choice) => fieldsOf(choice).every(([, field]) => isField(field))));
    Object.freeze(this);
  }

  /** Return how many actions there are. */
  count(): number {
    return this.choices.reduce((sum, choice) => sum + countChoice(choice), 0);
  }

  /** Return the action with this number, from 0, in the order of the iterator. */
  nth(index: number): A {
    for (const choice of this.choices) {
      const count = countChoice(choice);
      if (index < count) return nthOfChoice(choice, index) as A;
      index -= count;
    }
    throw new RangeError("the offer has no such action");
  }

  /** Iterate over all actions; call `count` first, because there may be many. */
  *[Symbol.iterator](): Generator<A> {
    for (const choice of this.choices) {
      for (let index = 0; index < countChoice(choice); index++) yield nthOfChoice(choice, index) as A;
    }
  }

  /** Return one action, each with the same probability. */
  random(random: () => number = Math.random): A {
    const count = this.count();
    return this.nth(Math.min(Math.floor(random() * count), count - 1));
  }

  /** Return whether this action is offered. */
  permits(action: A): boolean {
    const given = Object.keys(action as object).length - 1;
    return this.narrow(action).choices.some((choice) => fieldsOf(choice).length === given);
  }

  /** Return the offer without the actions that differ from the given verb and fields. */
  narrow(given: { readonly [field in keyof A]?: A[field] | undefined }): Offer<A> {
    const { do: verb, ...values } = given as Record<string, Value | undefined>;
    const chosen = Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined);
    const fitting = this.choices.filter((choice) => verb === undefined || choice.do === verb);
    return new Offer(this.id, fitting.flatMap((choice) => narrowChoice(choice, chosen)));
  }

  /** Return the only action with the given verb and fields, or null if there are none or several. */
  pick(given: { readonly [field in keyof A]?: A[field] | undefined }): A | null {
    const narrowed = this.narrow(given);
    return narrowed.count() === 1 ? narrowed.nth(0) : null;
  }

  /** Return the values that a field can have, each once; of a pick, its items. */
  values(name: string): Value[] {
    const found = new Map<string, Value>();
    for (const choice of this.choices) {
      for (const value of listValues(new Map(fieldsOf(choice)).get(name) ?? [])) found.set(canonical(value), value);
    }
    return [...found.values()];
  }
}

const fieldsOf = (choice: Choice): [string, Field][] => Object.entries((choice.fields ?? {}) as Record<string, Field>);

const isRange = (field: Field): field is Range => "kind" in field && field.kind === "range";

function isField(field: Field): boolean {
  if (Array.isArray(field)) return true;
  const { kind, low, high, least, most, of } = Object(field);
  const isKnown = kind === "range" ? [low, high] : kind === "pick" && Array.isArray(of) && [least, most];
  return isKnown && isKnown.every(Number.isSafeInteger);
}

function narrowChoice(choice: Choice, chosen: [string, Value][]): Choice[] {
  const fields = new Map(fieldsOf(choice));
  const fits = chosen.every(([name, value]) => fields.has(name) && permits(fields.get(name) as Field, value));
  return fits ? [{ do: choice.do, fields: Object.fromEntries([...fields, ...chosen.map(([name, value]) => [name, [value]])]) }] : [];
}

function permits(field: Field, value: Value): boolean {
  if (!("kind" in field)) return field.some((item) => same(item, value));
  if (isRange(field)) return Number.isInteger(value) && field.low <= (value as number) && (value as number) <= field.high;
  return Array.isArray(value) && field.least <= value.length && value.length <= field.most && holds(field.of as Value[], value);
}

function holds(items: readonly Value[], wanted: readonly Value[]): boolean {
  const left = [...items];
  return wanted.every((value) => {
    const at = left.findIndex((item) => same(item, value));
    return at >= 0 && left.splice(at, 1);
  });
}

function listValues(field: Field): readonly Value[] {
  if (!("kind" in field)) return field;
  if (!isRange(field)) return field.of as Value[];
  return Array.from({ length: Math.min(countField(field), MOST_VALUES) }, (_, at) => field.low + at);
}

// Counting

const countChoice = (choice: Choice): number => fieldsOf(choice).reduce((product, [, field]) => product * countField(field), 1);

function countField(field: Field): number {
  if (!("kind" in field)) return field.length;
  if (isRange(field)) return Math.max(0, field.high - field.low + 1);
  return sizesOf(field).reduce((sum, size) => sum + binomial(field.of.length, size), 0);
}

function sizesOf({ least, most, of }: Pick): number[] {
  return Array.from(of.keys()).concat(of.length).filter((size) => size >= least && size <= most);
}

function binomial(items: number, size: number): number {
  let ways = size < 0 || size > items ? 0 : 1;
  for (let at = 0; at < size && ways; at++) ways = Math.round((ways * (items - at)) / (at + 1));
  return ways;
}

/** Return the action with this number; the last field counts fastest. */
function nthOfChoice(choice: Choice, index: number): Action {
  const values: [string, Value][] = [];
  for (const [name, field] of fieldsOf(choice).reverse()) {
    const count = countField(field);
    values.unshift([name, nthOfField(field, index % count)]);
    index = Math.floor(index / count);
  }
  return { do: choice.do, ...Object.fromEntries(values) };
}

function nthOfField(field: Field, index: number): Value {
  if (!("kind" in field)) return field[index] as Value;
  return isRange(field) ? field.low + index : nthPick(field, index);
}

function nthPick(pick: Pick, index: number): Value[] {
  for (const size of sizesOf(pick)) {
    const count = binomial(pick.of.length, size);
    if (index < count) return nthCombination(pick.of as Value[], size, index);
    index -= count;
  }
  return [];
}

// In the order of Python's itertools.combinations, without listing the others.
function nthCombination(items: Value[], size: number, index: number): Value[] {
  const taken: Value[] = [];
  items.forEach((item, place) => {
    const withItem = binomial(items.length - place - 1, size - taken.length - 1);
    if (taken.length < size && index < withItem) taken.push(item);
    else if (taken.length < size) index -= withItem;
  });
  return taken;
}
