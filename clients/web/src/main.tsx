/** The page: a frame with the connection's mark, and one page inside it. */

import { effect, signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
import { games, loadGames } from "./game/catalog.ts";
import { lang, say, serverLang, useLanguage } from "./i18n/languages.ts";
import { TablePage } from "./pages/table.tsx";
import { lazy } from "./parts/lazy.tsx";
import { LiveRegion } from "./parts/live_region.tsx";
import { areSettingsOpen } from "./parts/settings_dialog.ts";
import { applyPreferences, shortcuts } from "./preferences.ts";
import { base, followLinks, isTv, type Route, route } from "./route.ts";
import { connectUser, describeStatus, fadeNotices, fail, followOtherTabs, notice, status } from "./session.ts";
import "./style.css";

const PAGES: Readonly<Record<string, ComponentType<Route>>> = {
  lobby: lazy(async () => (await import("./pages/lobby.tsx")).LobbyPage),
  new: lazy(async () => (await import("./pages/new_table.tsx")).NewTablePage),
  t: TablePage, // what most people open: it comes with the frame, in one request
  replay: lazy(async () => (await import("./pages/replay.tsx")).ReplayPage),
  operator: lazy(async () => (await import("./pages/operator.tsx")).OperatorPage),
};

const FOCUS_MARGIN = 8; // pixels
const RETRY_AFTER = 2000; // milliseconds
const nothing = () => null;
const Settings = lazy(async () => (await import("./parts/settings.tsx")).Settings, nothing);
const MoveDialog = lazy(async () => (await import("./parts/device_move.tsx")).MoveDialog, nothing);
const moveCode = signal(/^#move=([\w-]+)$/.exec(location.hash)?.[1] ?? "");

function App() {
  const present = route.value;
  const Page = PAGES[present.page];
  return (
    <div class={isTv ? "tv" : ""} key={lang.value}>
      <a class="skip" href="#content">
        {say("skip")}
      </a>
      <header class="top">
        <a class="brand" href=".">
          <img src="icon.svg" alt="" width="28" height="28" />
          <span>{say("app")}</span>
        </a>
        <span class="grow" />
        <ConnectionMark />
        <button type="button" onClick={() => (areSettingsOpen.value = true)}>
          {say("settings")}
        </button>
      </header>
      <main id="content" tabIndex={-1} class={present.page === "t" || present.page === "replay" ? "wide" : ""}>
        {Page ? <Page {...present} key={present.page + present.table} /> : <NotFound />}
      </main>
      {areSettingsOpen.value && <Settings onClose={() => (areSettingsOpen.value = false)} />}
      {moveCode.value && <MoveDialog code={moveCode.value} onClose={forgetMove} />}
      <Notice />
    </div>
  );
}

function forgetMove(): void {
  history.replaceState(null, "", base);
  moveCode.value = "";
}

/** A quiet mark while there is no connection. */
function ConnectionMark() {
  const text = describeStatus();
  if (!text) return null;
  return (
    <span class="line" role="status">
      {text}
      {status.value?.reason && (
        <button type="button" onClick={() => connectUser().catch(fail)}>
          {say("connect_again")}
        </button>
      )}
    </span>
  );
}

function Notice() {
  if (!notice.value) return null;
  return (
    <div class="notice" role="alert">
      <span>{notice.value}</span>
      <button type="button" onClick={() => (notice.value = "")}>
        {say("close")}
      </button>
    </div>
  );
}

function NotFound() {
  return (
    <section class="card">
      <h1>{say("not_found")}</h1>
      <p>
        <a href=".">{say("to_lobby")}</a>
      </p>
    </section>
  );
}

/** `c` goes to the choices, Ctrl+Enter confirms; everything else is reached with Tab. */
function listenToKeys({ key, ctrlKey, target }: KeyboardEvent): void {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test((target as Element).tagName);
  if (key === "c" && !ctrlKey && !isTyping && shortcuts.value)
    document.querySelector<HTMLElement>("#choices button")?.focus();
  if (key === "Enter" && ctrlKey) document.getElementById("confirm")?.click();
}

/** What the keyboard reaches is never under the choices, which stay at the lower edge. */
function uncoverFocus({ target }: FocusEvent): void {
  const dock = document.querySelector(".dock");
  const focused = target as Element;
  if (!dock || dock.contains(focused) || !focused.matches(":focus-visible")) return;
  const covered = focused.getBoundingClientRect().bottom - dock.getBoundingClientRect().top;
  if (covered > 0) scrollBy(0, covered + FOCUS_MARGIN);
}

/** Connect the user; if the issuer of logins has sent the browser back, as the person who has logged in. */
async function begin(query: URLSearchParams): Promise<void> {
  const isBack = query.has("code") && query.has("state");
  if (isBack && (await (await import("./parts/login.ts")).finishLogin(query).catch(reportLogin))) return;
  await connectUser();
}

function reportLogin(error: unknown): boolean {
  fail(error);
  return false;
}

/** Show the page as soon as the reader's language is there; the connection is made meanwhile. */
async function showPage(): Promise<void> {
  try {
    await useLanguage(lang.value);
  } catch {
    setTimeout(showPage, RETRY_AFTER);
    return;
  }
  const root = document.getElementById("app") as HTMLElement;
  root.textContent = "";
  render(
    <>
      <App />
      <LiveRegion />
    </>,
    root,
  );
}

applyPreferences();
addEventListener("keydown", listenToKeys);
addEventListener("focusin", uncoverFocus);
followLinks();
followOtherTabs();
fadeNotices();
effect(() => {
  if (serverLang.value) loadGames().catch(fail);
});
effect(() => {
  if (status.value?.state === "online" && !games.peek().length) loadGames().catch(fail);
});
begin(route.value.query).catch(fail);
showPage();
if (import.meta.env.PROD) navigator.serviceWorker?.register(new URL("sw.js", base)).catch(() => {});
