/** A half-made choice for the page of drawings, from the offer of a vector. */

import type { OfferOf, Value } from "palatine-client";
import { count, narrow, pick, values } from "palatine-client/offers";
import type { Choice, Part } from "../../src/boards/contract.ts";

/** Return a choice; what is given is kept by the caller. */
export function createChoice(
  offer: OfferOf,
  given: Part,
  give: (part: Part) => void,
  explainWhyNot: (part: Part) => void,
): Choice {
  const after = (part: Part) => narrow(offer, part as never);
  const can = (part: Part) => count(after(part)) > 0;
  const items = (field: string): readonly Value[] => (given[field] as Value[] | undefined) ?? [];
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return {
    offer,
    given,
    action: given["do"] ? pick(offer, given as never) : null,
    preview: null,
    values: (field) => values(after(given), field),
    valuesAfter: (part, field) => values(after(part), field),
    can,
    has: (part) => Object.entries(part).every(([field, value]) => same(given[field], value)),
    choose: (part) => (can(part) ? give(same(part, given) ? {} : part) : explainWhyNot(part)),
    toggle: (part, field, item) => {
      const others = items(field).filter((each) => !same(each, item));
      give({ ...part, [field]: others.length < items(field).length ? others : [...others, item] });
    },
    isPicked: (field, item) => items(field).some((each) => same(each, item)),
    clear: () => give({}),
    confirm: () => give({}),
    explainWhyNot,
  };
}
