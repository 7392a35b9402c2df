/** The park: nobles with their prices, free spaces, servants on the border, ornaments, and the border rows. */

import type { JSX } from "preact";
import { nameEntry } from "../drawing/documents.ts";
import { Figure, fill, Glyph, Icon, ink, round } from "../drawing/look.tsx";
import { SvgThing, Thing } from "../drawing/thing.tsx";
import { findPrice, listSpaces, listStrengths, locate } from "./derived_values.ts";
import type { Noble, Row } from "./documents.ts";
import { Benefit, Coin, Pennant, Seals, Servant, ServantIcon } from "./pieces.tsx";
import { colourOf, nameOf, type Scene } from "./scene.ts";

/** The measures of the park: a space with its gap, the lawn around all spaces, and the details of a noble. */
interface Grid {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
  readonly lawn: number;
  readonly coin: number;
  readonly pennant: number;
  readonly benefit: number;
  readonly name: number;
  readonly seal: number;
}

const WIDE: Grid = {
  width: 106,
  height: 98,
  gap: 6,
  lawn: 22,
  coin: 15,
  pennant: 27,
  benefit: 25,
  name: 12.5,
  seal: 13.5,
};
const TALL: Grid = {
  width: 57,
  height: 72,
  gap: 3,
  lawn: 16,
  coin: 12,
  pennant: 20,
  benefit: 18,
  name: 11,
  seal: 11,
};

const findPlace = ({ width, height, gap, lawn }: Grid, space: string): [number, number] => {
  const [column, row] = locate(space);
  return [lawn + column * (width + gap), lawn + row * (height + gap)];
};

/** Draw the park with the four rows of its border below. */
export function Park({ scene }: { scene: Scene }): JSX.Element {
  const { catalog, say, isTall } = scene;
  const grid = isTall ? TALL : WIDE;
  const right = 2 * grid.lawn + catalog.park.cols * (grid.width + grid.gap) - grid.gap;
  const bottom = 2 * grid.lawn + catalog.park.rows * (grid.height + grid.gap) - grid.gap;
  return (
    <section class="park" aria-label={say("park")}>
      <svg viewBox={`0 0 ${right} ${bottom}`} role="group">
        <Lawn grid={grid} right={right} bottom={bottom} />
        {listSpaces(catalog).map((space) => (
          <Space key={space} scene={scene} grid={grid} space={space} />
        ))}
        <Edges scene={scene} grid={grid} />
        <Ornaments scene={scene} grid={grid} />
      </svg>
      <BorderRows scene={scene} />
    </section>
  );
}

function Lawn({ grid, right, bottom }: { grid: Grid; right: number; bottom: number }): JSX.Element {
  const [x, y] = findPlace(grid, "B2");
  const [width, height] = [4 * (grid.width + grid.gap), 4 * (grid.height + grid.gap)];
  return (
    <>
      <rect width={right} height={bottom} rx="14" fill={fill("lawn")} />
      <rect x={x - grid.gap / 2} y={y - grid.gap / 2} width={width} height={height} rx="10" fill={fill("inner_lawn")} />
    </>
  );
}

interface SpaceProps {
  readonly scene: Scene;
  readonly grid: Grid;
  readonly space: string;
}

/** Draw a space with its noble or servant, or free. */
function Space(props: SpaceProps): JSX.Element {
  const { scene, grid, space } = props;
  const [x, y] = findPlace(grid, space);
  const transform = `translate(${x} ${y})`;
  const noble = scene.catalog.nobles.get(scene.board.park[space] ?? "");
  if (noble) return <NobleSpace {...props} noble={noble} transform={transform} />;
  const seat = scene.board.border[space];
  if (seat !== undefined) return <BorderServant {...props} seat={seat} transform={transform} />;
  return (
    <g transform={transform} data-fact={`free/${space}`}>
      <title>{scene.say("free", space)}</title>
      <rect class="free" x="5" y="5" width={grid.width - 10} height={grid.height - 10} rx="8" />
    </g>
  );
}

function BorderServant({
  scene,
  grid,
  space,
  seat,
  transform,
}: SpaceProps & { seat: number; transform: string }): JSX.Element {
  const [middle, height] = [grid.width / 2, grid.height * 0.42];
  const radius = Math.min(middle, grid.height / 2) * 0.66;
  const name = scene.words.seat(seat);
  return (
    <g transform={transform} data-fact={`border/${space}`}>
      <title>{scene.say("border", space, name)}</title>
      <circle cx={middle} cy={height} r={radius} fill={fill("inner_lawn")} />
      <Servant colour={colourOf(scene, seat)} x={middle} y={height} size={radius * 1.35} />
      <text class="cut" x={middle} y={grid.height * 0.9} font-size={grid.name} text-anchor="middle" fill={ink("lawn")}>
        {shorten(name, grid.width / (grid.name * 0.56))}
      </text>
    </g>
  );
}

const shorten = (name: string, length: number): string =>
  name.length > length ? `${name.slice(0, Math.max(1, Math.floor(length) - 1))}…` : name;

/** Draw a noble: price, points, benefit, name and seals. A tap recruits them, or explains their price. */
function NobleSpace({
  scene,
  grid,
  space,
  noble,
  transform,
}: SpaceProps & { noble: Noble; transform: string }): JSX.Element {
  const { choice, board, catalog } = scene;
  const price = findPrice(board, catalog, space, noble);
  const hasBenefit = noble.benefit !== "none";
  const part = { do: "recruit", space };
  const isOffered = choice.can(part);
  const isAway = choice.can({ do: "recruit" }) && !isOffered;
  const ask = () => scene.inspect({ do: "price", space });
  const line = hasBenefit ? "benefit" : "tile";
  return (
    <SvgThing
      transform={transform}
      fact={`park/${space}`}
      label={describeNoble(scene, space, noble, price)}
      isOffered={isOffered}
      isChosen={choice.has(part)}
      class={isAway ? "away" : ""}
      onTap={() => (isOffered ? choice.choose(part) : isAway ? choice.explainWhyNot(part) : ask())}
      onAsk={ask}
    >
      <rect
        class="edge"
        x="1"
        y="1"
        width={grid.width - 2}
        height={grid.height - 2}
        rx="8"
        fill={fill(line)}
        stroke={fill(`${line}_line`)}
        stroke-width={hasBenefit ? 2.2 : 1.4}
      />
      <NobleDetails grid={grid} noble={noble} price={price} name={nameOf(scene, noble.id)} />
      {isOffered && <Frame width={grid.width} height={grid.height} fact={`park/${space}/offered`} />}
    </SvgThing>
  );
}

function describeNoble(scene: Scene, space: string, noble: Noble, price: number): string {
  const { say, catalog, words, choice } = scene;
  const benefit = catalog.source.benefits[noble.benefit];
  const lower = noble.gold === price ? [] : [say("printed", noble.gold)];
  const seals = (["turquoise", "violet"] as const)
    .filter((seal) => noble[seal])
    .map((seal) => `${noble[seal]} ${words.piece(seal)}`);
  const gives = benefit ? [nameEntry(benefit, words.lang)] : [];
  const now = choice.can({ do: "recruit", space }) ? [say("possible")] : [];
  return [say("noble", nameOf(scene, noble.id), space, price, noble.points), ...lower, ...seals, ...gives, ...now].join(
    ", ",
  );
}

interface DetailProps {
  readonly grid: Grid;
  readonly noble: Noble;
  readonly price: number;
  readonly name: string;
}

/** Draw what a noble's tile says; a small one has its seals in two rows instead of the name. */
function NobleDetails({ grid, noble, price, name }: DetailProps): JSX.Element {
  const { width, height, coin, pennant, benefit } = grid;
  const isSmall = grid === TALL;
  const [middle, inset] = [width / 2, coin + 5];
  const colour = noble.benefit === "none" ? "var(--muted)" : ink("benefit");
  return (
    <>
      <Coin x={inset} y={inset} size={coin} text={price} />
      {price !== noble.gold && (
        <text
          class="printed"
          x={inset}
          y={inset + coin * 1.95}
          font-size={round(coin * 0.86)}
          text-anchor="middle"
          fill={colour}
        >
          {noble.gold}
        </text>
      )}
      <Pennant x={width - pennant / 2 - 7} y={5} size={pennant} text={noble.points} />
      {noble.benefit !== "none" ? (
        <Benefit noble={noble} x={middle + (isSmall ? 8 : 5)} y={height * 0.54} size={benefit} />
      ) : (
        !isSmall && <Glyph name="noble" x={middle} y={height * 0.42} size={36} fill={fill("bust")} />
      )}
      {!isSmall && (
        <text x={middle} y={height * 0.77} font-size={grid.name} text-anchor="middle" fill={colour}>
          {name}
        </text>
      )}
      <Seals
        noble={noble}
        x={grid.seal * 0.45}
        y={height - grid.seal * 0.95}
        size={grid.seal}
        rowHeight={isSmall ? grid.seal : 0}
      />
    </>
  );
}

/** Draw a dashed frame around what the viewer may choose now. */
function Frame({ width, height, fact }: { width: number; height: number; fact: string }): JSX.Element {
  return <rect class="frame" data-fact={fact} x="2" y="2" width={width - 4} height={height - 4} rx="7" />;
}

// Between and beside the spaces

const OUTSIDE = { left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] } as const;

/** Draw the letters of columns and numbers of rows, and a sign beside each space whose servant counts twice. */
function Edges({ scene, grid }: { scene: Scene; grid: Grid }): JSX.Element {
  const { cols, rows, border_rows } = scene.catalog.park;
  const { width, height, lawn } = grid;
  const doubles = border_rows.flatMap((row) => row.double_spaces.map((space) => [space, OUTSIDE[row.side]] as const));
  const size = Math.max(10.5, lawn * 0.55);
  return (
    <g class="edges" fill={ink("lawn")}>
      {listSpaces(scene.catalog)
        .slice(0, cols)
        .map((space) => (
          <text
            key={space}
            x={findPlace(grid, space)[0] + width * 0.18}
            y={lawn * 0.72}
            font-size={size}
            text-anchor="middle"
            aria-hidden="true"
          >
            {space.charAt(0)}
          </text>
        ))}
      {Array.from({ length: rows }, (_, at) => (
        <text
          key={at}
          x={lawn / 2}
          y={findPlace(grid, `A${at + 1}`)[1] + height * 0.22}
          font-size={size}
          text-anchor="middle"
          aria-hidden="true"
        >
          {at + 1}
        </text>
      ))}
      {doubles.map(([space, [dx, dy]]) => {
        const [x, y] = findPlace(grid, space);
        const away = lawn / 2;
        return (
          <g key={space} data-fact={`doubles/${space}`}>
            <Figure
              text="×2"
              x={x + width / 2 + dx * (width / 2 + away)}
              y={y + height / 2 + dy * (height / 2 + away)}
              size={lawn * 0.66}
              fill={ink("lawn")}
            />
          </g>
        );
      })}
    </g>
  );
}

/** Draw the ornaments: a wall between two spaces with its figure in the middle. */
function Ornaments({ scene, grid }: { scene: Scene; grid: Grid }): JSX.Element {
  const radius = grid.width > 80 ? 9.5 : 6.5;
  return (
    <g class="ornaments" aria-hidden="true">
      {scene.catalog.park.obstacles.map(({ between, kind }) => {
        const [one, other] = between.map((space) => findPlace(grid, space)) as [[number, number], [number, number]];
        const x = (one[0] + other[0] + grid.width) / 2;
        const y = (one[1] + other[1] + grid.height) / 2;
        const isAbove = one[0] === other[0];
        const length = round((isAbove ? grid.width : grid.height) * 0.22);
        return (
          <g key={between.join("")}>
            <path
              d={isAbove ? `M${x - length} ${y}h${2 * length}` : `M${x} ${y - length}v${2 * length}`}
              stroke={fill("stone")}
              stroke-width="4"
              stroke-linecap="round"
            />
            <circle cx={x} cy={y} r={radius} fill={fill("stone")} stroke={fill("lawn")} stroke-width="1.5" />
            <Glyph name={kind} x={x} y={y} size={radius * 1.4} fill={ink("stone")} />
          </g>
        );
      })}
    </g>
  );
}

// The rows of the border

function BorderRows({ scene }: { scene: Scene }): JSX.Element {
  const rows = scene.catalog.park.border_rows;
  const [first] = rows;
  return (
    <div class="rows">
      <p class="note">
        {scene.say("rows")}: {first && scene.say("row_points", first.first, first.second)}
      </p>
      {rows.map((row) => (
        <BorderRow key={row.id} scene={scene} row={row} />
      ))}
    </div>
  );
}

/** Draw one row: the ornament that names it, its side, and the players in it, the strongest first. */
function BorderRow({ scene, row }: { scene: Scene; row: Row }): JSX.Element {
  const { board, words } = scene;
  const strengths = listStrengths(board, row);
  const name = nameEntry(row, words.lang);
  const ask = () => scene.inspect({ do: "row", row: row.id });
  const who = strengths.map(([seat, strength]) => `${words.seat(seat)} ${strength}`);
  return (
    <Thing class={`row ${row.side}`} fact={`rows/${row.id}`} label={[name, ...who].join(", ")} onTap={ask}>
      <span class="name">
        <Icon name={row.id} size={16} />
        {name}
      </span>
      <span class="figures">
        {strengths.map(([seat, strength]) => (
          <b key={seat}>
            <ServantIcon colour={colourOf(scene, seat)} size={18} />
            {strength}
          </b>
        ))}
      </span>
    </Thing>
  );
}
