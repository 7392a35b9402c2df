/** The same action several times, one after the other: each next one as soon as the table has taken the last. */

import { useEffect, useState } from "preact/hooks";
import type { Choice, Part } from "../contract.ts";

interface Repetition {
  readonly part: Part;
  readonly left: number;
  readonly version: number; // of the table when the last one was sent
}

/** Return a function that carries out an action several times; it stops as soon as the action is not offered. */
export function useRepetition(choice: Choice, version: number): (part: Part, times: number) => void {
  const [now, setNow] = useState<Repetition | null>(null);
  useEffect(() => {
    if (!now || version === now.version) return;
    if (!now.left || !choice.can(now.part)) setNow(null);
    else if (!choice.action || !choice.has(now.part)) choice.choose(now.part);
    else {
      setNow({ ...now, left: now.left - 1, version });
      choice.confirm();
    }
  }, [now, version, choice.action]);
  return (part, left) => setNow({ part, left, version: -1 });
}
