/** What the partners of a castle decide together: the question, the options, the proposals, and agreement. */

import type { JSX } from "preact";
import { fill, Icon, ink } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import type { Decision } from "./documents.ts";
import { Chip, findStyle, MarkIcon, VerbButton } from "./pieces.tsx";
import { describeRoom, listDecisions, type Scene } from "./scene.ts";
import { TilePicture } from "./tile.tsx";

/** Draw what is to be decided about a castle, as far as the viewer knows it. */
export function Question({ scene, number }: { scene: Scene; number: number }): JSX.Element | null {
  const about = scene.castles[number]?.deciding;
  if (!about) return null;
  return (
    <div class="question">
      <p data-fact={`castles/${number}/deciding`}>
        <Icon name="waiting" size={18} fill="var(--accent)" />{" "}
        <b>
          {scene.words.zone("deciding")}: {scene.words.word("question", about)}
        </b>
      </p>
      {listDecisions(scene, number).map(([path, decision]) => (
        <Options key={path} scene={scene} path={path} decision={decision} />
      ))}
    </div>
  );
}

function Options({ scene, path, decision }: { scene: Scene; path: string; decision: Decision }): JSX.Element {
  const { castle, about, options, room, proposals = [], calls = [] } = decision;
  return (
    <>
      {room && <Chip scene={scene} id={room} fact={`${path}/room`} />}
      {about !== "cell" && (
        <div class={`options ${about}`}>
          {options.map((option) => (
            <Option key={`${option}`} scene={scene} path={path} decision={decision} option={`${option}`} />
          ))}
        </div>
      )}
      <div class="verbs">
        {proposals
          .filter(({ seat }) => seat !== scene.viewer)
          .map(({ seat, revision }) => (
            <VerbButton key={seat} scene={scene} part={{ do: "accept", castle, revision }}>
              <Icon name="check" size={18} /> {scene.say("agree", scene.words.seat(seat))}
            </VerbButton>
          ))}
        <VerbButton scene={scene} part={{ do: "call_tiebreak", castle }} />
        {calls.map((seat) => (
          <small key={seat}>
            <MarkIcon scene={scene} seat={seat} /> {scene.say("wantsTiebreak", scene.words.seat(seat))}
          </small>
        ))}
      </div>
    </>
  );
}

/** An option: a room, a bonus card, an attendant, a special room or a bonus, with the partners who propose it. */
function Option(props: { scene: Scene; path: string; decision: Decision; option: string }): JSX.Element {
  const { scene, path, decision, option } = props;
  const { castle, about, proposals = [] } = decision;
  const { choice, words } = scene;
  const part = { do: "propose", castle, choice: option };
  const people = proposals.filter(({ choice: wanted }) => wanted === option).map(({ seat }) => seat);
  const pointing = Object.entries(scene.view.pointed)
    .filter(([seat, action]) => action?.castle === castle && action.choice === option && !people.includes(Number(seat)))
    .map(([seat]) => Number(seat));
  const isMine = people.includes(scene.viewer ?? -1);
  const label = [
    about === "food" ? describeRoom(scene, option) : `${words.piece(option)}. ${describeOption(scene, option)}`,
    ...people.map((seat) => scene.say("proposes", scene.words.seat(seat))),
    ...pointing.map((seat) => scene.say("pointsAt", scene.words.seat(seat))),
  ].join(", ");
  return (
    <Thing
      class={isMine ? "option mine" : "option"}
      label={label}
      fact={`${path}/options/${option}`}
      isOffered={choice.can(part)}
      isChosen={choice.has(part)}
      onTap={() => !isMine && choice.choose(part)}
    >
      {about === "food" ? <TilePicture scene={scene} id={option} /> : <OptionFace scene={scene} id={option} />}
      {people.map((seat) => (
        <span key={seat} class="tag" data-fact={`${path}/proposals/${seat}`}>
          <MarkIcon scene={scene} seat={seat} /> {scene.words.seat(seat)}
        </span>
      ))}
      {pointing.map((seat) => (
        <span key={seat} class="tag pointing">
          <MarkIcon scene={scene} seat={seat} /> {scene.words.seat(seat)}
        </span>
      ))}
    </Thing>
  );
}

/** Return what an option means: the text of a bonus card, or what an attendant counts. */
export function describeOption({ catalog, piece, words }: Scene, id: string): string {
  if (id in catalog.type) return "";
  const found = piece(id);
  const text = found[`text_${words.lang}`] ?? found.text_en;
  if (text) return text;
  const counted = found.type ? words.word("pattern", found.pattern ?? "") : words.piece(found.decoration ?? "");
  return `${words.unit("point", found.points)} × ${counted}`;
}

/** A piece with its glyph, its name and what it means. */
export function OptionFace({ scene, id }: { scene: Scene; id: string }): JSX.Element {
  const [glyph, colour] = findStyle(scene, id);
  const piece = id in scene.catalog.type ? undefined : scene.piece(id);
  return (
    <span class="face">
      <span class="disc" style={{ background: fill(colour), color: ink(colour) }}>
        <Icon name={glyph} size={18} />
      </span>
      <span>
        {piece && <b class="figure">{piece.points} </b>}
        <b>{scene.words.piece(id)}</b>
        <small>{describeOption(scene, id)}</small>
      </span>
    </span>
  );
}
