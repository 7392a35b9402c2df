/** The result with its explanation, the record and the rematch. */

import type { View } from "palatine-client";
import type { Table } from "palatine-client/tables";
import type { Part, Words } from "../boards/contract.ts";
import { joinWords, say } from "../i18n/languages.ts";
import { go, isTv } from "../route.ts";
import { fail } from "../session.ts";
import { RecordTools } from "./record.tsx";

interface StandingsProps {
  readonly table: Table;
  readonly view: View;
  readonly words: Words;
  readonly inspect: (question: Part) => void;
}

interface Standing {
  readonly seat: number;
  readonly score: number;
  readonly rank: number;
}

export function Standings({ table, view, words, inspect }: StandingsProps) {
  return (
    <section class="card" aria-labelledby="standings-title" id="standings">
      <Result view={view} words={words} />
      {!isTv && (
        <p class="row">
          <Rematch table={table} view={view} />
          <button type="button" onClick={() => inspect({})}>
            {say("full_rules")}
          </button>
          <a class="button" href={`replay/${table.id}${location.search}`}>
            {say("replay")}
          </a>
          <RecordTools table={table.id} />
        </p>
      )}
    </section>
  );
}

/** Who has won, and the points of all players. */
export function Result({ view, words }: { view: View; words: Words }) {
  const standings = [...((view.info.standings ?? []) as Standing[])].sort((one, other) => one.rank - other.rank);
  const winners = standings.filter(({ rank }) => rank === 1).map(({ seat }) => words.seat(seat));
  return (
    <>
      <h1 id="standings-title">
        {say("over")}
        {winners.length === 1 && `: ${say("winner", { name: winners[0] ?? "" })}`}
        {winners.length > 1 && `: ${say("winners", { names: joinWords(winners) })}`}
      </h1>
      <table class="sheet result">
        <thead>
          <tr>
            <th scope="col">{say("rank")}</th>
            <th scope="col">{say("name")}</th>
            <th scope="col" class="number">
              {say("score")}
            </th>
          </tr>
        </thead>
        <tbody>
          {standings.map(({ seat, score, rank }) => (
            <tr key={seat}>
              <td>{rank}</td>
              <th scope="row">{words.seat(seat)}</th>
              <td class="number">{score}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Rematch({ table, view }: { table: Table; view: View }) {
  if (view.info.next)
    return (
      <a class="button main" href={`t/${view.info.next}`}>
        {say("to_rematch")}
      </a>
    );
  if (view.seat === null) return null;
  const open = () => table.send("rematch").then((reply) => go(`t/${(reply as { table: string }).table}`), fail);
  return (
    <button type="button" class="main" onClick={open}>
      {say("rematch")}
    </button>
  );
}
