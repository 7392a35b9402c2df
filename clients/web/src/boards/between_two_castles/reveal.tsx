/** The reveal: rooms that were chosen in secret turn over, one player after the other. */

import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { Thing } from "../drawing/thing.tsx";
import type { Scene } from "./scene.ts";

/** Turn something over when it is shown for the first time after the reveal; later news do not stop it. */
export function Reveal(props: { scene: Scene; order: number; children: ComponentChildren }): JSX.Element {
  const { scene, order, children } = props;
  const [isNew] = useState(isRevealed(scene));
  const isTurning = isNew && scene.motion;
  return (
    <span class={isTurning ? "turning" : ""} style={isTurning ? { animationDelay: `${order * 0.25}s` } : {}}>
      {children}
    </span>
  );
}

/** The button that ends the reveal at once. It hides itself when the reveal is over; later news do not take it away. */
export function SkipReveal({ scene }: { scene: Scene }): JSX.Element | null {
  const { view, board, say, motion } = scene;
  const [begun, setBegun] = useState(-1); // the version of the last reveal
  if (isRevealed(scene) && begun !== view.version) setBegun(view.version);
  if (begun < 0 || board.phase !== "place" || !motion) return null;
  return (
    <Thing key={begun} class="verb skip" label={say("skip")} onTap={finishAnimations}>
      {say("skip")}
    </Thing>
  );
}

function finishAnimations(): void {
  const board = document.querySelector(".board.between_two_castles");
  for (const animation of board?.getAnimations({ subtree: true }) ?? []) animation.finish();
}

/** Whether the news of this moment are that the rooms were revealed. */
const isRevealed = ({ view }: Scene): boolean => view.news.some(({ news }) => news === "tiles_revealed");
