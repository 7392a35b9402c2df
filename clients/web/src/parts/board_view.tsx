/** The board of a view: drawn by the module of its game, or else as the server's picture with a description in words. */

import { useSignal } from "@preact/signals";
import type { View } from "palatine-client";
import { useEffect, useRef } from "preact/hooks";
import type { Choice, GameInfo, Part } from "../boards/contract.ts";
import { findBoard } from "../boards/loaded_boards.ts";
import { namingOf } from "../game/live_table.ts";
import { say, serverLang } from "../i18n/languages.ts";
import { moves, shownScheme } from "../preferences.ts";
import { currentToken, server } from "../session.ts";

interface BoardViewProps {
  readonly view: View;
  readonly game: GameInfo;
  readonly choice: Choice;
  readonly inspect: (question: Part) => void;
  readonly invitation?: string;
  readonly isStill?: boolean;
}

export function BoardView(props: BoardViewProps) {
  const { view, game, choice, inspect, isStill = false } = props;
  const focus = useSignal("");
  const layout = useLayout();
  if (view.board === null) return null;
  const Board = findBoard(game.game);
  if (!Board) return <GenericBoard {...props} layout={layout} />;
  return (
    <section class="board-area" aria-label={say("board")}>
      <Board
        view={view}
        game={game}
        words={namingOf(view, game).words}
        choice={choice}
        inspect={inspect}
        focus={focus.value}
        setFocus={(name) => (focus.value = name)}
        layout={layout}
        motion={moves() && !isStill}
      />
    </section>
  );
}

/** Whether the page is a phone held upright. */
function useLayout(): "wide" | "tall" {
  const query = matchMedia("(max-width: 44rem)");
  const isTall = useSignal(query.matches);
  useEffect(() => {
    const change = () => (isTall.value = query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return isTall.value ? "tall" : "wide";
}

function GenericBoard({ view, game, invitation = "", layout }: BoardViewProps & { layout: string }) {
  const picture = usePicture(view, invitation, layout);
  return (
    <section class="board-area" aria-label={say("board")}>
      {picture && <img src={picture} alt={`${say("picture_of")}: ${game.title}`} />}
    </section>
  );
}

/** The view in words, in a good order for reading aloud; open from the start where nothing is drawn. */
export function BoardWords({ view, describe }: { view: View; describe: () => Promise<string> }) {
  const words = useSignal("");
  const isOpen = useSignal(!findBoard(view.info.game));
  const isStarted = view.board !== null;
  useEffect(() => {
    if (!isOpen.value || !isStarted) return;
    describe().then(
      (text) => (words.value = text),
      () => {},
    );
  }, [isOpen.value, view.version, serverLang.value]);
  if (!isStarted) return null;
  return (
    <details class="card in-words" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{say("in_words")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <div class="words" tabIndex={0}>
        {words.value}
      </div>
    </details>
  );
}

/** Fetch the public picture of a table whenever its board changes, one at a time and the newest last. */
function usePicture(view: View, invitation: string, layout: string): string {
  const address = useSignal("");
  const loader = useRef(createPictureLoader((next) => (address.value = next))).current;
  useEffect(() => {
    const query = new URLSearchParams({ lang: serverLang.value, scheme: shownScheme.value, layout });
    if (invitation) query.set("invitation", invitation);
    loader.load(`${server}/v1/tables/${view.table}/board.svg?${query}`);
  }, [view.board, layout, shownScheme.value, serverLang.value]);
  useEffect(() => loader.stop, []);
  return address.value;
}

/** Load pictures one after the other; those that were asked for meanwhile, except the newest, are left out. */
function createPictureLoader(show: (address: string) => void) {
  let wanted = "";
  let shown = "";
  let isLoading = false;
  async function run(): Promise<void> {
    isLoading = true;
    while (wanted) {
      const next = wanted;
      wanted = "";
      const picture = await fetchPicture(next).catch(() => null);
      if (!picture) continue;
      const old = shown;
      shown = URL.createObjectURL(picture);
      show(shown);
      URL.revokeObjectURL(old);
    }
    isLoading = false;
  }
  return {
    load(address: string) {
      wanted = address;
      if (!isLoading) run();
    },
    stop() {
      wanted = "";
      URL.revokeObjectURL(shown);
    },
  };
}

/** A private table wants the token. */
async function fetchPicture(address: string): Promise<Blob | null> {
  const response = await fetch(address, { headers: { authorization: `Bearer ${currentToken()}` } });
  return response.ok ? response.blob() : null;
}
