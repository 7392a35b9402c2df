/** What the viewer's screen hides: money, bribe markers, tiles, cards, cards on offer, and the draft of an action. */

import type { JSX } from "preact";
import { textOf } from "../drawing/documents.ts";
import { fill, Icon, ink } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import type { Draft, Hand } from "./documents.ts";
import { findCompleted } from "./estate_model.ts";
import { CoinIcon, Plate, TileIcon } from "./pieces.tsx";
import { chooseOrAsk, listDrafted, listTileMeanings, type Scene } from "./scene.ts";

/** Draw everything behind the viewer's screen; nothing in the public view. */
export function Screen({ scene }: { scene: Scene }): JSX.Element | null {
  const { hand, say, draft } = scene;
  if (!hand) return null;
  return (
    <section class="screen" aria-label={say("screen")}>
      <h3>{say("screen")}</h3>
      <Possessions scene={scene} hand={hand} />
      <CornerChoice scene={scene} />
      {draft && <DraftLine scene={scene} draft={draft} />}
      <Bag scene={scene} hand={hand} />
      <Cards scene={scene} hand={hand} />
    </section>
  );
}

/** Draw money, bribe markers and tiles; a tap on tiles gives, lays or picks one. */
function Possessions({ scene, hand }: { scene: Scene; hand: Hand }): JSX.Element {
  const { say, choice, words } = scene;
  const askForMoney = () => scene.inspect({ do: "bribe" });
  const spend = { do: "spend" };
  return (
    <div class="possessions">
      <span data-fact="hand/money" title={say("money")}>
        <CoinIcon text="£" size={26} /> <b>{hand.money}</b>
      </span>
      <Thing
        fact="hand/bribes"
        label={`${say("bribes")}: ${hand.bribes}`}
        isOffered={choice.can(spend)}
        isChosen={choice.has(spend)}
        onTap={() => chooseOrAsk(scene, spend, askForMoney)}
      >
        <Icon name="bribe" size={24} /> <b>{hand.bribes}</b>
      </Thing>
      {Object.entries(hand.tiles).map(([kind, count]) => {
        const meanings = listTileMeanings(scene, kind);
        return (
          <Thing
            key={kind}
            fact={`hand/tiles/${kind}`}
            label={`${words.piece(kind)}: ${count}${meanings.length ? `, ${say("possible")}` : ""}`}
            isOffered={meanings.length > 0 || choice.has({ kind })}
            isChosen={choice.has({ kind })}
            class={meanings.length || choice.has({ kind }) ? "" : "away"}
            onTap={() => (meanings.length ? scene.decide(meanings) : choice.explainWhyNot({ do: "lay", kind }))}
          >
            <TileIcon tile={{ kind }} /> <b>{count}</b> <span class="bare">{words.piece(kind)}</span>
          </Thing>
        );
      })}
    </div>
  );
}

/** Draw the four ways in which a chosen tile can lie in its cell, with the area that each would complete. */
function CornerChoice({ scene }: { scene: Scene }): JSX.Element | null {
  const { choice, say, words, board, seat } = scene;
  const { kind, cell } = choice.given as { kind?: string; cell?: readonly [number, number] };
  const corners = choice.values("corner").filter((corner) => corner !== null) as ("NW" | "NE" | "SW" | "SE")[];
  const estate = board.noblemen[seat ?? -1]?.estate;
  if (choice.given["do"] !== "lay" || !kind || !cell || !corners.length || !estate) return null;
  return (
    <fieldset class="menu corners">
      <legend>{say("corner")}</legend>
      {(["NW", "NE", "SW", "SE"] as const)
        .filter((corner) => corners.includes(corner))
        .map((corner) => {
          const tile = { kind, at: cell, corner };
          const area = findCompleted(estate, listDrafted(scene), tile);
          const part = { do: "lay", kind, cell: [...cell], corner };
          return (
            <button
              type="button"
              key={corner}
              class={choice.has(part) ? "chosen" : ""}
              onClick={() => choice.choose(part)}
            >
              <TileIcon tile={tile} size={38} />
              <span>
                {say(corner)}
                {area && <b> {say("completes", words.piece(area))}</b>}
              </span>
            </button>
          );
        })}
    </fieldset>
  );
}

/** Draw what the viewer has chosen so far: tiles, a building, bribe markers, cards. */
function DraftLine({ scene, draft }: { scene: Scene; draft: Draft }): JSX.Element {
  const { words, say } = scene;
  const kinds = draft.kinds ?? (draft.tiles ?? []).map(([kind]) => kind);
  return (
    <div class="possessions" data-fact="hand/draft">
      <h3>{say("draft")}</h3>
      {[...new Set(kinds)].map((kind) => (
        <span key={kind}>
          <TileIcon tile={{ kind }} /> <b>{kinds.filter((each) => each === kind).length}</b> {words.piece(kind)}
        </span>
      ))}
      {draft.draft === "construction" && (
        <span>
          <Plate kind={draft.kind ?? ""} size={30} /> <b>{words.piece(draft.folly || draft.kind || "")}</b>
        </span>
      )}
      {draft.bribes !== undefined && (
        <span>
          <Icon name="bribe" size={24} /> <b>{draft.bribes}</b>
        </span>
      )}
      {draft.cards?.map((kind, at) => (
        <span key={at}>
          <Icon name={kind} size={22} /> {words.piece(kind)}
        </span>
      ))}
    </div>
  );
}

/** Say which kinds of tile the bag still has, while the viewer may trade. */
function Bag({ scene, hand }: { scene: Scene; hand: Hand }): JSX.Element | null {
  const kinds = Object.keys(hand.bag_has).filter((kind) => hand.bag_has[kind]);
  if (!kinds.length) return null;
  return <p class="note">{scene.say("bag", kinds.map((kind) => scene.words.piece(kind)).join(", "))}</p>;
}

// Cards

function Cards({ scene, hand }: { scene: Scene; hand: Hand }): JSX.Element {
  const { say, choice } = scene;
  const listParts = (card: string) => [
    { do: "play", card },
    { do: "spend_card", card },
  ];
  return (
    <>
      {hand.card_offer.length > 0 && (
        <div class="cards">
          <h3>{say("offered")}</h3>
          {hand.card_offer.map((kind, index) => (
            <Card
              key={index}
              scene={scene}
              kind={kind}
              fact={`hand/card_offer/${index}`}
              parts={[{ do: "keep", index }]}
            />
          ))}
        </div>
      )}
      {hand.cards.length > 0 && (
        <div class="cards">
          <h3>{say("cards")}</h3>
          {hand.cards.map((kind, at) => (
            <Card
              key={at}
              scene={scene}
              kind={kind}
              fact={`hand/cards/${at}`}
              parts={[...listParts(kind), ...(kind === "intrigue" ? [{ do: "use_intrigue" }] : [])].filter((part) =>
                choice.can(part),
              )}
            />
          ))}
        </div>
      )}
    </>
  );
}

interface CardProps {
  readonly scene: Scene;
  readonly kind: string;
  readonly fact: string;
  readonly parts: readonly { readonly do: string; readonly [field: string]: string | number }[];
}

/** Draw a scandal card: its icon, its name and its text. */
function Card({ scene, kind, fact, parts }: CardProps): JSX.Element {
  const { words, choice, catalog } = scene;
  const text = textOf(
    catalog.card.find(({ id }) => id === kind),
    words.lang,
  );
  return (
    <Thing
      class="card"
      fact={fact}
      label={`${words.piece(kind)}: ${text}`}
      isOffered={parts.some((part) => choice.can(part))}
      isChosen={parts.some((part) => choice.has(part))}
      onTap={() => (parts.length ? scene.decide(parts) : choice.explainWhyNot({ do: "play", card: kind }))}
    >
      <b>
        <Icon name={kind} size={22} fill={fill("queen")} /> {words.piece(kind)}
      </b>
      <span style={{ color: ink("screen") }}>{text}</span>
    </Thing>
  );
}
