/** A castle in its landscape: rooms, free cells with what they would bring, proposals, and what a partner points at. */

import type { JSX } from "preact";
import type { Part } from "../contract.ts";
import { fill, Glyph, ink, round } from "../drawing/look.tsx";
import { SvgThing } from "../drawing/thing.tsx";
import { type CellPlan, listCells, type PlannedCell } from "./cells.ts";
import { type Cell, keyOf, kindOf } from "./documents.ts";
import { askAboutCastle, describeRoom, findScore, type Scene } from "./scene.ts";
import { Badge, HEIGHT, Mark, RoomTile, ThroneTile, WIDTH } from "./tile.tsx";

const SIDE = 14;
const EARTH = 22; // under the lowest floor
const FEWEST_COLUMNS = 6;

/** The columns and floors of a castle that a picture shows. */
export interface Extent {
  readonly left: number;
  readonly columns: number;
  readonly top: number;
  readonly bottom: number;
}

/** Return the columns and floors of cells, with the castle in the middle. */
export function findExtent(cells: readonly Cell[], fewest = FEWEST_COLUMNS): Extent {
  const xs = cells.map(([x]) => x);
  const ys = cells.map(([, y]) => y);
  const wide = Math.max(...xs) - Math.min(...xs) + 1;
  const columns = Math.max(fewest, wide);
  return {
    left: Math.min(...xs) - ((columns - wide) >> 1),
    columns,
    top: Math.max(1, ...ys),
    bottom: Math.min(0, ...ys),
  };
}

/** Sky and hills down to the ground, and the earth below it. */
function Landscape({ width, ground, height }: { width: number; ground: number; height: number }): JSX.Element {
  const hill = (colour: string, start: number, crest: number, end: number) => {
    const [a, b, c] = [start, crest, end].map((share) => round(ground * (1 - share)));
    return (
      <path d={`M0 ${ground}V${a}Q${width / 4} ${b} ${width / 2} ${a}T${width} ${c}V${ground}z`} fill={fill(colour)} />
    );
  };
  return (
    <>
      <rect width={width} height={ground} fill="url(#castle-sky)" />
      {hill("far_hills", 0.2, 0.36, 0.14)}
      {hill("hills", 0.08, 0.22, 0.17)}
      <rect y={ground} width={width} height={height - ground} fill="url(#castle-earth)" />
      <rect y={ground - 3.5} width={width} height={7} fill={fill("grass")} />
    </>
  );
}

/** The gradients of all landscapes. */
export function LandscapeDefinitions(): JSX.Element {
  const gradient = (id: string, top: string, bottom: string) => (
    <linearGradient id={`castle-${id}`} x2="0" y2="1">
      <stop stop-color={fill(top)} />
      <stop offset="1" stop-color={fill(bottom)} />
    </linearGradient>
  );
  return (
    <svg class="glyphs" width="0" height="0" aria-hidden="true">
      {gradient("sky", "sky_top", "sky_bottom")}
      {gradient("earth", "earth_top", "earth_bottom")}
    </svg>
  );
}

/** Draw a castle room by room; cells where the viewer may put a room can be tapped. */
export function CastlePicture({
  scene,
  number,
  extent,
}: {
  scene: Scene;
  number: number;
  extent: Extent;
}): JSX.Element {
  const castle = scene.castles[number] as Scene["castles"][number];
  const plan = listCells(scene, number);
  const score = findScore(scene, castle);
  const width = extent.columns * WIDTH + 2 * SIDE;
  const ground = (extent.top + 1) * HEIGHT + SIDE;
  const height = ground + EARTH - extent.bottom * HEIGHT;
  const put = ([x, y]: Cell) => `translate(${SIDE + (x - extent.left) * WIDTH} ${ground - (y + 1) * HEIGHT})`;
  const laid = new Map(castle.laid.map(([seat, tile]) => [tile, seat]));
  const ask = askAboutCastle(scene, number);
  return (
    <svg class="castle" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={scene.words.piece(castle.token)}>
      <Landscape width={width} ground={ground} height={height} />
      <SvgThing
        label={describeThrone(scene, number, score.lines.throne ?? 0)}
        fact={`castles/${number}/throne`}
        onTap={ask}
        transform={put([0, 0])}
      >
        <ThroneTile scene={scene} number={number} now={score.lines.throne ?? 0} />
      </SvgThing>
      {castle.rooms.map(([id, x, y]) => {
        const now = score.rooms[keyOf([x, y])]?.points ?? 0;
        const seat = laid.get(id);
        return (
          <SvgThing
            key={keyOf([x, y])}
            label={`${describeRoom(scene, id)}; ${scene.say("now", scene.words.unit("point", now))}`}
            fact={`castles/${number}/rooms/${x},${y}`}
            onTap={ask}
            transform={put([x, y])}
          >
            <RoomTile scene={scene} id={id} isBelow={y < 0} now={now} />
            {seat !== undefined && <NewMark scene={scene} seat={seat} />}
          </SvgThing>
        );
      })}
      {plan.cells.map((planned) => (
        <FreeCell key={keyOf(planned.cell)} scene={scene} number={number} plan={plan} planned={planned} put={put} />
      ))}
    </svg>
  );
}

function describeThrone({ words, say, castles, piece }: Scene, number: number, now: number): string {
  const { throne = "", attendants = [] } = castles[number] ?? {};
  const { points, types = [] } = piece(throne);
  const wanted = types.map((type) => words.piece(type)).join(" / ");
  const inside = attendants.map((id) => words.piece(id)).join(", ");
  return `${words.piece(throne)}, ${words.unit("point", points)} × ${wanted}; ${say("now", words.unit("point", now))}${inside && `; ${inside}`}`;
}

/** The gold frame and the mark of the player who placed a room this turn. */
function NewMark({ scene, seat }: { scene: Scene; seat: number }): JSX.Element {
  return (
    <>
      <rect
        x={1}
        y={1}
        width={WIDTH - 2}
        height={HEIGHT - 2}
        rx={9}
        fill="none"
        stroke={fill("gold")}
        stroke-width={4}
      />
      <Mark scene={scene} seat={seat} x={4} y={4} r={10} />
    </>
  );
}

// Free cells

interface FreeCellProps {
  readonly scene: Scene;
  readonly number: number;
  readonly plan: CellPlan;
  readonly planned: PlannedCell;
  put(cell: Cell): string;
}

/** Draw a free cell: what would stand there, what it would bring, and who wants it. */
function FreeCell({ scene, number, plan, planned, put }: FreeCellProps): JSX.Element {
  const { choice } = scene;
  const { cell, part, isPossible, gain, people } = planned;
  const isChosen = !!part && isPossible && choice.has(part);
  const tap = () => (part && isPossible ? tapCell(scene, part) : part && choice.explainWhyNot(part));
  const ghost = isChosen ? plan.room : planned.ghost;
  return (
    <SvgThing
      class={isPossible ? "cell" : "cell impossible"}
      label={describeCell(scene, planned, isChosen)}
      fact={planned.isLegal ? `castles/${number}/cells/${keyOf(cell)}` : undefined}
      isOffered={isPossible && !!part}
      isChosen={isChosen}
      onTap={tap}
      transform={put(cell)}
    >
      {ghost && (
        <g class="ghost">
          <RoomTile scene={scene} id={ghost} isBelow={cell[1] < 0} />
        </g>
      )}
      <rect class="dashes" x={4} y={4} width={WIDTH - 8} height={HEIGHT - 8} rx={9} />
      {!ghost && !people.length && isPossible && <Gain gain={gain} />}
      {!isPossible && <path class="cross" d={`M${WIDTH / 2 - 9} ${HEIGHT / 2 - 9}l18 18m0-18l-18 18`} />}
      {people.map(({ seat, fact }, at) => (
        <g key={seat} class="person" data-fact={fact}>
          <rect x={6} y={7 + at * 32} width={WIDTH - 12} height={30} rx={15} fill="var(--card)" />
          <Mark scene={scene} seat={seat} x={22} y={22 + at * 32} r={14} />
          <text class="who" x={42} y={27 + at * 32} font-size={14} font-weight={700}>
            {scene.words.seat(seat)}
          </text>
        </g>
      ))}
      {(ghost || people.length > 0) && gain !== undefined && (
        <Badge text={`${gain < 0 ? "" : "+"}${gain}`} x={WIDTH / 2} y={HEIGHT - 20} r={15} />
      )}
    </SvgThing>
  );
}

/** The points that a placement would bring; a plus sign as long as it is not known which room. */
function Gain({ gain }: { gain: number | undefined }): JSX.Element {
  if (gain === undefined) return <Glyph name="plus" x={WIDTH / 2} y={HEIGHT / 2} size={26} fill="var(--accent)" />;
  return (
    <text class="gain" x={WIDTH / 2} y={HEIGHT / 2 + 12} font-size={34} font-weight={700} text-anchor="middle">
      {gain < 0 ? gain : `+${gain}`}
    </text>
  );
}

/** The first tap chooses, the second one confirms. */
function tapCell({ choice }: Scene, part: Part): void {
  if (choice.has(part) && choice.action) choice.confirm();
  else choice.choose(part);
}

function describeCell(
  { say, words }: Scene,
  { cell, gain, people, isPossible }: PlannedCell,
  isChosen: boolean,
): string {
  return [
    say("free", ...cell),
    !isPossible && say("impossible"),
    isPossible && gain !== undefined && say("brings", words.unit("point", gain)),
    ...people.map(({ seat, isPointing }) => say(isPointing ? "pointsAt" : "proposes", words.seat(seat))),
    isChosen && say("again"),
  ]
    .filter(Boolean)
    .join(", ");
}

// At a glance

const MINI = 24;

/** Draw a castle at a glance: a coloured square with a glyph for each room. */
export function CastleGlance({ scene, number }: { scene: Scene; number: number }): JSX.Element {
  const { rooms = [], decision } = scene.castles[number] ?? {};
  const cells = rooms.map(([, x, y]): Cell => [x, y]);
  const extent = findExtent([[0, 0], [1, 0], ...cells]);
  const ground = (extent.top + 1) * MINI + 6;
  const width = extent.columns * MINI + 12;
  const height = ground + 6 - extent.bottom * MINI;
  const square = (kind: string, colour: string, x: number, y: number, columns = 1) => {
    const [left, top] = [6 + (x - extent.left) * MINI, ground - (y + 1) * MINI];
    return (
      <g key={`${x},${y}`}>
        <rect
          x={left + 0.75}
          y={top + 0.75}
          width={columns * MINI - 1.5}
          height={MINI - 1.5}
          rx={3}
          fill={fill(colour)}
          stroke="var(--card)"
        />
        <Glyph name={kind} x={left + (columns * MINI) / 2} y={top + MINI / 2} size={15} fill={ink(colour)} />
      </g>
    );
  };
  return (
    <svg class="glance" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <Landscape width={width} ground={ground} height={height} />
      {square("throne", "throne", 0, 0, 2)}
      {rooms.map(([id, x, y]) => square(kindOf(scene.piece(id)), scene.piece(id).type ?? "any", x, y))}
      {decision && <Glyph name="waiting" x={width - 14} y={14} size={16} fill="var(--accent)" />}
    </svg>
  );
}
