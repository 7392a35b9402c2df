/** The lobby: play at once, open tables live, my games, finished games. */

import { type Signal, useSignal } from "@preact/signals";
import type { Client } from "palatine-client";
import { followTables } from "palatine-client/lobby";
import type { TableSummary } from "palatine-client/messages";
import { useEffect } from "preact/hooks";
import { type GameSummary, games, titleOf } from "../game/catalog.ts";
import { lang, say, serverLang } from "../i18n/languages.ts";
import { playNow } from "../parts/quick_play.ts";
import { areSettingsOpen } from "../parts/settings_dialog.ts";
import { Switch } from "../parts/switch.tsx";
import { go } from "../route.ts";
import { call, client, currentToken, fail, notice, status, userName } from "../session.ts";

interface FinishedGame {
  readonly table: string;
  readonly game: string;
  /** Milliseconds since 1970; absent until the game is in the archive. */
  readonly ended?: number;
  readonly names: readonly (string | null)[];
  readonly scores: readonly (number | null)[];
}

export function LobbyPage() {
  const tables = useSignal<readonly TableSummary[]>([]);
  const game = useSignal("");
  const free = useSignal(true);
  const present = client.value;
  useEffect(() => {
    document.title = `${say("lobby")} · ${say("app")}`;
    if (!present) return;
    return followTables(present, game.value ? { game: game.value } : {}, (found) => (tables.value = found));
  }, [present, game.value]);
  const mine = tables.value.filter((table) => table.yours && table.status !== "over");
  const open = tables.value.filter((table) => !table.yours && table.status !== "over");
  return (
    <>
      <section class="hero" aria-labelledby="play-title">
        <div>
          <h1 id="play-title">{say("tagline")}</h1>
          <p class="soft">{say("quick_play_hint")}</p>
          <UserLine />
        </div>
        <div class="games">
          {games.value.map((each) => (
            <GameCard key={each.game} game={each} client={present} />
          ))}
        </div>
        <JoinForm />
      </section>
      <div class="lists">
        <section aria-labelledby="open-title">
          <h2 id="open-title">{say("open_tables")}</h2>
          <Filters game={game} free={free} />
          <TableList tables={open.filter((table) => !free.value || hasFreeSeat(table))} empty={say("no_open_tables")} />
        </section>
        <div>
          <section aria-labelledby="mine-title">
            <h2 id="mine-title">{say("my_games")}</h2>
            <TableList tables={mine} empty={say("no_my_games")} />
          </section>
          <FinishedGames fresh={tables.value.filter((table) => table.yours && table.status === "over")} />
        </div>
      </div>
      <footer class="row soft small">
        <a href="docs">{say("protocol")}</a>
        <a href="operator">{say("operators")}</a>
      </footer>
    </>
  );
}

/** The name that others see, and the way to change it. */
function UserLine() {
  if (!userName.value) return null;
  return (
    <p class="row">
      <span>{say("you_play_as", { name: userName.value })}</span>
      <button type="button" class="small" onClick={() => (areSettingsOpen.value = true)}>
        {say("change_name")}
      </button>
    </p>
  );
}

const hasFreeSeat = (table: TableSummary): boolean =>
  table.status === "open" && table.seats.some((name, seat) => !name && !table.reserved?.includes(seat));

const BANDS: Readonly<Record<string, string>> = {
  between_two_castles: "#4b4e9e",
  palais_royal: "#a23b72",
  noblemen: "#2f7a49",
};

function GameCard({ game, client }: { game: GameSummary; client: Client | null }) {
  const isBusy = useSignal(false);
  const play = async () => {
    if (!client) return;
    isBusy.value = true;
    await playNow(client, game).then((table) => go(`t/${table}`), fail);
    isBusy.value = false;
  };
  return (
    <article class="card game-card" style={{ "--band": BANDS[game.game] ?? "var(--gold)" }}>
      <div class="row spread">
        <h2>{game.title}</h2>
        <span class="badge">{say("player_count", { least: game.players[0], most: game.players[1] })}</span>
      </div>
      <div class="row">
        <button
          type="button"
          class="main"
          disabled={isBusy.value || status.value?.state !== "online"}
          onClick={play}
          aria-label={`${say("quick_play")}: ${game.title}`}
        >
          {say("quick_play")}
        </button>
        <a class="button" href={`new?game=${game.game}`} aria-label={`${say("new_table")}: ${game.title}`}>
          {say("new_table")}
        </a>
        <a
          class="rules"
          href={`docs/games/${game.game}?lang=${serverLang.value}`}
          aria-label={`${say("rules")}: ${game.title}`}
        >
          {say("rules")}
        </a>
      </div>
    </article>
  );
}

function Filters({ game, free }: { game: Signal<string>; free: Signal<boolean> }) {
  return (
    <div class="filters">
      <label>
        <span>{say("game")}</span>
        <select value={game.value} onChange={(event) => (game.value = event.currentTarget.value)}>
          <option value="">{say("all_games")}</option>
          {games.value.map((each) => (
            <option key={each.game} value={each.game}>
              {each.title}
            </option>
          ))}
        </select>
      </label>
      <Switch label={say("only_free")} value={free.value} onChange={(value) => (free.value = value)} />
    </div>
  );
}

function TableList({ tables, empty }: { tables: readonly TableSummary[]; empty: string }) {
  if (!tables.length) return <p class="soft">{empty}</p>;
  return (
    <ul class="tables">
      {tables.map((table) => (
        <TableRow key={table.table} table={table} />
      ))}
    </ul>
  );
}

function TableRow({ table }: { table: TableSummary }) {
  const verb = table.yours ? "resume" : hasFreeSeat(table) ? "join" : "watch";
  return (
    <li class="card table-row">
      <div>
        <h3>{titleOf(table.game)}</h3>
        <span class="soft small">
          {say(`status_${table.status}`)} · {say("hosted_by", { host: table.host })}
          {table.clock?.move ? ` · ${table.clock.move} ${say("seconds")}` : ""}
        </span>
      </div>
      <a class="button" href={`t/${table.table}`} aria-label={`${say(verb)}: ${titleOf(table.game)}, ${table.host}`}>
        {say(verb)}
      </a>
      <ul class="seat-list" aria-label={say("seats")}>
        {table.seats.map((name, seat) => (
          <li key={seat} class={name ? "badge" : "badge soft"}>
            {name ?? say(table.reserved?.includes(seat) ? "reserved_seat" : "free_seat")}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** A code or a link: the id of a table, and after a dot or in `?i=` the invitation. */
function JoinForm() {
  const typed = useSignal("");
  const join = (event: Event) => {
    event.preventDefault();
    const [, table, invitation] = /([\w-]{16})(?:\.|\?i=)?([\w-]*)\s*$/.exec(typed.value) ?? [];
    if (table) go(`t/${table}${invitation ? `?i=${invitation}` : ""}`);
    else notice.value = say("bad_link");
  };
  return (
    <form class="row join-form" onSubmit={join}>
      <label>
        <span>{say("join_by_code")}</span>
        <input
          value={typed.value}
          placeholder={say("table_code")}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit">{say("go")}</button>
    </form>
  );
}

/** The games of this user in the archive, and those that have just ended. */
function FinishedGames({ fresh }: { fresh: readonly TableSummary[] }) {
  const archived = useSignal<readonly FinishedGame[]>([]);
  useEffect(() => {
    if (!currentToken()) return;
    call<{ games: FinishedGame[] }>("v1/me/games").then(
      ({ games: found }) => (archived.value = found),
      () => {},
    );
  }, [client.value, fresh.length]);
  const known = new Set(archived.value.map(({ table }) => table));
  const ended = fresh.filter(({ table }) => !known.has(table));
  const finished = [
    ...ended.map(({ table, game, seats }) => ({ table, game, names: seats, scores: [] })),
    ...archived.value,
  ];
  return (
    <section aria-labelledby="finished-title">
      <h2 id="finished-title">{say("finished_games")}</h2>
      {!finished.length && <p class="soft">{say("no_finished")}</p>}
      <ul class="tables">
        {finished.map((each) => (
          <FinishedRow key={each.table} finished={each} />
        ))}
      </ul>
    </section>
  );
}

function FinishedRow({ finished }: { finished: FinishedGame }) {
  const { table, game, ended, names, scores } = finished;
  const best = Math.max(...scores.map((score) => score ?? 0));
  return (
    <li class="card table-row">
      <div>
        <h3>{titleOf(game)}</h3>
        {ended && (
          <span class="soft small">{new Date(ended).toLocaleDateString(lang.value, { dateStyle: "medium" })}</span>
        )}
      </div>
      <span class="row">
        <a class="button" href={`t/${table}`} aria-label={`${say("standings")}: ${titleOf(game)}`}>
          {say("standings")}
        </a>
        <a class="button" href={`replay/${table}`} aria-label={`${say("replay")}: ${titleOf(game)}`}>
          {say("replay")}
        </a>
      </span>
      <ul class="seat-list" aria-label={say("score")}>
        {names.map((name, seat) => (
          <li key={seat} class={scores[seat] === best ? "badge best" : "badge"}>
            {name ?? "–"} {scores[seat] ?? ""}
          </li>
        ))}
      </ul>
    </li>
  );
}
