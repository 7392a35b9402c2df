/** A view of the drawing vectors as a board gets it. */

import type { View } from "palatine-client";

/** The fields of a moment that a viewer has. */
export interface MomentView {
  readonly board: unknown;
  readonly hand: unknown;
  readonly seat: number | null;
  readonly names: readonly string[];
  readonly waiting: readonly number[];
  readonly offer: readonly unknown[];
}

/** Return the view of a moment. */
export function buildView({ board, hand, seat, waiting }: MomentView): View {
  const view = { board, hand, seat, as: seat, version: 1, waiting: waiting.map((each) => ({ seat: each })) };
  return { ...view, news: [], pointed: {} } as unknown as View;
}
