/** The boards that this page has loaded. A page waits for the board before it shows a table, so that nothing jumps. */

import type { ComponentType } from "preact";
import type { BoardProps } from "./contract.ts";
import { BOARDS } from "./registry.ts";

const loaded = new Map<string, ComponentType<BoardProps>>();

/** Load the drawing of a game, if this client has one. */
export async function loadBoard(game: string): Promise<void> {
  const load = BOARDS[game];
  if (load && !loaded.has(game)) loaded.set(game, (await load()).Board);
}

/** Return the drawing of a game, or undefined for games that the generic board shows. */
export const findBoard = (game: string): ComponentType<BoardProps> | undefined => loaded.get(game);
