/** The players: name, title, points, queen, knights and yields of each, above the estate. */

import type { JSX } from "preact";
import { fill, Icon, ink, Magnifier, Picture } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { Estate } from "./estate.tsx";
import { countYield } from "./estate_model.ts";
import { Knight, PlayerMark } from "./pieces.tsx";
import { chooseOrAsk, nameTitle, type Scene } from "./scene.ts";

const TOTALS = { money: "pound", tiles: "tile", bribes: "bribe", cards: "card" } as const; // and their glyphs

interface PlayerProps {
  readonly scene: Scene;
  readonly seat: number;
}

interface PanelProps extends PlayerProps {
  readonly isLarge: boolean;
  /** Show the estate larger, or smaller again; absent for the own one. */
  readonly zoom?: () => void;
}

/** Draw the panel of a player with the estate. */
export function PlayerPanel({ scene, seat, isLarge, zoom }: PanelProps): JSX.Element {
  const isWaited = scene.waiting.includes(seat);
  const isOwn = seat === scene.seat;
  const name = scene.words.seat(seat);
  return (
    <section
      class={`player ${isWaited ? "waited" : ""} ${isOwn ? "own" : ""} ${isLarge ? "large" : ""}`}
      aria-label={scene.say("estate", name)}
    >
      <div class="top" data-fact={`players/${seat}`}>
        <Head scene={scene} seat={seat} isWaited={isWaited} />
        <Figures scene={scene} seat={seat} />
        {zoom && (
          <Thing
            class="zoom"
            label={`${scene.say("estate", name)}: ${scene.say(isLarge ? "smaller" : "larger")}`}
            onTap={zoom}
          >
            <Magnifier isLarge={isLarge} />
          </Thing>
        )}
      </div>
      <Estate scene={scene} seat={seat} isLarge={isLarge} {...(zoom && { zoom })} />
    </section>
  );
}

function Head({ scene, seat, isWaited }: PlayerProps & { isWaited: boolean }): JSX.Element {
  const { board, words, say } = scene;
  const nobleman = board.noblemen[seat];
  const points = nobleman?.vp ?? 0;
  return (
    <div class="who">
      <PlayerMark seat={seat} size={26} />
      {isWaited && (
        <span class="arrow" data-fact={`players/${seat}/waiting`}>
          ▶
        </span>
      )}
      <b class="name">{words.seat(seat)}</b>
      {board.queen === seat && (
        <span role="img" aria-label={say("queen")} data-fact={`players/${seat}/queen`}>
          <Icon name="queen" size={24} fill={fill("queen")} />
        </span>
      )}
      {nobleman?.title && (
        <span class="title" data-fact={`players/${seat}/title`}>
          <Icon name={nobleman.title} size={16} fill={ink("title")} /> {nameTitle(scene, nobleman.title)}
        </span>
      )}
      <Thing class="points" label={`${say("points")}: ${points}`} onTap={() => scene.inspect({ do: "score", seat })}>
        {points}
      </Thing>
    </div>
  );
}

/** Draw the knights, what taxes, land and a ball would bring, and the totals behind the screen. */
function Figures({ scene, seat }: PlayerProps): JSX.Element {
  const { board, say, catalog, lands } = scene;
  const nobleman = board.noblemen[seat];
  const isBall = board.phase === "ball" || board.phase === "title";
  const prestige = isBall ? (nobleman?.prestige ?? 0) : countYield(lands, seat, "prestige", catalog);
  const totals = board.totals?.[seat];
  return (
    <div class="figures">
      <span class="knights" role="img" aria-label={`${say("knights")}: ${nobleman?.knights}`}>
        <Picture width={21 * catalog.knight.per_player} height={22} size={22}>
          {Array.from({ length: catalog.knight.per_player }, (_, at) => (
            <Knight key={at} seat={seat} x={10.5 + at * 21} y={11} size={20} isAway={at >= (nobleman?.knights ?? 0)} />
          ))}
        </Picture>
        <small>{say("knights")}</small>
      </span>
      <Yield
        scene={scene}
        seat={seat}
        levy="tax"
        topic="taxes"
        text={`£${countYield(lands, seat, "tax", catalog)}`}
        isUsed={!!nobleman?.taxed}
      />
      <Yield
        scene={scene}
        seat={seat}
        levy="land"
        topic="land"
        text={`${countYield(lands, seat, "land", catalog)}`}
        isUsed={!!nobleman?.landed}
      />
      <Yield scene={scene} seat={seat} levy="" topic="prestige" text={`${prestige}`} isUsed={false} />
      {totals &&
        Object.entries(TOTALS).map(([key, glyph]) => (
          <span key={key} title={say(key as keyof typeof TOTALS)}>
            <b>{totals[key as keyof typeof TOTALS]}</b>
            <Icon name={glyph} size={14} fill="var(--muted)" />
          </span>
        ))}
    </div>
  );
}

interface YieldProps extends PlayerProps {
  readonly levy: string;
  readonly topic: "taxes" | "land" | "prestige";
  readonly text: string;
  readonly isUsed: boolean;
}

/** Draw a yield; a tap on the own one collects it, any other explains it. */
function Yield({ scene, seat, levy, topic, text, isUsed }: YieldProps): JSX.Element {
  const { say, choice } = scene;
  const part = { do: levy };
  const isOffered = seat === scene.seat && choice.can(part);
  const ask = () => scene.inspect({ do: topic, seat });
  return (
    <Thing
      class={isUsed ? "used" : ""}
      label={`${say(topic)}: ${text}${isUsed ? `, ${say("used")}` : ""}`}
      isOffered={isOffered}
      isChosen={isOffered && choice.has(part)}
      onTap={() => (isOffered ? chooseOrAsk(scene, part, ask) : ask())}
      onAsk={ask}
    >
      <b>
        {text}
        {isUsed && <Icon name="tick" size={14} />}
      </b>
      <small>{say(topic)}</small>
    </Thing>
  );
}
