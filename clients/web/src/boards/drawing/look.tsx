/** The look of a game in the page: its colours as CSS variables for light and dark, its glyphs as SVG symbols. */

import type { ComponentChildren, JSX } from "preact";

export interface Swatch {
  readonly light: string;
  readonly dark: string;
  readonly ink_light?: string;
  readonly ink_dark?: string;
}

export interface Look {
  readonly paper: Readonly<Record<"light" | "dark", Readonly<Record<string, string>>>>;
  readonly colours: Readonly<Record<string, Swatch>>;
  readonly glyphs: Readonly<Record<string, string>>;
  readonly players: Readonly<Record<string, { readonly colour: Swatch; readonly glyph: string }>>;
}

const GRID = 24; // glyphs are drawn on a grid of 24 by 24
const WHITE = "#ffffff";

const pair = (light: string, dark: string): string => `light-dark(${light}, ${dark})`;

function listVariables(prefix: string, swatches: readonly (readonly [string, Swatch])[]): [string, string][] {
  return swatches.flatMap(([name, { light, dark, ink_light = WHITE, ink_dark = WHITE }]) => [
    [`--${prefix}-${name}`, pair(light, dark)],
    [`--${prefix}-${name}-ink`, pair(ink_light, ink_dark)],
  ]);
}

/** Return the colours of a look as CSS variables: `--ink` of the paper, `--c-lawn`, `--c-lawn-ink`, `--p-red`, … */
export function listColours({ paper, colours, players }: Look): Record<string, string> {
  const plain = Object.entries(paper.light).map(([name, light]) => [
    `--${name.replace("_", "-")}`,
    pair(light, paper.dark[name] ?? light),
  ]);
  const marks = Object.entries(players).map(([name, { colour }]) => [name, colour] as const);
  return Object.fromEntries([...plain, ...listVariables("c", Object.entries(colours)), ...listVariables("p", marks)]);
}

export const fill = (name: string): string => `var(--c-${name})`;
export const ink = (name: string): string => `var(--c-${name}-ink)`;
export const fillOf = (player: string | number): string => `var(--p-${player})`;
export const inkOf = (player: string | number): string => `var(--p-${player}-ink)`;

/** Define the glyphs once for a page; `Glyph` uses them. */
export function GlyphDefinitions({ look }: { look: Look }): JSX.Element {
  const marks = Object.entries(look.players).map(([name, { glyph }]) => [`mark-${name}`, look.glyphs[glyph]]);
  return (
    <svg class="glyphs" width="0" height="0" aria-hidden="true">
      <defs>
        {[...Object.entries(look.glyphs), ...marks].map(([name, line]) => (
          <path key={name} id={`g-${name}`} d={line} fill-rule="evenodd" />
        ))}
      </defs>
    </svg>
  );
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Draw a glyph around a point. */
export function Glyph({ name, x, y, size, fill: colour }: Place & { name: string; fill?: string }): JSX.Element {
  const scale = size / GRID;
  return (
    <use
      href={`#g-${name}`}
      transform={`translate(${round(x - size / 2)} ${round(y - size / 2)}) scale(${round(scale)})`}
      fill={colour ?? "currentColor"}
    />
  );
}

/** Draw a glyph as a picture of its own in a line of text. */
export function Icon({ name, size = 18, fill: colour }: { name: string; size?: number; fill?: string }): JSX.Element {
  return (
    <Picture width={GRID} height={GRID} size={size}>
      <Glyph name={name} x={12} y={12} size={GRID} {...(colour && { fill: colour })} />
    </Picture>
  );
}

/** Wrap drawings in a picture that assistive technology passes over. */
export function Picture(props: {
  width: number;
  height: number;
  size?: number;
  children: ComponentChildren;
  class?: string;
}): JSX.Element {
  const { width, height, size, children } = props;
  const scaled = size === undefined ? {} : { width: round((size * width) / height), height: size };
  return (
    <svg class={props.class ?? "icon"} viewBox={`0 0 ${width} ${height}`} {...scaled} aria-hidden="true">
      {children}
    </svg>
  );
}

/** Draw a magnifying glass with a plus sign, or a minus sign for what is large. */
export function Magnifier({ isLarge }: { isLarge: boolean }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={20} height={20} aria-hidden="true">
      <path
        d={`M10 3a7 7 0 1 0 0 14a7 7 0 1 0 0-14M15 15l6 6M7 10h6${isLarge ? "" : "M10 7v6"}`}
        fill="none"
        stroke="currentColor"
        stroke-width="2.2"
      />
    </svg>
  );
}

/** Draw a bold figure around a point. */
export function Figure(props: Place & { text: string | number; fill?: string; bold?: boolean }): JSX.Element {
  const { x, y, size, text, fill: colour = "var(--ink)", bold = true } = props;
  return (
    <text
      x={round(x)}
      y={round(y + size * 0.36)}
      font-size={round(size)}
      font-weight={bold ? 700 : 400}
      fill={colour}
      text-anchor="middle"
    >
      {text}
    </text>
  );
}

/** Return a number with at most two decimals. */
export const round = (number: number): number => Math.round(number * 100) / 100;
