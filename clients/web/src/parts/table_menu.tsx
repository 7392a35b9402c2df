/** What a user can do at a running table besides playing. */

import { useSignal } from "@preact/signals";
import { sit } from "palatine-client/tables";
import type { Part } from "../boards/contract.ts";
import type { LiveTable } from "../game/live_table.ts";
import { say } from "../i18n/languages.ts";
import { addressOf, go } from "../route.ts";
import { fail } from "../session.ts";
import { CopyableLink } from "./copyable_link.tsx";
import { Dialog } from "./dialog.tsx";
import { isHost } from "./host.ts";

interface TableMenuProps {
  readonly live: LiveTable;
  readonly inspect: (question: Part) => void;
}

export function TableMenu({ live, inspect }: TableMenuProps) {
  const { table } = live;
  const view = live.view.value;
  const isGoingBack = useSignal(false);
  if (view.info.status !== "playing") return null;
  const own = view.info.seats[view.seat ?? -1];
  return (
    <section class="card" aria-label={say("menu")}>
      <div class="row">
        <button type="button" onClick={() => inspect({})}>
          {say("explain")}
        </button>
        {own?.substitute && (
          <button type="button" class="main" onClick={() => sit(table, view.seat).catch(fail)}>
            {say("take_seat_back")}
          </button>
        )}
        {isHost(view) && (
          <button type="button" onClick={() => table.send("pause", { paused: !view.info.paused }).catch(fail)}>
            {say(view.info.paused ? "unpause" : "pause")}
          </button>
        )}
      </div>
      <details>
        <summary>{say("menu")}</summary>
        <CopyableLink link={addressOf(`t/${table.id}${location.search}`)} label={say("share_hint")} />
        <div class="row">
          {own && (
            <button type="button" onClick={() => (isGoingBack.value = true)}>
              {say("rollback")}
            </button>
          )}
          {own && (
            <button type="button" onClick={() => table.send("show", { shown: !own.shown }).catch(fail)}>
              {say(own.shown ? "cover_hand" : "show_hand")}
            </button>
          )}
          <Shoulders live={live} />
          <a class="button" href={`replay/${table.id}${location.search}`}>
            {say("replay")}
          </a>
          <a class="button" target="_blank" rel="noopener" href={buildTvAddress(table.id)}>
            {say("show_on_tv")}
          </a>
          {own && !own.substitute && (
            <button type="button" title={say("leave_game_hint")} onClick={() => table.send("leave").catch(fail)}>
              {say("leave_game")}
            </button>
          )}
        </div>
      </details>
      {isGoingBack.value && <RollbackDialog live={live} onClose={() => (isGoingBack.value = false)} />}
    </section>
  );
}

function buildTvAddress(table: string): string {
  const query = new URLSearchParams(location.search);
  query.delete("as");
  query.set("view", "table");
  return addressOf(`t/${table}?${query}`);
}

/** The seats that let spectators look on. */
function Shoulders({ live }: { live: LiveTable }) {
  const view = live.view.value;
  if (view.seat !== null) return null;
  return (
    <>
      {view.info.seats.map(
        (seat, at) =>
          seat?.shown &&
          view.as !== at && (
            <button key={seat.name} type="button" onClick={() => go(`t/${live.table.id}?as=${at}`)}>
              {say("look_over", { name: seat.name })}
            </button>
          ),
      )}
      {view.as !== null && (
        <button type="button" onClick={() => go(`t/${live.table.id}`)}>
          {say("look_away")}
        </button>
      )}
    </>
  );
}

/** Choose the event to go back to, from the log of this page. */
function RollbackDialog({ live, onClose }: { live: LiveTable; onClose: () => void }) {
  const lines = live.log.value.slice(-30).reverse();
  const propose = (to: number) => live.table.send("rollback", { to }).then(onClose, fail);
  return (
    <Dialog title={say("rollback")} onClose={onClose}>
      <ul class="tables">
        {lines.map(({ version, text }, at) => (
          <li key={`${version} ${at}`}>
            <button type="button" onClick={() => propose(version - 1)}>
              {say("rollback_to", { what: text })}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
