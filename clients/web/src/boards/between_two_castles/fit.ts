/** Texts that fit a box of the drawing: lines, hyphens and sizes, without a browser that measures them. */

/** A text in lines, and its size. */
export interface Fitted {
  readonly lines: readonly string[];
  readonly size: number;
}

// The widths of letters in a bold system font, in parts of its size; a little generous, because fonts differ.
const NARROW = /[iljtfrI.,:;'’()/! \u00ad-]/;
const WIDE = /[mwMWÄÖQOG]/;
const measureLetter = (letter: string): number =>
  NARROW.test(letter) ? 0.42 : WIDE.test(letter) ? 1 : /[A-Z]/.test(letter) ? 0.76 : 0.67;
const measure = (text: string): number => [...text].reduce((sum, letter) => sum + measureLetter(letter), 0);

// Long German names are compounds that end in one of these; other words break before a consonant and a vowel.
const LAST_PART =
  /(?<=.{3})(?:kammer|zimmer|raum|stube|garten|halle|saal|salon|keller|vorrat|stall|teich|haus|platz|werkstatt|quartier|eingang|kabinett|küche|ecke|room|place)$/;
const SYLLABLE = /(?<=.{2})(?=(?:sch|ch|ck|ph|th|st|qu|[bcdfgkpt][lr]|[b-df-hj-np-tv-z])[aeiouäöü].)/gi;

function splitWord(word: string, width: number): string[] {
  if (measure(word) <= width) return [word];
  const last = LAST_PART.exec(word);
  if (last) return [...splitWord(`${word.slice(0, last.index)}-`, width), last[0]];
  const breaks = [...word.matchAll(SYLLABLE)].map(({ index }) => index);
  const at = breaks.reverse().find((index) => index < word.length - 2 && measure(`${word.slice(0, index)}-`) <= width);
  return at ? [`${word.slice(0, at)}-`, ...splitWord(word.slice(at), width)] : [word];
}

const splitWords = (text: string): string[] => text.split(/\s+|(?<=-)/);
const join = (line: string, word: string): string => (/-$|^$/.test(line) ? line + word : `${line} ${word}`);

/** Return the text in lines of at most this width, in parts of the size. */
function wrap(text: string, width: number, isSplitting: boolean): string[] {
  const lines = [""];
  for (const word of splitWords(text)) {
    const [first = "", ...rest] = isSplitting ? splitWord(word, width) : [word];
    const joined = join(lines.at(-1) ?? "", first);
    if (measure(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(first);
    lines.push(...rest);
  }
  return lines.filter(Boolean);
}

const WHOLE_WORDS = 12; // words are split only if they would be smaller than this

/** Return the text as large as it fits a box, down to the smallest size; the box is in units of the drawing. */
export function fitText(text: string, width: number, height: number, largest: number, smallest: number): Fitted {
  for (const isSplitting of [false, true]) {
    for (let size = largest; size >= (isSplitting ? smallest : WHOLE_WORDS); size -= 1) {
      const lines = wrap(text, width / size, isSplitting);
      const isWhole = lines.every((line) => measure(line) * size <= width);
      if (isWhole && lines.length * size * 1.08 <= height) return { lines, size };
    }
  }
  return { lines: wrap(text, width / smallest, true), size: smallest };
}
