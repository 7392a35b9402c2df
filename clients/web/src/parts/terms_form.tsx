/** The terms of a table beside the game's options: clock, privacy, ready check, delay. */

import { useSignal } from "@preact/signals";
import type { Clock } from "palatine-client/messages";
import { say } from "../i18n/languages.ts";
import { Switch } from "./switch.tsx";

export interface Terms {
  readonly visibility: "public" | "private";
  readonly clock: Clock | null;
  readonly ready_check: boolean;
  readonly delay: number;
}

export const USUAL_TERMS: Terms = { visibility: "public", clock: null, ready_check: false, delay: 0 };
const FIGURES = ["move", "bank", "increment", "grace"] as const;

interface TermsFormProps {
  readonly terms: Terms;
  readonly policies: readonly string[];
  readonly onChange: (terms: Terms) => void;
}

export function TermsForm({ terms, policies, onChange }: TermsFormProps) {
  const change = (part: Partial<Terms>) => onChange({ ...terms, ...part });
  return (
    <fieldset>
      <legend>{say("terms")}</legend>
      <label>
        <span>{say("visibility")}</span>
        <select
          value={terms.visibility}
          onChange={(event) => change({ visibility: event.currentTarget.value as Terms["visibility"] })}
        >
          <option value="public">{say("visibility_public")}</option>
          <option value="private">{say("visibility_private")}</option>
        </select>
      </label>
      <ClockChoice clock={terms.clock} onChange={(clock) => change({ clock })} />
      {terms.clock && (
        <label>
          <span>{say("clock_overdue")}</span>
          <select
            value={terms.clock.overdue ?? "rules"}
            onChange={(event) => change({ clock: { ...terms.clock, overdue: event.currentTarget.value } })}
          >
            <option value="rules">{say("overdue_rules")}</option>
            {policies.map((policy) => (
              <option key={policy} value={policy}>
                {say("overdue_bot", { policy: sayPolicy(policy) })}
              </option>
            ))}
          </select>
        </label>
      )}
      <Switch
        label={say("ready_check")}
        value={terms.ready_check}
        onChange={(value) => change({ ready_check: value })}
      />
      <label>
        <span>{say("delay")}</span>
        <input
          type="number"
          min={0}
          max={256}
          value={terms.delay}
          onInput={(event) => change({ delay: Number(event.currentTarget.value) || 0 })}
        />
      </label>
    </fieldset>
  );
}

/** The usual clocks, in seconds. */
const CLOCKS = {
  none: null,
  quick: { move: 30, grace: 60 },
  relaxed: { move: 120, grace: 120 },
  days: { move: 86_400 },
} as const;

/** One of the usual clocks, or one's own. */
function ClockChoice({ clock, onChange }: { clock: Clock | null; onChange: (clock: Clock | null) => void }) {
  const isCustom = useSignal(false);
  const plain = clock && { ...clock, overdue: undefined };
  const known = Object.entries(CLOCKS).find(([, each]) => JSON.stringify(each) === JSON.stringify(plain))?.[0];
  const shown = isCustom.value ? "custom" : (known ?? "custom");
  const choose = (name: string) => {
    isCustom.value = name === "custom";
    if (name !== "custom") onChange(CLOCKS[name as keyof typeof CLOCKS]);
  };
  return (
    <>
      <label>
        <span>{say("clock")}</span>
        <select value={shown} onChange={(event) => choose(event.currentTarget.value)}>
          {(["none", "quick", "relaxed", "days", "custom"] as const).map((name) => (
            <option key={name} value={name}>
              {say(`clock_${name}`)}
            </option>
          ))}
        </select>
      </label>
      {shown === "custom" &&
        FIGURES.map((figure) => <ClockFigure key={figure} figure={figure} clock={clock} onChange={onChange} />)}
    </>
  );
}

interface ClockFigureProps {
  readonly figure: (typeof FIGURES)[number];
  readonly clock: Clock | null;
  readonly onChange: (clock: Clock | null) => void;
}

function ClockFigure({ figure, clock, onChange }: ClockFigureProps) {
  const change = (text: string) => {
    const { [figure]: _, ...rest } = clock ?? {};
    const next: Clock = Number(text) > 0 ? { ...rest, [figure]: Number(text) } : rest;
    onChange(FIGURES.some((each) => next[each]) ? next : null);
  };
  return (
    <label>
      <span>{say(`clock_${figure}`)}</span>
      <input
        type="number"
        min={0}
        max={5_184_000}
        value={clock?.[figure] ?? ""}
        placeholder={say("clock_none")}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  );
}

/** Name the policy of a house bot; a game may have its own. */
export function sayPolicy(policy: string): string {
  if (isHousePolicy(policy)) return say(`policy_${policy}`);
  return policy;
}

const HOUSE_POLICIES = ["random", "greedy", "strong", "expert"] as const;

function isHousePolicy(policy: string): policy is (typeof HOUSE_POLICIES)[number] {
  return HOUSE_POLICIES.some((each) => each === policy);
}
