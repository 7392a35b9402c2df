/** The list of tables, kept up to date by the server. */

import type { Client, FieldsOf } from "./client.ts";
import type { Lobby, TableSummary, Tables } from "./messages.ts";
import { isList } from "./shape.ts";
import type { Unsubscribe } from "./store.ts";

const CHECK_EVERY = 15_000; // milliseconds; a dead connection looks like a list in which nothing changes

/** The filters of a list of tables. */
export type TableFilter = Omit<FieldsOf<"list_tables">, "follow">;

/**
 * Call a listener with the tables that the user may see, newest first: now, after every change and on every connection.
 *
 * A connection follows one list: following another, and a plain `list_tables`, end the first. The returned function
 * stops following.
 */
export function followTables(
  client: Client,
  filter: TableFilter,
  listener: (tables: readonly TableSummary[]) => void,
): Unsubscribe {
  let rows: Map<string, TableSummary> | null = null; // null until the server has sent the list on this connection
  const publish = (known: Map<string, TableSummary>) =>
    listener([...known.values()].sort((one, other) => other.created - one.created));
  const replace = ({ tables }: Tables) => {
    if (!isList(tables)) return;
    rows = new Map(tables.map((row) => [row.table, row]));
    publish(rows);
  };
  const change = ({ changed = [], gone = [] }: Lobby) => {
    if (!isList(changed) || !Array.isArray(gone)) return;
    for (const row of changed) rows?.set(row.table, row);
    for (const table of gone) rows?.delete(table);
    if (rows) publish(rows);
  };
  const stopStatus = client.subscribe(({ state }) => {
    rows = null;
    if (state === "online") client.send("list_tables", { ...filter, follow: true }, replace).catch(() => {});
  });
  const stopEvents = client.listen(([type, push]) => {
    if (type === "pushed" && push.type === "lobby") change(push);
  });
  const checks = setInterval(() => {
    if (client.status.state === "online") client.send("ping", {}).catch(() => {});
  }, CHECK_EVERY);
  return () => {
    clearInterval(checks);
    stopStatus();
    stopEvents();
    if (client.status.state === "online") client.send("list_tables", { status: "open", free: true }).catch(() => {});
  };
}
