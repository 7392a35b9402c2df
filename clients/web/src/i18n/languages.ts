/**
 * The languages of this client: every other file in this folder is one, and nothing else names them.
 *
 * A page loads the language of its reader and no other. So the texts cost the same however many languages there are.
 */

import { batch, computed, signal } from "@preact/signals";
import type { FieldsOf } from "palatine-client";

import type { Phrases } from "./en.ts";

type ServerLanguage = NonNullable<FieldsOf<"describe">["lang"]>;

const FILES = import.meta.glob<Phrases>(["./*.ts", "!./languages.ts"], { import: "default" });
const SERVED: Readonly<Record<ServerLanguage, true>> = { en: true, de: true };

const phrases = signal<Phrases | null>(null);

/** The codes of all languages. */
export const LANGUAGES: readonly string[] = Object.keys(FILES).map((path) => path.slice(2, -3));

/** The language of the reader; `useLanguage` changes it. */
const chosen = signal(findLanguage());
export const lang = computed(() => chosen.value);

/** The language in which the server speaks to the reader: theirs, or English where the server does not have it. */
export const serverLang = computed(() => (lang.value in SERVED ? (lang.value as ServerLanguage) : "en"));

export type Figures = Readonly<Record<string, string | number>>;

/** Load a language, and show everything in it; a code without a file changes nothing. */
export async function useLanguage(code: string): Promise<void> {
  const found = await FILES[`./${code}.ts`]?.();
  if (found) batch(() => ([phrases.value, chosen.value] = [found, code]));
}

/** Return the name of every language in itself, by its code. */
export async function nameLanguages(): Promise<readonly [code: string, name: string][]> {
  const files = await Promise.all(LANGUAGES.map((code) => FILES[`./${code}.ts`]?.()));
  return LANGUAGES.map((code, at) => [code, files[at]?.language ?? code]);
}

/** Return a text of this client in the reader's language, with figures in place of `{name}`. */
export function say(key: keyof Phrases["pages"], figures: Figures = {}): string {
  return fill(phrases.value?.pages[key] ?? key, figures);
}

/** Whether this client has a text of that name. */
export const hasText = (key: string): key is keyof Phrases["pages"] => key in (phrases.value?.pages ?? {});

/** Return a function that says the texts of a board, with figures in place of `{0}`, `{1}` and so on. */
export function speak<G extends BoardName>(board: G): SayOfBoard<G> {
  const texts = phrases.value?.boards[board] as Readonly<Record<string, string>> | undefined;
  return (key, ...figures) => fill(texts?.[key] ?? key, Object.fromEntries(figures.entries()));
}

export type BoardName = keyof Phrases["boards"];
export type TextOfBoard<G extends BoardName> = keyof Phrases["boards"][G] & string;
export type SayOfBoard<G extends BoardName> = (key: TextOfBoard<G>, ...figures: (string | number)[]) => string;

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

/** Return the first language that the reader wants and this client has: what they chose, or else their browser's. */
function findLanguage(): string {
  const wanted = [globalThis.localStorage?.getItem("palatine.lang") ?? "", ...(globalThis.navigator?.languages ?? [])];
  const codes = wanted.flatMap((tag) => [tag, tag.split("-")[0] ?? ""]);
  return codes.find((code) => LANGUAGES.includes(code)) ?? "en";
}
