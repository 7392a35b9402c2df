/** Pieces of Palais Royal: servants, coins, seals, pennants with points, and benefits. */

import type { JSX } from "preact";
import { Figure, fill, fillOf, Glyph, ink, inkOf, Picture, round } from "../drawing/look.tsx";
import type { Noble } from "./documents.ts";

interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

const SEALS = ["turquoise", "violet"] as const;
const BENEFITS: Readonly<Record<string, string>> = {
  gold: "more_gold",
  seal_turquoise: "more_turquoise",
  seal_violet: "more_violet",
  cards: "more_cards",
  servants: "more_servants",
}; // the others have glyphs of their own names

/** Draw a servant around a point: the body in the player's colour, the player's mark on it. */
export function Servant({ colour, x, y, size }: Place & { colour: string }): JSX.Element {
  return (
    <g transform={`translate(${round(x - size / 2)} ${round(y - size / 2)}) scale(${round(size / 24)})`}>
      <use href="#g-servant" fill={fillOf(colour)} stroke={inkOf(colour)} stroke-width="1.2" />
      <Glyph name={`mark-${colour}`} x={12} y={16.4} size={9.4} fill={inkOf(colour)} />
    </g>
  );
}

export const ServantIcon = ({ colour, size = 22 }: { colour: string; size?: number }): JSX.Element => (
  <Picture width={24} height={24} size={size}>
    <Servant colour={colour} x={12} y={12} size={24} />
  </Picture>
);

/** Draw a coin with a number. */
export function Coin({ x, y, size, text }: Place & { text: number | string }): JSX.Element {
  return (
    <>
      <circle cx={x} cy={y} r={size} fill={fill("gold")} stroke={fill("gold_line")} stroke-width={round(size / 10)} />
      <Figure text={text} x={x} y={y} size={size * 1.15} fill={ink("gold")} />
    </>
  );
}

/** Draw a pennant with points; x and y are the middle of its upper edge. */
export function Pennant({ x, y, size, text }: Place & { text: number | string }): JSX.Element {
  const half = size / 2;
  const shape = `M${-half} 0h${size}v${size * 0.95}l${-half} ${size * 0.27}l${-half} ${-size * 0.27}z`;
  return (
    <g transform={`translate(${x} ${y})`}>
      <path d={shape} fill="var(--badge)" />
      <Figure text={text} x={0} y={size * 0.52} size={size * 0.58} fill="var(--badge-ink)" />
    </g>
  );
}

/** Draw a seal: a turquoise square or a violet diamond. */
export const Seal = ({ colour, x, y, size }: Place & { colour: string }): JSX.Element => (
  <Glyph name={colour === "violet" ? "seal_diamond" : "seal_square"} x={x} y={y} size={size} fill={fill(colour)} />
);

export const SealIcon = ({ colour, size = 16 }: { colour: string; size?: number }): JSX.Element => (
  <Picture width={24} height={24} size={size}>
    <Seal colour={colour} x={12} y={12} size={24} />
  </Picture>
);

/** Draw the seals that a noble demands, beginning at a point; with the height of a row, each colour in a row of its own. */
export function Seals({ noble, x, y, size, rowHeight }: Place & { noble: Noble; rowHeight: number }): JSX.Element {
  const turquoise = noble.turquoise;
  return (
    <>
      {SEALS.flatMap((colour, row) =>
        Array.from({ length: noble[colour] }, (_, at) => (
          <Seal
            key={`${colour}${at}`}
            colour={colour}
            x={x + size * (0.5 + 1.1 * (rowHeight || !row ? at : at + turquoise))}
            y={rowHeight && !row && noble.violet ? y - rowHeight : y}
            size={size}
          />
        )),
      )}
    </>
  );
}

/** Draw the icon of a benefit around a point, with its amount at the right. */
export function Benefit({ noble, x, y, size }: Place & { noble: Noble }): JSX.Element {
  const { benefit, amount } = noble;
  const colour = benefit.startsWith("seal_") ? fill(benefit.slice(5)) : ink("benefit");
  const name = BENEFITS[benefit] ?? benefit;
  if (benefit === "diagonal") return <Glyph name={name} x={x} y={y} size={size} fill={colour} />;
  return (
    <>
      <Glyph name={name} x={x - size * 0.32} y={y} size={size} fill={colour} />
      <Figure text={amount} x={x + size * 0.56} y={y} size={size * 0.66} fill={ink("benefit")} />
    </>
  );
}
