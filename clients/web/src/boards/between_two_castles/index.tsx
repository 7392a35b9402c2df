/** The board of Between Two Castles: the players, the hand, the viewer's two castles large and the others at a glance. */

import "../drawing/board.css";
import "./board.css";
import type { JSX } from "preact";
import type { BoardProps } from "../contract.ts";
import { GlyphDefinitions, listColours } from "../drawing/look.tsx";
import { moveFocus } from "../drawing/thing.tsx";
import { type Extent, findExtent, LandscapeDefinitions } from "./castle.tsx";
import { listCells } from "./cells.ts";
import type { Cell } from "./documents.ts";
import { OwnHand, PassedOn } from "./hand.tsx";
import { CastlePanel, CastleThumbnail } from "./panel.tsx";
import { Players } from "./players.tsx";
import { SkipReveal } from "./reveal.tsx";
import { buildScene, type Scene } from "./scene.ts";
import { Moment, ScoreSheet, Supplies } from "./table_info.tsx";

/** Draw the board of a view. */
export function Board(props: BoardProps): JSX.Element {
  const scene = buildScene(props);
  const { game, layout, motion } = props;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus between the things inside
    <div
      class={`board between_two_castles ${layout} ${motion ? "moving" : ""}`}
      style={listColours(game.look)}
      onKeyDown={moveFocus}
    >
      <GlyphDefinitions look={game.look} />
      <LandscapeDefinitions />
      <div class="heading">
        <Moment scene={scene} />
        <SkipReveal scene={scene} />
      </div>
      <Players scene={scene} />
      <ScoreSheet scene={scene} />
      <OwnHand scene={scene} />
      <Castles scene={scene} />
      <PassedOn scene={scene} />
      <Supplies scene={scene} />
    </div>
  );
}

/** Castles large and small, by what the player asked to see. */
function Castles({ scene }: { scene: Scene }): JSX.Element {
  const shown = listShown(scene);
  const isLarge = scene.focus.endsWith(":large");
  const others = listOthers(scene, shown);
  const own = shown.map((number) => measure(scene, number));
  const columns = Math.max(...own.map((extent) => extent.columns)); // castles side by side have the same scale
  const extents = shown.map((number) => measure(scene, number, columns));
  const top = Math.max(...extents.map((extent) => extent.top));
  const bottom = Math.min(...extents.map((extent) => extent.bottom));
  return (
    <>
      {scene.layout === "tall" && <Thumbnails scene={scene} numbers={others} />}
      <div class={`large-castles of-${Math.min(shown.length, 2)}`}>
        {shown.map((number, at) => (
          <CastlePanel
            key={number}
            scene={scene}
            number={number}
            extent={{ ...(extents[at] as Extent), top, bottom }}
            isLarge={isLarge}
          />
        ))}
      </div>
      {scene.layout === "wide" && <Thumbnails scene={scene} numbers={others} />}
    </>
  );
}

/** Return the castles that are shown small, the viewer's own first. */
function listOthers({ castles, mine }: Scene, shown: readonly number[]): number[] {
  const others = [...castles.keys()].filter((number) => !shown.includes(number));
  return [...others.filter((number) => mine.includes(number)), ...others.filter((number) => !mine.includes(number))];
}

/** Return the castles that are shown large: what the player asked for, else all that concern them. */
function listShown({ focus, castles, mine, layout, choice }: Scene): number[] {
  const asked = /^castle:(\d+)(:large)?$/.exec(focus);
  const number = Number(asked?.[1]);
  const isAsked = asked && number in castles;
  if (layout === "tall") return [isAsked ? number : (findConcern(mine, choice) ?? 0)];
  if (isAsked && asked[2]) return [number];
  const own = mine.length ? mine : [...castles.keys()];
  return [...(isAsked && !own.includes(number) ? [number, ...own] : own)];
}

/** Return the castle where the viewer can do something now, or else their first one. */
function findConcern(mine: readonly number[], choice: Scene["choice"]): number | undefined {
  const given = mine.find((number) => choice.given.castle === number);
  return (
    given ??
    mine.find((number) =>
      ["place", "accept", "propose", "propose_cell"].some((verb) => choice.can({ do: verb, castle: number })),
    ) ??
    mine[0]
  );
}

function measure(scene: Scene, number: number, fewest?: number): Extent {
  const rooms = (scene.castles[number]?.rooms ?? []).map(([, x, y]): Cell => [x, y]);
  const free = listCells(scene, number).cells.map(({ cell }) => cell);
  return findExtent([[0, 0], [1, 0], ...rooms, ...free], fewest);
}

function Thumbnails({ scene, numbers }: { scene: Scene; numbers: readonly number[] }): JSX.Element | null {
  if (!numbers.length) return null;
  const label = scene.say(scene.layout === "tall" ? "castles" : "others");
  return (
    <nav class="thumbnails" aria-label={label}>
      {numbers.map((number) => (
        <CastleThumbnail key={number} scene={scene} number={number} />
      ))}
    </nav>
  );
}
