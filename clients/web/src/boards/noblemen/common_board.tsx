/** The common board: decades and round track, buildings with their prices, follies, church, bribes and titles. */

import type { JSX } from "preact";
import type { TextOfBoard } from "../../i18n/languages.ts";
import { Icon, Picture } from "../drawing/look.tsx";
import { Thing } from "../drawing/thing.tsx";
import type { Catalog } from "./documents.ts";
import { CoinIcon, Needs, Plate, PlayerMark, TileIcon } from "./pieces.tsx";
import { chooseOrAsk, nameEntryOf, nameTitle, type Scene } from "./scene.ts";

export const ROMAN = ["I", "II", "III"];

// The round track

/** Draw the decades, and every field from the start to the scoring. */
export function Track({ scene }: { scene: Scene }): JSX.Element {
  const { board, say, catalog } = scene;
  return (
    <section class="track" aria-label={say("track")}>
      <ol class="decades">
        {ROMAN.map((roman, at) => (
          <li key={roman} class={board.decade === at + 1 ? "now" : ""} data-fact={`decades/${at + 1}`}>
            {roman}
          </li>
        ))}
      </ol>
      <ol class="fields">
        {catalog.round_track.fields.map(({ type }, at) => (
          <li key={at} class={`field ${type} ${board.round === at ? "here" : ""}`} data-fact={`track/${at}`}>
            {type === "plain" ? <b>{at}</b> : <Icon name={type} size={22} />}
            <small>{type === "plain" ? "" : say(`field_${type}` as TextOfBoard<"noblemen">)}</small>
            {board.round === at && (
              <span class="marker" role="img" aria-label={say("marker")} data-fact={`round/${at}`} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

// Buildings, follies, church, bribes

/** Draw everything that players can buy, give and become. */
export function CommonBoard({ scene }: { scene: Scene }): JSX.Element {
  return (
    <section class="common" aria-label={scene.say("common")}>
      {scene.catalog.building.map((building) => (
        <BuildingRow key={building.id} scene={scene} building={building} />
      ))}
      <Follies scene={scene} />
      <Church scene={scene} />
      <Bribes scene={scene} />
      <Titles scene={scene} />
    </section>
  );
}

/** Return the seat whose prices the viewer asks for: the own one, or the one to move. */
const findBuyer = ({ seat, board }: Scene): number => seat ?? board.active;

/** Draw the prices of a kind of building; the cheapest that is left is on a coin. */
function BuildingRow({ scene, building }: { scene: Scene; building: Catalog["building"][number] }): JSX.Element {
  const { board, say, choice } = scene;
  const { id: kind, prices, reward } = building;
  const left = board.buildings[kind] ?? 0;
  const reserve = board.reserve[kind] ?? 0;
  const [name, part] = [nameEntryOf(scene, building), { do: "build", kind }];
  const sold = prices.length - left;
  const ask = () =>
    left ? scene.inspect({ do: "price", building: kind, seat: findBuyer(scene) }) : choice.explainWhyNot(part);
  return (
    <Thing
      class="goods"
      fact={`buildings/${kind}`}
      label={say("next_price", name, left, reserve, prices[sold] ?? "–")}
      isOffered={choice.can(part)}
      isChosen={choice.has(part)}
      onTap={() => chooseOrAsk(scene, part, ask)}
      onAsk={ask}
    >
      <Plate kind={kind} />
      <span class="name">
        <b>{name}</b>
        <small>{say("reserve", reserve)}</small>
      </span>
      <Icon name={reward} size={16} fill="var(--muted)" />
      <span class="prices">
        {prices.map((price, at) =>
          at < sold ? (
            <i key={price} />
          ) : at === sold ? (
            <CoinIcon key={price} text={price} />
          ) : (
            <b key={price}>{price}</b>
          ),
        )}
      </span>
    </Thing>
  );
}

/** Draw the price of a folly, the points for the next one, and what each that is left asks for. */
function Follies({ scene }: { scene: Scene }): JSX.Element {
  const { board, catalog, say, choice } = scene;
  const { folly } = catalog;
  const left = board.follies;
  const points = folly.vp[folly.piece.length - left.length] ?? 0;
  const ask = () => scene.inspect({ do: "price", building: "folly", seat: findBuyer(scene) });
  return (
    <div class="goods" data-fact="follies">
      <Plate kind="folly" />
      <span class="name">
        <b>{nameEntryOf(scene, folly)}</b>
        <small>{left.length ? say("folly_points", points) : say("all_follies")}</small>
      </span>
      <span class="prices">
        {left.map((piece) => {
          const part = { do: "build", kind: "folly", folly: piece };
          return (
            <Thing
              key={piece}
              class="folly"
              fact={`follies/${piece}`}
              label={nameEntryOf(
                scene,
                folly.piece.find(({ id }) => id === piece),
              )}
              isOffered={choice.can(part)}
              isChosen={choice.has(part)}
              onTap={() => chooseOrAsk(scene, part, ask)}
              onAsk={ask}
            >
              <Picture width={48} height={28} size={28}>
                <rect width="48" height="28" rx="6" fill="var(--c-building)" stroke="var(--c-panel_line)" />
                <Needs folly={piece} x={24} y={14} size={13} />
              </Picture>
            </Thing>
          );
        })}
        {left.length > 0 && <CoinIcon text={folly.price} />}
      </span>
    </div>
  );
}

/** Draw how many tiles of each kind the church has taken in this decade, of how many. */
function Church({ scene }: { scene: Scene }): JSX.Element {
  const { board, catalog, say } = scene;
  return (
    <div class="goods">
      <Icon name="church" size={26} />
      <b class="name">{say("church")}</b>
      <span class="prices gifts">
        {Object.entries(board.church).map(([kind, given]) => (
          <b key={kind} data-fact={`church/${kind}`}>
            <TileIcon tile={{ kind }} size={22} /> {given}/{catalog.reward.church.max_per_kind}
          </b>
        ))}
      </span>
    </div>
  );
}

function Bribes({ scene }: { scene: Scene }): JSX.Element {
  const { board, catalog, say, choice } = scene;
  const left = say("bribes_left", board.bribes, catalog.bribe.price);
  const ask = () => scene.inspect({ do: "bribe" });
  return (
    <Thing
      class="goods"
      fact="bribes"
      label={`${say("bribes")}: ${left}`}
      isOffered={choice.can({ do: "buy" })}
      isChosen={choice.has({ do: "buy" })}
      onTap={() => chooseOrAsk(scene, { do: "buy" }, ask)}
      onAsk={ask}
    >
      <Icon name="bribe" size={26} />
      <b class="name">{say("bribes")}</b>
      <b class="prices">{left}</b>
    </Thing>
  );
}

// Titles

/** Draw the titles with the prestige that they need, their points and discount, the stock and the holders. */
function Titles({ scene }: { scene: Scene }): JSX.Element {
  const { catalog, say } = scene;
  return (
    <div class="titles">
      <div class="title-row heading">
        <b>{say("titles")}</b>
        <Icon name="prestige" size={14} fill="var(--muted)" />
        <Icon name="scoring" size={14} fill="var(--muted)" />
        <Icon name="pound" size={14} fill="var(--muted)" />
      </div>
      {catalog.title.map((title) => (
        <TitleRow key={title.id} scene={scene} title={title} />
      ))}
    </div>
  );
}

function TitleRow({ scene, title }: { scene: Scene; title: Catalog["title"][number] }): JSX.Element {
  const { board, say, choice } = scene;
  const { id, prestige, vp, discount } = title;
  const left = board.titles[id] ?? 0;
  const name = nameTitle(scene, id);
  const part = { do: "choose_title", title: id };
  const isBall = board.phase === "ball" || board.phase === "title";
  const ask = () => scene.inspect({ do: isBall ? "titles" : "prestige", seat: findBuyer(scene) });
  return (
    <Thing
      class="title-row"
      fact={`titles/${id}`}
      label={say("title_terms", name, prestige, vp, discount, left)}
      isOffered={choice.can(part)}
      isChosen={choice.has(part)}
      onTap={() => chooseOrAsk(scene, part, ask)}
      onAsk={ask}
    >
      <span class="name">
        <Icon name={id} size={18} /> {name}
      </span>
      <span>{prestige}+</span>
      <span>{vp}</span>
      <span>{discount ? `−${discount}` : "–"}</span>
      <b>×{left}</b>
      <span class="holders">
        {board.noblemen.map((nobleman, seat) =>
          nobleman.title === id ? <PlayerMark key={seat} seat={seat} size={16} /> : null,
        )}
      </span>
    </Thing>
  );
}
