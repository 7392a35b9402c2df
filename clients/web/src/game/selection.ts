/** A half-made choice from an offer, as pure functions. A pick is collected item by item. */

import type { Action, OfferOf, Value } from "palatine-client";
import { narrow, pick, values } from "palatine-client/offers";
import type { Part } from "../boards/contract.ts";

export interface Selection {
  /** The verb and the fields given so far, without picks. */
  readonly given: Part;
  /** The items of picks given so far, by field; they may still be too few. */
  readonly picks: Readonly<Record<string, readonly Value[]>>;
}

/** A field that is still to be chosen. */
export interface OpenField {
  readonly name: string;
  readonly values: readonly Value[];
  /** The least and the most items of a pick; null for a single value. */
  readonly pick: { readonly least: number; readonly most: number } | null;
}

export const NOTHING: Selection = { given: {}, picks: {} };

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Return the offer without what does not fit the selection; picks count by their items. */
export function narrowBy(offer: OfferOf, { given, picks }: Selection): OfferOf {
  const fitting = narrow(offer, given as Partial<Action>);
  const choices = fitting.choices.filter((choice) =>
    Object.entries(picks).every(([name, items]) => holdsItems(choice.fields?.[name], items)),
  );
  return { ...fitting, choices };
}

/** Return whether some action has this part. Lists count as a whole or as items of a pick. */
export function can(offer: OfferOf | null, part: Part): boolean {
  return !!offer && narrow(offer, part as Partial<Action>).choices.length > 0;
}

/** Return the values that still fit a selection, in the order of the offer. */
export function valuesOf(offer: OfferOf | null, selection: Selection, field: string): readonly Value[] {
  if (!offer) return [];
  const narrowed = narrowBy(offer, selection);
  return field === "do" ? [...new Set(narrowed.choices.map((choice) => choice.do))] : values(narrowed, field);
}

/** Give a part; what was given before and does not fit is dropped. The same part again is taken back. */
export function give(offer: OfferOf, selection: Selection, part: Part): Selection {
  if (has(selection, part)) return without(selection, part);
  let next: Selection = { given: part, picks: {} };
  for (const [name, value] of Object.entries(selection.given).reverse()) {
    if (name in part) continue;
    const tried = { ...next, given: { [name]: value, ...next.given } };
    if (can(offer, tried.given)) next = tried;
  }
  for (const [name, items] of Object.entries(selection.picks)) {
    const tried = { ...next, picks: { ...next.picks, [name]: items } };
    if (narrowBy(offer, tried).choices.length) next = tried;
  }
  return next;
}

/** Put an item of a pick in, or take it out; at the limit, the oldest item goes. */
export function toggle(offer: OfferOf, selection: Selection, part: Part, field: string, item: Value): Selection {
  const base = has(selection, part) ? selection : give(offer, selection, part);
  const items = base.picks[field] ?? [];
  const at = items.findIndex((each) => same(each, item));
  const kept = at < 0 ? [...items, item] : items.filter((_, index) => index !== at);
  const tries = [kept, kept.slice(1), [item]].map((each) => ({ ...base, picks: { ...base.picks, [field]: each } }));
  return tries.find((each) => narrowBy(offer, each).choices.length > 0) ?? base;
}

/** Return whether a part is given. */
export function has({ given }: Selection, part: Part): boolean {
  return Object.entries(part).every(([name, value]) => name in given && same(given[name], value));
}

/** Keep what still fits another offer. */
export function refit(offer: OfferOf | null, selection: Selection): Selection {
  if (!offer?.choices.length) return NOTHING;
  const fits = can(offer, selection.given) && narrowBy(offer, selection).choices.length > 0;
  return fits ? selection : NOTHING;
}

/** Return the action as soon as only one fits and the player has given something. */
export function complete(offer: OfferOf | null, selection: Selection): Action | null {
  const isEmpty = !Object.keys(selection.given).length && !Object.keys(selection.picks).length;
  if (!offer || isEmpty) return null;
  return pick(offer, { ...selection.given, ...completePicks(offer, selection) } as Partial<Action>);
}

/** Return the fields that must still be chosen: those with several values, and picks. */
export function listOpenFields(offer: OfferOf, selection: Selection): OpenField[] {
  const narrowed = narrowBy(offer, selection);
  if (valuesOf(offer, selection, "do").length !== 1) return [];
  const names = new Set(narrowed.choices.flatMap((choice) => Object.keys(choice.fields ?? {})));
  return [...names]
    .map((name) => describeField(narrowed, name))
    .filter((field) => field.pick || isOpen(field, selection));
}

function isOpen(field: OpenField, { given }: Selection): boolean {
  return field.values.length > 1 || field.name in given;
}

function describeField(offer: OfferOf, name: string): OpenField {
  const picks = offer.choices.map((choice) => choice.fields?.[name]).filter(isPick);
  const bounds = picks.length
    ? { least: Math.min(...picks.map((each) => each.least)), most: Math.max(...picks.map((each) => each.most)) }
    : null;
  return { name, values: values(offer, name), pick: bounds };
}

/** Return picks that have enough items, and empty ones where nothing is allowed too. */
function completePicks(offer: OfferOf, selection: Selection): Part {
  const done: Record<string, Value> = {};
  for (const choice of narrowBy(offer, selection).choices) {
    for (const [name, field] of Object.entries(choice.fields ?? {})) {
      if (!isPick(field)) continue;
      const items = selection.picks[name] ?? [];
      if (items.length >= field.least && (items.length || "do" in selection.given)) done[name] = items as Value;
    }
  }
  return done;
}

function without(selection: Selection, part: Part): Selection {
  const kept = Object.entries(selection.given).filter(([name]) => !(name in part));
  return "do" in part ? NOTHING : { ...selection, given: Object.fromEntries(kept) };
}

interface PickField {
  readonly kind: "pick";
  readonly least: number;
  readonly most: number;
  readonly of: readonly Value[];
}

function isPick(field: unknown): field is PickField {
  return typeof field === "object" && field !== null && (field as PickField).kind === "pick";
}

function holdsItems(field: unknown, items: readonly Value[]): boolean {
  if (!isPick(field) || items.length > field.most) return false;
  const left = [...field.of];
  return items.every((item) => {
    const at = left.findIndex((each) => same(each, item));
    return at >= 0 && left.splice(at, 1);
  });
}
