/** Shapes: the test that what this client reads in a message from the network has the type that it promises. */

import { isMap } from "./patch.ts";

/** Return whether a value is a list of maps. */
export const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isMap);

/** Tests of the fields that this client reads, wherever they appear; patches test the documents. */
const TESTS: Readonly<Record<string, (value: never) => boolean>> = {
  version: Number.isSafeInteger,
  waiting: isList,
  news: isList,
  talk: isList,
  offer: (offer: { choices: unknown } | null) => !offer || isList(offer.choices),
};

/** Throw if a message has no type, or a field of the wrong type. */
export function checkMessage(message: { readonly type: string }): void {
  const wrong = Object.keys(TESTS).find((name) => name in message && !TESTS[name]?.(message[name as "type"] as never));
  if (wrong || typeof message.type !== "string") throw new RangeError(`wrong ${wrong}`);
}
