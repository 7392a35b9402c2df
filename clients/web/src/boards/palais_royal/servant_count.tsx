/** How many servants go the same way: several moves, or several new servants at the gate, with one decision. */

import type { JSX } from "preact";
import { useRepetition } from "../drawing/repetition.ts";
import { Stepper } from "../drawing/stepper.tsx";
import { listAllowances } from "./derived_values.ts";
import { nameOf, type Scene } from "./scene.ts";

/** Draw a stepper when the player has chosen a way that several servants can go. */
export function ServantCount({ scene, version }: { scene: Scene; version: number }): JSX.Element | null {
  const { choice, say } = scene;
  const repeat = useRepetition(choice, version);
  const most = countServants(scene);
  const { action } = choice;
  if (!action || most < 2) return null;
  const words = { fewer: say("fewer"), more: say("more"), use: (count: number) => say("move_many", count) };
  return (
    <fieldset class="menu">
      <legend>{describeWay(scene)}</legend>
      <Stepper low={1} high={most} words={words} onUse={(count) => repeat(action, count)} />
    </fieldset>
  );
}

function describeWay(scene: Scene): string {
  const { source, to } = scene.choice.action as unknown as Record<string, string>;
  return `${nameOf(scene, source ?? "")} → ${nameOf(scene, to ?? "gate")}`;
}

/** Return how many servants may go the chosen way; 0 if the choice is about something else. */
function countServants({ choice, board, catalog, seat }: Scene): number {
  const action = choice.action as unknown as Record<string, string> | null;
  const own = seat === null ? undefined : board.players[seat];
  if (!action || !own || seat === null) return 0;
  const there = action["source"] === "supply" ? own.supply : (board.rooms[action["source"] ?? ""]?.[seat] ?? 0);
  const phase = { move: "a2", reinforce: "a1" }[action["do"] ?? ""];
  if (!phase) return 0;
  const [[, left] = ["", "0"]] = listAllowances(board, catalog, phase);
  return Math.min(there, left === "∞" ? there : +left);
}
