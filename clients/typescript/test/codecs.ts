/** Both encodings, as the entries use them. */

import { decode, encode } from "../dist/msgpack.js";
import type { Codec } from "../dist/session.js";

export const json: Codec = {
  subprotocol: "palatine.v1.json",
  encode: JSON.stringify,
  decode: (frame) => JSON.parse(frame as string),
};
export const msgpack: Codec = {
  subprotocol: "palatine.v1.msgpack",
  encode,
  decode: (frame) => decode(frame as ArrayBuffer),
};
