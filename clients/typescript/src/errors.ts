/** The reasons for which a promise of this client is rejected. */

/** What a refusal says; see `refused` in the protocol. */
export interface RefusedFields {
  /** The stable code, for programs. */
  readonly code: string;
  readonly sentence: string;
  /** The paragraph of the game's RULES.md. */
  readonly rule?: string;
  /** Where in the request the mistake is. */
  readonly path?: string;
}

/** The server refused a request, and nothing changed. */
export class Refused extends Error implements RefusedFields {
  readonly code: string;
  readonly sentence: string;
  readonly rule: string;
  readonly path: string;

  constructor({ code, sentence, rule = "", path = "" }: RefusedFields) {
    super(sentence);
    this.code = code;
    this.sentence = sentence;
    this.rule = rule;
    this.path = path;
  }
}

/** The client has no connection and will not connect again. */
export class Closed extends Error {
  /** The close code of the websocket; 0 if there was no server, 1000 if `close` was called. */
  readonly code: number;
  /** The code with which the server refused the token, or an empty string. */
  readonly refusal: string;

  constructor(code: number, sentence: string, refusal = "") {
    super(sentence);
    this.code = code;
    this.refusal = refusal;
  }
}
