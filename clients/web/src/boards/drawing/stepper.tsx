/** A number that a player raises and lowers, and the button that uses it. */

import type { JSX } from "preact";
import { useState } from "preact/hooks";

interface StepperProps {
  readonly low: number;
  readonly high: number;
  readonly words: { readonly fewer: string; readonly more: string; use(count: number): string };
  onUse(count: number): void;
}

/** Draw a stepper; it begins with the highest number. */
export function Stepper({ low, high, words, onUse }: StepperProps): JSX.Element {
  const [chosen, setChosen] = useState(high);
  const count = Math.min(high, Math.max(low, chosen));
  return (
    <span class="stepper">
      <button type="button" aria-label={words.fewer} disabled={count <= low} onClick={() => setChosen(count - 1)}>
        −
      </button>
      <output>{count}</output>
      <button type="button" aria-label={words.more} disabled={count >= high} onClick={() => setChosen(count + 1)}>
        +
      </button>
      <button type="button" class="use" onClick={() => onUse(count)}>
        {words.use(count)}
      </button>
    </span>
  );
}
