/** The entry for JSON: the smallest one, with frames that people can read in the tools of their browser. */

import { type Client, type ClientOptions, createClient as create } from "./client.ts";
import type { Codec } from "./session.ts";

export * from "./exports.ts";

/** Messages as JSON in text frames. */
const codec: Codec = {
  subprotocol: "palatine.v1.json",
  encode: JSON.stringify,
  decode: (frame) => JSON.parse(frame as string),
};

/** Return a client that connects in the background. */
export const createClient = (url: string, options: ClientOptions): Client => create(url, codec, options);

/** Connect as the user of a token, and wait for the welcome. */
export const connect = (url: string, options: ClientOptions): Promise<Client> => createClient(url, options).ready();
