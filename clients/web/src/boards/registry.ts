/** The games that this client draws itself. Every other game is playable with the generic chooser. */

import type { BoardModule } from "./contract.ts";

type Load = () => Promise<BoardModule>;

/** One line for each board; each is a chunk of its own, loaded with the first table of its game. */
export const BOARDS: Readonly<Record<string, Load>> = {
  between_two_castles: () => import("./between_two_castles/index.tsx"),
  noblemen: () => import("./noblemen/index.tsx"),
  palais_royal: () => import("./palais_royal/index.tsx"),
};
