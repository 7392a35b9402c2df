/** A table in words, by the server. */

import type { Table } from "palatine-client/tables";
import { lang } from "../i18n/languages.ts";

export async function describeTable(table: Table): Promise<string> {
  return (await table.send("describe", { lang: lang.value as "en" })).text;
}
