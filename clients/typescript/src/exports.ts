/** What both entries export. */

export type { Client, ClientOptions, FieldsOf, Status, WebSocketLike } from "./client.ts";
export { Closed, Refused } from "./errors.ts";
export type { AnyGame, Game, GameOf, Immutable } from "./game.ts";
export type { Action, OfferOf } from "./offers.ts";
export type { Value } from "./patch.ts";
export type { Codec, Event, Problem, ReplyTo, WatchTerms } from "./session.ts";
export type { View } from "./view.ts";
