/** The replay of a game, with a scrubber: all views are kept, so that every jump is immediate. */

import { type Signal, useSignal } from "@preact/signals";
import { type Client, Refused, type View } from "palatine-client";
import { replay } from "palatine-client/replay";
import { useEffect } from "preact/hooks";
import { type GameInfo, STILL } from "../boards/contract.ts";
import { loadGame } from "../game/catalog.ts";
import { namingOf } from "../game/live_table.ts";
import { listRecordViews } from "../game/record_views.ts";
import { sayNews } from "../game/values.ts";
import { lang, say } from "../i18n/languages.ts";
import { BoardView } from "../parts/board_view.tsx";
import { fetchRecord, RecordTools } from "../parts/record.tsx";
import { Seats } from "../parts/seats.tsx";
import { Result } from "../parts/standings.tsx";
import type { Route } from "../route.ts";
import { client, describeError, notice } from "../session.ts";

const PACE = 700; // milliseconds for each event while it plays

export function ReplayPage({ table, query }: Route) {
  const views = useSignal<readonly View[]>([]);
  const game = useSignal<GameInfo | null>(null);
  const at = useSignal(0);
  const as = useSignal(query.get("as") ?? "");
  const problem = useSignal("");
  const isGoneTable = useSignal(false);
  const present = client.value;
  useEffect(() => {
    if (!present) return;
    let isGone = false;
    const show = async ({ views: found, isRecord }: Loaded) => {
      const first = found[0];
      isGoneTable.value = isRecord;
      if (!first || isGone) return;
      game.value = await loadGame(first.info.game);
      at.value = views.value.length ? Math.min(at.value, found.length - 1) : found.length - 1;
      views.value = found;
    };
    loadViews(present, table, as.value, query.get("i") ?? "")
      .then(show)
      .catch((error) => (problem.value = describeError(error)));
    return () => {
      isGone = true;
    };
  }, [present, table, as.value, lang.value]);
  const view = views.value[at.value];
  if (problem.value) return <p class="waiting">{problem.value}</p>;
  if (!view || !game.value) return <p class="waiting">{say("loading")}</p>;
  return <Player {...{ view, views: views.value, game: game.value, at, as, isGoneTable: isGoneTable.value }} />;
}

interface Loaded {
  readonly views: readonly View[];
  readonly isRecord: boolean;
}

/** Load all views of a game: from its table, or from its record if the table is gone. */
async function loadViews(present: Client, table: string, as: string, invitation: string): Promise<Loaded> {
  const seen = as === "open" ? { open: true } : as ? { as: Number(as) } : {};
  const found: View[] = [];
  try {
    for await (const view of replay(present, table, { ...seen, ...(invitation ? { invitation } : {}) }))
      found.push(view);
    return { views: found, isRecord: false };
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== "no_such_table") throw error;
    const text = await (await fetchRecord(table)).text();
    return { views: listRecordViews(text, seen), isRecord: true };
  }
}

interface PlayerProps {
  readonly view: View;
  readonly views: readonly View[];
  readonly game: GameInfo;
  readonly at: Signal<number>;
  readonly as: Signal<string>;
  readonly isGoneTable: boolean;
}

function Player({ view, views, game, at, as, isGoneTable }: PlayerProps) {
  const isPlaying = useSignal(false);
  useEffect(() => {
    document.title = say("replay_of", { title: game.title });
  }, []);
  useEffect(() => {
    if (!isPlaying.value) return;
    const timer = setInterval(() => {
      if (at.value >= views.length - 1) isPlaying.value = false;
      else at.value++;
    }, PACE);
    return () => clearInterval(timer);
  }, [isPlaying.value, views]);
  const play = () => {
    if (at.value >= views.length - 1) at.value = 0;
    isPlaying.value = !isPlaying.value;
  };
  const isOver = views.at(-1)?.info.status === "over";
  const jump = (to: number) => {
    at.value = Math.min(Math.max(to, 0), views.length - 1);
  };
  return (
    <div class="table-page replay">
      <div>
        <div class="row spread">
          <h1>{say("replay_of", { title: game.title })}</h1>
          {!isGoneTable && (
            <a class="button" href={`t/${view.table}${location.search}`}>
              {say("back_to_table")}
            </a>
          )}
        </div>
        <Seats view={view} />
        {view.board === null && <p class="soft waiting">{say("before_game")}</p>}
        <BoardView view={view} game={game} choice={STILL} inspect={explainElsewhere} isStill />
        {view.info.status === "over" && (
          <section class="card">
            <Result view={view} words={namingOf(view, game).words} />
            <p class="row">
              <RecordTools table={view.table} />
            </p>
          </section>
        )}
        <section class="scrubber" aria-label={say("replay")}>
          <News view={view} game={game} />
          <input
            type="range"
            min={0}
            max={views.length - 1}
            value={at.value}
            aria-label={say("event", { version: view.version, last: views.length - 1 })}
            onInput={(event) => jump(Number(event.currentTarget.value))}
          />
          <div class="row">
            <Step label={say("first")} mark="|◀" onClick={() => jump(0)} />
            <Step label={say("previous")} mark="◀" onClick={() => jump(at.value - 1)} />
            <button type="button" class="main" onClick={play}>
              {say(isPlaying.value ? "stop" : "play")}
            </button>
            <Step label={say("next")} mark="▶" onClick={() => jump(at.value + 1)} />
            <Step label={say("last")} mark="▶|" onClick={() => jump(views.length - 1)} />
            <span id="position">{say("event", { version: view.version, last: views.at(-1)?.version ?? 0 })}</span>
            {isOver && <ViewChoice view={view} as={as} />}
          </div>
        </section>
      </div>
    </div>
  );
}

/** The server explains the present of a table, not its past. */
function explainElsewhere(): void {
  notice.value = say("explain_at_table");
}

function Step({ label, mark, onClick }: { label: string; mark: string; onClick: () => void }) {
  return (
    <button type="button" aria-label={label} onClick={onClick}>
      <span aria-hidden="true">{mark}</span>
    </button>
  );
}

function News({ view, game }: { view: View; game: GameInfo }) {
  const naming = namingOf(view, game);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
    <p id="replay-news" aria-live="polite" tabIndex={0}>
      {view.news
        .map((news) => sayNews(news, naming))
        .filter(Boolean)
        .join(" ") || "–"}
    </p>
  );
}

function ViewChoice({ view, as }: { view: View; as: Signal<string> }) {
  return (
    <label>
      <span>{say("view_as")}</span>
      <select value={as.value} onChange={(event) => (as.value = event.currentTarget.value)}>
        <option value="">{say("view_spectator")}</option>
        {view.info.seats.map((seat, at) => (
          <option key={at} value={`${at}`}>
            {seat?.name ?? at + 1}
          </option>
        ))}
        <option value="open">{say("view_open")}</option>
      </select>
    </label>
  );
}
