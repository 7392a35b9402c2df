/** The chat, which shows the rule of silence, and the log in words. */

import { useSignal } from "@preact/signals";
import type { View } from "palatine-client";
import type { Table } from "palatine-client/tables";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { LiveTable } from "../game/live_table.ts";
import { say } from "../i18n/languages.ts";
import { fail, notice } from "../session.ts";
import { isHost } from "./host.ts";
import { RuleLink } from "./rule_link.tsx";

/** Keep a list at its end while it grows. */
function useScrolledToEnd(length: number) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [length]);
  return list;
}

export function Log({ live }: { live: LiveTable }) {
  const lines = live.log.value;
  const list = useScrolledToEnd(lines.length);
  return (
    <details class="card" open>
      <summary>{say("log")}</summary>
      {live.hasEarlier.value && (
        <button type="button" class="small" onClick={() => live.loadEarlier().catch(fail)}>
          {say("earlier")}
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <ul class="log" ref={list} tabIndex={0} aria-label={say("log")}>
        {lines.map(({ version, text }, at) => (
          <li key={`${version} ${at}`}>{text}</li>
        ))}
      </ul>
    </details>
  );
}

export function Chat({ table, view }: { table: Table; view: View }) {
  const text = useSignal("");
  const to = useSignal<"table" | "spectators">("table");
  const list = useScrolledToEnd(view.talk.length);
  const channel = view.seat === null ? "spectators" : to.value;
  const silence = channel === "table" ? view.info.silence : ""; // the rule that forbids talking now
  const send = (event: Event) => {
    event.preventDefault();
    const said = text.value.trim();
    if (said && !silence) table.send("say", { text: said, to: channel }).then(() => (text.value = ""), fail);
  };
  return (
    <details class="card" open>
      <summary>{say("chat")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <ul class="talk" ref={list} tabIndex={0} aria-label={say("chat")}>
        {view.talk.map((line) => (
          <li key={line.line}>
            <span>
              <strong>{line.name}</strong>: {line.text}
              {line.to === "spectators" && <em class="soft small"> ({say("to_spectators")})</em>}
            </span>
            <LinePowers table={table} view={view} line={line.line} name={line.name} />
          </li>
        ))}
        {!view.talk.length && <li class="soft">{say("no_talk")}</li>}
      </ul>
      {silence && (
        <p class="small" id="silence">
          {say("refusal_hush")} <RuleLink game={view.info.game} rule={silence} />
        </p>
      )}
      <form class="row" onSubmit={send}>
        <input
          aria-label={say("say")}
          placeholder={say("say")}
          maxLength={300}
          readOnly={Boolean(silence)} // not disabled: whoever is writing keeps the focus and what they have written
          aria-describedby={silence ? "silence" : undefined}
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
        {view.seat !== null && (
          <select
            aria-label={say("chat")}
            value={to.value}
            onChange={(event) => (to.value = event.currentTarget.value as "table")}
          >
            <option value="table">{say("to_table")}</option>
            <option value="spectators">{say("to_spectators")}</option>
          </select>
        )}
        <button type="submit" disabled={Boolean(silence)}>
          {say("send")}
        </button>
      </form>
    </details>
  );
}

/** A small sign on a button; not every device has fonts with such letters. */
const Sign = ({ path }: { path: string }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={path} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" />
  </svg>
);

function LinePowers({ table, view, line, name }: { table: Table; view: View; line: number; name: string }) {
  const isOwn = name === view.info.seats[view.seat ?? -1]?.name;
  if (isOwn) return null;
  const report = () => table.send("report", { line }).then(() => (notice.value = say("reported")), fail);
  return (
    <>
      {isHost(view) && (
        <button
          type="button"
          onClick={() => table.send("mute", { line }).catch(fail)}
          aria-label={say("mute", { name })}
        >
          <Sign path="M8 2a6 6 0 1 0 .01 0zM3.8 12.2l8.4-8.4" />
        </button>
      )}
      <button type="button" onClick={report} aria-label={say("report")}>
        <Sign path="M4 14V2h8l-2 3 2 3H4" />
      </button>
    </>
  );
}
