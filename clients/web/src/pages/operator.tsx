/** A read-only page for operators. */

import { useSignal } from "@preact/signals";
import type { TableSummary } from "palatine-client/messages";
import { useEffect } from "preact/hooks";
import { titleOf } from "../game/catalog.ts";
import { say } from "../i18n/languages.ts";
import { call, fail } from "../session.ts";

interface Overview {
  readonly node: string;
  readonly ready: boolean;
  readonly connections: number;
  readonly store: { readonly kind: string; readonly ok: boolean; readonly detail: string };
  readonly tables: readonly {
    readonly table: string;
    readonly game: string;
    readonly status: TableSummary["status"];
    readonly seats: readonly (string | null)[];
    readonly waiting: readonly string[];
    readonly reports: readonly { readonly line: number; readonly why: string }[];
  }[];
}

const PERIOD = 5000; // milliseconds

export function OperatorPage() {
  const token = useSignal("");
  const nodes = useSignal<ReadonlyMap<string, Overview>>(new Map());
  const typed = useSignal("");
  useEffect(() => {
    document.title = `${say("operator")} · ${say("app")}`;
    if (!token.value) return;
    const load = () =>
      call<Overview>("v1/overview", { token: token.value }).then(
        (found) => (nodes.value = new Map(nodes.value).set(found.node, found)),
        fail,
      );
    load();
    const timer = setInterval(load, PERIOD);
    return () => clearInterval(timer);
  }, [token.value]);
  const submit = (event: Event) => {
    event.preventDefault();
    token.value = typed.value.trim();
  };
  return (
    <section class="operator">
      <h1>{say("operator")}</h1>
      <p class="soft">{say("operator_hint")}</p>
      <form class="row" onSubmit={submit}>
        <label>
          <span>{say("admin_token")}</span>
          <input
            type="password"
            autocomplete="off"
            value={typed.value}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit">{say("go")}</button>
      </form>
      {[...nodes.value.values()].map((overview) => (
        <Figures key={overview.node} overview={overview} />
      ))}
    </section>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const reports = overview.tables.flatMap((table) => table.reports.map((each) => ({ ...each, table: table.table })));
  return (
    <>
      <dl class="row">
        <Figure name={say("nodes")} value={`${overview.node}: ${say(overview.ready ? "healthy" : "unhealthy")}`} />
        <Figure name={say("connections")} value={`${overview.connections}`} />
        <Figure
          name={say("store")}
          value={`${overview.store.kind}: ${overview.store.ok ? say("healthy") : overview.store.detail}`}
        />
      </dl>
      <h2>{say("tables")}</h2>
      <div class="scroll">
        <table class="sheet">
          <thead>
            <tr>
              <th scope="col">{say("game")}</th>
              <th scope="col">{say("status")}</th>
              <th scope="col">{say("seats")}</th>
              <th scope="col">{say("waited_for")}</th>
            </tr>
          </thead>
          <tbody>
            {overview.tables.map((table) => (
              <tr key={table.table}>
                <th scope="row">
                  <a href={`t/${table.table}`}>{titleOf(table.game)}</a>
                </th>
                <td>{say(`status_${table.status}`)}</td>
                <td>{table.seats.map((name) => name ?? "–").join(", ")}</td>
                <td>{table.waiting.join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>{say("reports")}</h2>
      {!reports.length && <p class="soft">{say("no_reports")}</p>}
      <ul>
        {reports.map((report, at) => (
          <li key={at}>
            <a href={`t/${report.table}`}>{report.table}</a>: {report.line} {report.why}
          </li>
        ))}
      </ul>
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div class="card">
      <dt class="soft small">{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
