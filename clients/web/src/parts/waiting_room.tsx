/** A table before the game: seats, bots, invitation, ready check, host powers. */

import { useSignal } from "@preact/signals";
import type { View } from "palatine-client";
import { fill, sit, type Table } from "palatine-client/tables";
import { useEffect } from "preact/hooks";
import type { GameInfo } from "../boards/contract.ts";
import { createWords } from "../game/words.ts";
import { say } from "../i18n/languages.ts";
import { addressOf, isTv } from "../route.ts";
import { fail } from "../session.ts";
import { CopyableLink } from "./copyable_link.tsx";
import { Dialog } from "./dialog.tsx";
import { isHost } from "./host.ts";
import { lazy } from "./lazy.tsx";
import { OptionsForm } from "./options_form.tsx";
import { fillAndStart, findBotTime, waitForPeople } from "./quick_play.ts";
import { sayPolicy, TermsForm } from "./terms_form.tsx";

interface WaitingRoomProps {
  readonly table: Table;
  readonly view: View;
  readonly game: GameInfo;
}

export function WaitingRoom({ invitation, ...props }: WaitingRoomProps & { invitation: string }) {
  return isTv ? <PublicRoom {...props} invitation={invitation} /> : <MembersRoom {...props} />;
}

/** The table on a TV: who sits there, and how to join. */
function PublicRoom({ table, view, game, invitation }: WaitingRoomProps & { invitation: string }) {
  const link = addressOf(`t/${table.id}${invitation ? `?i=${invitation}` : ""}`);
  return (
    <section class="tv-room">
      <div>
        <h1>{game.title}</h1>
        <ul class="tables">
          {view.info.seats.map((taken, seat) => (
            <li key={seat} class={taken ? "card" : "card soft"}>
              {taken?.name ?? say("free_seat")}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <p>{say("scan_to_join")}</p>
        <QrCode text={link} />
      </div>
    </section>
  );
}

function MembersRoom({ table, view, game }: WaitingRoomProps) {
  const isEditing = useSignal(false);
  const hosts = isHost(view);
  const seated = view.seat !== null;
  const isFull = view.info.seats.every(Boolean);
  return (
    <section class="card">
      <h1>{game.title}</h1>
      <ul class="tables">
        {view.info.seats.map((_, seat) => (
          <SeatRow key={seat} {...{ table, view, game, seat, hosts }} />
        ))}
      </ul>
      <p class="row">
        {hosts && (
          <button
            type="button"
            class={isFull ? "main" : ""}
            id="start"
            disabled={!isFull || !areReady(view)}
            onClick={() => table.send("start").catch(fail)}
          >
            {say("start")}
          </button>
        )}
        {hosts && !isFull && (
          <button type="button" class={seated ? "main" : ""} onClick={() => fill(table).catch(fail)}>
            {say("fill_with_bots")}
          </button>
        )}
        {seated && view.info.ready_check && <ReadyButton table={table} view={view} />}
        {seated && (
          <button type="button" onClick={() => table.send("leave").catch(fail)}>
            {say("leave_seat")}
          </button>
        )}
        {hosts && (
          <button type="button" onClick={() => (isEditing.value = true)}>
            {say("change_terms")}
          </button>
        )}
      </p>
      {hosts && <BotCountdown table={table} />}
      <p class="soft" role="status">
        {sayWaiting(view, hosts)}
      </p>
      <Invitation table={table} view={view} hosts={hosts} />
      {isEditing.value && <TermsDialog {...{ table, view, game }} onClose={() => (isEditing.value = false)} />}
    </section>
  );
}

/** Whether all people at the table are ready, if they have to be. */
const areReady = ({ info }: View): boolean =>
  !info.ready_check || info.seats.every((seat) => !seat || seat.bot || seat.ready);

/** Say what is missing before the game can begin. */
function sayWaiting(view: View, hosts: boolean): string {
  if (!view.info.seats.every(Boolean)) return say("waiting_for_seats");
  if (!areReady(view)) return say("waiting_for_ready");
  return hosts ? say("you_start") : say("waiting_for_host", { host: view.info.host });
}

/** After "play now": how long other people have to join before bots take the free seats. */
function BotCountdown({ table }: { table: Table }) {
  const at = useSignal(findBotTime(table.id));
  const now = useSignal(Date.now());
  useEffect(() => {
    if (at.value === null) return;
    const timer = setInterval(() => (now.value = Date.now()), 250);
    return () => clearInterval(timer);
  }, [at.value]);
  const isDue = at.value !== null && now.value >= at.value;
  useEffect(() => {
    if (isDue) fillAndStart(table).catch(fail);
  }, [isDue]);
  if (at.value === null) return null;
  const wait = () => {
    waitForPeople();
    at.value = null;
  };
  return (
    <p class="row">
      <span>{say("bots_soon", { seconds: Math.max(0, Math.ceil((at.value - now.value) / 1000)) })}</span>
      <button type="button" onClick={() => (at.value = Date.now())}>
        {say("start_now")}
      </button>
      <button type="button" onClick={wait}>
        {say("wait_for_people")}
      </button>
    </p>
  );
}

function ReadyButton({ table, view }: { table: Table; view: View }) {
  const isReady = view.info.seats[view.seat ?? -1]?.ready === true;
  return (
    <button type="button" aria-pressed={isReady} onClick={() => table.send("ready", { ready: !isReady }).catch(fail)}>
      {say(isReady ? "not_ready" : "ready")}
    </button>
  );
}

interface SeatRowProps extends WaitingRoomProps {
  readonly seat: number;
  readonly hosts: boolean;
}

function SeatRow({ table, view, game, seat, hosts }: SeatRowProps) {
  const taken = view.info.seats[seat];
  const isReserved = view.info.reserved?.includes(seat) ?? false;
  return (
    <li class="card table-row seat-row">
      <span>
        <strong>{taken?.name ?? say(isReserved ? "reserved_seat" : "free_seat")}</strong>{" "}
        {taken?.bot && <span class="badge">{sayPolicy(taken.policy ?? "")}</span>}
        {taken?.host && <span class="badge">{say("host")}</span>}
        {taken?.ready && <span class="badge">{say("is_ready")}</span>}
      </span>
      <span class="row">
        {!taken && view.seat === null && (
          <button type="button" class="main" onClick={() => sit(table, seat).catch(fail)}>
            {say("sit")}
          </button>
        )}
        {hosts && !taken && <BotAdder {...{ table, game, seat }} />}
        {hosts && !taken && <Reserver {...{ table, seat, isReserved }} />}
        {hosts && taken && <SeatPowers {...{ table, view, seat }} />}
      </span>
    </li>
  );
}

function BotAdder({ table, game, seat }: { table: Table; game: GameInfo; seat: number }) {
  const add = (policy: string) => policy && table.send("add_bot", { policy, seat }).catch(fail);
  return (
    <select aria-label={say("add_bot")} value="" onChange={(event) => add(event.currentTarget.value)}>
      <option value="">{say("add_bot")}</option>
      {game.policies.map((policy) => (
        <option key={policy} value={policy}>
          {sayPolicy(policy)}
        </option>
      ))}
    </select>
  );
}

function SeatPowers({ table, view, seat }: { table: Table; view: View; seat: number }) {
  const taken = view.info.seats[seat];
  const name = taken?.name ?? "";
  if (seat === view.seat) return null;
  if (taken?.bot)
    return (
      <button type="button" onClick={() => table.send("remove_bot", { seat }).catch(fail)}>
        {say("remove_bot")}
      </button>
    );
  return (
    <>
      <button type="button" onClick={() => table.send("hand_over", { seat }).catch(fail)}>
        {say("make_host", { name })}
      </button>
      <button type="button" onClick={() => table.send("kick", { seat }).catch(fail)}>
        {say("kick", { name })}
      </button>
    </>
  );
}

function Reserver({ table, seat, isReserved }: { table: Table; seat: number; isReserved: boolean }) {
  const isOpen = useSignal(false);
  const user = useSignal("");
  const reserve = (wanted: string | null) =>
    table.send("reserve", { seat, user: wanted }).then(() => (isOpen.value = false), fail);
  if (isReserved)
    return (
      <button type="button" onClick={() => reserve(null)}>
        {say("unreserve")}
      </button>
    );
  if (!isOpen.value)
    return (
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say("reserve")}
      </button>
    );
  return (
    <>
      <input
        aria-label={say("reserve_user")}
        placeholder={say("reserve_user")}
        onInput={(event) => (user.value = event.currentTarget.value)}
      />
      <button type="button" onClick={() => reserve(user.value.trim())}>
        {say("save")}
      </button>
    </>
  );
}

const QrCode = lazy(async () => (await import("./qr_code.tsx")).QrCode);

/** The link, the code and the picture that invite others; only members may ask for the invitation. */
function Invitation({ table, view, hosts }: { table: Table; view: View; hosts: boolean }) {
  const invitation = useSignal("");
  const mayInvite = hosts || view.seat !== null;
  const ask = (renew: boolean) =>
    table.send("invite", { renew }).then(({ invitation: found }) => (invitation.value = found), fail);
  useEffect(() => {
    if (mayInvite) ask(false);
  }, [mayInvite]);
  if (!mayInvite || !invitation.value) return null; // a link without the invitation would not let anybody in
  const terms = `?i=${invitation.value}`;
  const link = addressOf(`t/${table.id}${terms}`);
  return (
    <details open={!view.info.seats.every(Boolean)}>
      <summary>{say("invite")}</summary>
      <p>{say("invite_hint")}</p>
      <CopyableLink link={link} label={say("invite")} />
      <p class="code-line">{say("invite_code", { code: `${table.id}.${invitation.value}` })}</p>
      <QrCode text={link} />
      <p class="row">
        <a class="button" target="_blank" rel="noopener" href={addressOf(`t/${table.id}${terms}&view=table`)}>
          {say("show_on_tv")}
        </a>
        {hosts && (
          <button type="button" onClick={() => ask(true)}>
            {say("renew_invitation")}
          </button>
        )}
      </p>
    </details>
  );
}

function TermsDialog({ table, view, game, onClose }: WaitingRoomProps & { onClose: () => void }) {
  const { visibility, clock = null, ready_check = false, delay = 0 } = view.info;
  const terms = useSignal({ visibility, clock, ready_check, delay });
  const options = useSignal(view.info.options);
  const save = () => table.send("change", { ...terms.value, options: options.value as never }).then(onClose, fail);
  return (
    <Dialog title={say("change_terms")} onClose={onClose}>
      <OptionsForm
        game={game}
        words={createWords(game, [])}
        options={options.value}
        onChange={(chosen) => (options.value = chosen)}
      />
      <TermsForm terms={terms.value} policies={game.policies} onChange={(chosen) => (terms.value = chosen as never)} />
      <button type="button" class="main" onClick={save}>
        {say("save")}
      </button>
    </Dialog>
  );
}
