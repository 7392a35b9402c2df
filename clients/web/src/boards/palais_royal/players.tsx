/** The players: name, seals, gold, points, nobles, cards, supply and reserve, and the nobles in front of each. */

import type { JSX } from "preact";
import { fill, Picture } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import { countPoints, SEAL_ROOMS } from "./derived_values.ts";
import { Benefit, Pennant, SealIcon, ServantIcon } from "./pieces.tsx";
import { colourOf, nameOf, type Scene } from "./scene.ts";

/** Draw a panel for each player, in turn order. */
export function Players({ scene }: { scene: Scene }): JSX.Element {
  return (
    <section class="court" aria-label={scene.say("court")}>
      {scene.board.order.map((seat) => (
        <PlayerPanel key={seat} scene={scene} seat={seat} />
      ))}
    </section>
  );
}

function PlayerPanel({ scene, seat }: { scene: Scene; seat: number }): JSX.Element {
  const { words, waiting, board, say } = scene;
  const isWaited = waiting.includes(seat);
  const figures = listFigures(scene, seat);
  const spoken = figures.map(([key, figure]) => `${say(key)} ${figure}`);
  const ask = () => scene.inspect({ do: "score", seat });
  return (
    <div class={`player ${isWaited ? "waited" : ""}`} data-fact={`players/${seat}`}>
      <Thing class="summary" label={[words.seat(seat), ...spoken].join(", ")} onTap={ask}>
        <span class="who">
          <ServantIcon colour={colourOf(scene, seat)} size={26} />
          {isWaited && (
            <span class="arrow" data-fact={`players/${seat}/waiting`}>
              ▶
            </span>
          )}
          <b class="name">{words.seat(seat)}</b>
          {Object.entries(SEAL_ROOMS).map(([room, seal]) => (
            <b key={room} class="seal">
              <SealIcon colour={seal} /> {board.rooms[room]?.[seat] ?? 0}
            </b>
          ))}
        </span>
        <span class="figures">
          {figures.map(([key, figure]) => (
            <span key={key}>
              <b>{figure}</b>
              <small>{say(key)}</small>
            </span>
          ))}
        </span>
      </Thing>
      <Possessions scene={scene} seat={seat} />
    </div>
  );
}

type FigureKey = "gold" | "points" | "nobles" | "cards" | "supply" | "reserve";

function listFigures({ board, catalog }: Scene, seat: number): [FigureKey, string | number][] {
  const own = board.players[seat];
  if (!own) return [];
  const hidden = own.hidden_nobles ?? 0;
  return [
    ["gold", own.gold],
    ["points", `${countPoints(own, catalog)}${hidden ? "+?" : ""}`],
    ["nobles", own.face_up.length + own.face_down.length + hidden],
    ["cards", own.cards],
    ["supply", own.supply],
    ["reserve", own.reserve],
  ];
}

/** Draw the benefits of a player, the points of the other nobles, and the points cards. */
function Possessions({ scene, seat }: { scene: Scene; seat: number }): JSX.Element {
  const { board, catalog } = scene;
  const own = board.players[seat];
  const points = (id: string) => catalog.nobles.get(id)?.points ?? 0;
  const place = `players/${seat}`;
  return (
    <span class="possessions">
      {own?.face_up.map((id) => (
        <span key={id} class="chip" data-fact={`${place}/face_up/${id}`}>
          <BenefitChip scene={scene} id={id} />
        </span>
      ))}
      {[...(own?.face_down ?? [])]
        .sort((one, other) => points(other) - points(one))
        .map((id) => (
          <PennantChip key={id} fact={`${place}/face_down/${id}`} text={points(id)} title={nameOf(scene, id)} />
        ))}
      {Array.from({ length: own?.hidden_nobles ?? 0 }, (_, at) => (
        <PennantChip key={at} fact={`${place}/hidden_nobles/${at}`} text="?" title={scene.say("nobles")} />
      ))}
      {own?.front.map((id, at) => (
        <span key={at} class="points-card" title={nameOf(scene, id)} data-fact={`${place}/front/${at}`}>
          {catalog.privileges.get(id)?.effect.points}
        </span>
      ))}
    </span>
  );
}

function BenefitChip({ scene, id }: { scene: Scene; id: string }): JSX.Element | null {
  const noble = scene.catalog.nobles.get(id);
  if (!noble) return null;
  return (
    <Picture width={45} height={26} size={26}>
      <title>{nameOf(scene, id)}</title>
      <rect
        x="1"
        y="1"
        width="43"
        height="24"
        rx="6"
        fill={fill("benefit")}
        stroke={fill("benefit_line")}
        stroke-width="1.6"
      />
      <Benefit noble={noble} x={21.5} y={13} size={17} />
    </Picture>
  );
}

function PennantChip({ fact, text, title }: { fact: string; text: number | string; title: string }): JSX.Element {
  return (
    <span class="chip" data-fact={fact} title={title}>
      <Picture width={20} height={26} size={26}>
        <Pennant x={10} y={0} size={20} text={text} />
      </Picture>
    </span>
  );
}
