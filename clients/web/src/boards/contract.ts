/**
 * The contract of a board: what draws one game, and what the page around it does.
 *
 * A board draws everything that only its game has: the boards of all players, the own hand, and what can be chosen there.
 * The page draws the rest: seats with names and clocks, the bar with the half-made choice, its preview and the button
 * that confirms it, the log, the chat. The bar lists whatever the board does not draw, so a board may leave verbs to it.
 *
 * A board is a pure function of its props. It holds no copy of the view, sends nothing, and knows neither the connection
 * nor the page. In replays, on a TV and in tests it gets `STILL`, a choice that offers nothing.
 */

import type { AnyGame, Game, OfferOf, Value, View } from "palatine-client";
import type { ComponentType } from "preact";
import type { BoardName, SayOfBoard } from "../i18n/languages.ts";

/** A text in the languages that the server has, for example `{ en: "Servant", de: "Diener" }`. */
export type Text = Readonly<Record<string, string>>;

/** A game as `GET /v1/games/<name>` answers; see "A game describes itself" in the protocol. */
export interface GameInfo {
  readonly game: string;
  readonly title: string;
  readonly players: readonly [number, number];
  readonly policies: readonly string[];
  /** The JSON Schema of the options. */
  readonly options: Schema;
  readonly notice: string;
  // biome-ignore lint/suspicious/noExplicitAny: only the game knows its catalog
  readonly catalog: any;
  readonly description: Description;
  /** Colours, glyphs and geometry of the game, the same as in the pictures; absent on servers that do not send them. */
  // biome-ignore lint/suspicious/noExplicitAny: only the game knows its look
  readonly look?: any;
}

/** A JSON Schema with our marks (`x-names` and so on). */
// biome-ignore lint/suspicious/noExplicitAny: schemas are open
export type Schema = Readonly<Record<string, any>>;

export interface Description {
  readonly schemas: {
    readonly board: Schema;
    readonly hand: Schema;
    readonly options: Schema;
    readonly actions: Readonly<Record<string, Schema>>;
    readonly news: Readonly<Record<string, Schema>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: read through Words
  readonly labels: Readonly<Record<string, any>>;
  // biome-ignore lint/suspicious/noExplicitAny: the form of a cell and a vertex
  readonly coordinates: Readonly<Record<string, any>>;
}

/** The words of the reader's language. Whatever has no word is shown as it is on the wire. */
export interface Words {
  /** The language, for example `de`. */
  readonly lang: string;
  /** A text of this client, with figures in place of `{name}`: `say("points", { count: 3 })`; see src/i18n/en.ts. */
  say(key: string, figures?: Readonly<Record<string, string | number>>): string;
  /** What says the texts that only a board has: `words.speak("noblemen")("turn", name)`. */
  speak<G extends BoardName>(board: G): SayOfBoard<G>;
  /** The right one of texts in several languages. */
  pick(text: Text | undefined): string;
  /** The name of a piece of the catalog, by its id. */
  piece(id: string): string;
  /** The name of the player on a seat. */
  seat(seat: number): string;
  /** A word of a closed set, for example `word("room_type", "food")`. */
  word(group: string, value: string): string;
  /** The label of a verb, of a field of an action, and of a field of the documents. */
  verb(name: string): string;
  field(name: string): string;
  zone(name: string): string;
  /** An amount with its unit: `unit("gold", 3)` is "3 gold". */
  unit(name: string, amount: number): string;
}

/** A verb with some of its fields: `{ do: "place", tile: "sauna" }`. */
export type Part = Readonly<Record<string, Value>>;

/** What an action would change. */
export interface Outcome<G extends Game = AnyGame> {
  /** The view after the action. */
  readonly view: View<G>;
  /** By how much each seat's score changes; null where the viewer cannot know it. */
  readonly scores: readonly (number | null)[];
}

/** The half-made choice of this player from the present offer. It survives a lost connection. */
export interface Choice<G extends Game = AnyGame> {
  /** Everything that the player may do now; null if nothing. */
  readonly offer: OfferOf | null;
  /** The verb (`do`) and the fields that are given so far. */
  readonly given: Part;
  /** The whole action as soon as only one fits; the player has not confirmed it yet. */
  readonly action: G["action"] | null;
  /** What `action` would change; null until the server has answered, and if it would reveal something. */
  readonly preview: Outcome<G> | null;
  /** The values of a field (or `"do"`) that still fit what is given; of a pick, its items. Not the field itself. */
  values(field: string): readonly Value[];
  /** The same after another part: `valuesAfter({ do: "place", tile }, "cell")`, whatever is given. */
  valuesAfter(part: Part, field: string): readonly Value[];
  /** Whether an action with this part is offered, whatever is given. */
  can(part: Part): boolean;
  /** Whether this part is given. */
  has(part: Part): boolean;
  /**
   * Give a verb and fields; what was given before and does not fit any more is dropped. Giving exactly the same part again
   * takes it back. If the part is impossible, the page says why instead.
   */
  choose(part: Part): void;
  /** Put an item of a pick in, or take it out: `toggle({ do: "choose" }, "tiles", "sauna")`. */
  toggle(part: Part, field: string, item: Value): void;
  /** Whether an item of a pick is in. */
  isPicked(field: string, item: Value): boolean;
  /** Forget everything given. */
  clear(): void;
  /** Carry out `action`. The bar has a button for this; a board may offer another way, such as a second tap. */
  confirm(): void;
  /** Ask the server why an action is not possible, and show the answer. `part` may lack fields. */
  explainWhyNot(part: Part): void;
}

export interface BoardProps<G extends Game = AnyGame> {
  /** What this viewer sees: `board` (never null here), `hand`, `info`, `seat`, `as`, `waiting`, `news`, `pointed`, … */
  readonly view: View<G>;
  readonly game: GameInfo;
  readonly words: Words;
  readonly choice: Choice<G>;
  /**
   * Open the explanation of a figure: one of the questions of `explain`, such as `{ do: "castle", castle: "eltz" }`.
   * Give every figure that a player would ask about a button that calls this.
   */
  inspect(question: Part): void;
  /**
   * What is shown large where there is no room for all, and what the player asked to see: a name that only the board
   * understands (`"castle:2"`, `"park"`); empty until the player chose something. The board then shows what concerns the
   * player most.
   */
  readonly focus: string;
  setFocus(name: string): void;
  /** `tall`: a phone held upright; draw one part at a time with a strip of thumbnails of the others. */
  readonly layout: "wide" | "tall";
  /** Whether things may move: false if the reader asked for reduced motion or skips the animation, and in replays. */
  readonly motion: boolean;
}

/** What a board's module exports; see registry.ts. */
export interface BoardModule {
  readonly Board: ComponentType<BoardProps>;
}

/** A choice that offers nothing: for spectators, replays, a TV and tests. */
export const STILL: Choice = {
  offer: null,
  given: {},
  action: null,
  preview: null,
  values: () => [],
  valuesAfter: () => [],
  can: () => false,
  has: () => false,
  choose: () => {},
  toggle: () => {},
  isPicked: () => false,
  clear: () => {},
  confirm: () => {},
  explainWhyNot: () => {},
};
