/** The entry for msgpack, whose frames are smaller than those of JSON. */

import { type Client, type ClientOptions, createClient as create } from "./client.ts";
import { createGuest, type GuestOptions } from "./guest.ts";
import { decode, encode } from "./msgpack.ts";
import type { Codec } from "./session.ts";

export * from "./exports.ts";

/** Messages as msgpack in binary frames. */
export const codec: Codec = {
  subprotocol: "palatine.v1.msgpack",
  encode,
  decode: (frame) => decode(frame as ArrayBuffer),
};

/** Return a client that connects in the background. */
export const createClient = (url: string, options: ClientOptions): Client => create(url, codec, options);

/** Connect as the user of a token, or as a new guest, and wait for the welcome. */
export async function connect(url: string, options: Partial<ClientOptions> & GuestOptions = {}): Promise<Client> {
  const token = options.token ?? (await createGuest(url, options)).token;
  return createClient(url, { ...options, token }).ready();
}
