/** The board of Palais Royal: the park, the palace, the players, the cards, and at the end the score sheet. */

import "../drawing/board.css";
import "./board.css";
import type { JSX } from "preact";
import type { BoardProps } from "../contract.ts";
import { AskButton, useAsking } from "../drawing/asking.tsx";
import { GlyphDefinitions, listColours } from "../drawing/look.tsx";
import { Menu, useMenu } from "../drawing/menu.tsx";
import { type Pane, Strip } from "../drawing/strip.tsx";
import { moveFocus } from "../drawing/thing.tsx";
import { OwnHand, Piles } from "./cards.tsx";
import { FinalScores } from "./final_scores.tsx";
import { Palace } from "./palace.tsx";
import { Park } from "./park.tsx";
import { Players } from "./players.tsx";
import { buildScene, type Scene } from "./scene.ts";
import { ServantCount } from "./servant_count.tsx";
import { CourtThumbnail, PalaceThumbnail, ParkThumbnail } from "./thumbnails.tsx";
import { Actions, Moment } from "./turn.tsx";

/** Draw the board of a view. */
export function Board(props: BoardProps): JSX.Element {
  const { view, game, choice, words, layout, motion } = props;
  const menu = useMenu(choice, view.version);
  const asking = useAsking();
  const scene = buildScene(props, menu.decide);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus between the things inside
    <div
      class={`board palais_royal ${layout} ${motion ? "moving" : ""} ${asking.isAsking ? "asking" : ""}`}
      style={listColours(game.look)}
      onKeyDown={moveFocus}
      onClickCapture={asking.capture}
    >
      <GlyphDefinitions look={game.look} />
      <div class="heading">
        <Moment scene={scene} />
        <AskButton {...asking} words={[scene.say("ask"), scene.say("asking")]} />
      </div>
      <Actions scene={scene} />
      <Menu {...menu} choice={choice} words={words} title={scene.say("which")} />
      <ServantCount scene={scene} version={view.version} />
      <FinalScores scene={scene} />
      {layout === "tall" ? <TallBoard {...props} scene={scene} /> : <WideBoard scene={scene} />}
      <OwnHand scene={scene} />
    </div>
  );
}

function WideBoard({ scene }: { scene: Scene }): JSX.Element {
  return (
    <div class="parts">
      <Park scene={scene} />
      <div class="beside">
        <Palace scene={scene} />
        <Players scene={scene} />
        <Piles scene={scene} />
      </div>
    </div>
  );
}

/** Draw one part with a strip of thumbnails of all three. */
function TallBoard({ scene, focus, setFocus }: BoardProps & { scene: Scene }): JSX.Element {
  const panes = listPanes(scene);
  const shown = panes.some(({ name }) => name === focus) ? focus : findConcern(scene);
  return (
    <>
      <Strip panes={panes} shown={shown} label={scene.say("parts")} onShow={setFocus} />
      {shown === "park" && <Park scene={scene} />}
      {shown === "palace" && <Palace scene={scene} />}
      {shown === "court" && (
        <>
          <Players scene={scene} />
          <Piles scene={scene} />
        </>
      )}
    </>
  );
}

function listPanes(scene: Scene): Pane[] {
  const { say, choice } = scene;
  const inPalace = ["place", "reinforce", "move", "take_gold", "add_seal_servant"].some((verb) =>
    choice.can({ do: verb }),
  );
  return [
    {
      name: "park",
      title: say("park"),
      thumbnail: <ParkThumbnail scene={scene} />,
      isOffered: choice.can({ do: "recruit" }),
    },
    { name: "palace", title: say("palace"), thumbnail: <PalaceThumbnail scene={scene} />, isOffered: inPalace },
    {
      name: "court",
      title: say("court"),
      thumbnail: <CourtThumbnail scene={scene} />,
      isOffered: choice.can({ do: "draw" }),
    },
  ];
}

/** Return the part that concerns the player most: where the present action happens. */
function findConcern({ board, choice }: Scene): string {
  if (choice.given["do"] === "draw" || board.turn.phase === "a5") return "court";
  return ["a4", "over"].includes(board.turn.phase) ? "park" : "palace";
}
