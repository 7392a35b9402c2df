/** The panel of a castle: its name, points and partners, the picture, and notes with what can be done there. */

import type { JSX } from "preact";
import { Icon, Magnifier } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { CastleGlance, CastlePicture, type Extent } from "./castle.tsx";
import { OptionFace, Question } from "./decision.tsx";
import { kindOf } from "./documents.ts";
import { Player, VerbButton } from "./pieces.tsx";
import { askAboutCastle, describeRoom, findScore, nameShortly, type Scene } from "./scene.ts";
import { Disc, TilePicture } from "./tile.tsx";

interface PanelProps {
  readonly scene: Scene;
  readonly number: number;
  readonly extent: Extent;
  readonly isLarge: boolean;
}

/** Draw a castle large. */
export function CastlePanel({ scene, number, extent, isLarge }: PanelProps): JSX.Element {
  const castle = scene.castles[number] as Scene["castles"][number];
  const isMine = scene.mine.includes(number);
  const width = isLarge && scene.layout === "tall" ? { width: `${extent.columns * 6.8}rem` } : {};
  return (
    <section
      class={`panel ${isLarge ? "large" : ""}`}
      data-fact={`castles/${number}`}
      aria-label={scene.words.piece(castle.token)}
    >
      <Heading scene={scene} number={number} isLarge={isLarge} />
      <div class="scroller">
        <div class="landscape" style={{ ...width, fontSize: `${12 * extent.columns}px` }}>
          <CastlePicture scene={scene} number={number} extent={extent} />
        </div>
      </div>
      <div class="notes">
        <Progress scene={scene} number={number} />
        {castle.cards.map((card, place) => (
          <span key={card} class="card" data-fact={`castles/${number}/cards/${place}`}>
            <OptionFace scene={scene} id={card} />
          </span>
        ))}
        {castle.ludwig && <LudwigTile scene={scene} number={number} tile={castle.ludwig} />}
        <Question scene={scene} number={number} />
        {isMine && (
          <div class="verbs">
            {["hold", "release", "take_back"].map((verb) => (
              <VerbButton key={verb} scene={scene} part={{ do: verb, castle: number }} />
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

function Heading({ scene, number, isLarge }: { scene: Scene; number: number; isLarge: boolean }): JSX.Element {
  const castle = scene.castles[number] as Scene["castles"][number];
  const { say, words, setFocus } = scene;
  const { total } = findScore(scene, castle);
  const next = findNextTotal(scene, number);
  const points = next === total ? words.unit("point", total) : `${total} → ${words.unit("point", next)}`;
  return (
    <header>
      <h3>{words.piece(castle.token)}</h3>
      <Thing class="pill" label={`${words.piece(castle.token)}: ${points}`} onTap={askAboutCastle(scene, number)}>
        {scene.layout === "tall" && next === total ? total : points}
      </Thing>
      <Thing
        class="zoom"
        label={`${words.piece(castle.token)}: ${say(isLarge ? "smaller" : "larger")}`}
        onTap={() => setFocus(isLarge ? `castle:${number}` : `castle:${number}:large`)}
      >
        <Magnifier isLarge={isLarge} />
      </Thing>
      <p class="partners">
        {castle.partners.map((seat) => (
          <span key={seat}>
            <Player scene={scene} seat={seat} />
            {seat === castle.marker && (
              <span
                class="marker"
                role="img"
                aria-label={say("marker", words.seat(seat))}
                title={say("marker", words.seat(seat))}
              >
                <Icon name="marker" size={14} />
              </span>
            )}
            {castle.holds.includes(seat) && <em> {say("partnerFirst")}</em>}
          </span>
        ))}
      </p>
    </header>
  );
}

/** Return the points of a castle after the action that the viewer has in mind. */
function findNextTotal(scene: Scene, number: number): number {
  const castles = (scene.choice.preview?.view.board?.castles ?? scene.castles) as Scene["castles"];
  return findScore(scene, castles[number] as Scene["castles"][number]).total;
}

/** How many rooms of each type the castle has, on the way to its bonuses; bold before a bonus. */
function Progress({ scene, number }: { scene: Scene; number: number }): JSX.Element {
  const { catalog, castles, piece, words } = scene;
  const kinds = (castles[number]?.rooms ?? []).map(([id]) => kindOf(piece(id)));
  return (
    <ul class="progress" aria-label={words.zone("rooms")}>
      {catalog.meta.normal_types.map((type) => {
        const count = kinds.filter((kind) => kind === type).length;
        return (
          <li
            key={type}
            class={catalog.meta.bonus_thresholds.includes(count + 1) ? "near" : ""}
            aria-label={`${words.piece(type)}: ${count}`}
          >
            <svg class="icon" viewBox="0 0 26 26" width={20} height={20} aria-hidden="true">
              <Disc scene={scene} of={type} x={13} y={13} r={13} />
            </svg>
            {count}
          </li>
        );
      })}
    </ul>
  );
}

/** The room that lies beside the castle for Ludwig; the human partner places it. */
function LudwigTile({ scene, number, tile }: { scene: Scene; number: number; tile: string }): JSX.Element {
  const part = { do: "place", tile };
  const isOffered = scene.choice.can(part);
  return (
    <div class="beside">
      <b>{scene.say("ludwigTile")}</b>
      <Thing
        class="hand-tile"
        label={describeRoom(scene, tile)}
        fact={`castles/${number}/ludwig`}
        isOffered={isOffered}
        isChosen={scene.choice.has(part)}
        onTap={() => scene.choice.choose(part)}
      >
        <TilePicture scene={scene} id={tile} />
      </Thing>
    </div>
  );
}

/** Draw a castle small; a tap shows it large. */
export function CastleThumbnail({ scene, number }: { scene: Scene; number: number }): JSX.Element {
  const castle = scene.castles[number] as Scene["castles"][number];
  const { words, say, setFocus } = scene;
  const { total } = findScore(scene, castle);
  const points = words.unit("point", total);
  const label = [words.piece(castle.token), castle.partners.map(words.seat).join(" + "), points].join(", ");
  return (
    <div class={scene.mine.includes(number) ? "thumbnail mine" : "thumbnail"} data-fact={`castles/${number}`}>
      <Thing label={`${label}: ${say("larger")}`} onTap={() => setFocus(`castle:${number}`)}>
        <span class="title">
          <b>{scene.layout === "tall" ? nameShortly(scene, number) : words.piece(castle.token)}</b>
          <span class="pill">{scene.layout === "tall" ? total : points}</span>
        </span>
        <CastleGlance scene={scene} number={number} />
        <span class="partners">
          {castle.partners.map((seat) => (
            <Player key={seat} scene={scene} seat={seat} />
          ))}
        </span>
      </Thing>
      {castle.deciding && (
        <small data-fact={`castles/${number}/deciding`}>
          <Icon name="waiting" size={14} fill="var(--accent)" /> {words.word("question", castle.deciding)}
        </small>
      )}
    </div>
  );
}
