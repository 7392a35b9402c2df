/** A table in words, by the server. */

import type { Table } from "palatine-client/tables";
import { serverLang } from "../i18n/languages.ts";

export async function describeTable(table: Table): Promise<string> {
  return (await table.send("describe", { lang: serverLang.value })).text;
}
