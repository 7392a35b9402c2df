/** A link with a button that copies it, also where the browser has no clipboard: on a LAN without https. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { say } from "../i18n/languages.ts";

export function CopyableLink({ link, label }: { link: string; label: string }) {
  const isCopied = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const copy = async () => {
    input.current?.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(link).catch(() => document.execCommand("copy"));
    else document.execCommand("copy");
    isCopied.value = true;
  };
  return (
    <p class="row copyable">
      <input ref={input} readOnly value={link} aria-label={label} onFocus={(event) => event.currentTarget.select()} />
      <button type="button" onClick={copy}>
        {say(isCopied.value ? "copied" : "copy")}
      </button>
    </p>
  );
}
