/** The texts of a board in the languages of this client, with figures in place of `{}`. */

import type { Words } from "./../contract.ts";

/** Texts by key: English, German. */
export type Texts = Readonly<Record<string, readonly [en: string, de: string]>>;
export type Say<T extends Texts> = (key: keyof T & string, ...figures: (string | number)[]) => string;

/** Return a function that says the texts of a board in the reader's language. */
export function speak<T extends Texts>(texts: T, words: Words): Say<T> {
  return (key, ...figures) => {
    const [en, de] = texts[key] as T[string];
    return figures.reduce<string>((text, figure) => text.replace("{}", `${figure}`), words.pick({ en, de }));
  };
}
