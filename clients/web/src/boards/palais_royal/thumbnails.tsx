/** Park, palace and players in small, for the strip of a tall board. */

import type { JSX } from "preact";
import { Figure, fill, fillOf, Picture } from "../drawing/look.tsx";
import { countPoints, findMajority, listSpaces, locate } from "./derived_values.ts";
import { colourOf, type Scene } from "./scene.ts";

/** Draw the park in small: nobles, free spaces, servants, and who can be recruited. */
export function ParkThumbnail({ scene }: { scene: Scene }): JSX.Element {
  const { catalog, board } = scene;
  return (
    <Picture width={62} height={62} class="miniature">
      <rect width="62" height="62" rx="6" fill={fill("lawn")} />
      {listSpaces(catalog).map((space) => {
        const [column, row] = locate(space);
        const seat = board.border[space];
        const colour = paintSpace(scene, space);
        if (!colour) return null;
        const [x, y] = [2 + column * 10, 2 + row * 10];
        return <rect key={space} x={x} y={y} width="8" height="8" rx={seat === undefined ? 1.5 : 4} fill={colour} />;
      })}
    </Picture>
  );
}

function paintSpace(scene: Scene, space: string): string {
  const { board, catalog, choice } = scene;
  const seat = board.border[space];
  if (seat !== undefined) return fillOf(colourOf(scene, seat));
  const noble = catalog.nobles.get(board.park[space] ?? "");
  if (!noble) return "";
  if (choice.can({ do: "recruit", space })) return "var(--accent)";
  return fill(noble.benefit === "none" ? "tile" : "benefit_line");
}

/** Draw the palace in small: each room in the colour of the majority. */
export function PalaceThumbnail({ scene }: { scene: Scene }): JSX.Element {
  const { board, catalog } = scene;
  return (
    <Picture width={62} height={62} class="miniature">
      {board.layout.flat().map((room, at) => {
        const crowned = findMajority(board, catalog, room);
        const [x, y] = [(at % 3) * 21, Math.floor(at / 3) * 21];
        return (
          <g key={room} transform={`translate(${x} ${y})`}>
            <rect width="20" height="20" rx="3" fill={fill("floor")} stroke={fill("tile_line")} />
            <rect
              width="20"
              height="6"
              rx="2"
              fill={fill(catalog.rooms.get(room)?.majority_bonus ? "bonus_room" : "room")}
            />
            {crowned !== null && <circle cx="10" cy="13" r="4.5" fill={fillOf(colourOf(scene, crowned))} />}
          </g>
        );
      })}
    </Picture>
  );
}

/** Draw the players in small: colour and points. */
export function CourtThumbnail({ scene }: { scene: Scene }): JSX.Element {
  const { board, catalog } = scene;
  return (
    <Picture width={62} height={62} class="miniature">
      {board.order.map((seat, at) => {
        const own = board.players[seat];
        return (
          <g key={seat} transform={`translate(0 ${at * 15.5})`}>
            <circle cx="16" cy="7.5" r="6" fill={fillOf(colourOf(scene, seat))} />
            <Figure text={own ? countPoints(own, catalog) : ""} x={42} y={7.5} size={17} />
          </g>
        );
      })}
    </Picture>
  );
}
