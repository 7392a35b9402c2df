/** What a tap on a thing can mean: the next field of the half-made choice, or the beginning of another one. */

import type { Choice, Part } from "../contract.ts";

/** Return the half-made choice continued with a value for the first field that takes it; null if none does. */
export function continueWith(choice: Choice, fields: readonly string[], value: Part[string]): Part | null {
  if (!choice.given["do"]) return null;
  const parts = fields
    .filter((field) => !(field in choice.given))
    .map((field) => ({ ...choice.given, [field]: value }));
  return parts.find((part) => choice.can(part)) ?? null;
}

/** Return those of the parts that begin an action that is offered. */
export const listOffered = (choice: Choice, parts: readonly Part[]): readonly Part[] =>
  parts.filter((part) => choice.can(part));
