/** Asking: a button after which the next tap explains a thing instead of choosing it. */

import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface Asking {
  readonly isAsking: boolean;
  toggle(): void;
  /** For the board, in the capture phase: turn a tap on a thing into its question. */
  capture(event: Event): void;
}

/** Keep whether the next tap asks. A thing takes the question as it takes a long press: as a context menu. */
export function useAsking(): Asking {
  const [isAsking, setAsking] = useState(false);
  const capture = (event: Event) => {
    const thing = (event.target as Element).closest(".thing");
    if (!isAsking || !thing) return;
    setAsking(false);
    const isAnswered = !thing.dispatchEvent(new MouseEvent("contextmenu", { cancelable: true }));
    if (isAnswered) event.stopPropagation();
  };
  return { isAsking, toggle: () => setAsking(!isAsking), capture };
}

/** Draw the button that lets the player ask. */
export function AskButton({ isAsking, toggle, words }: Asking & { words: readonly [ask: string, asking: string] }) {
  return (
    <button type="button" class="ask" aria-pressed={isAsking} onClick={toggle}>
      <b aria-hidden="true">?</b> {words[isAsking ? 1 : 0]}
    </button>
  ) as JSX.Element;
}
