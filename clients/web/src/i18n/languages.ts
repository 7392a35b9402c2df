/** The languages of this client. A third one is one more file and one more line here. */

import { signal } from "@preact/signals";
import { de } from "./de.ts";
import { en, type Phrases } from "./en.ts";

export const LANGUAGES: Readonly<Record<string, { readonly name: string; readonly phrases: Phrases }>> = {
  en: { name: "English", phrases: en },
  de: { name: "Deutsch", phrases: de },
};

export const lang = signal(findLanguage());

export type Figures = Readonly<Record<string, string | number>>;

/** Return a text of this client in the reader's language, with figures in place of `{name}`. */
export function say(key: keyof Phrases, figures: Figures = {}): string {
  return fill(LANGUAGES[lang.value]?.phrases[key] ?? en[key] ?? key, figures);
}

/** Put figures into a phrase; a placeholder without a figure stays. */
export function fill(phrase: string, figures: Figures): string {
  return phrase.replace(/\{(\w+)\}/g, (whole, name) => `${figures[name] ?? whole}`);
}

/** Join words as the language does: "Ada, Bruno and Clara". */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return say("and", { list: words.slice(0, -1).join(", "), last: words.at(-1) ?? "" });
}

/** Say a number of points, with the right plural. */
export function sayPoints(count: number): string {
  return count === 1 ? say("points_one") : say("points", { count });
}

function findLanguage(): string {
  const wanted = [globalThis.localStorage?.getItem("palatine.lang") ?? "", ...(globalThis.navigator?.languages ?? [])];
  return wanted.map((each) => each.slice(0, 2)).find((each) => each in LANGUAGES) ?? "en";
}
