/** The strip of thumbnails of a tall board: one part is shown large, a tap shows another. */

import type { ComponentChildren, JSX } from "preact";

export interface Pane {
  readonly name: string;
  readonly title: string;
  /** The mark of the player whose part it is. */
  readonly mark?: ComponentChildren;
  readonly thumbnail: ComponentChildren;
  /** Whether the player can do something there now. */
  readonly isOffered?: boolean;
}

interface StripProps {
  readonly panes: readonly Pane[];
  readonly shown: string;
  readonly label: string;
  onShow(name: string): void;
}

/** Draw the thumbnails of all parts. */
export function Strip({ panes, shown, label, onShow }: StripProps): JSX.Element {
  return (
    <nav class="strip" aria-label={label}>
      {panes.map(({ name, title, mark, thumbnail, isOffered }) => (
        <button
          type="button"
          key={name}
          class={isOffered ? "offered" : ""}
          aria-pressed={name === shown}
          onClick={() => onShow(name)}
        >
          {thumbnail}
          <span>
            {mark} {title}
          </span>
        </button>
      ))}
    </nav>
  );
}
