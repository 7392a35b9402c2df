/** The reveal: rooms that were chosen in secret turn over, one player after the other. */

import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
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

/** Whether the news of this moment are that the rooms were revealed. */
export const isRevealed = ({ view }: Scene): boolean => view.news.some(({ news }) => news === "tiles_revealed");
