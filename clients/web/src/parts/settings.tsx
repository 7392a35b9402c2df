/** Settings: name, language, colours, sound, notifications, other devices, login. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { lang, nameLanguages, say, useLanguage } from "../i18n/languages.ts";
import { motion, notifications, scheme, shortcuts, sound } from "../preferences.ts";
import { call, client, currentToken, fail, notice, rename, userName } from "../session.ts";
import { OtherDevice } from "./device_move.tsx";
import { Dialog } from "./dialog.tsx";
import { startLogin } from "./login.ts";
import { Switch } from "./switch.tsx";

const SCHEMES = ["auto", "light", "dark"] as const;

export function Settings({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={say("settings")} onClose={onClose}>
      <NameForm />
      <LanguageChoice />
      <label>
        <span>{say("scheme")}</span>
        <select value={scheme.value} onChange={(event) => (scheme.value = event.currentTarget.value)}>
          {SCHEMES.map((each) => (
            <option key={each} value={each}>
              {say(`scheme_${each}`)}
            </option>
          ))}
        </select>
      </label>
      <Switch label={say("sound")} value={sound.value} onChange={(value) => (sound.value = value)} />
      <Switch label={say("notifications")} value={notifications.value} onChange={allowNotifications} />
      <Switch label={say("motion")} value={motion.value} onChange={(value) => (motion.value = value)} />
      <Switch label={say("shortcuts")} value={shortcuts.value} onChange={(value) => (shortcuts.value = value)} />
      <OtherDevice />
      <Login />
      <p class="soft small">{say("my_id", { id: client.value?.session.welcome?.user ?? "–" })}</p>
    </Dialog>
  );
}

function LanguageChoice() {
  const languages = useSignal<Awaited<ReturnType<typeof nameLanguages>>>([]);
  useEffect(() => {
    nameLanguages().then((named) => (languages.value = named), fail);
  }, []);
  return (
    <label>
      <span>{say("language")}</span>
      <select value={lang.value} onChange={(event) => useLanguage(event.currentTarget.value).catch(fail)}>
        {languages.value.map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function NameForm() {
  const name = useSignal(userName.value);
  const save = (event: Event) => {
    event.preventDefault();
    rename(name.value.trim()).then(() => (notice.value = say("you_are", { name: userName.value })), fail);
  };
  return (
    <form onSubmit={save}>
      <label>
        <span>{say("name")}</span>
        <input
          value={name.value}
          maxLength={24}
          autocomplete="nickname"
          onInput={(event) => (name.value = event.currentTarget.value)}
        />
        <button type="submit">{say("save")}</button>
      </label>
    </form>
  );
}

async function allowNotifications(value: boolean): Promise<void> {
  if (!value) notifications.value = false;
  else if (globalThis.Notification && (await Notification.requestPermission()) === "granted")
    notifications.value = true;
  else notice.value = say("notifications_denied");
}

/** The login is there only if the server trusts an issuer. */
function Login() {
  const issuer = useSignal<{ issuer: string; client_id: string } | null>(null);
  useEffect(() => {
    call<{ issuer: string; client_id: string }>("v1/login", { token: "" }).then(
      (found) => (issuer.value = found),
      () => {},
    );
  }, []);
  const found = issuer.value;
  if (!found || !currentToken()) return null;
  return (
    <p class="row">
      <button type="button" onClick={() => startLogin(found).catch(fail)}>
        {say("login")}
      </button>
      <span class="soft small">{say("login_hint")}</span>
    </p>
  );
}
