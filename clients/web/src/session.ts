/** The user and the connection of this page. */

import { effect, signal } from "@preact/signals";
import { type Client, Refused, type Status } from "palatine-client";
import { createGuest } from "palatine-client/guests";
import { createClient } from "palatine-client/json";
import { hasText, say, useLanguage } from "./i18n/languages.ts";
import { recall, remember } from "./preferences.ts";
import { base, isTv } from "./route.ts";

const RENEW_BEFORE = 7 * 86_400; // seconds before a token expires
const RETRY_AFTER = 3000; // milliseconds
const TOKEN_REFUSALS = ["bad_token", "token_expired", "token_revoked"];
export const server = base.replace(/\/$/, "");

/** A token, and the user whom it stands for. */
interface Identity {
  readonly token: string;
  readonly name: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

export const client = signal<Client | null>(null);
export const status = signal<Status | null>(null);
/** Whether there was no server when this page wanted to know its user. */
const isUnreachable = signal(false);
export const userName = signal(recall("name"));

/** A sentence that is shown for a while. */
export const notice = signal("");

/** Show what went wrong. */
export function fail(error: unknown): void {
  notice.value = describeError(error);
}

/** Return the sentence for an error; for the usual refusals, in the reader's language. */
export function describeError(error: unknown): string {
  const key = error instanceof Refused ? `refusal_${error.code}` : "";
  if (hasText(key)) return say(key);
  if (error instanceof TypeError && !navigator.onLine) return say("no_network");
  return error instanceof Error ? error.message : `${error}`;
}

/** Return the token of the user; a TV is a guest of its own, so that it never shows the hand of a player. */
export const currentToken = (): string => recall(isTv ? "tv_token" : "token");

/** Connect as the user whom this browser remembers, or as a new guest; try again until there is a network. */
export async function connectUser(): Promise<void> {
  for (;;) {
    try {
      await connectOnce();
      isUnreachable.value = false;
      return;
    } catch (error) {
      if (error instanceof Refused) throw error;
      isUnreachable.value = true;
      await waitForNetwork();
    }
  }
}

/** Wait until the browser says that there is a network, but not longer than a while: it may be wrong. */
const waitForNetwork = (): Promise<unknown> =>
  new Promise((resolve) => {
    addEventListener("online", resolve, { once: true });
    setTimeout(resolve, RETRY_AFTER);
  });

async function connectOnce(): Promise<void> {
  const token = currentToken();
  const isFresh = Number(recall("expires")) - Date.now() / 1000 > RENEW_BEFORE;
  if (token && (isTv || isFresh)) connect(token);
  else useIdentity(await (token ? renew(token) : createUser()));
}

/** Be this user from now on, and remember them. */
export function useIdentity({ token, name, expires }: Identity): void {
  remember(isTv ? "tv_token" : "token", token);
  if (!isTv) {
    remember("expires", `${expires}`);
    remember("name", name);
    userName.value = name;
  }
  connect(token);
}

/** Replace the connection by one of another token. */
function connect(token: string): void {
  client.value?.close();
  const next = createClient(server, { token, client: "palatine-web 0.1", patience: 2 ** 31 - 1 });
  next.subscribe((present) => {
    if (client.value !== next) return;
    status.value = present;
    if (TOKEN_REFUSALS.includes(present.reason?.refusal ?? "")) createUser().then(useIdentity, fail);
  });
  client.value = next;
  status.value = next.status;
}

const createUser = (): Promise<Identity> =>
  createGuest(server, !isTv && recall("name") ? { name: recall("name") } : {});

/** Get a new token of the same user; if the server no longer takes the old one, of a new guest. */
async function renew(token: string): Promise<Identity> {
  return moveUser(token, recall("name")).catch((error) => {
    if (error instanceof Refused && TOKEN_REFUSALS.includes(error.code)) return createUser();
    throw error;
  });
}

/** Get a new token of the same user, whether they are a guest or have logged in, by a code as for another device. */
async function moveUser(token: string, name: string): Promise<Identity> {
  const { code } = await call<{ code: string }>("v1/me/codes", { method: "POST", token });
  return logIn({ code, ...(name ? { name } : {}) });
}

/** Get a token by a code of another device, or by the token of the issuer. */
export const logIn = (body: object): Promise<Identity> =>
  call<Identity>("v1/login", { method: "POST", body, token: "" });

/** Change the user's name; the seats keep their players. */
export async function rename(name: string): Promise<void> {
  useIdentity(await moveUser(currentToken(), name));
}

/** Send a request to the HTTP routes of the server; a refusal is thrown. */
export async function call<T>(path: string, { method = "GET", body = null as unknown, token = currentToken() } = {}) {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const init: RequestInit = { method, headers, ...(body === null ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${server}/${path}`, init);
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  throw new Refused({ code: `${response.status}`, sentence: `HTTP ${response.status}`, ...answer });
}

/** Another tab may have changed the user: follow it. */
export function followOtherTabs(): void {
  addEventListener("storage", ({ key, newValue }) => {
    const isOther = !isTv && key === "palatine.token" && newValue !== client.value?.session.token;
    if (isOther && newValue) connect(newValue);
    if (key === "palatine.name" && newValue) userName.value = newValue;
    if (key === "palatine.lang" && newValue) useLanguage(newValue).catch(fail);
  });
}

/** Forget the notice after a while, long enough to read it. */
export function fadeNotices(): void {
  let timer = 0;
  effect(() => {
    clearTimeout(timer);
    const text = notice.value;
    if (text) timer = setTimeout(() => (notice.value = ""), 4000 + 60 * text.length);
  });
}

/** Return the sentence for the connection's state; empty while all is well. */
export function describeStatus(): string {
  const present = status.value;
  if (isUnreachable.value) return say("offline");
  if (!present || present.state === "online") return "";
  const { reason } = present;
  const key = `refusal_${reason?.refusal}`;
  if (reason) return say("closed", { sentence: hasText(key) ? say(key) : reason.message });
  return say("offline");
}
