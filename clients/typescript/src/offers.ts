/** Offers: all actions that a seat may take, as sets that a client without knowledge of the game lists and draws from. */

import { canonical } from "./digest.ts";
import type { Immutable } from "./game.ts";
import type { Choice, Offer, Pick, Range } from "./messages.ts";
import type { Value } from "./patch.ts";

/** A verb and its fields. */
export interface Action {
  readonly do: string;
  readonly [field: string]: Value;
}

/** An offer as views have it; `A` is the type of its actions. */
export type OfferOf<A = Action> = Immutable<Offer> & { readonly action?: A };

/** The set of values that a field may take: one of a list, a range of integers, or a pick of some items. */
type Field = readonly Value[] | Immutable<Range> | Immutable<Pick>;
type Part<A> = { readonly [field in keyof A]?: A[field] | undefined };
type AnyChoice = Immutable<Choice>;

const MOST_VALUES = 1000; // of one range in `values`

/** Return how many actions there are. */
export function count(offer: OfferOf<unknown> | null): number {
  return choicesOf(offer).reduce((sum, choice) => sum + countChoice(choice), 0);
}

/** Return the action with this number, from 0, in the order of `actions`. */
export function nth<A>(offer: OfferOf<A>, index: number): A {
  for (const choice of choicesOf(offer)) {
    const size = countChoice(choice);
    if (index < size) return nthOfChoice(choice, index) as A;
    index -= size;
  }
  throw new RangeError("The offer has no such action.");
}

/** Iterate over all actions; call `count` first, because there may be many. */
export function* actions<A>(offer: OfferOf<A> | null): Generator<A> {
  for (const choice of choicesOf(offer)) {
    for (let index = 0; index < countChoice(choice); index++) yield nthOfChoice(choice, index) as A;
  }
}

/** Return one action, each with the same probability, however many there are. */
export function random<A>(offer: OfferOf<A>, draw: () => number = Math.random): A {
  const choices = choicesOf(offer).filter(countChoice);
  const choice = drawWeighted(choices, countChoice, draw);
  if (!choice) throw new RangeError("The offer has no actions.");
  const drawn = fieldsOf(choice).map(([name, field]) => [name, drawValue(field, draw)]);
  return { do: choice.do, ...Object.fromEntries(drawn) };
}

/** Return whether this action is offered. */
export function permits<A extends object>(offer: OfferOf<A> | null, action: A): boolean {
  const fields = Object.keys(action).length - 1;
  return !!offer && choicesOf(narrow(offer, action)).some((choice) => fieldsOf(choice).length === fields);
}

/** Return the offer without the actions that differ from the given verb and fields. */
export function narrow<A>(offer: OfferOf<A>, given: Part<A>): OfferOf<A> {
  const { do: verb, ...values } = given as Record<string, Value | undefined>;
  const chosen = Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined);
  const fitting = choicesOf(offer).filter((choice) => verb === undefined || choice.do === verb);
  return { ...offer, choices: fitting.flatMap((choice) => narrowChoice(choice, chosen)) as OfferOf["choices"] };
}

/** Return the only action with the given verb and fields, or null if there are none or several. */
export function pick<A>(offer: OfferOf<A>, given: Part<A>): A | null {
  const narrowed = narrow(offer, given);
  return count(narrowed) === 1 ? nth(narrowed, 0) : null;
}

/** Return the values that a field can have, each once; of a pick, its items. */
export function values(offer: OfferOf<unknown> | null, name: string): Value[] {
  const found = new Map<string, Value>();
  for (const choice of choicesOf(offer)) {
    for (const value of listValues(new Map(fieldsOf(choice)).get(name) ?? [])) found.set(canonical(value), value);
  }
  return [...found.values()];
}

// Fields

// A choice with a field of a kind that this client does not know is left out.
const choicesOf = (offer: OfferOf<unknown> | null): readonly AnyChoice[] =>
  offer?.choices.filter((choice) => fieldsOf(choice).every(([, field]) => isField(field))) ?? [];

const fieldsOf = (choice: AnyChoice): [string, Field][] =>
  Object.entries((choice.fields ?? {}) as Record<string, Field>);

const isRange = (field: Field): field is Immutable<Range> => "kind" in field && field.kind === "range";

const same = (one: Value, other: Value): boolean => canonical(one) === canonical(other);

function isField(field: unknown): boolean {
  if (Array.isArray(field)) return true;
  const { kind, low, high, least, most, of } = Object(field);
  if (kind === "range") return [low, high].every(Number.isSafeInteger);
  return kind === "pick" && Array.isArray(of) && [least, most].every(Number.isSafeInteger);
}

function narrowChoice(choice: AnyChoice, chosen: [string, Value][]): AnyChoice[] {
  const fields = new Map(fieldsOf(choice));
  const fits = chosen.every(([name, value]) => fields.has(name) && permitsValue(fields.get(name) as Field, value));
  for (const [name, value] of chosen) fields.set(name, [value]);
  return fits ? [{ do: choice.do, fields: Object.fromEntries(fields) as Choice["fields"] & {} }] : [];
}

function permitsValue(field: Field, value: Value): boolean {
  if (!("kind" in field)) return field.some((item) => same(item, value));
  if (isRange(field))
    return Number.isInteger(value) && field.low <= (value as number) && (value as number) <= field.high;
  const { least, most, of } = field;
  return Array.isArray(value) && least <= value.length && value.length <= most && holds(of as Value[], value);
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

// Drawing

const drawBelow = (limit: number, draw: () => number): number => Math.min(Math.floor(draw() * limit), limit - 1);

function drawValue(field: Field, draw: () => number): Value {
  if (!("kind" in field)) return field[drawBelow(field.length, draw)] as Value;
  if (isRange(field)) return field.low + drawBelow(countField(field), draw);
  const size = drawWeighted(sizesOf(field), (each) => binomial(field.of.length, each), draw);
  return drawItems(field.of as Value[], size as number, draw);
}

/** Return an item with a probability in proportion to its weight. */
function drawWeighted<T>(items: readonly T[], weigh: (item: T) => number, draw: () => number): T | undefined {
  let left = draw() * items.reduce((sum, item) => sum + weigh(item), 0);
  for (const item of items) {
    left -= weigh(item);
    if (left < 0) return item;
  }
  return items.at(-1);
}

// Each item is taken with the probability with which the items that are still needed include it.
function drawItems(items: readonly Value[], needed: number, draw: () => number): Value[] {
  return items.filter((_, at) => {
    const isTaken = draw() * (items.length - at) < needed;
    if (isTaken) needed--;
    return isTaken;
  });
}

// Counting

const countChoice = (choice: AnyChoice): number =>
  fieldsOf(choice).reduce((product, [, field]) => product * countField(field), 1);

function countField(field: Field): number {
  if (!("kind" in field)) return field.length;
  if (isRange(field)) return Math.max(0, field.high - field.low + 1);
  return sizesOf(field).reduce((sum, size) => sum + binomial(field.of.length, size), 0);
}

function sizesOf({ least, most, of }: Immutable<Pick>): number[] {
  return [...of.keys(), of.length].filter((size) => size >= least && size <= most);
}

function binomial(items: number, size: number): number {
  let ways = size < 0 || size > items ? 0 : 1;
  for (let at = 0; at < size && ways; at++) ways = Math.round((ways * (items - at)) / (at + 1));
  return ways;
}

/** Return the action with this number; the last field counts fastest. */
function nthOfChoice(choice: AnyChoice, index: number): Action {
  const values: [string, Value][] = [];
  for (const [name, field] of fieldsOf(choice).reverse()) {
    const size = countField(field);
    values.unshift([name, nthOfField(field, index % size)]);
    index = Math.floor(index / size);
  }
  return { do: choice.do, ...Object.fromEntries(values) };
}

function nthOfField(field: Field, index: number): Value {
  if (!("kind" in field)) return field[index] as Value;
  return isRange(field) ? field.low + index : nthPick(field, index);
}

function nthPick(pick: Immutable<Pick>, index: number): Value[] {
  for (const size of sizesOf(pick)) {
    const ways = binomial(pick.of.length, size);
    if (index < ways) return nthCombination(pick.of as Value[], size, index);
    index -= ways;
  }
  return [];
}

// In the order of Python's itertools.combinations, without listing the others.
function nthCombination(items: readonly Value[], size: number, index: number): Value[] {
  const taken: Value[] = [];
  for (const [place, item] of items.entries()) {
    if (taken.length === size) break;
    const withItem = binomial(items.length - place - 1, size - taken.length - 1);
    if (index < withItem) taken.push(item);
    else index -= withItem;
  }
  return taken;
}
