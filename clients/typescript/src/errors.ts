/** The reasons for which a promise of this client is rejected. */

/** What a refusal says; see the protocol's `refused`. */
export interface RefusedFields {
  readonly code: string;
  readonly sentence: string;
  readonly rule?: string;
  readonly path?: string;
}

/** The server refused a request, and nothing changed. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** The stable code, for programs. */
  readonly code: string;
  /** The paragraph of the game's RULES.md, or an empty string. */
  readonly rule: string;
  /** Where in the request the mistake is, or an empty string. */
  readonly path: string;

  constructor({ code, sentence, rule = "", path = "" }: RefusedFields) {
    super(sentence);
    this.code = code;
    this.rule = rule;
    this.path = path;
  }
}

/** The client has no connection and will not connect again. */
export class Closed extends Error {
  override readonly name = "Closed";
  /** The close code of the websocket; 0 if there was no server, 1000 if `close` was called. */
  readonly code: number;

  constructor(code: number, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
