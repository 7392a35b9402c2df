/** Pieces outside of castles: chips with a glyph and a name, players' marks, and buttons of verbs. */

import type { ComponentChildren, JSX } from "preact";
import type { Part } from "../contract.ts";
import { fill, Icon, ink } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { kindOf } from "./documents.ts";
import type { Scene } from "./scene.ts";
import { Mark } from "./tile.tsx";

/** Return the glyph and the colour of a piece, or of a type of rooms. */
export function findStyle({ catalog, piece }: Scene, id: string): [glyph: string, colour: string] {
  if (id in catalog.type) return [id, id];
  const found = piece(id);
  if (found.type) return [kindOf(found), found.type];
  return [found.decoration ? "attendant" : "bonus_card", "any"];
}

/** A piece as a chip. */
export function Chip({ scene, id, fact }: { scene: Scene; id: string; fact?: string }): JSX.Element {
  const [glyph, colour] = findStyle(scene, id);
  return (
    <span class="chip" data-fact={fact} style={{ background: fill(colour), color: ink(colour) }}>
      <Icon name={glyph} size={16} />
      <b>{scene.words.piece(id)}</b>
    </span>
  );
}

/** The mark of a player in a line of text. */
export function MarkIcon({ scene, seat, size = 18 }: { scene: Scene; seat: number; size?: number }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <Mark scene={scene} seat={seat} x={12} y={12} r={11} />
    </svg>
  );
}

/** A player: mark and name. */
export function Player({ scene, seat, fact }: { scene: Scene; seat: number; fact?: string }): JSX.Element {
  return (
    <span class="player" data-fact={fact}>
      <MarkIcon scene={scene} seat={seat} /> {scene.words.seat(seat)}
    </span>
  );
}

/** A button that gives a verb; the bar of the page then confirms it. Nothing if the verb is not offered. */
export function VerbButton(props: { scene: Scene; part: Part; children?: ComponentChildren }): JSX.Element | null {
  const { scene, part, children } = props;
  if (!scene.choice.can(part)) return null;
  const label = scene.words.verb(`${part.do}`);
  return (
    <Thing
      class="verb"
      label={label}
      isOffered
      isChosen={scene.choice.has(part)}
      onTap={() => scene.choice.choose(part)}
    >
      {children ?? label}
    </Thing>
  );
}
