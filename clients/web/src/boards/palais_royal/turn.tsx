/** The turn: the moment in words, and the five actions with what they still allow. */

import type { JSX } from "preact";
import { Icon } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { isPast, listAllowances } from "./derived_values.ts";
import { SealIcon } from "./pieces.tsx";
import { nameOf, type Scene } from "./scene.ts";

const ACTIONS = ["a1", "a2", "a3", "a4", "a5"] as const;
const QUESTIONS: Readonly<Record<string, string>> = { a1: "gate", a2: "moves", a3: "gold", a5: "cards" };

/** Return round, player and action in words. */
export function Moment({ scene }: { scene: Scene }): JSX.Element {
  return (
    <p class="moment" data-fact="moment">
      {listMoment(scene).join(" · ")}
    </p>
  );
}

function listMoment(scene: Scene): string[] {
  const { board, say, words } = scene;
  const { turn } = board;
  if (turn.phase === "over") return [say("over")];
  return [
    ...(board.round ? [say("round", board.round)] : []),
    ...(board.final_round ? [say("final")] : []),
    say("mover", words.seat(turn.seat)),
    nameOf(scene, turn.phase),
    ...(turn.phase === "setup" ? [say("setup", turn.to_place)] : []),
    ...(turn.majority_all ? [say("majorities")] : []),
    ...(turn.phase === "a1" && turn.extra_moves ? [say("promised", turn.extra_moves)] : []),
    ...(turn.wild_seals ? [say("wild", turn.wild_seals)] : []),
    ...(turn.pending ? [say("pending", turn.pending)] : []),
  ];
}

/** Draw the five actions; the current one is framed, closed ones have a tick. A tap goes on to a later action. */
export function Actions({ scene }: { scene: Scene }): JSX.Element | null {
  if (scene.board.final.length) return null;
  return (
    <nav class="actions" aria-label={scene.say("actions")}>
      {ACTIONS.map((phase) => (
        <ActionTile key={phase} scene={scene} phase={phase} />
      ))}
    </nav>
  );
}

function ActionTile({ scene, phase }: { scene: Scene; phase: (typeof ACTIONS)[number] }): JSX.Element {
  const { board, catalog, say, choice } = scene;
  const past = isPast(board, phase);
  const figures = past ? [] : listAllowances(board, catalog, phase);
  const go = { do: "advance", to: phase };
  const isOffered = choice.can(go);
  const ask = () => {
    const of = QUESTIONS[phase];
    if (of) scene.inspect({ do: "allowance", of });
    else choice.explainWhyNot({ do: "recruit" });
  };
  const left = past ? say("done") : figures.map(([, figure]) => figure).join(", ");
  return (
    <Thing
      class={`action ${board.turn.phase === phase ? "now" : ""} ${past ? "past" : ""}`}
      fact={`actions/${phase}`}
      label={say("action", phase.slice(1), say(phase), left)}
      isOffered={isOffered}
      isChosen={choice.has(go)}
      onTap={() => (isOffered ? choice.choose(go) : ask())}
      onAsk={ask}
    >
      <small>
        {phase.slice(1)} {say(phase)}
      </small>
      <span class="figures">
        {past && <Icon name="tick" />}
        {figures.map(([icon, figure]) => (
          <b key={icon}>
            {icon === "turquoise" || icon === "violet" ? (
              <SealIcon colour={icon} size={13} />
            ) : (
              <Icon name={icon} size={16} />
            )}
            {figure}
          </b>
        ))}
      </span>
    </Thing>
  );
}
