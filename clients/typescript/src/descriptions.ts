/** What a server says of a game: its pieces, schemas, labels, look, examples and rules. */

import { Closed, Refused } from "./errors.ts";
import { buildAddress } from "./guests.ts";

type Plain = { readonly [key: string]: unknown };

/** A text in every language of the server. */
export interface Phrase {
  readonly en: string;
  readonly de: string;
}

/** A colour on light and on dark paper, with the text colour that is readable on it. */
export interface Swatch {
  readonly light: string;
  readonly dark: string;
  readonly ink_light: string;
  readonly ink_dark: string;
}

/** The plain colours of light or of dark paper. */
export type Paper = Readonly<
  Record<"page" | "card" | "ink" | "muted" | "line" | "accent" | "badge" | "badge_ink", string>
>;

/** The look of a game; glyphs are SVG paths on a grid of 24 by 24, filled by the even-odd rule. */
export interface Look {
  readonly paper: { readonly light: Paper; readonly dark: Paper };
  readonly colours: Readonly<Record<string, Swatch>>;
  readonly glyphs: Readonly<Record<string, string>>;
  readonly players: Readonly<Record<string, { readonly colour: Swatch; readonly glyph: string }>>;
  /** `seat`, or a path in the board with `{seat}` in it. */
  readonly players_by: string;
  readonly sizes: Readonly<Record<string, number>>;
}

/** The labels of a game. */
export interface Labels {
  readonly verbs: Readonly<Record<string, { readonly label: Phrase; readonly sentence?: Phrase }>>;
  readonly news: Readonly<Record<string, { readonly sentence: Phrase }>>;
  readonly fields: Readonly<Record<string, Phrase>>;
  readonly options: Readonly<Record<string, Phrase>>;
  readonly errors: Readonly<Record<string, Phrase>>;
  readonly zones: Readonly<Record<string, Phrase>>;
  readonly words: Readonly<Record<string, Readonly<Record<string, Phrase>>>>;
  readonly units: Readonly<Record<string, Phrase & { readonly one?: Phrase }>>;
  readonly figures: Readonly<Record<string, Phrase>>;
  /** The names of the seats after the last player's. */
  readonly seats: readonly Phrase[];
}

/** What bots played: the action of a seat, and what came of it. */
export interface Example extends Plain {
  readonly game: number;
  readonly seat: number;
}

/** Everything that `GET /v1/games/<name>` has. Any label, example or colour may be missing. */
export interface GameDescription {
  readonly game: string;
  readonly title: string;
  readonly players: readonly [number, number];
  readonly policies: readonly string[];
  readonly options: Plain;
  readonly notice: string;
  readonly reconstructed: boolean;
  readonly catalog: Plain;
  readonly description: {
    readonly schemas: {
      readonly board?: Plain;
      readonly hand?: Plain;
      readonly options?: Plain;
      readonly actions?: Readonly<Record<string, Plain>>;
      readonly news?: Readonly<Record<string, Plain>>;
    };
    readonly labels: Partial<Labels>;
    readonly coordinates: { readonly kind: string } & Plain;
  };
  readonly look: Look;
  readonly examples: { readonly games: readonly Plain[] } & Readonly<
    Record<"actions" | "news" | "refusals" | "questions", Readonly<Record<string, Example>>>
  >;
  readonly rules: { readonly page: string; readonly paragraphs: Readonly<Record<string, string>> };
}

export interface FetchOptions {
  /** The language of the title and the notice; everything else has all languages. */
  readonly lang?: "en" | "de";
  readonly dial?: (url: string) => string;
}

/** Fetch what a server says of a game; it is the same at every table. */
export async function fetchGame(
  server: string,
  name: string,
  { lang = "en", dial = String }: FetchOptions = {},
): Promise<GameDescription> {
  const address = buildAddress(server, `/v1/games/${encodeURIComponent(name)}?lang=${lang}`);
  const call = async () => fetch(dial(address));
  const response = await call().catch((error) => {
    throw new Closed(0, `There is no server at ${server}: ${error.cause ?? error}`);
  });
  const answer = await response.json().catch(() => null);
  if (response.ok && answer?.game === name) return answer;
  throw new Refused({ code: `${response.status}`, sentence: `HTTP status ${response.status}`, ...answer });
}
