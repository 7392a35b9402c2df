/** The score sheet of Noblemen. */

import type { JSX } from "preact";
import { ScoreSheet } from "../drawing/score_sheet.tsx";
import { PlayerMark } from "./pieces.tsx";
import type { Scene } from "./scene.ts";

/** The rules that give points, in the order of the score sheet. */
const RULES = [
  "NM-BALL-15",
  "NM-END-2",
  "NM-SCORE-2",
  "NM-SCORE-3",
  "NM-SCORE-4",
  "NM-FOLLY-5",
  "NM-BRIBE-1",
  "NM-CHURCH-3",
  "NM-CARD-12",
  "NM-CARD-17",
  "NM-IDLE-1",
  "NM-FINAL-2",
] as const;

/** Draw the score sheet with the ranks; nothing while the game goes on. */
export function FinalScores({ scene }: { scene: Scene }): JSX.Element | null {
  const { board, say, words, inspect } = scene;
  if (!board.final.length) return null;
  const rules = RULES.filter((rule) => board.noblemen.some(({ lines }) => rule in lines));
  const columns = board.final.map(({ seat, score, rank, money }) => ({
    seat,
    name: words.seat(seat),
    rank,
    points: rules.map((rule) => board.noblemen[seat]?.lines[rule] ?? 0),
    total: score,
    tieBreak: `£${money}`,
    mark: <PlayerMark seat={seat} size={22} />,
  }));
  const lines = Object.fromEntries(rules.map((rule) => [rule, say(rule)]));
  return (
    <ScoreSheet
      title={say("ranking")}
      lines={lines}
      total={say("total")}
      tieBreak={say("money")}
      columns={columns}
      inspect={inspect}
    />
  );
}
