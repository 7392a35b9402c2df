/** The score sheet at the end of a game: a column for each player, a line for each reason, ranks and totals. */

import type { ComponentChildren, JSX } from "preact";
import { Thing } from "./thing.tsx";

export interface Column {
  readonly seat: number;
  readonly name: string;
  readonly rank: number;
  readonly points: readonly number[];
  readonly total: number;
  readonly tieBreak: string;
  readonly mark: ComponentChildren;
}

export interface Sheet {
  readonly title: string;
  /** The labels of the lines by their ids. */
  readonly lines: Readonly<Record<string, string>>;
  readonly total: string;
  readonly tieBreak: string;
  readonly columns: readonly Column[];
  /** Ask for the reasons behind the points or the rank of a seat. */
  inspect(question: { do: string; seat: number }): void;
}

/** Draw the sheet; each total and each rank opens its explanation. */
export function ScoreSheet(sheet: Sheet): JSX.Element {
  const columns = [...sheet.columns].sort((one, other) => one.rank - other.rank || one.seat - other.seat);
  return (
    <section class="scores" aria-label={sheet.title}>
      <h3>{sheet.title}</h3>
      <div class="sheet" style={{ "--rows": Object.keys(sheet.lines).length + 3 }}>
        <div class="labels">
          <span class="head" />
          {Object.entries(sheet.lines).map(([id, label]) => (
            <span key={id} data-fact={`sheets/${id}`}>
              {label}
            </span>
          ))}
          <b class="total">{sheet.total}</b>
          <span class="tie">{sheet.tieBreak}</span>
        </div>
        {columns.map((column) => (
          <ScoreColumn key={column.seat} column={column} sheet={sheet} />
        ))}
      </div>
    </section>
  );
}

function ScoreColumn({ column, sheet }: { column: Column; sheet: Sheet }): JSX.Element {
  const { seat, name, rank, points, total } = column;
  const ids = Object.keys(sheet.lines);
  return (
    <div class={rank === 1 ? "column first" : "column"} data-fact={`final/${seat}`}>
      <Thing class="head" label={`${name}: ${rank}.`} onTap={() => sheet.inspect({ do: "rank", seat })}>
        <span>
          {column.mark} <b>{rank}.</b>
        </span>
        <span class="name">{name}</span>
      </Thing>
      {points.map((each, at) => (
        <span key={ids[at]}>{each || "·"}</span>
      ))}
      <Thing class="total" label={`${sheet.total}: ${total}`} onTap={() => sheet.inspect({ do: "score", seat })}>
        <b>{total}</b>
      </Thing>
      <span class="tie">{column.tieBreak}</span>
    </div>
  );
}
