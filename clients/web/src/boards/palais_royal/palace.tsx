/** The palace: nine rooms as they lie, with the servants of all players and a crown for the majority. */

import type { JSX } from "preact";
import { fill, Icon, ink, Picture } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { findMajority } from "./derived_values.ts";
import { Servant } from "./pieces.tsx";
import { askRoom, colourOf, listRoomMeanings, nameOf, type Scene, tapRoom } from "./scene.ts";

const GLYPHS: Readonly<Record<string, string>> = { king: "seal_square", madame: "seal_diamond" };
const STEP = 15; // between two servants, on a grid of 24

/** Draw all rooms; the first row lies next to the park. */
export function Palace({ scene }: { scene: Scene }): JSX.Element {
  return (
    <section class="palace" aria-label={scene.say("palace")}>
      {scene.board.layout.flat().map((room) => (
        <Room key={room} scene={scene} room={room} />
      ))}
    </section>
  );
}

/** Draw a room: a band with glyph and name, and a line for each player. */
function Room({ scene, room }: { scene: Scene; room: string }): JSX.Element {
  const { choice, board, catalog } = scene;
  const crowned = findMajority(board, catalog, room);
  const hasBonus = catalog.rooms.get(room)?.majority_bonus;
  const { given } = choice;
  const isChosen = ["room", "source", "to", "border_from"].some((field) => given[field] === room);
  const isOffered = listRoomMeanings(scene, room).length > 0;
  return (
    <Thing
      class={`room ${hasBonus ? "bonus" : ""} ${given["do"] && !isOffered && !isChosen ? "away" : ""}`}
      fact={`rooms/${room}`}
      label={describeRoom(scene, room, crowned, isOffered)}
      isOffered={isOffered || isChosen}
      isChosen={isChosen}
      onTap={() => tapRoom(scene, room)}
      onAsk={() => askRoom(scene, room)}
    >
      <span class="band">
        <Icon name={GLYPHS[room] ?? room} size={16} fill={ink(hasBonus ? "bonus_room" : "room")} />
        <span>{nameOf(scene, room)}</span>
        {hasBonus && <Icon name="crown" size={12} fill={ink("bonus_room")} />}
      </span>
      {board.players.map((_, seat) => (
        <Servants key={seat} scene={scene} room={room} seat={seat} isCrowned={crowned === seat} />
      ))}
      {choice.can({ room }) && <i class="frame" data-fact={`rooms/${room}/offered`} />}
    </Thing>
  );
}

function describeRoom(scene: Scene, room: string, crowned: number | null, isOffered: boolean): string {
  const { board, words, say } = scene;
  const counts = (board.rooms[room] ?? []).map((count, seat) =>
    count ? say("servants", words.seat(seat), count) : "",
  );
  const there = counts.filter(Boolean);
  const majority = crowned === null ? [] : [say("majority", words.seat(crowned))];
  const now = isOffered ? [say("possible")] : [];
  return [nameOf(scene, room), ...(there.length ? there : [say("nobody")]), ...majority, ...now].join(", ");
}

interface ServantsProps {
  readonly scene: Scene;
  readonly room: string;
  readonly seat: number;
  readonly isCrowned: boolean;
}

/** Draw the servants of a player in a room, side by side, and their number. */
function Servants({ scene, room, seat, isCrowned }: ServantsProps): JSX.Element {
  const count = scene.board.rooms[room]?.[seat] ?? 0;
  if (!count) return <span class="line" />;
  const step = Math.min(STEP, 75 / count);
  return (
    <span class="line" data-fact={`rooms/${room}/${seat}`}>
      <Picture width={24 + step * (count - 1)} height={24} class="servants">
        {Array.from({ length: count }, (_, at) => (
          <Servant key={at} colour={colourOf(scene, seat)} x={12 + at * step} y={12} size={24} />
        ))}
      </Picture>
      {isCrowned && (
        <span class="crown" data-fact={`rooms/${room}/majority`}>
          <Icon name="crown" size={17} fill={fill("crown")} />
        </span>
      )}
      <b>{count}</b>
    </span>
  );
}
