/** The board of Noblemen: round track, common board, players with their estates, and at the end the score sheet. */

import type { TextOfBoard } from "../../i18n/languages.ts";
import "../drawing/board.css";
import "./board.css";
import type { JSX } from "preact";
import type { BoardProps } from "../contract.ts";
import { AskButton, useAsking } from "../drawing/asking.tsx";
import { GlyphDefinitions, Icon, listColours, Picture } from "../drawing/look.tsx";
import { Menu, useMenu } from "../drawing/menu.tsx";
import { type Pane, Strip } from "../drawing/strip.tsx";
import { moveFocus } from "../drawing/thing.tsx";
import { CommonBoard, ROMAN, Track } from "./common_board.tsx";
import { FinalScores } from "./final_scores.tsx";
import { PlayerMark } from "./pieces.tsx";
import { PlayerPanel } from "./players.tsx";
import { buildScene, listVertexMeanings, type Scene } from "./scene.ts";
import { Screen } from "./screen.tsx";

/** Draw the board of a view. */
export function Board(props: BoardProps): JSX.Element {
  const { view, game, choice, words, layout, motion } = props;
  const menu = useMenu(choice, view.version);
  const asking = useAsking();
  const scene = buildScene(props, menu.decide);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus between the things inside
    <div
      class={`board noblemen ${layout} ${motion ? "moving" : ""} ${asking.isAsking ? "asking" : ""}`}
      style={listColours(game.look)}
      onKeyDown={moveFocus}
      onClickCapture={asking.capture}
    >
      <GlyphDefinitions look={game.look} />
      <div class="heading">
        <p class="moment" data-fact="moment">
          {listMoment(scene).join(" · ")}
        </p>
        <AskButton {...asking} words={[scene.say("ask"), scene.say("asking")]} />
      </div>
      <Track scene={scene} />
      <FinalScores scene={scene} />
      <Menu {...menu} choice={choice} words={words} title={scene.say("which")} />
      {layout === "tall" ? <TallBoard {...props} scene={scene} /> : <WideBoard {...props} scene={scene} />}
    </div>
  );
}

function listMoment({ board, say, words, catalog }: Scene): string[] {
  const { phase, decade, round, active } = board;
  if (phase === "over") return [say("over")];
  const done = phase === "turn" ? (["action_done", "card_played"] as const).filter((each) => board[each]) : [];
  return [
    say("decade", ROMAN[decade - 1] ?? decade),
    say(phase as TextOfBoard<"noblemen">, words.seat(active)),
    ...(catalog.round_track.fields[round]?.type === "lock" ? [say("locked")] : []),
    ...done.map((each) => say(each)),
  ];
}

/** List the seats, the viewer's own first. */
function listSeats({ board, seat }: Scene): number[] {
  const seats = board.noblemen.map((_, at) => at);
  return seat === null ? seats : [seat, ...seats.filter((other) => other !== seat)];
}

/** Draw the own estate large beside the common board, all others at a glance below, or large if asked for. */
function WideBoard({ scene, focus, setFocus }: BoardProps & { scene: Scene }): JSX.Element {
  const seats = listSeats(scene);
  const isSpectator = scene.seat === null;
  const asked = seats.find((seat) => focus === `estate:${seat}`);
  const isLarge = (seat: number) => seat === scene.seat || seat === asked || takesKnight(scene, seat);
  const others = seats.filter((seat) => !isLarge(seat));
  const hasRoom = others.length <= 2; // two estates side by side are large enough to tap what they hold
  const panel = (seat: number) => (
    <PlayerPanel
      key={seat}
      scene={scene}
      seat={seat}
      {...(seat !== scene.seat && !hasRoom && { zoom: () => setFocus(seat === asked ? "" : `estate:${seat}`) })}
      isLarge={isLarge(seat) || hasRoom}
    />
  );
  return (
    <>
      <div class="parts">
        <div class="estates">
          <Screen scene={scene} />
          {seats.filter(isLarge).map(panel)}
          {isSpectator && <div class="glances">{others.map(panel)}</div>}
        </div>
        <CommonBoard scene={scene} />
      </div>
      {!isSpectator && <div class="glances">{others.map(panel)}</div>}
    </>
  );
}

/** Return whether the viewer may put a knight into an estate, or lift one there. */
const takesKnight = (scene: Scene, seat: number): boolean =>
  [...(scene.lands[seat]?.areas.values() ?? [])].some(({ at }) => listVertexMeanings(scene, seat, at).length > 0);

/** Draw one part with a strip of thumbnails of all others. */
function TallBoard({ scene, focus, setFocus }: BoardProps & { scene: Scene }): JSX.Element {
  const panes = listPanes(scene);
  const shown = panes.some(({ name }) => name === focus) ? focus : findConcern(scene);
  return (
    <>
      <Strip panes={panes} shown={shown} label={scene.say("parts")} onShow={setFocus} />
      <Screen scene={scene} />
      {shown === "common" ? (
        <CommonBoard scene={scene} />
      ) : (
        <PlayerPanel scene={scene} seat={Number(shown.slice(7))} isLarge />
      )}
    </>
  );
}

function listPanes(scene: Scene): Pane[] {
  const { say, words, choice } = scene;
  const isBought = ["build", "buy", "choose_title"].some((verb) => choice.can({ do: verb }));
  const estates = listSeats(scene).map((seat) => ({
    name: `estate:${seat}`,
    title: seat === scene.seat ? words.say("you") : words.seat(seat),
    mark: <PlayerMark seat={seat} size={14} />,
    thumbnail: <EstateThumbnail scene={scene} seat={seat} />,
    isOffered: takesKnight(scene, seat) || (seat === scene.seat && choice.valuesAfter({}, "cell").length > 0),
  }));
  const thumbnail = <Icon name="queen" size={36} fill="var(--c-queen)" />;
  return [...estates, { name: "common", title: say("common_short"), thumbnail, isOffered: isBought }];
}

/** Draw an estate in small: its tiles in their colours, its buildings dark. */
function EstateThumbnail({ scene, seat }: { scene: Scene; seat: number }): JSX.Element {
  const land = scene.lands[seat];
  const tiles = [...(land?.tiles.values() ?? [])];
  const [columns, rows] = [tiles.map(({ at }) => at[0]), tiles.map(({ at }) => at[1])];
  const [left, top] = [Math.min(...columns), Math.max(...rows)];
  const [width, height] = [Math.max(...columns) - left + 1, top - Math.min(...rows) + 1];
  const side = Math.max(width, height, 4) * 10;
  return (
    <Picture width={side} height={side} class="miniature">
      <g transform={`translate(${(side - width * 10) / 2} ${(side - height * 10) / 2})`}>
        {tiles.map(({ kind, at: [x, y] }) => (
          <rect
            key={`${x},${y}`}
            x={(x - left) * 10}
            y={(top - y) * 10}
            width="9.4"
            height="9.4"
            fill={`var(--c-${kind})`}
            stroke={`var(--c-${kind}_line)`}
          />
        ))}
        {land?.buildings.map(({ at: [x, y] }) => (
          <rect
            key={`${x},${y}`}
            x={(x - left) * 10 + 2.5}
            y={(top - y) * 10 + 2.5}
            width="4.5"
            height="4.5"
            fill="var(--ink)"
          />
        ))}
      </g>
    </Picture>
  );
}

/** Return the part that concerns the viewer most: the own estate, or that of the player to move. */
const findConcern = ({ seat, board, choice }: Scene): string =>
  choice.can({ do: "choose_title" }) ? "common" : `estate:${seat ?? board.active}`;
