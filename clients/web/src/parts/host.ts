/** The host of a table. */

import type { View } from "palatine-client";
import { client } from "../session.ts";

/** Whether this user is the host. */
export function isHost(view: View): boolean {
  const own = view.info.seats[view.seat ?? -1];
  if (own) return own.host === true;
  return view.info.host === client.value?.session.welcome?.name && !view.info.seats.some((seat) => seat?.host);
}
