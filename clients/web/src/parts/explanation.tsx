/** The explanation of a figure: the server's reasons, line by line with their rules. */

import { useSignal } from "@preact/signals";
import type { Value } from "palatine-client";
import { actions } from "palatine-client/offers";
import type { Table } from "palatine-client/tables";
import { useEffect } from "preact/hooks";
import type { Part } from "../boards/contract.ts";
import { say, serverLang } from "../i18n/languages.ts";
import { fail } from "../session.ts";
import { Dialog } from "./dialog.tsx";
import { RuleLink } from "./rule_link.tsx";

interface ExplanationProps {
  readonly table: Table;
  /** The question; empty to choose one. */
  readonly question: Part;
  readonly onAsk: (question: Part) => void;
  readonly onClose: () => void;
}

export function Explanation({ table, question, onAsk, onClose }: ExplanationProps) {
  const isList = !Object.keys(question).length;
  const lines = useSignal<readonly string[]>([]);
  const questions = useSignal<readonly Part[]>([]);
  useEffect(() => {
    const wanted = { ...(isList ? {} : { question: question as never }), lang: serverLang.value };
    table.send("explain", wanted).then(({ text = [], questions: choices = [] }) => {
      lines.value = text;
      questions.value = [...actions({ id: 0, choices } as never)] as unknown as Part[];
    }, fail);
  }, [JSON.stringify(question), serverLang.value]);
  return (
    <Dialog title={say(isList ? "explain_all" : "explain")} onClose={onClose}>
      {isList ? (
        <ul class="tables">
          {questions.value.map((each, at) => (
            <li key={JSON.stringify(each)}>
              <button type="button" onClick={() => onAsk(each)}>
                {lines.value[at] ?? sayQuestion(each)}
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <Reasons lines={lines.value} game={table.view.info.game} />
      )}
      {!isList && (
        <button type="button" onClick={() => onAsk({})}>
          {say("explain_all")}
        </button>
      )}
    </Dialog>
  );
}

const sayQuestion = (question: Part): string =>
  Object.values(question)
    .map((each: Value) => `${each}`)
    .join(" ");

/** Lines like "  4  Throne room. [B2C-FINAL-1]": the indent is the depth, the figure comes first, the rule last. */
export function Reasons({ lines, game }: { lines: readonly string[]; game: string }) {
  if (!lines.length) return <p class="soft">{say("loading")}</p>;
  return (
    <ul>
      {lines.map((line, at) => {
        const [, indent = "", amount = "", text = line, rule = ""] =
          /^( *)(?:(-?\d+) {2})?(.*?)(?: \[([\w-]+)\])?$/.exec(line) ?? [];
        return (
          <li key={at} class="reason" style={{ marginLeft: `${indent.length * 0.6}rem` }}>
            {amount && <b>{amount}</b>}
            {text} {rule && <RuleLink game={game} rule={rule} />}
          </li>
        );
      })}
    </ul>
  );
}
