/** A form of a game's options, made from their JSON Schema. */

import type { Value } from "palatine-client";
import type { GameInfo, Schema, Words } from "../boards/contract.ts";
import { resolve, sayValue } from "../game/values.ts";
import { say } from "../i18n/languages.ts";
import { Switch } from "./switch.tsx";

type Options = Readonly<Record<string, Value>>;

interface OptionsFormProps {
  readonly game: GameInfo;
  readonly words: Words;
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

export function OptionsForm({ game, words, options, onChange }: OptionsFormProps) {
  const root = game.options;
  const properties = Object.entries((resolve(root, root).properties ?? {}) as Record<string, Schema>);
  const marks = game.description.schemas.options;
  return (
    <fieldset>
      <legend>{say("options")}</legend>
      {properties.map(([name, schema]) => (
        <OptionField
          key={name}
          label={words.pick(game.description.labels.options?.[name]) || name}
          schema={resolve({ ...schema, ...resolve(marks, marks).properties?.[name] }, root)}
          value={options[name]}
          word={(value, inner) => sayValue(value, inner, marks, { game, words, documents: [] })}
          onChange={(value) => onChange(withOption(options, name, value))}
        />
      ))}
    </fieldset>
  );
}

/** An option that is left out has its default. */
function withOption(options: Options, name: string, value: Value | undefined): Options {
  const { [name]: _, ...rest } = options;
  return value === undefined ? rest : { ...rest, [name]: value };
}

interface OptionFieldProps {
  readonly label: string;
  readonly schema: Schema;
  readonly value: Value | undefined;
  readonly word: (value: Value, schema: Schema) => string;
  readonly onChange: (value: Value | undefined) => void;
}

function OptionField({ label, schema, value, word, onChange }: OptionFieldProps) {
  const present = value ?? schema.default;
  if (schema.type === "boolean")
    return <Switch label={label} value={present === true} onChange={(chosen) => onChange(chosen)} />;
  const choices = listChoices(schema);
  if (choices.length)
    return (
      <label>
        <span>{label}</span>
        <select
          value={JSON.stringify(present ?? null)}
          onChange={(event) => onChange(JSON.parse(event.currentTarget.value))}
        >
          {choices.map(([choice, inner]) => (
            <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
              {choice === null ? say("as_default") : word(choice, inner)}
            </option>
          ))}
        </select>
      </label>
    );
  return <NumberOrText label={label} schema={schema} value={present} onChange={onChange} />;
}

/** Return the values of a closed set, each with the schema that names it; nothing if the set is open. */
function listChoices(schema: Schema): [Value, Schema][] {
  const variants: Schema[] = schema.anyOf ?? [schema];
  const listed = variants.map((each): Value[] | null => {
    if (Array.isArray(each.enum)) return each.enum;
    if (each.type === "null") return [null];
    if (each["x-names"] === "seat") return [0, 1, 2, 3].filter((seat) => seat <= (each.maximum ?? 3));
    return null;
  });
  if (listed.some((each) => each === null)) return [];
  return variants.flatMap((each, at) => (listed[at] ?? []).map((value): [Value, Schema] => [value, each]));
}

function NumberOrText({ label, schema, value, onChange }: Omit<OptionFieldProps, "word">) {
  const number = [schema, ...(schema.anyOf ?? [])].find((each: Schema) => each.type === "integer");
  if (!number) return <ListField {...{ label, schema, value, onChange }} />;
  const change = (text: string) => onChange(text === "" ? undefined : Number(text));
  return (
    <label>
      <span>{label}</span>
      <input
        type="number"
        min={number.minimum}
        max={number.maximum}
        value={typeof value === "number" ? value : ""}
        placeholder={say("as_default")}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  );
}

/** A list of numbers with commas between them; seats count from 1, and a gap is left out. Anything else is JSON. */
function ListField({ label, schema, value, onChange }: Omit<OptionFieldProps, "word">) {
  const shift = schema.items?.["x-names"] === "seat" ? 1 : 0;
  const isNumbers = schema.type === "array";
  const change = (input: HTMLInputElement) => {
    const read = isNumbers ? readNumbers(input.value, shift) : readJson(input.value);
    input.setCustomValidity(read === null ? say("not_a_list") : "");
    if (read !== null) onChange(read);
  };
  const shown = Array.isArray(value)
    ? value.map((each) => (typeof each === "number" ? each + shift : "")).join(", ")
    : "";
  return (
    <label>
      <span>{label}</span>
      <input
        defaultValue={isNumbers ? shown : JSON.stringify(value ?? "")}
        placeholder={isNumbers ? say("list_example") : say("as_default")}
        onChange={(event) => change(event.currentTarget)}
      />
    </label>
  );
}

/** Return the numbers of a text; undefined if it is empty, null if it is something else. */
function readNumbers(text: string, shift: number): Value | undefined | null {
  if (!text.trim()) return undefined;
  const parts = text.split(",").map((part) => part.trim());
  if (!parts.every((part) => /^\d*$/.test(part))) return null;
  return parts.map((part) => (part ? Number(part) - shift : null));
}

function readJson(text: string): Value | undefined | null {
  try {
    return text.trim() ? JSON.parse(text) : undefined;
  } catch {
    return null;
  }
}
