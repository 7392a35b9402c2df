/** The table: the moment of the game, the supplies, and at the end the score sheet of all castles. */

import type { JSX } from "preact";
import { fill, Icon, ink } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { askAboutCastle, nameShortly, type Scene } from "./scene.ts";

/** Round, turn and phase. */
export function Moment({ scene }: { scene: Scene }): JSX.Element {
  const { board, catalog, say, words } = scene;
  const { rounds, turns_per_round } = catalog.meta;
  return (
    <p class="moment" data-fact="moment">
      <b>{words.word("phase", board.phase)}</b>
      {board.phase !== "over" && <> · {say("moment", board.round, rounds, board.turn, turns_per_round)}</>}
    </p>
  );
}

/** How much is left to draw and to take. */
export function Supplies({ scene }: { scene: Scene }): JSX.Element {
  const { board, words, piece, catalog } = scene;
  const counters: [fact: string, glyph: string, label: string, count: number][] = [
    ["supply", "pile", words.zone("supply"), board.supply],
    ["deck", "bonus_card", words.zone("deck"), board.deck],
    ...Object.entries(board.stock ?? {}).map(([id, left]): [string, string, string, number] => {
      const { decoration = "" } = piece(id);
      return [`stock/${id}`, decoration in catalog.decoration ? decoration : id, words.piece(id), left];
    }),
  ];
  return (
    <ul class="supplies">
      {counters.map(([fact, glyph, label, count]) => (
        <li key={fact} data-fact={fact}>
          <span class="disc">
            <Icon name={glyph} size={14} />
          </span>
          <b>{count}</b> <small>{label}</small>
        </li>
      ))}
    </ul>
  );
}

/** The score sheet: a row for each line, a column for each castle; nothing before the end. */
export function ScoreSheet({ scene }: { scene: Scene }): JSX.Element | null {
  const { board, castles, words, say } = scene;
  const [first] = board.sheets;
  if (!first) return null;
  const sum = (sheet: Readonly<Record<string, number>>) =>
    Object.values(sheet).reduce((all, points) => all + points, 0);
  return (
    <section class="scores" aria-label={words.zone("sheets")}>
      <h3>{words.zone("sheets")}</h3>
      <table>
        <thead>
          <tr>
            <td />
            {castles.map(({ token }, number) => (
              <th key={token} scope="col">
                <Thing label={words.piece(token)} onTap={askAboutCastle(scene, number)}>
                  {nameShortly(scene, number)}
                </Thing>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.keys(first).map((line) => (
            <SheetLine key={line} scene={scene} line={line} />
          ))}
        </tbody>
        <tfoot>
          <tr data-fact="sheets/total">
            <th scope="row">{say("total")}</th>
            {board.sheets.map((sheet, number) => (
              <td key={number}>
                <b>{sum(sheet)}</b>
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function SheetLine({ scene, line }: { scene: Scene; line: string }): JSX.Element {
  const { board, look, words } = scene;
  const name = words.piece(line);
  const colour = line in look.colours ? line : "special";
  return (
    <tr data-fact={`sheets/${line}`}>
      <th scope="row">
        <span class="disc" style={{ background: fill(colour), color: ink(colour) }}>
          <Icon name={line} size={14} />
        </span>{" "}
        {name === line ? words.word("sheet", line) : name}
      </th>
      {board.sheets.map((sheet, number) => (
        <td key={number}>{sheet[line]}</td>
      ))}
    </tr>
  );
}
