/** The entry for msgpack, whose frames are smaller than those of JSON. */

import { type Client, type ClientOptions, createClient as create } from "./client.ts";
import { decode, encode } from "./msgpack.ts";
import type { Codec } from "./session.ts";

export * from "./exports.ts";

/** Messages as msgpack in binary frames. */
const codec: Codec = {
  subprotocol: "palatine.v1.msgpack",
  encode,
  decode: (frame) => decode(frame as ArrayBuffer),
};

/** Return a client that connects in the background. */
export const createClient = (url: string, options: ClientOptions): Client => create(url, codec, options);

/** Connect as the user of a token, and wait for the welcome. */
export const connect = (url: string, options: ClientOptions): Promise<Client> => createClient(url, options).ready();
