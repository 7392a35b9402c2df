/** The choice that a board and the bar share, on a watched table. */

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { type Action, Refused, type Value } from "palatine-client";
import { preview, type Table } from "palatine-client/tables";
import type { Choice, Outcome, Part } from "../boards/contract.ts";
import { serverLang } from "../i18n/languages.ts";
import * as selection from "./selection.ts";

/** What the page does for a choice. */
export interface ChoiceOwner {
  /** Show a sentence, such as the reason of a refusal. */
  tell(sentence: string): void;
  fail(error: unknown): void;
}

export interface LiveChoice {
  readonly choice: ReadonlySignal<Choice>;
  readonly selection: ReadonlySignal<selection.Selection>;
  /** Whether the preview was refused because the action reveals something. */
  readonly reveals: ReadonlySignal<boolean>;
  readonly isSending: ReadonlySignal<boolean>;
  stop(): void;
}

/** Follow the offers of a table; a half-made choice stays for as long as it fits them. */
export function createChoice(table: Table, owner: ChoiceOwner): LiveChoice {
  const offer = signal(table.view.offer);
  const made = signal(selection.NOTHING);
  const outcome = signal<Outcome | null>(null);
  const reveals = signal(false);
  const isSending = signal(false);
  const action = computed(() => selection.complete(offer.value, made.value));

  const stopViews = table.subscribe((view) => {
    if (JSON.stringify(view.offer) === JSON.stringify(offer.value)) return;
    offer.value = view.offer;
    made.value = selection.refit(view.offer, made.value);
  });

  const stopPreviews = effect(() => {
    const wanted = action.value;
    outcome.value = null;
    reveals.value = false;
    point(table, wanted);
    if (wanted) showOutcome(wanted);
  });

  function showOutcome(wanted: Action): void {
    preview(table, wanted).then(
      (found) => {
        if (action.value === wanted) outcome.value = found as Outcome;
      },
      (error) => {
        if (action.value === wanted) reveals.value = error instanceof Refused && error.code === "would_reveal";
      },
    );
  }

  async function confirm(): Promise<void> {
    const wanted = action.value;
    if (!wanted || isSending.value) return;
    isSending.value = true;
    await table.act(wanted).then(() => clear(), owner.fail);
    isSending.value = false;
  }

  function clear(): void {
    made.value = selection.NOTHING;
  }

  async function explainWhyNot(part: Part): Promise<void> {
    const wanted = { ...fillFields(part, table.view.offer), ...part } as never;
    const { text = [] } = await table.send("explain", { action: wanted, lang: serverLang.value });
    owner.tell(text.join("\n"));
  }

  const choice = computed<Choice>(() => ({
    offer: offer.value,
    given: { ...made.value.given, ...(made.value.picks as Part) },
    action: action.value,
    preview: outcome.value,
    values: (field) => selection.valuesOf(offer.value, made.value, field),
    valuesAfter: (part, field) => selection.valuesOf(offer.value, { given: part, picks: {} }, field),
    can: (part) => selection.can(offer.value, part),
    has: (part) => selection.has(made.value, part),
    choose(part) {
      if (!offer.value || !selection.can(offer.value, part)) return choice.value.explainWhyNot(part);
      made.value = selection.give(offer.value, made.value, part);
    },
    toggle(part, field, item) {
      if (offer.value) made.value = selection.toggle(offer.value, made.value, part, field, item);
    },
    isPicked: (field, item) =>
      (made.value.picks[field] ?? []).some((each) => JSON.stringify(each) === JSON.stringify(item)),
    clear,
    confirm,
    explainWhyNot: (part) => void explainWhyNot(part).catch(owner.fail),
  }));

  function stop(): void {
    stopViews();
    stopPreviews();
  }
  return { choice, selection: made, reveals, isSending, stop };
}

/** Show partners what this player has in mind; nobody minds if it is refused. */
function point(table: Table, action: Action | null): void {
  const others = table.view.info.seats.filter((seat) => seat && !seat.bot).length;
  if (table.view.seat !== null && others > 1) table.send("point", { action: action as never }).catch(() => {});
}

/** Take any value for the fields that a part lacks, so that the server can judge a whole action. */
function fillFields(part: Part, offer: Table["view"]["offer"]): Part {
  const like = offer?.choices.find((choice) => choice.do === part.do) ?? offer?.choices[0];
  const fields = Object.entries((like?.fields ?? {}) as Record<string, unknown>);
  return Object.fromEntries([["do", like?.do ?? ""], ...fields.map(([name, field]) => [name, firstValue(field)])]);
}

function firstValue(field: unknown): Value {
  if (Array.isArray(field)) return field[0] as Value;
  const { kind, low, of, least } = field as { kind: string; low: number; of: Value[]; least: number };
  return kind === "range" ? low : (of.slice(0, least) as Value);
}
