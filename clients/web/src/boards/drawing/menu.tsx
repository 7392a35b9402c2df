/** A menu for a tap that can mean several things. */

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Choice, Part, Words } from "../contract.ts";

interface Open {
  readonly version: number;
  readonly meanings: readonly Part[];
}

interface MenuState {
  readonly meanings: readonly Part[];
  decide(meanings: readonly Part[]): void;
  close(): void;
}

/** Keep the meanings of the last tap until the table changes; a tap with one meaning is chosen at once. */
export function useMenu(choice: Choice, version: number): MenuState {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const decide = (meanings: readonly Part[]) => {
    if (meanings.length > 1) return setOpen({ version, meanings });
    close();
    for (const part of meanings) choice.choose(part);
  };
  return { meanings: open?.version === version ? open.meanings : [], decide, close };
}

interface MenuProps extends MenuState {
  readonly choice: Choice;
  readonly words: Words;
  readonly title: string;
}

/** Draw the menu: a button for each meaning. */
export function Menu({ meanings, close, choice, words, title }: MenuProps): JSX.Element | null {
  if (!meanings.length) return null;
  const take = (part: Part) => {
    close();
    choice.choose(part);
  };
  return (
    <fieldset class="menu">
      <legend>{title}</legend>
      {meanings.map((part) => (
        <button type="button" key={`${part["do"]}`} onClick={() => take(part)}>
          {words.verb(`${part["do"]}`)}
        </button>
      ))}
    </fieldset>
  );
}
