/** Documents and catalogs as boards read them. */

/** A document with all its fields: the server sends those with their default value too. */
export type Complete<T> = T extends object ? { readonly [key in keyof T]-?: Complete<Exclude<T[key], undefined>> } : T;

/** An entry of a catalog. */
export interface Entry {
  readonly id: string;
  readonly name_en: string;
  readonly text_en?: string;
  readonly [word: `name_${string}` | `text_${string}`]: string | undefined;
}

/** Return entries by their ids. */
export const indexById = <E extends Entry>(entries: readonly E[]): ReadonlyMap<string, E> =>
  new Map(entries.map((entry) => [entry.id, entry]));

/** Return the name of an entry in a language, or else in English. */
export const nameEntry = (entry: Entry | undefined, lang: string): string =>
  entry?.[`name_${lang}`] ?? entry?.name_en ?? "";

/** Return the text of an entry in a language, or else in English. */
export const textOf = (entry: Entry | undefined, lang: string): string =>
  entry?.[`text_${lang}`] ?? entry?.text_en ?? "";
