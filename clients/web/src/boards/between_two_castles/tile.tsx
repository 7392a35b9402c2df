/** Tiles of rooms and throne rooms: the kind, the name, what is counted and where, and the decoration. */

import type { JSX } from "preact";
import { fill, Glyph, ink, round } from "../drawing/look.tsx";
import { type Cell, kindOf, type Piece } from "./documents.ts";
import { fitText } from "./fit.ts";
import type { Scene } from "./scene.ts";

export const WIDTH = 112; // `tile_width`, `tile_height` and `band` of the look
export const HEIGHT = 104;
const BAND = 36;
const FINE = 11; // the size of texts that small tiles show too small to be read
const EDGE = 1.5; // between a tile and its cell
const FIGURE = BAND + 21; // the middle of the points
const WHERE = HEIGHT - 18; // the middle of the words and the decoration

/** A text in lines around a height. */
export function Lines(props: {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
  size: number;
  fill: string;
  class?: string;
  bold?: boolean;
}): JSX.Element {
  const { text, x, y, width, height, size: largest, bold = false } = props;
  const { lines, size } = fitText(text, width, height, largest, 8);
  const top = y - (lines.length * size * 1.08) / 2 + size * 0.87;
  const rank = size <= FINE ? " fine" : "";
  return (
    <text class={`${props.class ?? ""}${rank}`} font-size={size} font-weight={bold ? 700 : 400} fill={props.fill}>
      {lines.map((line, at) => (
        <tspan key={at} x={x} y={round(top + at * size * 1.08)}>
          {line}{" "}
        </tspan>
      ))}
    </text>
  );
}

/** A glyph on a disc: types in their colours, everything else in that of any room. */
export function Disc(props: { scene: Scene; of: string; x: number; y: number; r: number }): JSX.Element {
  const { scene, of, x, y, r } = props;
  const colour = of in scene.look.colours ? of : "any";
  return (
    <>
      <circle cx={x} cy={y} r={r} fill={fill(colour)} />
      <Glyph name={of} x={x} y={y} size={r * 1.35} fill={ink(colour)} />
    </>
  );
}

/** The mark of a player: their shape on their colour. */
export function Mark(props: { scene: Scene; seat: number; x: number; y: number; r: number }): JSX.Element {
  const { scene, seat, x, y, r } = props;
  const player = scene.markOf(seat);
  return (
    <g>
      <circle cx={x} cy={y} r={r} fill={`var(--p-${player})`} stroke="var(--card)" stroke-width={r / 8} />
      <Glyph name={`mark-${player}`} x={x} y={y} size={r * 1.25} fill={`var(--p-${player}-ink)`} />
    </g>
  );
}

function Decoration(props: { of: string; x: number; y: number; r: number }): JSX.Element {
  const { of, x, y, r } = props;
  return (
    <g class="decoration">
      <circle cx={x} cy={y} r={r} fill={fill("decoration")} stroke={ink("decoration")} stroke-width={1.4} />
      <Glyph name={of} x={x} y={y} size={r * 1.35} fill={ink("decoration")} />
    </g>
  );
}

const roundBand = (width: number): string =>
  `M${EDGE} ${EDGE + 9}a9 9 0 0 1 9-9h${width - 18}a9 9 0 0 1 9 9v${BAND - 9}h-${width}z`;

function Frame(props: {
  colour: string;
  paper: string;
  columns: number;
  isOpen?: boolean;
  edge?: string;
}): JSX.Element {
  const width = props.columns * WIDTH - 2 * EDGE;
  const stroke = fill(props.edge ?? props.colour);
  return (
    <>
      <rect
        x={EDGE}
        y={EDGE}
        width={width}
        height={HEIGHT - 2 * EDGE}
        rx={9}
        fill={fill(props.paper)}
        stroke={stroke}
        stroke-width={props.edge ? 3.5 : 2.5}
        stroke-dasharray={props.isOpen ? "5 4" : undefined}
      />
      <path d={roundBand(width)} fill={fill(props.colour)} />
    </>
  );
}

// Where a room counts, as a small plan: the room itself is a frame, the cells that count are filled

const COLUMNS: Readonly<Record<string, readonly Cell[]>> = {
  column_above: [
    [0, 1],
    [0, 2],
  ],
  column_above_below: [
    [0, -1],
    [0, 1],
  ],
  column_below_any: [
    [0, -1],
    [0, -2],
  ],
};
const STEP = 8.5;

function SmallPlan(props: { offsets: readonly Cell[]; columns: number; x: number; y: number }): JSX.Element | null {
  const { offsets, columns, x, y } = props;
  if (!offsets.length) return null;
  const heights = offsets.map(([, dy]) => dy);
  const top = Math.max(...heights) === 2 ? 2 : Math.min(...heights) === -2 ? 0 : 1;
  const cells = offsets.map(([dx, dy]) => `M${(dx + 1) * STEP} ${(top - dy) * STEP}h7v7h-7z`).join("");
  const wide = STEP * (columns - 1) + 7;
  const frame = `M${STEP} ${top * STEP}h${wide}v7h-${wide}zm1.5 1.5v4h${wide - 3}v-4z`;
  return (
    <path class="plan" d={cells + frame} transform={`translate(${x} ${y})`} fill="var(--muted)" fill-rule="evenodd" />
  );
}

/** The points, and what they are counted for. */
function Worth({ scene, piece, paper }: { scene: Scene; piece: Piece; paper: string }): JSX.Element {
  const targets = piece.types ?? (piece.pattern === "always" ? [] : [piece.target ?? "any"]);
  return (
    <g class="worth">
      <text x={11} y={FIGURE + 11} font-size={30} font-weight={700} fill={ink(paper)}>
        {piece.points}
      </text>
      {targets.map((target, at) => (
        <Disc key={target} scene={scene} of={target} x={49 + at * 30} y={FIGURE} r={13} />
      ))}
    </g>
  );
}

/** Draw the tile of a room from its upper left corner on. */
export function RoomTile(props: { scene: Scene; id: string; isBelow?: boolean; now?: number }): JSX.Element {
  const { scene, id, isBelow, now } = props;
  const piece = scene.piece(id);
  const { type = "any", pattern = "", decoration = "" } = piece;
  const isOpen = !!(piece.open_sky || scene.catalog.type[type]?.open_sky);
  const paper = isOpen ? "outdoor_paper" : isBelow ? "cellar_paper" : "paper";
  const isDecorated = decoration in scene.catalog.decoration;
  const place = scene.say(pattern as "always", piece.points_otherwise ?? "");
  return (
    <g class="room">
      <Frame colour={type} paper={paper} columns={1} isOpen={isOpen} />
      <g class="kind">
        <Glyph name={kindOf(piece)} x={15} y={EDGE + BAND / 2} size={19} fill={ink(type)} />
      </g>
      <Lines
        class="name"
        text={scene.words.piece(id)}
        x={27}
        y={EDGE + BAND / 2}
        width={now === undefined ? 82 : 67}
        height={34}
        size={15}
        fill={ink(type)}
        bold
      />
      <Worth scene={scene} piece={piece} paper={paper} />
      <SmallPlan
        offsets={COLUMNS[pattern] ?? scene.catalog.pattern[pattern]?.offsets ?? []}
        columns={1}
        x={76}
        y={FIGURE - 13}
      />
      <Lines
        class="where"
        text={place}
        x={11}
        y={WHERE}
        width={isDecorated ? 66 : 90}
        height={26}
        size={13}
        fill="var(--muted)"
      />
      {isDecorated && <Decoration of={decoration} x={WIDTH - 19} y={WHERE} r={11} />}
      {now !== undefined && <Badge text={`${now}`} x={WIDTH - 10} y={9} r={10} />}
    </g>
  );
}

/** A small dark disc with a figure. */
export function Badge({ text, x, y, r }: { text: string; x: number; y: number; r: number }): JSX.Element {
  const half = Math.max(r, text.length * r * 0.42 + r * 0.35);
  return (
    <g class="now">
      <rect
        x={x - half}
        y={y - r}
        width={2 * half}
        height={2 * r}
        rx={r}
        fill="var(--badge)"
        stroke="var(--card)"
        stroke-width={1.5}
      />
      <text x={x} y={y + r * 0.48} font-size={r * 1.35} font-weight={700} text-anchor="middle" fill="var(--badge-ink)">
        {text}
      </text>
    </g>
  );
}

/** Draw the tile of a throne room, two cells wide, with its attendants. */
export function ThroneTile({ scene, number, now }: { scene: Scene; number: number; now?: number }): JSX.Element {
  const castle = scene.castles[number];
  const piece = scene.piece(castle?.throne ?? "");
  return (
    <g class="room throne">
      <Frame colour="throne" paper="throne_paper" columns={2} edge="throne_edge" />
      <Glyph name="throne" x={20} y={EDGE + BAND / 2} size={24} fill={ink("throne")} />
      <Lines
        class="name"
        text={scene.words.piece(piece.id)}
        x={37}
        y={EDGE + BAND / 2}
        width={140}
        height={34}
        size={17}
        fill={ink("throne")}
        bold
      />
      <Worth scene={scene} piece={piece} paper="throne_paper" />
      <SmallPlan offsets={piece.cells ?? []} columns={2} x={11} y={WHERE - 12.5} />
      <Lines
        class="where"
        text={scene.say("most", piece.max_points ?? 0)}
        x={52}
        y={WHERE}
        width={58}
        height={26}
        size={13}
        fill="var(--muted)"
      />
      <Decoration
        of={piece.decoration ?? ""}
        x={2 * WIDTH - 20 - (now === undefined ? 0 : 22)}
        y={EDGE + BAND / 2}
        r={11.5}
      />
      {now !== undefined && <Badge text={`${now}`} x={2 * WIDTH - 12} y={9} r={10} />}
      {Array.from({ length: piece.attendant_slots ?? 0 }, (_, place) => (
        <Attendant key={place} scene={scene} number={number} place={place} />
      ))}
    </g>
  );
}

/** Draw the place of an attendant: empty, or with the attendant and what they count. */
function Attendant({ scene, number, place }: { scene: Scene; number: number; place: number }): JSX.Element {
  const y = BAND + 19 + place * 31;
  const id = scene.castles[number]?.attendants[place];
  if (!id) {
    return (
      <circle
        cx={146}
        cy={y}
        r={11}
        fill="none"
        stroke={fill("throne_edge")}
        stroke-width={1.5}
        stroke-dasharray="3 3"
      />
    );
  }
  const piece = scene.piece(id);
  return (
    <g data-fact={`castles/${number}/attendants/${place}`}>
      <text x={120} y={y + 6.5} font-size={18} font-weight={700} fill={ink("throne_paper")}>
        {piece.points}
      </text>
      <Disc scene={scene} of={piece.decoration ?? ""} x={146} y={y} r={11} />
      <Lines
        class="where"
        text={scene.words.piece(id)}
        x={161}
        y={y}
        width={58}
        height={26}
        size={13}
        fill={ink("throne_paper")}
      />
    </g>
  );
}

/** Draw a tile as a picture of its own. */
export function TilePicture({ scene, id }: { scene: Scene; id: string }): JSX.Element {
  return (
    <svg class="tile" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <RoomTile scene={scene} id={id} />
    </svg>
  );
}
