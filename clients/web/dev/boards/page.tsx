/**
 * A page for those who draw: a board at a moment of the shared drawing vectors, as `screenshots.py` opens it.
 *
 * `?game=noblemen&moment=3&lang=de&layout=tall&focus=court`; `/data/…` has the game and the vectors.
 */

import { render } from "preact";
import { useState } from "preact/hooks";
import type { BoardModule, GameInfo, Part } from "../../src/boards/contract.ts";
import { BOARDS } from "../../src/boards/registry.ts";
import { createWords } from "../../src/game/words.ts";
import { lang, useLanguage } from "../../src/i18n/languages.ts";
import { createChoice } from "./choice.ts";
import { buildView, type MomentView } from "./view.ts";

interface Moment {
  readonly name: string;
  readonly view: MomentView;
}

const query = new URLSearchParams(location.search);
const name = query.get("game") ?? "palais_royal";
await useLanguage(query.get("lang") ?? "en");
document.documentElement.lang = lang.value;

const read = async <T,>(path: string): Promise<T> => (await fetch(path)).json() as Promise<T>;
const say = (what: string, part: Part) => {
  const output = document.getElementById("said");
  if (output) output.textContent = `${what} ${JSON.stringify(part)}`;
};

function Page({ module, game, moment }: { module: BoardModule; game: GameInfo; moment: Moment }) {
  const [given, setGiven] = useState<Part>(JSON.parse(query.get("given") ?? "{}"));
  const [focus, setFocus] = useState(query.get("focus") ?? "");
  const choice = createChoice({ choices: moment.view.offer } as never, given, setGiven, (part) => say("why not", part));
  return (
    <module.Board
      view={buildView(moment.view)}
      game={game}
      words={createWords(game, moment.view.names)}
      choice={choice}
      inspect={(question) => say("inspect", question)}
      focus={focus}
      setFocus={setFocus}
      layout={query.get("layout") === "tall" ? "tall" : "wide"}
      motion={false}
    />
  );
}

const [module, game, moments] = await Promise.all([
  BOARDS[name]?.() as Promise<BoardModule>,
  read<GameInfo>(`/data/${name}.json`),
  read<Moment[]>(`/data/vectors/${name}.json`),
]);
const moment = moments[Number(query.get("moment") ?? 0)] as Moment;
render(<Page module={module} game={game} moment={moment} />, document.getElementById("board") as HTMLElement);
