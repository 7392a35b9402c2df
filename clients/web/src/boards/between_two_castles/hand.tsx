/** What only one seat sees and does: the hand, the two rooms chosen, those to place, and Ludwig's. */

import type { JSX } from "preact";
import type { Part } from "../contract.ts";
import { Icon } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { Chip } from "./pieces.tsx";
import { Reveal } from "./reveal.tsx";
import { act, describeRoom, type Scene } from "./scene.ts";
import { TilePicture } from "./tile.tsx";

/** Draw everything that lies before the viewer; nothing for spectators. */
export function OwnHand({ scene }: { scene: Scene }): JSX.Element | null {
  const { hand, board, viewer, say, choice } = scene;
  if (viewer === null) return null;
  const placing = board.tiles[viewer] ?? [];
  return (
    <div class="before">
      <Tiles scene={scene} place="tiles" tiles={hand.tiles} title={say("hand")}>
        {(tile) => <HandTile key={tile} scene={scene} tile={tile} />}
      </Tiles>
      <Tiles scene={scene} place="ludwig" tiles={hand.ludwig} title={say("ludwig")}>
        {(tile) => (
          <TileButton
            key={tile}
            scene={scene}
            tile={tile}
            fact={`hand/ludwig/${tile}`}
            part={{ do: "assign_ludwig", tile }}
          />
        )}
      </Tiles>
      <Tiles scene={scene} place="chosen" tiles={hand.chosen} title={say("chosen")}>
        {(tile) => (
          <span
            key={tile}
            class="hand-tile"
            role="img"
            aria-label={describeRoom(scene, tile)}
            data-fact={`hand/chosen/${tile}`}
          >
            <TilePicture scene={scene} id={tile} />
          </span>
        )}
      </Tiles>
      <Tiles
        scene={scene}
        place="place"
        tiles={placing}
        title={say("place")}
        note={choice.can({ do: "place" }) ? say("tapCell") : ""}
      >
        {(tile) => (
          <Reveal key={tile} scene={scene} order={0}>
            <TileButton
              scene={scene}
              tile={tile}
              fact={`players/${viewer}/tiles/${tile}`}
              part={{ do: "place", tile }}
            />
          </Reveal>
        )}
      </Tiles>
    </div>
  );
}

/** The rooms that the viewer has seen and passed on. */
export function PassedOn({ scene }: { scene: Scene }): JSX.Element | null {
  const passed = scene.hand.passed ?? [];
  if (!passed.length) return null;
  return (
    <details class="passed">
      <summary>{scene.say("passed")}</summary>
      {passed.map((tile) => (
        <Chip key={tile} scene={scene} id={tile} fact={`hand/passed/${tile}`} />
      ))}
    </details>
  );
}

interface TilesProps {
  readonly scene: Scene;
  readonly place: string;
  readonly tiles: readonly string[] | undefined;
  readonly title: string;
  readonly note?: string;
  children(tile: string): JSX.Element;
}

function Tiles({ tiles = [], title, note, place, children }: TilesProps): JSX.Element | null {
  if (!tiles.length) return null;
  return (
    <section class={`own ${place}`} aria-label={title}>
      <h3>{title}</h3>
      {note && <small>{note}</small>}
      <div class="tiles">{tiles.map(children)}</div>
    </section>
  );
}

/** A room that a tap chooses; if that is impossible, the page says why. */
function TileButton(props: { scene: Scene; tile: string; fact: string; part: Part }): JSX.Element {
  const { scene, tile, fact, part } = props;
  const isOffered = scene.choice.can(part);
  return (
    <Thing
      class={isOffered || !scene.choice.offer ? "hand-tile" : "hand-tile impossible"}
      label={`${describeRoom(scene, tile)}${isOffered || !scene.choice.offer ? "" : `; ${scene.say("impossible")}`}`}
      fact={fact}
      isOffered={isOffered}
      isChosen={scene.choice.has(part)}
      onTap={() => scene.choice.choose(part)}
    >
      <TilePicture scene={scene} id={tile} />
    </Thing>
  );
}

/** A room of the hand: a tap picks it, and a second button ticks it in secret for the end of the time. */
function HandTile({ scene, tile }: { scene: Scene; tile: string }): JSX.Element {
  const { choice, hand, words, say } = scene;
  const isTicked = !!hand.ticked?.includes(tile);
  const tick = { do: isTicked ? "untick" : "tick", tile };
  const isOffered = choice.can({ do: "choose" });
  return (
    <span class="slot">
      <Thing
        class="hand-tile"
        label={describeRoom(scene, tile)}
        fact={`hand/tiles/${tile}`}
        isOffered={isOffered}
        isChosen={choice.isPicked("tiles", tile)}
        onTap={() => isOffered && choice.toggle({ do: "choose" }, "tiles", tile)}
      >
        <TilePicture scene={scene} id={tile} />
      </Thing>
      {(isTicked || choice.can(tick)) && (
        <Thing
          class={isTicked ? "tick ticked" : "tick"}
          label={`${words.verb(tick.do)}: ${words.piece(tile)}`}
          fact={isTicked ? `hand/ticked/${tile}` : undefined}
          onTap={() => act(scene, tick)}
        >
          <Icon name="check" size={16} /> {say(isTicked ? "ticked" : "tick")}
        </Thing>
      )}
    </span>
  );
}
