/** Privilege cards: deck and discard pile, cards in force, the bank, and the viewer's own hand. */

import type { JSX } from "preact";
import type { TextOfBoard } from "../../i18n/languages.ts";
import { Icon, ink, Picture } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import type { Privilege } from "./documents.ts";
import { Coin, Pennant } from "./pieces.tsx";
import { nameOf, type Scene } from "./scene.ts";

const ICONS: Readonly<Record<string, readonly (readonly [icon: string, number?: string])[]>> = {
  majority_all: [["crown"]],
  gate_unlimited: [["gate"], ["infinity"]],
  gate_and_moves: [
    ["gate", "gate"],
    ["moves", "moves"],
  ],
  moves: [["moves", "moves"]],
  wild_seals: [["seals", "seals"]],
  gold: [["coin", "gold"]],
  points: [["laurel", "points"]],
}; // the glyphs of an effect, each with the key of its number

// Deck, discard pile, bank

/** Draw the deck, the discarded cards, the cards in force and the bank. */
export function Piles({ scene }: { scene: Scene }): JSX.Element {
  const { board, say, choice } = scene;
  const draw = { do: "draw" };
  const isOffered = choice.can(draw);
  const ask = () =>
    scene.inspect(board.final.length ? { do: "privilege", kind: "points2" } : { do: "allowance", of: "cards" });
  return (
    <section class="piles" aria-label={say("privileges")}>
      <Thing
        class="pile"
        fact="deck"
        label={`${say("privileges")}: ${say("deck", board.deck)}`}
        isOffered={isOffered}
        isChosen={choice.has(draw)}
        onTap={() => (isOffered ? choice.choose(draw) : ask())}
        onAsk={ask}
      >
        <Icon name="deck" /> {say("deck", board.deck)}
      </Thing>
      <Pile scene={scene} place="discard" kinds={board.discard} />
      <Pile scene={scene} place="active" kinds={board.turn.active} />
      {board.bank !== null && (
        <span class="pile" data-fact="bank">
          <Icon name="coin" /> {say("bank", board.bank)}
        </span>
      )}
    </section>
  );
}

/** Draw cards by kind, each with the icon of its effect and their number. */
function Pile({
  scene,
  place,
  kinds,
}: {
  scene: Scene;
  place: "discard" | "active";
  kinds: readonly string[];
}): JSX.Element {
  const { catalog, say } = scene;
  return (
    <>
      {kinds.length > 0 && <small>{say(place)}:</small>}
      {[...new Set(kinds)].map((kind) => {
        const count = kinds.filter((each) => each === kind).length;
        const name = nameOf(scene, kind) + (count > 1 ? ` ×${count}` : "");
        const [icon] = ICONS[catalog.privileges.get(kind)?.effect.kind ?? ""]?.[0] ?? ["card"];
        const ask = () => scene.inspect({ do: "privilege", kind });
        return (
          <Thing key={kind} class="pile" fact={`${place}/${kind}`} label={`${say(place)}: ${name}`} onTap={ask}>
            <Icon name={icon} /> {name}
          </Thing>
        );
      })}
    </>
  );
}

// The viewer's own hand

/** Draw the cards of the viewer, those to choose from, and the secret nobles. */
export function OwnHand({ scene }: { scene: Scene }): JSX.Element | null {
  const { hand, say, choice } = scene;
  if (!hand) return null;
  const play = (kind: string) => ({ do: "play_privilege", kind });
  const ask = (kind: string) => scene.inspect({ do: "privilege", kind });
  return (
    <>
      {hand.pending.length > 0 && (
        <section class="hand" aria-label={say("own_choice")}>
          <h3>{say("own_choice")}</h3>
          {hand.pending.map((kind, at) => (
            <Card
              key={at}
              scene={scene}
              kind={kind}
              fact={`hand/pending/${at}`}
              isOffered={choice.can({ do: "keep" })}
              isChosen={choice.isPicked("indices", at)}
              onTap={() => (choice.can({ do: "keep" }) ? choice.toggle({ do: "keep" }, "indices", at) : ask(kind))}
            />
          ))}
        </section>
      )}
      {hand.cards.length > 0 && (
        <section class="hand" aria-label={say("own_cards")}>
          <h3>{say("own_cards")}</h3>
          {hand.cards.map((kind, at) => (
            <Card
              key={at}
              scene={scene}
              kind={kind}
              fact={`hand/cards/${at}`}
              isOffered={choice.can(play(kind))}
              isChosen={choice.has(play(kind)) && hand.cards.indexOf(kind) === at}
              onTap={() => (choice.can(play(kind)) ? choice.choose(play(kind)) : ask(kind))}
            />
          ))}
        </section>
      )}
      <OwnNobles scene={scene} />
    </>
  );
}

interface CardProps {
  readonly scene: Scene;
  readonly kind: string;
  readonly fact: string;
  readonly isOffered: boolean;
  readonly isChosen: boolean;
  onTap(): void;
}

/** Draw a privilege card: price, effect as icons and figures, name, and when it may be played. */
function Card({ scene, kind, ...tap }: CardProps): JSX.Element | null {
  const { catalog, say } = scene;
  const piece = catalog.privileges.get(kind);
  if (!piece) return null;
  const name = nameOf(scene, kind);
  const timing = say(piece.timing as TextOfBoard<"palais_royal">);
  return (
    <Thing
      {...tap}
      class="card"
      label={say("price", name, piece.price, timing)}
      onAsk={() => scene.inspect({ do: "privilege", kind })}
    >
      <span class="top">
        <Picture width={28} height={28} size={28}>
          <Coin x={14} y={14} size={13} text={piece.price} />
        </Picture>
        <Effect effect={piece.effect} />
      </span>
      <b>{name}</b>
      <small>{timing}</small>
    </Thing>
  );
}

function Effect({ effect }: { effect: Privilege["effect"] }): JSX.Element {
  return (
    <span class="effect">
      {ICONS[effect.kind]?.map(([icon, number]) => (
        <span key={icon}>
          <Icon name={icon} size={20} fill={ink("benefit")} />
          {number && <b>{effect[number]}</b>}
        </span>
      ))}
    </span>
  );
}

function OwnNobles({ scene }: { scene: Scene }): JSX.Element | null {
  const nobles = scene.hand?.nobles ?? [];
  if (!nobles.length) return null;
  return (
    <section class="hand" aria-label={scene.say("own_nobles")}>
      <h3>{scene.say("own_nobles")}</h3>
      {nobles.map((id) => (
        <span key={id} class="own-noble" data-fact={`hand/nobles/${id}`}>
          <Picture width={22} height={28} size={28}>
            <Pennant x={11} y={0} size={22} text={scene.catalog.nobles.get(id)?.points ?? 0} />
          </Picture>
          {nameOf(scene, id)}
        </span>
      ))}
    </section>
  );
}
