/** The record of a finished game: download, and verification of its shuffles in this page. */

import { useSignal } from "@preact/signals";
import { Refused } from "palatine-client";
import { say } from "../i18n/languages.ts";
import { route } from "../route.ts";
import { currentToken, fail, server } from "../session.ts";
import { type Verdict, verifyRecord } from "./verification.ts";

/** Fetch a record; a refusal is thrown. */
export async function fetchRecord(table: string): Promise<Response> {
  const invitation = route.value.query.get("i");
  const query = invitation ? `?${new URLSearchParams({ invitation })}` : "";
  const response = await fetch(`${server}/v1/tables/${table}/record${query}`, {
    headers: { authorization: `Bearer ${currentToken()}` },
  });
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new Refused({ code: `${response.status}`, sentence: `HTTP ${response.status}`, ...answer });
}

async function download(table: string): Promise<void> {
  const response = await fetchRecord(table);
  const name = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const link = Object.assign(document.createElement("a"), {
    href: URL.createObjectURL(await response.blob()),
    download: name ?? `${table}.palatine`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function RecordTools({ table }: { table: string }) {
  const verdict = useSignal<Verdict | null>(null);
  const check = async () => {
    verdict.value = await verifyRecord(await (await fetchRecord(table)).text());
  };
  return (
    <>
      <button type="button" onClick={() => download(table).catch(fail)}>
        {say("record")}
      </button>
      <button type="button" onClick={() => check().catch(fail)}>
        {say("verify")}
      </button>
      {verdict.value && <VerdictText verdict={verdict.value} />}
    </>
  );
}

function VerdictText({ verdict }: { verdict: Verdict }) {
  const { problem, commitment, drawings, seals, contributors } = verdict;
  const figures = { commitment: commitment.slice(0, 12), drawings, seals, players: contributors };
  return (
    <span role="status" id="verdict" class={problem ? "loss" : ""}>
      {problem ? say("verify_bad", { what: problem }) : say("verify_ok")}{" "}
      <span class="soft small">{say("verify_detail", figures)}</span>
    </span>
  );
}
