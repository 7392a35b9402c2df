/** An estate: tiles, symbols of areas, buildings and knights, and what the viewer has drafted or may choose. */

import type { ComponentChildren, JSX } from "preact";
import { SvgThing } from "../drawing/thing.tsx";
import { type Building, type Cell, countBuildingPoints, keyOf, type Tile } from "./estate_model.ts";
import { AreaSymbol, BuildingFace, CELL, Knight, TileFace } from "./pieces.tsx";
import { listCellMeanings, listDrafted, listVertexMeanings, type Scene, tapCell, tapVertex } from "./scene.ts";

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
}

interface Zoom {
  readonly isLarge: boolean;
  readonly zoom?: () => void;
}

interface EstateProps {
  readonly scene: Scene;
  readonly seat: number;
}

const LEAST = 40; // pixels of a tile on which an area is large enough to be tapped

/** Draw the estate of a player; one that is not large is a picture, and a tap on it shows it large. */
export function Estate({ scene, seat, isLarge, zoom }: EstateProps & Zoom): JSX.Element {
  const open = seat === scene.seat ? listOpenCells(scene) : [];
  const frame = measure(scene, seat, open);
  const { columns, rows } = frame;
  const least = isLarge ? { minWidth: `${columns * LEAST}px` } : {};
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the button beside it does the same
    <div class="scroller" onClick={isLarge ? undefined : zoom}>
      <svg
        class={isLarge ? "estate" : "estate glance"}
        viewBox={`-6 -6 ${columns * CELL + 12} ${rows * CELL + 12}`}
        style={{ maxWidth: `${columns * CELL}px`, ...least }}
        role="group"
      >
        <Land scene={scene} seat={seat} frame={frame} isLarge={isLarge} />
        {seat === scene.seat && <Choices scene={scene} seat={seat} frame={frame} open={open} />}
        <KnightSteps scene={scene} seat={seat} frame={frame} />
      </svg>
    </div>
  );
}

/** List the cells of the viewer's estate that an action may name; only those that fit if a tile is chosen. */
function listOpenCells({ choice }: Scene): Cell[] {
  const given = choice.given["cell"];
  const parts = choice.given["do"] && !given ? choice.given : {};
  return [...choice.valuesAfter(parts, "cell"), ...(given ? [given] : [])] as unknown as Cell[];
}

function measure(scene: Scene, seat: number, open: readonly Cell[]): Frame {
  const drafted = seat === scene.seat ? listDrafted(scene) : [];
  const tiles = [...(scene.lands[seat]?.tiles.values() ?? []), ...drafted];
  const cells = [...tiles.map(({ at }) => at), ...open];
  const [columns, rows] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
  const [left, top] = [Math.min(...columns), Math.max(...rows)];
  return { left, top, columns: Math.max(...columns) - left + 1, rows: top - Math.min(...rows) + 1 };
}

const place = ({ left, top }: Frame, [x, y]: Cell): string => `translate(${(x - left) * CELL} ${(top - y) * CELL})`;
const placeVertex = (frame: Frame, [x, y]: Cell): string => place(frame, [x, y - 1]);

/** Draw everything that lies there, in layers: tiles, buildings, symbols with their knights. */
function Land({ scene, seat, frame, isLarge }: EstateProps & { frame: Frame; isLarge: boolean }): JSX.Element {
  const land = scene.lands[seat];
  const fact = `estates/${seat}`;
  return (
    <>
      {[...(land?.tiles.values() ?? [])].map((tile) => (
        <g key={keyOf(tile.at)} transform={place(frame, tile.at)} data-fact={`${fact}/tiles/${keyOf(tile.at)}`}>
          <title>{nameAt(scene, tile.kind, tile.at)}</title>
          <TileFace tile={tile} />
        </g>
      ))}
      {land?.buildings.map((building) => (
        <BuildingThing key={keyOf(building.at)} {...{ scene, seat, frame, building, isLarge }} />
      ))}
      {[...(land?.areas.values() ?? [])].map(({ at, area }) => (
        <AreaThing key={keyOf(at)} {...{ scene, seat, frame, at, area, isLarge }} />
      ))}
    </>
  );
}

const nameAt = ({ say, words }: Scene, piece: string, [x, y]: Cell): string => say("at", words.piece(piece), x, y);

/** Draw a building; a tap tells what a scoring would give. */
function BuildingThing({
  scene,
  seat,
  frame,
  building,
  isLarge,
}: EstateProps & { frame: Frame; building: Building; isLarge: boolean }): JSX.Element {
  const { kind, at, folly } = building;
  const land = scene.lands[seat];
  const points = land ? countBuildingPoints(land, building, scene.catalog) : 0;
  const name = nameAt(scene, folly || kind, at);
  const ask = () => scene.inspect({ do: "buildings", seat });
  return (
    <SvgThing
      isStill={!isLarge}
      transform={place(frame, at)}
      fact={`estates/${seat}/buildings/${keyOf(at)}`}
      label={points ? `${name}, ${scene.say("enclosed", points)}` : name}
      onTap={() => (seat === scene.seat ? tapCell(scene, at, ask) : ask())}
      onAsk={ask}
    >
      <rect class="edge" x="6" y="6" width="64" height="64" rx="9" fill="none" />
      <BuildingFace kind={kind} folly={folly} points={points} />
    </SvgThing>
  );
}

/** Draw the symbol of an area with the knight that stands on it; a tap puts a knight there or takes it away. */
function AreaThing({
  scene,
  seat,
  frame,
  at,
  area,
  isLarge,
}: EstateProps & { frame: Frame; at: Cell; area: string; isLarge: boolean }): JSX.Element {
  const { choice, words, say } = scene;
  const owner = scene.lands[seat]?.knights.get(keyOf(at));
  const isOffered = listVertexMeanings(scene, seat, at).length > 0;
  const questions: Readonly<Record<string, string>> = { manor: "taxes", forest: "land", garden: "prestige" };
  const ask = () => scene.inspect({ do: questions[area] ?? "prestige", seat });
  const knight = owner === undefined ? [] : [say("knight_of", words.seat(owner))];
  return (
    <SvgThing
      isStill={!isLarge}
      transform={placeVertex(frame, at)}
      fact={`estates/${seat}/areas/${keyOf(at)}`}
      label={[nameAt(scene, area, at), ...knight, ...(isOffered ? [say("possible")] : [])].join(", ")}
      isOffered={isOffered}
      isChosen={choice.has({ player: seat, vertex: [at[0], at[1]] })}
      onTap={() => tapVertex(scene, seat, at, ask)}
      onAsk={ask}
    >
      <circle class="edge" r="24" fill="none" />
      <AreaSymbol area={area} />
      {owner !== undefined && (
        <g data-fact={`estates/${seat}/knights/${keyOf(at)}`}>
          <Knight seat={owner} x={0} y={0} size={43} />
        </g>
      )}
      {isOffered && <circle class="frame" r="29" />}
    </SvgThing>
  );
}

// The viewer's draft, and what the viewer may choose

/** Draw rings where the viewer's draft takes a knight from and where it puts one. */
function KnightSteps({ scene, seat, frame }: EstateProps & { frame: Frame }): JSX.Element {
  const steps = (["source", "target"] as const).filter((step) => scene.draft?.[step]?.player === seat);
  return (
    <>
      {steps.map((step) => (
        <g
          key={step}
          transform={placeVertex(frame, scene.draft?.[step]?.vertex ?? [0, 0])}
          data-fact={`hand/draft/${step}`}
        >
          {step === "target" && <Knight seat={scene.seat ?? 0} x={0} y={0} size={43} />}
          <circle class={step === "source" ? "frame" : "ring"} r="29" />
        </g>
      ))}
    </>
  );
}

/** Draw the drafted tiles and building, the half-chosen tile, and the cells that may be chosen. */
function Choices({ scene, seat, frame, open }: EstateProps & { frame: Frame; open: readonly Cell[] }): JSX.Element {
  const { draft, choice } = scene;
  const { kind, cell, corner } = choice.given as { kind?: string; cell?: Cell; corner?: string };
  const ghost: Tile | null = kind && cell ? { kind, at: cell, corner: corner ?? "none" } : null;
  return (
    <>
      {listDrafted(scene).map((tile) => (
        <Drafted key={keyOf(tile.at)} frame={frame} at={tile.at} fact={`hand/draft/tiles/${keyOf(tile.at)}`}>
          <TileFace tile={tile} />
        </Drafted>
      ))}
      {draft?.cell && (
        <Drafted frame={frame} at={draft.cell} fact="hand/draft/site">
          <BuildingFace kind={draft.kind ?? ""} folly={draft.folly ?? ""} points={0} />
        </Drafted>
      )}
      {ghost && (
        <g class="ghost" transform={place(frame, ghost.at)}>
          <TileFace tile={ghost} />
        </g>
      )}
      {open.map((at) => (
        <OpenCell key={keyOf(at)} scene={scene} seat={seat} frame={frame} at={at} />
      ))}
    </>
  );
}

function Drafted({
  frame,
  at,
  fact,
  children,
}: {
  frame: Frame;
  at: Cell;
  fact: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <g transform={place(frame, at)} data-fact={fact}>
      {children}
      <rect class="ring" x="3" y="3" width="70" height="70" rx="8" />
    </g>
  );
}

function OpenCell({ scene, seat, frame, at }: EstateProps & { frame: Frame; at: Cell }): JSX.Element {
  const { say, choice } = scene;
  const isChosen = choice.has({ cell: [at[0], at[1]] });
  return (
    <SvgThing
      transform={place(frame, at)}
      fact={`estates/${seat}/cells/${keyOf(at)}`}
      label={`${say("at", say("free"), ...at)}, ${say("possible")}`}
      isOffered={listCellMeanings(scene, at).length > 0 || isChosen}
      isChosen={isChosen}
      onTap={() => tapCell(scene, at, () => choice.choose({ ...choice.given, cell: [at[0], at[1]] }))}
    >
      <rect class="edge" width="76" height="76" fill="transparent" />
      <rect class="frame" x="5" y="5" width="66" height="66" rx="8" />
    </SvgThing>
  );
}
