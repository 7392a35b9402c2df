/** The words of a game in the reader's language, from its description. */

import { Refused, type View } from "palatine-client";
import type { GameInfo, Text, Words } from "../boards/contract.ts";
import { hasText, lang, say, speak } from "../i18n/languages.ts";

const pieceNames = new WeakMap<object, Map<string, Record<string, string>>>();

/** Return the words for a table: the pieces of its game, and the names of its players. */
export function createWords(game: GameInfo, names: readonly (string | null)[]): Words {
  const language = lang.value;
  const labels = game.description.labels;
  const pick = (text: Text | undefined) => text?.[language] ?? text?.en ?? "";
  const pieces = findPieces(game);
  const nameOther = (at: number) => (names.length ? pick(labels.seats?.[at - names.length]) : "");
  return {
    lang: language,
    say: (key, figures) => (hasText(key) ? say(key, figures) : key),
    speak,
    pick,
    piece: (id) => pick(pieces.get(id)) || id,
    seat: (seat) => names[seat] || nameOther(seat) || `${seat + 1}`,
    word: (group, value) => pick(labels.words?.[group]?.[value]) || pick(pieces.get(value)) || value,
    verb: (name) => pick(labels.verbs?.[name]?.label) || name,
    field: (name) => pick(labels.fields?.[name]) || name,
    zone: (name) => pick(labels.zones?.[name]) || name,
    unit: (name, amount) => {
      const unit = labels.units?.[name];
      const word = pick(amount === 1 && unit?.one ? unit.one : unit);
      return word ? `${amount} ${word}` : `${amount}`;
    },
  };
}

/** Return the words of a game for a refusal; empty if the server's sentence, which is English, says it better. */
export function sayRefusal(error: unknown, game: GameInfo): string {
  if (!(error instanceof Refused) || lang.value === "en") return "";
  return game.description.labels.errors?.[error.code]?.[lang.value] ?? "";
}

/** Return the names at a table, by seat; a free seat has none. */
export function namesOf(view: View): (string | null)[] {
  return view.info.seats.map((seat) => seat?.name ?? null);
}

/** Return the names of all pieces of the catalog by id, in all languages. */
function findPieces(game: GameInfo): Map<string, Record<string, string>> {
  const known = pieceNames.get(game.catalog) ?? new Map<string, Record<string, string>>();
  if (!pieceNames.has(game.catalog)) {
    pieceNames.set(game.catalog, known);
    collectPieces(game.catalog, "", known);
  }
  return known;
}

function collectPieces(part: unknown, key: string, found: Map<string, Record<string, string>>): void {
  if (typeof part !== "object" || part === null) return;
  const fields = part as Record<string, unknown>;
  const id = typeof fields.id === "string" ? fields.id : key;
  if (typeof fields.name_en === "string" && !found.has(id)) found.set(id, namesIn(fields));
  for (const [name, inner] of Object.entries(fields)) collectPieces(inner, Array.isArray(part) ? "" : name, found);
}

function namesIn(fields: Record<string, unknown>): Record<string, string> {
  const names = Object.entries(fields).filter(([key, value]) => /^name_..$/.test(key) && typeof value === "string");
  return Object.fromEntries(names.map(([key, value]) => [key.slice(5), value as string]));
}
