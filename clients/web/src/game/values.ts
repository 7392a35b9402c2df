/** Values of actions, news and documents in words, as the marks of their schemas say. */

import type { Value } from "palatine-client";
import type { GameInfo, Schema, Words } from "../boards/contract.ts";
import { fill, hasText, joinWords, say } from "../i18n/languages.ts";

/** What names a value: the game, the words, and the documents that a `member` is counted in. */
export interface Naming {
  readonly game: GameInfo;
  readonly words: Words;
  // biome-ignore lint/suspicious/noExplicitAny: documents of any game
  readonly documents: readonly any[];
}

/** Say an action: "Place Sauna in Eltz Castle at (2, 0)". */
export function sayAction(action: Readonly<Record<string, Value>>, naming: Naming): string {
  const { game, words } = naming;
  const verb = `${action.do}`;
  const sentence = words.pick(game.description.labels.verbs?.[verb]?.sentence) || words.verb(verb);
  return fill(sentence, sayFields(action, game.description.schemas.actions[verb], naming));
}

/** Say a piece of news; an empty string if there are no words for it. */
export function sayNews(news: Readonly<Record<string, unknown>>, naming: Naming): string {
  const { game, words } = naming;
  const kind = `${news.news}`;
  const sentence = words.pick(game.description.labels.news?.[kind]?.sentence);
  if (sentence) return fill(sentence, sayFields(news as never, game.description.schemas.news[kind], naming));
  const key = `news_${kind}`;
  if (!hasText(key)) return "";
  const seat = typeof news.seat === "number" ? words.seat(news.seat) : "";
  return say(key, { ...(news as Record<string, string>), seat: `${news.name ?? seat}` });
}

/** Say one value of a field of an action. */
export function sayField(verb: string, field: string, value: Value, naming: Naming): string {
  const schema = naming.game.description.schemas.actions[verb];
  const root = resolve(schema ?? {}, schema ?? {});
  return sayValue(value, root.properties?.[field] ?? {}, schema ?? {}, naming);
}

/** Say one item of a pick. */
export function sayItem(verb: string, field: string, value: Value, naming: Naming): string {
  const schema = naming.game.description.schemas.actions[verb] ?? {};
  const inner = resolve(resolve(schema, schema).properties?.[field] ?? {}, schema);
  return sayValue(value, inner.items ?? {}, schema, naming);
}

function sayFields(fields: Readonly<Record<string, Value>>, schema: Schema | undefined, naming: Naming) {
  const root = schema ?? {};
  const properties = resolve(root, root).properties ?? {};
  const said = Object.entries(fields).map(([name, value]) => [
    name,
    sayValue(value, properties[name] ?? {}, root, naming),
  ]);
  return Object.fromEntries(said) as Record<string, string>;
}

/** Say a value as its schema names it. */
export function sayValue(value: Value, schema: Schema, root: Schema, naming: Naming): string {
  const found = findVariant(value, resolve(schema, root), root);
  if (value === null || value === "") return "–";
  const named = sayNamed(value, found, naming);
  if (named !== null) return named;
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  if (Array.isArray(value)) return sayList(value, found, root, naming);
  if (typeof value === "object") return sayMap(value as Record<string, Value>, found, root, naming);
  return `${value}`;
}

function sayNamed(value: Value, schema: Schema, naming: Naming): string | null {
  const { words } = naming;
  switch (schema["x-names"]) {
    case "piece":
      return typeof value === "string" ? words.piece(value) : null;
    case "seat":
      return typeof value === "number" ? words.seat(value) : null;
    case "word":
      return words.word(schema["x-group"], `${value}`);
    case "amount":
      return typeof value === "number" ? words.unit(schema["x-unit"], value) : null;
    case "cell":
    case "vertex":
      return Array.isArray(value) ? `(${value.join(", ")})` : `${value}`;
    case "member":
      return typeof value === "number" ? sayMember(value, schema["x-list"], naming) : null;
    default:
      return null;
  }
}

/** Name the item of a list of the board or the hand, from 0. */
function sayMember(at: number, list: string, naming: Naming): string {
  const zones = [naming.game.description.schemas.board, naming.game.description.schemas.hand];
  for (const [index, document] of naming.documents.entries()) {
    const root = zones[index] ?? {};
    const schema = resolve(resolve(root, root).properties?.[list] ?? {}, root);
    const item = document?.[list]?.[at];
    if (item === undefined) continue;
    const inner = findVariant(document[list], schema, root).items ?? {};
    return typeof item === "object" && item !== null
      ? sayRecord(item, at, resolve(inner, root), root, naming)
      : sayValue(item, inner, root, naming);
  }
  return `${at + 1}`;
}

/** Name a record by its first part that is a piece, such as the token of a castle. */
function sayRecord(item: Record<string, Value>, at: number, schema: Schema, root: Schema, naming: Naming): string {
  for (const key of ["token", "id", "name"]) {
    if (typeof item[key] === "string") return sayValue(item[key], schema.properties?.[key] ?? {}, root, naming);
  }
  return `${at + 1}`;
}

function sayList(list: readonly Value[], schema: Schema, root: Schema, naming: Naming): string {
  const said = list.map((item) => sayValue(item, schema.items ?? {}, root, naming));
  if (schema["x-index"] !== "seat") return joinWords(said) || say("none");
  return said.map((each, seat) => `${naming.words.seat(seat)}: ${each}`).join(", ");
}

function sayMap(map: Record<string, Value>, schema: Schema, root: Schema, naming: Naming): string {
  return Object.entries(map)
    .map(([key, value]) => {
      const inner = schema.properties?.[key] ?? schema.additionalProperties ?? {};
      const name = sayNamed(key, schema.propertyNames ?? {}, naming) ?? naming.words.zone(key);
      return `${name}: ${sayValue(value, typeof inner === "object" ? inner : {}, root, naming)}`;
    })
    .join(", ");
}

/** Follow a `$ref` into the `$defs` of the whole schema. */
export function resolve(schema: Schema, root: Schema): Schema {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
  const { $ref: _, ...rest } = schema;
  return name ? { ...(root.$defs?.[name] ?? {}), ...rest } : schema;
}

function findVariant(value: Value, schema: Schema, root: Schema): Schema {
  const variants: Schema[] = (schema.anyOf ?? schema.oneOf ?? []).map((each: Schema) => resolve(each, root));
  return variants.find((each) => fits(value, each)) ?? schema;
}

/** The types of named values, for schemas that have only the mark. */
const NAMED_TYPES: Readonly<Record<string, string>> = {
  piece: "string",
  word: "string",
  cell: "array",
  vertex: "array",
  seat: "number",
  member: "number",
  amount: "number",
};

function fits(value: Value, schema: Schema): boolean {
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const wanted = schema.type ?? NAMED_TYPES[schema["x-names"]];
  return wanted === type || (wanted === "integer" && type === "number");
}
