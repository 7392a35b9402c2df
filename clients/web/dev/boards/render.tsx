/** Draw boards without a browser. The tests of drawings build this with `vite build --ssr` and run it with node. */

import { render } from "preact-render-to-string";
import type { GameInfo } from "../../src/boards/contract.ts";
import { BOARDS } from "../../src/boards/registry.ts";
import { createWords } from "../../src/game/words.ts";
import { useLanguage } from "../../src/i18n/languages.ts";
import { createChoice } from "./choice.ts";
import { buildView, type MomentView } from "./view.ts";

interface Request {
  readonly game: string;
  readonly view: MomentView;
  readonly lang: string;
  readonly layout: "wide" | "tall";
  readonly focus: string;
}

interface Input {
  readonly games: Readonly<Record<string, GameInfo>>;
  readonly requests: readonly Request[];
}

async function draw(request: Request, game: GameInfo): Promise<string> {
  const module = await BOARDS[request.game]?.();
  if (!module) throw new Error(`no board for ${request.game}`);
  await useLanguage(request.lang);
  const choice = createChoice(
    { choices: request.view.offer } as never,
    {},
    () => {},
    () => {},
  );
  return render(
    <module.Board
      view={buildView(request.view)}
      game={game}
      words={createWords(game, request.view.names)}
      choice={choice}
      inspect={() => {}}
      focus={request.focus}
      setFocus={() => {}}
      layout={request.layout}
      motion={false}
    />,
  );
}

/** Return the HTML of each drawing. */
export async function drawBoards({ games, requests }: Input): Promise<string[]> {
  const drawn: string[] = [];
  for (const request of requests) drawn.push(await draw(request, games[request.game] as GameInfo));
  return drawn;
}
