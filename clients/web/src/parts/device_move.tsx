/** A code, a link and a picture that make another device the same user; and the dialog there that asks before it does so. */

import { useSignal } from "@preact/signals";
import { say } from "../i18n/languages.ts";
import { addressOf } from "../route.ts";
import { call, fail, logIn, notice, useIdentity, userName } from "../session.ts";
import { CopyableLink } from "./copyable_link.tsx";
import { Dialog } from "./dialog.tsx";
import { QrCode } from "./qr_code.tsx";

/** The fragment of a link that holds a code; it is never sent to a server. */
const FRAGMENT = "#move=";

/** Become the user of a code. */
async function useCode(code: string): Promise<void> {
  useIdentity(await logIn({ code }));
  notice.value = say("you_are", { name: userName.value });
}

export function OtherDevice() {
  const made = useSignal<{ code: string; minutes: number } | null>(null);
  const typed = useSignal("");
  const make = () =>
    call<{ code: string; minutes: number }>("v1/me/codes", { method: "POST" }).then(
      (code) => (made.value = code),
      fail,
    );
  const use = (event: Event) => {
    event.preventDefault();
    useCode(typed.value.trim()).catch(fail);
  };
  return (
    <fieldset>
      <legend>{say("other_device")}</legend>
      {made.value ? (
        <ShownCode {...made.value} />
      ) : (
        <button type="button" onClick={make}>
          {say("make_code")}
        </button>
      )}
      <form onSubmit={use}>
        <label>
          <span>{say("enter_code")}</span>
          <input value={typed.value} maxLength={16} onInput={(event) => (typed.value = event.currentTarget.value)} />
          <button type="submit">{say("use_code")}</button>
        </label>
      </form>
    </fieldset>
  );
}

function ShownCode({ code, minutes }: { code: string; minutes: number }) {
  const link = addressOf(`${FRAGMENT}${code}`);
  return (
    <>
      <p>
        <strong class="code">{code}</strong>
      </p>
      <p>{say("other_device_hint", { minutes })}</p>
      <CopyableLink link={link} label={say("other_device")} />
      <QrCode text={link} />
    </>
  );
}

/** Ask before this device becomes another user: whoever sends the link may have made it. */
export function MoveDialog({ code, onClose }: { code: string; onClose: () => void }) {
  const move = () => useCode(code).catch(fail).finally(onClose);
  return (
    <Dialog title={say("other_device")} onClose={onClose}>
      <p>{say("move_question", { name: userName.value || "–" })}</p>
      <p class="row">
        <button type="button" class="main" onClick={move}>
          {say("move_here")}
        </button>
        <button type="button" onClick={onClose}>
          {say("cancel")}
        </button>
      </p>
    </Dialog>
  );
}
