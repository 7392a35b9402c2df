/** The bar: any offer of any game, verb by verb and field by field, with its effect before the player confirms. */

import { type Signal, useSignal } from "@preact/signals";
import type { OfferOf, Value } from "palatine-client";
import { useEffect } from "preact/hooks";
import type { Choice } from "../boards/contract.ts";
import type { LiveChoice } from "../game/choice.ts";
import { listOpenFields, type OpenField } from "../game/selection.ts";
import { type Naming, sayAction, sayField, sayItem } from "../game/values.ts";
import { say, sayPoints } from "../i18n/languages.ts";

interface ChooserProps {
  readonly live: LiveChoice;
  readonly naming: Naming;
  readonly mustDecide: boolean;
  /** Whether a board draws the game: then fields are listed only for a verb that was chosen here, not over the board. */
  readonly isDrawn: boolean;
}

const MOST_IN_A_ROW = 2; // verbs on a phone; more of them are in two rows that scroll to the side

export function Chooser({ live, naming, mustDecide, isDrawn }: ChooserProps) {
  const choice = live.choice.value;
  const offer = choice.offer;
  const listed = useSignal(""); // the verb that was chosen here
  const isEmpty = !Object.keys(choice.given).length;
  useEffect(() => {
    if (isEmpty) listed.value = "";
  }, [isEmpty]);
  if (!offer?.choices.length) return null;
  const verbs = [...new Set(offer.choices.map((each) => each.do))];
  return (
    <section class={mustDecide ? "bar turn" : "bar"} aria-label={say("your_choice")} id="choices">
      <div class="row">
        <h2>{say(mustDecide ? "your_turn" : "you_may")}</h2>
        <div class={verbs.length > MOST_IN_A_ROW ? "values verbs many" : "values verbs"}>
          {verbs.map((verb) => (
            <VerbButton key={verb} {...{ verb, choice, naming, listed }} />
          ))}
        </div>
      </div>
      {(!isDrawn || (listed.value && choice.has({ do: listed.value }))) &&
        listOpenFields(offer, live.selection.value).map((field) => (
          <FieldChoice key={field.name} field={field} choice={choice} naming={naming} />
        ))}
      {!isEmpty && <Decision live={live} naming={naming} />}
    </section>
  );
}

interface VerbButtonProps {
  readonly verb: string;
  readonly choice: Choice;
  readonly naming: Naming;
  readonly listed: Signal<string>;
}

/** A verb that does not fit what is given begins anew. One that the board has chosen is kept, and its fields are listed. */
function VerbButton({ verb, choice, naming, listed }: VerbButtonProps) {
  const isGiven = choice.has({ do: verb });
  const choose = () => {
    if (!isGiven || listed.value === verb) choice.choose({ do: verb });
    listed.value = isGiven && listed.value === verb ? "" : verb;
  };
  return (
    <button type="button" aria-pressed={isGiven} data-verb={verb} onClick={choose}>
      {naming.words.verb(verb)}
    </button>
  );
}

interface FieldChoiceProps {
  readonly field: OpenField;
  readonly choice: Choice;
  readonly naming: Naming;
}

function FieldChoice({ field, choice, naming }: FieldChoiceProps) {
  const verb = `${choice.given.do ?? choice.values("do")[0]}`;
  const label = naming.words.field(field.name);
  const title = sayTitle(field, label);
  const all = allValues(choice.offer, verb, field);
  return (
    <fieldset class="plain">
      <legend class="small soft">{title}</legend>
      <div class="values">
        {all.map((value, at) => (
          <ValueButton key={`${JSON.stringify(value)} ${at}`} {...{ verb, field, value, choice, naming }} />
        ))}
      </div>
    </fieldset>
  );
}

function sayTitle(field: OpenField, label: string): string {
  if (!field.pick) return say("choose_field", { field: label });
  const { least, most } = field.pick;
  return say(least === most ? "choose_some" : "choose_from_to", { field: label, least, most });
}

/** All values of a field under this verb, so that those which no longer fit are grey and not gone. */
function allValues(offer: OfferOf | null, verb: string, field: OpenField): readonly Value[] {
  if (field.pick) return listItems(offer, verb, field.name);
  const found = new Map<string, Value>();
  for (const value of field.values) found.set(JSON.stringify(value), value);
  for (const choice of offer?.choices ?? []) {
    const values = choice.do === verb ? choice.fields?.[field.name] : undefined;
    if (Array.isArray(values)) for (const value of values as Value[]) found.set(JSON.stringify(value), value);
  }
  return [...found.values()];
}

/** The items of a pick, equal ones too. */
function listItems(offer: OfferOf | null, verb: string, name: string): readonly Value[] {
  const fields = offer?.choices.filter((each) => each.do === verb).map((each) => each.fields?.[name]) ?? [];
  const picks = fields.filter((each): each is never => typeof each === "object" && each !== null && "of" in each);
  return (picks as { of: readonly Value[] }[]).reduce<readonly Value[]>(
    (longest, { of }) => (of.length > longest.length ? of : longest),
    [],
  );
}

interface ValueButtonProps extends FieldChoiceProps {
  readonly verb: string;
  readonly value: Value;
}

function ValueButton({ verb, field, value, choice, naming }: ValueButtonProps) {
  const { name } = field;
  const key = JSON.stringify(value);
  const isPossible = field.values.some((each) => JSON.stringify(each) === key);
  if (field.pick)
    return (
      <button
        type="button"
        aria-pressed={choice.isPicked(name, value)}
        data-field={name}
        onClick={() => choice.toggle({ do: verb }, name, value)}
      >
        {sayItem(verb, name, value, naming)}
      </button>
    );
  return (
    <button
      type="button"
      aria-pressed={choice.has({ [name]: value })}
      aria-disabled={isPossible ? undefined : true}
      data-field={name}
      onClick={() => choice.choose(isPossible ? { [name]: value } : { do: verb, [name]: value })}
    >
      {sayField(verb, name, value, naming)}
    </button>
  );
}

/** The whole action, what it brings, and the buttons that carry it out or drop it. */
function Decision({ live, naming }: Pick<ChooserProps, "live" | "naming">) {
  const { action, preview, confirm, clear } = live.choice.value;
  return (
    <div class="decide" aria-live="polite">
      {action && (
        <button type="button" class="main" id="confirm" disabled={live.isSending.value} onClick={confirm}>
          {say("confirm")}
        </button>
      )}
      <button type="button" onClick={clear}>
        {say("clear")}
      </button>
      {action && <span>{sayAction(action as Record<string, Value>, naming)}</span>}
      {live.reveals.value && <span class="soft small">{say("effect_hidden")}</span>}
      {preview && <Scores scores={preview.scores} naming={naming} />}
    </div>
  );
}

function Scores({ scores, naming }: { scores: readonly (number | null)[]; naming: Naming }) {
  const changed = scores.map((points, seat) => ({ points, seat })).filter(({ points }) => points);
  if (!changed.length) return <span class="soft small">{say("effect_none")}</span>;
  return (
    <span class="row">
      {changed.map(({ points, seat }) => (
        <span key={seat} class={(points ?? 0) > 0 ? "gain" : "loss"}>
          {say("points_gain", {
            name: naming.words.seat(seat),
            points: `${(points ?? 0) > 0 ? "+" : "−"}${sayPoints(Math.abs(points ?? 0))}`,
          })}
        </span>
      ))}
    </span>
  );
}
