/** The page of a table: before, during and after the game. */

import { type Signal, useSignal } from "@preact/signals";
import { Refused, type Value, type View } from "palatine-client";
import type { Table } from "palatine-client/tables";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { type Part, STILL } from "../boards/contract.ts";
import { findBoard } from "../boards/loaded_boards.ts";
import { describeTable } from "../game/describe_table.ts";
import { type LiveTable, namingOf, openTable, type Terms } from "../game/live_table.ts";
import { type Naming, sayAction } from "../game/values.ts";
import { joinWords, lang, say } from "../i18n/languages.ts";
import { BoardView, BoardWords } from "../parts/board_view.tsx";
import { Chooser } from "../parts/chooser.tsx";
import { Chat, Log } from "../parts/conversation.tsx";
import { Explanation } from "../parts/explanation.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Seats } from "../parts/seats.tsx";
import { TableMenu } from "../parts/table_menu.tsx";
import { mustDecide } from "../parts/turn_call.ts";
import { go, isTv, type Route } from "../route.ts";
import { client, describeError, fail } from "../session.ts";

const WaitingRoom = lazy(async () => (await import("../parts/waiting_room.tsx")).WaitingRoom);
const Standings = lazy(async () => (await import("../parts/standings.tsx")).Standings);

export function TablePage({ table: id, query }: Route) {
  const live = useSignal<LiveTable | null>(null);
  const problem = useSignal("");
  const as = query.get("as");
  const invitation = query.get("i") ?? "";
  const terms: Terms = { ...(invitation ? { invitation } : {}), ...(as === null ? {} : { as: Number(as) }) };
  const present = client.value;
  useEffect(() => {
    if (!present) return;
    let isGone = false;
    let opened: LiveTable | null = null;
    openTable(present, id, terms).then(
      (found) => {
        opened = found;
        if (isGone) found.stop();
        else live.value = found;
      },
      (error) => showRecord(id, error).catch((reason) => (problem.value = describeError(reason))),
    );
    return () => {
      isGone = true;
      opened?.stop();
      live.value = null;
    };
  }, [present, id, as, lang.value]);
  if (problem.value) return <Problem sentence={problem.value} />;
  if (!live.value) return <p class="waiting">{say("loading")}</p>;
  return <LiveTablePage live={live.value} invitation={invitation} />;
}

/** A table that is gone may still have a record: show its replay at the end. Or else throw the reason again. */
async function showRecord(id: string, reason: unknown): Promise<void> {
  if (!(reason instanceof Refused) || reason.code !== "no_such_table") throw reason;
  const { fetchRecord } = await import("../parts/record.tsx");
  await fetchRecord(id).catch(() => {
    throw reason;
  });
  go(`replay/${id}${location.search}`, { replace: true });
}

function Problem({ sentence }: { sentence: string }) {
  return (
    <section class="card">
      <h1>{sentence}</h1>
      <p>
        <a class="button main" href=".">
          {say("to_lobby")}
        </a>
      </p>
    </section>
  );
}

function LiveTablePage({ live, invitation }: { live: LiveTable; invitation: string }) {
  const { table, game } = live;
  const view = live.view.value;
  const question = useSignal<Part | null>(null);
  useFittingSize(view);
  const naming = namingOf(view, game);
  const inspect = (asked: Part) => {
    question.value = asked;
  };
  const isOpen = view.info.status === "open";
  return (
    <div class="table-page">
      <div>
        <h1 class="unseen">{game.title}</h1>
        {!isOpen && (
          <div class="status">
            <Seats view={view} />
            <State view={view} naming={naming} />
          </div>
        )}
        {isOpen && <WaitingRoom table={table} view={view} game={game} invitation={invitation} />}
        {isTv && !isOpen && <p id="latest">{live.log.value.at(-1)?.text}</p>}
        {view.info.status === "over" && <Standings table={table} view={view} words={naming.words} inspect={inspect} />}
        <BoardView
          view={view}
          game={game}
          choice={view.offer ? live.choice.choice.value : STILL}
          inspect={inspect}
          invitation={invitation}
        />
        <PartnerIdeas view={view} naming={naming} />
        <RollbackQuestion live={live} naming={naming} />
        <BoardWords view={view} describe={() => describeTable(table)} />
        <div class="dock">
          {view.can_undo && <UndoButton table={table} />}
          <Chooser
            live={live.choice}
            naming={naming}
            mustDecide={mustDecide(view)}
            isDrawn={findBoard(game.game) !== undefined}
          />
        </div>
      </div>
      <div class="side">
        <TableMenu live={live} inspect={inspect} />
        <Chat table={table} view={view} />
        <Log live={live} />
      </div>
      <QuestionDialog live={live} question={question} />
    </div>
  );
}

// The largest comes first. A narrower page has lower pictures, and its texts stay large.
const ZOOMS = [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4];
const WIDTHS = ["100%", "85%", "70%", "55%"];

/** On a TV, make everything so small that the whole board fits on the screen: nobody scrolls there. */
function useFittingSize(view: View): void {
  useLayoutEffect(() => {
    if (!isTv) return;
    const root = document.documentElement;
    const fit = () => {
      for (const [zoom, width] of ZOOMS.flatMap((each) => WIDTHS.map((share) => [each, share] as const))) {
        root.style.setProperty("zoom", `${zoom}`);
        document.getElementById("content")?.style.setProperty("max-width", width);
        if (root.scrollHeight <= root.clientHeight) return;
      }
    };
    fit();
    addEventListener("resize", fit);
    return () => removeEventListener("resize", fit);
  }, [view]);
}

function QuestionDialog({ live, question }: { live: LiveTable; question: Signal<Part | null> }) {
  if (!question.value) return null;
  return (
    <Explanation
      table={live.table}
      question={question.value}
      onAsk={(asked) => (question.value = asked)}
      onClose={() => (question.value = null)}
    />
  );
}

/** Who is waited for, and how this user sees the table. */
function State({ view, naming }: { view: View; naming: Naming }) {
  const others = view.waiting.filter(({ seat }) => seat !== view.seat).map(({ seat }) => naming.words.seat(seat));
  const parts = [
    view.info.paused ? say("paused") : "",
    mustDecide(view) ? say("your_turn") : "",
    others.length && view.info.status === "playing" ? say("waiting_for", { who: joinWords(others) }) : "",
    sayPosition(view, naming),
  ].filter(Boolean);
  return (
    <p class="soft" id="state">
      {parts.join(" · ")}
    </p>
  );
}

function sayPosition(view: View, naming: Naming): string {
  if (view.as !== null && view.as !== view.seat) return say("looking_over", { name: naming.words.seat(view.as) });
  if (view.seat !== null || isTv) return "";
  const delay = view.info.status === "playing" ? (view.info.delay ?? 0) : 0;
  if (delay === 0) return say("watching");
  return delay === 1 ? say("watching_delayed_one") : say("watching_delayed", { count: delay });
}

/** It is above the choices, so that it is within reach on a phone too. */
function UndoButton({ table }: { table: Table }) {
  return (
    <button type="button" id="undo" onClick={() => table.send("undo").catch(fail)}>
      <span aria-hidden="true">↶</span> {say("undo")}
    </button>
  );
}

/** What partners have in mind, as they point at it. */
function PartnerIdeas({ view, naming }: { view: View; naming: Naming }) {
  const pointed = Object.entries(view.pointed).filter(([, action]) => action);
  return (
    <>
      {pointed.map(([seat, action]) => (
        <p key={seat} class="badge" role="status">
          {say("partner_points", {
            name: naming.words.seat(Number(seat)),
            what: sayAction(action as Record<string, Value>, naming),
          })}
        </p>
      ))}
    </>
  );
}

/** The proposal to go back, with the answers. */
function RollbackQuestion({ live, naming }: { live: LiveTable; naming: Naming }) {
  const view = live.view.value;
  const { rollback } = view.info;
  if (!rollback) return null;
  const hasAnswered = view.seat === null || rollback.agreed.includes(view.seat) || rollback.by === view.seat;
  const answer = (agree: boolean) => live.table.send("agree", { agree }).catch(fail);
  return (
    <section class="card row" role="alert">
      <span>
        {hasAnswered
          ? say("rollback_waiting", { to: rollback.to })
          : say("rollback_proposed", { name: naming.words.seat(rollback.by), to: rollback.to })}
      </span>
      {!hasAnswered && (
        <>
          <button type="button" class="main" onClick={() => answer(true)}>
            {say("agree")}
          </button>
          <button type="button" onClick={() => answer(false)}>
            {say("disagree")}
          </button>
        </>
      )}
    </section>
  );
}
