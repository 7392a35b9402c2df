/** The page that opens a table. */

import { useSignal } from "@preact/signals";
import type { Value } from "palatine-client";
import { create, sit } from "palatine-client/tables";
import { useEffect } from "preact/hooks";
import type { GameInfo } from "../boards/contract.ts";
import { games, loadGame } from "../game/catalog.ts";
import { createWords } from "../game/words.ts";
import { lang, say } from "../i18n/languages.ts";
import { OptionsForm } from "../parts/options_form.tsx";
import { sayPolicy, type Terms, TermsForm, USUAL_TERMS } from "../parts/terms_form.tsx";
import { go, type Route } from "../route.ts";
import { client, fail } from "../session.ts";

export function NewTablePage({ query }: Route) {
  const name = useSignal(query.get("game") ?? "");
  const game = useSignal<GameInfo | null>(null);
  const wanted = name.value || games.value[0]?.game || "";
  useEffect(() => {
    document.title = `${say("new_table")} · ${say("app")}`;
    if (wanted) loadGame(wanted).then((found) => (game.value = found), fail);
  }, [wanted, lang.value]);
  return (
    <section class="card narrow">
      <h1>{say("new_table")}</h1>
      <label>
        <span>{say("game")}</span>
        <select value={wanted} onChange={(event) => (name.value = event.currentTarget.value)}>
          {games.value.map((each) => (
            <option key={each.game} value={each.game}>
              {each.title}
            </option>
          ))}
        </select>
      </label>
      {game.value?.game === wanted && <TableForm key={wanted} game={game.value} />}
    </section>
  );
}

function TableForm({ game }: { game: GameInfo }) {
  const [least, most] = game.players;
  const seats = useSignal(Math.min(Math.max(3, least), most));
  const bots = useSignal(0);
  const policy = useSignal(game.policies.includes("greedy") ? "greedy" : (game.policies[0] ?? "random"));
  const options = useSignal<Readonly<Record<string, Value>>>({});
  const terms = useSignal<Terms>(USUAL_TERMS);
  const open = async (event: Event) => {
    event.preventDefault();
    if (!client.value) return;
    const table = await create(client.value, game.game, { seats: seats.value, options: options.value, ...terms.value });
    await sit(table);
    for (let at = 0; at < Math.min(bots.value, seats.value - 1); at++)
      await table.send("add_bot", { policy: policy.value });
    go(`t/${table.id}`);
  };
  return (
    <form onSubmit={(event) => open(event).catch(fail)}>
      <label>
        <span>{say("seats")}</span>
        <select value={seats.value} onChange={(event) => (seats.value = Number(event.currentTarget.value))}>
          {range(least, most).map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{say("bots")}</span>
        <select value={bots.value} onChange={(event) => (bots.value = Number(event.currentTarget.value))}>
          {range(0, seats.value - 1).map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </select>
      </label>
      {bots.value > 0 && (
        <label>
          <span>{say("bot_policy")}</span>
          <select value={policy.value} onChange={(event) => (policy.value = event.currentTarget.value)}>
            {game.policies.map((each) => (
              <option key={each} value={each}>
                {sayPolicy(each)}
              </option>
            ))}
          </select>
        </label>
      )}
      <OptionsForm
        game={game}
        words={createWords(game, [])}
        options={options.value}
        onChange={(chosen) => (options.value = chosen)}
      />
      <TermsForm terms={terms.value} policies={game.policies} onChange={(chosen) => (terms.value = chosen)} />
      <p class="row">
        <button type="submit" class="main" disabled={!client.value}>
          {say("create")}
        </button>
        <a class="button" href=".">
          {say("cancel")}
        </a>
      </p>
      {game.notice && <p class="soft small">{game.notice}</p>}
    </form>
  );
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
