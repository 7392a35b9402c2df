/** The players: what each has chosen, hidden until the reveal; what they still have to place; at the end the ranking. */

import type { JSX } from "preact";
import { Icon } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { MarkIcon } from "./pieces.tsx";
import { Reveal } from "./reveal.tsx";
import { describeRoom, type Scene } from "./scene.ts";
import { TilePicture } from "./tile.tsx";

/** Draw all players, in the order of the circle or of the ranking. */
export function Players({ scene }: { scene: Scene }): JSX.Element {
  const { board } = scene;
  const ranked = [...board.final].sort((one, other) => one.rank - other.rank).map(({ seat }) => seat);
  const seats = ranked.length ? ranked : board.circle;
  return (
    <div class="players">
      {seats.map((seat, at) => (
        <PlayerPlate key={seat} scene={scene} seat={seat} order={at} />
      ))}
    </div>
  );
}

function PlayerPlate({ scene, seat, order }: { scene: Scene; seat: number; order: number }): JSX.Element {
  const { board, view, say, inspect } = scene;
  const row = board.final.find((each) => each.seat === seat);
  const isAwaited = view.waiting.some((each) => each.seat === seat);
  return (
    <section class={`plate ${isAwaited ? "awaited" : ""}`} data-fact={`players/${seat}`}>
      <p>
        {row && (
          <Thing
            class={row.rank === 1 ? "rank first" : "rank"}
            label={`${row.rank}. ${scene.words.seat(seat)}`}
            onTap={() => inspect({ do: "rank", seat })}
          >
            {row.rank}
          </Thing>
        )}
        <MarkIcon scene={scene} seat={seat} size={22} />
        <b class="name">{scene.words.seat(seat)}</b>
        {isAwaited && (
          <span class="state" role="img" aria-label={say("waiting")} data-fact={`players/${seat}/waiting`}>
            <Icon name="waiting" size={18} fill="var(--accent)" />
          </span>
        )}
        {row && (
          <Thing
            class="score"
            label={`${scene.words.seat(seat)}: ${scene.words.unit("point", row.score)}`}
            onTap={() => inspect({ do: "score", seat })}
          >
            <b>{row.score}</b> <small>{say("better", row.better)}</small>
          </Thing>
        )}
      </p>
      <ChosenTiles scene={scene} seat={seat} order={order} />
    </section>
  );
}

/** The two rooms of a player: places for them, face down, and after the reveal face up until they are placed. */
function ChosenTiles({ scene, seat, order }: { scene: Scene; seat: number; order: number }): JSX.Element | null {
  const { board, viewer, say } = scene;
  if (board.phase === "choose" && seat in board.chosen) {
    const isDone = board.chosen[seat];
    return (
      <p class="tiles" role="img" aria-label={isDone ? say("done") : "…"}>
        {[0, 1].map((at) => (
          <span key={at} class={isDone ? "back" : "back empty"}>
            {isDone && <Icon name="castle" size={18} />}
          </span>
        ))}
      </p>
    );
  }
  const tiles = seat === viewer ? [] : (board.tiles[seat] ?? []);
  if (!tiles.length) return null;
  return (
    <p class="tiles">
      {tiles.map((tile) => (
        <Reveal key={tile} scene={scene} order={order}>
          <span role="img" aria-label={describeRoom(scene, tile)} data-fact={`players/${seat}/tiles/${tile}`}>
            <TilePicture scene={scene} id={tile} />
          </span>
        </Reveal>
      ))}
    </p>
  );
}
