/** The reasons for which a promise of this client is rejected. */

/** What a refusal says; see `refused` in the protocol. */
export interface RefusedFields {
  readonly code: string;
  readonly sentence: string;
  readonly rule?: string;
  readonly path?: string;
}

/** The server refused a request, and nothing changed. */
export class Refused extends Error {
  /** The stable code, for programs. */
  declare readonly code: string;
  /** The rule that forbids it, or an empty string; the game's page has it at `rules.page#rule`. */
  declare readonly rule: string;
  /** Where in the request the mistake is, or an empty string. */
  declare readonly path: string;

  constructor({ code, sentence, rule = "", path = "" }: RefusedFields) {
    super(sentence);
    Object.assign(this, { code, rule, path });
  }
}

/** The client has no connection and will not connect again. */
export class Closed extends Error {
  /** The close code of the websocket; 0 if there was no server, 1000 if `close` was called. */
  declare readonly code: number;
  /** The code with which the server refused the token, or an empty string. */
  declare readonly refusal: string;

  constructor(code: number, sentence: string, refusal = "") {
    super(sentence);
    Object.assign(this, { code, refusal });
  }
}
