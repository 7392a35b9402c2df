/** Pieces of Noblemen: tiles with their textures, quarter symbols, areas, buildings, knights and marks of players. */

import type { JSX } from "preact";
import { Figure, fill, fillOf, Glyph, ink, inkOf, Picture, round } from "../drawing/look.tsx";
import { hasQuarter, KIND_OF, type Tile } from "./estate_model.ts";

export const CELL = 76; // units of a tile
const FURROWS = "M9 18q14 -5 29 0t29 0M9 32q14 -5 29 0t29 0M9 46q14 -5 29 0t29 0M9 60q14 -5 29 0t29 0";
const TUFT = "q2 -9 -2 -13m2 13q0 -10 4 -14";
const TUFTS = `M14 30${TUFT}M44 24${TUFT}M24 60${TUFT}M54 54${TUFT}`;
const QUARTERS: Readonly<Record<string, string>> = {
  NW: "M0 0h19a19 19 0 0 1 -19 19z",
  NE: "M76 0v19a19 19 0 0 1 -19 -19z",
  SW: "M0 76v-19a19 19 0 0 1 19 19z",
  SE: "M76 76h-19a19 19 0 0 1 19 -19z",
}; // a quarter of a disc in a corner

/** Draw a tile of 76 by 76: the colour and the texture of its kind, and its quarter symbols. */
export function TileFace({ tile }: { tile: Pick<Tile, "kind"> & Partial<Tile> }): JSX.Element {
  const { kind, corner } = tile;
  const line = fill(`${kind}_line`);
  const quarters = corner === undefined ? [] : Object.keys(QUARTERS).filter((at) => hasQuarter(tile as Tile, at));
  return (
    <>
      <rect
        class="edge"
        x="1.5"
        y="1.5"
        width="73"
        height="73"
        rx="7"
        fill={fill(kind)}
        stroke={line}
        stroke-width="1.8"
      />
      <Texture kind={kind} line={line} />
      {quarters.map((at) => (
        <path key={at} d={QUARTERS[at]} fill={line} />
      ))}
    </>
  );
}

/** Draw the texture of a kind of land: furrows, a fountain, trees or grass. */
function Texture({ kind, line }: { kind: string; line: string }): JSX.Element {
  if (kind === "field" || kind === "meadow") {
    const isField = kind === "field";
    return (
      <path
        d={isField ? FURROWS : TUFTS}
        fill="none"
        stroke={line}
        stroke-width="3"
        stroke-opacity={isField ? 0.6 : 1}
        stroke-linecap="round"
      />
    );
  }
  if (kind === "fountain") {
    return (
      <>
        <circle cx="38" cy="38" r="20" fill="var(--card)" fill-opacity="0.45" />
        <Glyph name="fountain" x={38} y={38} size={29} fill={line} />
      </>
    );
  }
  return (
    <>
      <Glyph name="grove" x={25} y={36} size={30} fill={line} />
      <Glyph name="grove" x={51} y={34} size={30} fill={line} />
      <Glyph name="grove" x={38} y={50} size={32} fill={line} />
    </>
  );
}

export const TileIcon = ({
  tile,
  size = 30,
}: {
  tile: Pick<Tile, "kind"> & Partial<Tile>;
  size?: number;
}): JSX.Element => (
  <Picture width={CELL} height={CELL} size={size}>
    <TileFace tile={tile} />
  </Picture>
);

/** Draw the symbol of an area around 0, 0: a full disc with the glyph of the area. */
export function AreaSymbol({ area }: { area: string }): JSX.Element {
  return (
    <>
      <circle r="22.8" fill={fill(`${KIND_OF[area]}_line`)} stroke="var(--card)" stroke-width="2.3" />
      <Glyph name={area} x={0} y={0} size={27} fill="var(--card)" />
    </>
  );
}

export const NEEDS: Readonly<Record<string, readonly string[]>> = {
  forests: ["forest", "forest"],
  manors: ["manor", "manor"],
  gardens: ["garden", "garden"],
  mixed: ["forest", "manor", "garden"],
};

/** Draw the areas that a folly asks for, around a point; a folly stands on a light plate on every paper. */
export function Needs({ folly, x, y, size }: { folly: string; x: number; y: number; size: number }): JSX.Element {
  const needs = NEEDS[folly] ?? [];
  const first = x - size * 0.56 * (needs.length - 1);
  return (
    <g class="needs">
      {needs.map((area, at) => (
        <Glyph key={at} name={area} x={first + at * size * 1.12} y={y} size={size} fill={ink("building")} />
      ))}
    </g>
  );
}

/** Draw a building of 76 by 76: its silhouette on a plate, with its points if it is enclosed. */
export function BuildingFace({ kind, folly, points }: { kind: string; folly: string; points: number }): JSX.Element {
  const isFolly = kind === "folly";
  return (
    <>
      <rect x="8" y="8" width="60" height="60" rx="8" fill={fill("building")} />
      <Glyph name={kind} x={38} y={isFolly ? 28 : points ? 35 : 38} size={isFolly ? 36 : 46} fill={ink("building")} />
      {isFolly && <Needs folly={folly} x={38} y={56} size={15} />}
      {points > 0 && (
        <g class="enclosed">
          <circle cx="59" cy="59" r="13" fill="var(--badge)" stroke={fill("building")} stroke-width="1.5" />
          <Figure text={points} x={59} y={59} size={16} fill="var(--badge-ink)" />
        </g>
      )}
    </>
  );
}

/** Draw a knight's shield in the owner's colour with the owner's mark; only its outline if the knight is away. */
export function Knight({
  seat,
  x,
  y,
  size,
  isAway,
}: {
  seat: number;
  x: number;
  y: number;
  size: number;
  isAway?: boolean;
}): JSX.Element {
  const away = { fill: "none", stroke: "var(--muted)", "stroke-dasharray": "3 2" };
  const here = { fill: fillOf(seat), stroke: inkOf(seat) };
  return (
    <g transform={`translate(${round(x - size / 2)} ${round(y - size / 2)}) scale(${round(size / 24)})`}>
      <use href="#g-knight" stroke-width="1.6" {...(isAway ? away : here)} />
      {!isAway && <Glyph name={`mark-${seat}`} x={12} y={11} size={10} fill={inkOf(seat)} />}
    </g>
  );
}

/** Draw a disc in a player's colour with the player's mark. */
export function PlayerMark({ seat, size = 22 }: { seat: number; size?: number }): JSX.Element {
  return (
    <Picture width={24} height={24} size={size}>
      <circle cx="12" cy="12" r="11.5" fill={fillOf(seat)} stroke={inkOf(seat)} />
      <Glyph name={`mark-${seat}`} x={12} y={12} size={14} fill={inkOf(seat)} />
    </Picture>
  );
}

/** Draw a coin with an amount of money. */
export function CoinIcon({ text, size = 30 }: { text: number | string; size?: number }): JSX.Element {
  return (
    <Picture width={30} height={30} size={size}>
      <circle cx="15" cy="15" r="14" fill={fill("gold")} stroke={fill("gold_line")} stroke-width="1.6" />
      <Figure text={text} x={15} y={15} size={16} fill={ink("gold")} />
    </Picture>
  );
}

/** Draw the silhouette of a building on a plate. */
export const Plate = ({ kind, size = 36 }: { kind: string; size?: number }): JSX.Element => (
  <Picture width={36} height={36} size={size}>
    <rect x="0.5" y="0.5" width="35" height="35" rx="5" fill={fill("building")} stroke={fill("panel_line")} />
    <Glyph name={kind} x={18} y={18} size={27} fill={ink("building")} />
  </Picture>
);
