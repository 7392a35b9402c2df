/** The score sheet of Palais Royal. */

import type { JSX } from "preact";
import { ScoreSheet } from "../drawing/score_sheet.tsx";
import { ServantIcon } from "./pieces.tsx";
import { colourOf, type Scene } from "./scene.ts";

const LINES = ["nobles", "played", "unplayed", "park"] as const;

/** Draw the score sheet with the ranks; nothing while the game goes on. */
export function FinalScores({ scene }: { scene: Scene }): JSX.Element | null {
  const { board, say, words, inspect } = scene;
  if (!board.final.length) return null;
  const columns = board.final.map(({ seat, score, rank, cardinal }) => ({
    seat,
    name: words.seat(seat),
    rank,
    points: LINES.map((line) => board.sheets[seat]?.[line] ?? 0),
    total: score,
    tieBreak: `${cardinal}`,
    mark: <ServantIcon colour={colourOf(scene, seat)} size={24} />,
  }));
  const lines = Object.fromEntries(LINES.map((line) => [line, say(`sheet_${line}`)]));
  return (
    <ScoreSheet
      title={say("ranking")}
      lines={lines}
      total={say("total")}
      tieBreak={say("cardinal")}
      columns={columns}
      inspect={inspect}
    />
  );
}
