/** A dialog of the browser: it keeps the focus inside, and Escape closes it. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { say } from "../i18n/languages.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  return (
    <dialog ref={element} aria-label={title} onClose={onClose}>
      <div>
        <div class="head">
          <h2>{title}</h2>
          <button type="button" onClick={() => element.current?.close()}>
            {say("close")}
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
