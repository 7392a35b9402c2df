/** Guests: users that a server creates for anybody who asks. */

import { Closed, Refused } from "./errors.ts";

/** A guest user and the token that identifies them. */
export interface Guest {
  readonly token: string;
  readonly user: string;
  readonly name: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

export interface GuestOptions {
  readonly name?: string;
  /** A valid token of a guest: they get a new one, and another name if it is given. */
  readonly token?: string;
  readonly dial?: (url: string) => string;
}

/** Create a guest, or renew the token of one. */
export async function createGuest(server: string, { name, token, dial = String }: GuestOptions = {}): Promise<Guest> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const request = { method: "POST", headers, body: JSON.stringify({ name }) };
  const call = async () => fetch(dial(buildAddress(server, "/v1/guests")), request);
  // A starved process may reuse a connection that the server has just closed; a second guest would do no harm.
  const response = await call()
    .catch(call)
    .catch((error) => {
      throw new Closed(0, `There is no server at ${server}: ${error.cause ?? error}`);
    });
  const answer = await response.json().catch(() => null);
  if (response.ok && typeof answer?.token === "string") return answer;
  throw new Refused({ code: `${response.status}`, sentence: `HTTP status ${response.status}`, ...answer });
}

/** Return the HTTP address of a path on a server; `ws://` and `http://`, with or without `/v1/ws`, mean the same server. */
export function buildAddress(server: string, path: string): string {
  return server.replace(/^ws/, "http").replace(/\/(v1\/ws)?$/, "") + path;
}
