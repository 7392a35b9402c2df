/**
 * Things of a board that a player can tap: focusable, named in words, operable by keyboard.
 *
 * The label says more than the picture, and in another order. So the picture itself is hidden from screen readers.
 */

import type { ComponentChildren, JSX } from "preact";

export interface Tap {
  /** What a screen reader says. */
  readonly label: string;
  /** The id of the fact that the thing shows, the same in every renderer. */
  readonly fact?: string | undefined;
  /** Whether an action that the player may take names it. */
  readonly isOffered?: boolean | undefined;
  readonly isChosen?: boolean | undefined;
  /** Choose it, or ask about it if nothing can be done with it. */
  readonly onTap: () => void;
  /** Ask for the rule behind it. */
  readonly onAsk?: (() => void) | undefined;
  readonly class?: string | undefined;
  readonly children?: ComponentChildren;
}

function listAttributes({ label: _, fact, isOffered, isChosen, onTap, onAsk, ...rest }: Tap) {
  return {
    class: `thing ${rest.class ?? ""}${isOffered ? " offered" : ""}${isChosen ? " chosen" : ""}`,
    "data-fact": fact,
    ...(isOffered && { "aria-pressed": !!isChosen }),
    onClick: (event: Event) => {
      event.stopPropagation();
      onTap();
    },
    onContextMenu: (event: Event) => {
      if (!onAsk) return;
      event.preventDefault();
      onAsk();
    },
  };
}

/** Draw a thing inside of an SVG; a still one, where there is no room to tap it, is only a picture. */
export function SvgThing(props: Tap & { transform?: string; isStill?: boolean }): JSX.Element {
  const press = (event: KeyboardEvent) => {
    const tap = () => event.currentTarget?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    const respond = { Enter: tap, " ": tap, "?": props.onAsk }[event.key];
    if (!respond) return;
    event.preventDefault();
    respond();
  };
  if (props.isStill) {
    return (
      <g class={props.class} data-fact={props.fact} transform={props.transform}>
        <title>{props.label}</title>
        {props.children}
      </g>
    );
  }
  return (
    <g {...listAttributes(props)} role="button" tabIndex={0} transform={props.transform} onKeyDown={press}>
      <title>{props.label}</title>
      <g aria-hidden="true">{props.children}</g>
    </g>
  );
}

/** Draw a thing as a button of the page. */
export function Thing(props: Tap): JSX.Element {
  const press = (event: KeyboardEvent) => {
    if (event.key === "?") props.onAsk?.();
  };
  return (
    <button type="button" {...listAttributes(props)} onKeyDown={press}>
      <span class="label">{props.label}</span>
      <span class="inside" aria-hidden="true">
        {props.children}
      </span>
    </button>
  );
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Move the focus to the nearest thing in the direction of an arrow key. */
export function moveFocus(event: KeyboardEvent): void {
  const arrow = ARROWS[event.key];
  const from = event.target as HTMLElement;
  if (!arrow || !from.classList.contains("thing")) return;
  const things = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".thing")];
  const ahead = things
    .map((thing) => ({ thing, far: measure(from, thing, arrow) }))
    .filter(({ far }) => far < Infinity);
  ahead.sort((one, other) => one.far - other.far);
  ahead[0]?.thing.focus();
  event.preventDefault();
}

/** Return how far a thing lies in a direction; sideways counts double, and infinity is not there. */
function measure(from: Element, to: Element, [dx, dy]: readonly [number, number]): number {
  const [one, other] = [from, to].map((each) => each.getBoundingClientRect()) as [DOMRect, DOMRect];
  const x = other.x + other.width / 2 - one.x - one.width / 2;
  const y = other.y + other.height / 2 - one.y - one.height / 2;
  const along = x * dx + y * dy;
  return other.width && along > 2 ? along + 2 * Math.abs(x * dy + y * dx) : Infinity;
}
