/**
 * What a screen reader says: every item once, in order.
 *
 * A region that gets the same text twice stays silent, so each item is an element of its own, and old ones go.
 */

import { signal } from "@preact/signals";

const KEPT = 20; // items
const items = signal<readonly { readonly id: number; readonly text: string }[]>([]);
let last = 0;

/** Let a screen reader say something. */
export function announce(text: string): void {
  if (text) items.value = [...items.value, { id: ++last, text }].slice(-KEPT);
}

export function LiveRegion() {
  return (
    <div class="unseen" role="log" aria-live="polite" aria-relevant="additions" id="announcements">
      {items.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
