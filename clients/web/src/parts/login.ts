/**
 * The login of a trusted issuer, by OpenID Connect with a code and PKCE in this page.
 *
 * The browser goes to the issuer and comes back to the lobby with a code. Nothing of the issuer is loaded into our pages.
 */

import { say } from "../i18n/languages.ts";
import { recall, remember } from "../preferences.ts";
import { base } from "../route.ts";
import { currentToken, logIn, notice, useIdentity, userName } from "../session.ts";
import { sha256, toBytes } from "./sha256.ts";

interface Issuer {
  readonly issuer: string;
  readonly client_id: string;
}

/** A login that has begun: what this page must find again when the browser comes back. */
interface BegunLogin extends Issuer {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

interface Endpoints {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

const findEndpoints = async (issuer: string): Promise<Endpoints> =>
  (await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)).json();

/** Go to the issuer. */
export async function startLogin({ issuer, client_id }: Issuer): Promise<void> {
  const begun: BegunLogin = { issuer, client_id, verifier: randomText(), state: randomText(), nonce: randomText() };
  remember("login", JSON.stringify(begun));
  const { authorization_endpoint } = await findEndpoints(issuer);
  const query = {
    client_id,
    redirect_uri: base,
    response_type: "code",
    scope: "openid profile",
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: toText(sha256(toBytes(begun.verifier))),
    code_challenge_method: "S256",
  };
  location.href = `${authorization_endpoint}?${new URLSearchParams(query)}`;
}

/** Finish the login with which the issuer has sent the browser back; return whether this page began it. */
export async function finishLogin(query: URLSearchParams): Promise<boolean> {
  const begun: BegunLogin | null = JSON.parse(recall("login") || "null");
  if (!begun || query.get("state") !== begun.state) return false;
  remember("login", "");
  history.replaceState(null, "", base);
  const { token_endpoint } = await findEndpoints(begun.issuer);
  const fields = {
    grant_type: "authorization_code",
    code: query.get("code") ?? "",
    redirect_uri: base,
    client_id: begun.client_id,
    code_verifier: begun.verifier,
  };
  const answer = await (await fetch(token_endpoint, { method: "POST", body: new URLSearchParams(fields) })).json();
  if (readNonce(answer.id_token) !== begun.nonce) throw new Error("The issuer answered another login.");
  await exchange(answer.id_token);
  return true;
}

/** Get our token for the issuer's; a new user is the guest of this browser, who keeps their games. */
async function exchange(id_token: string): Promise<void> {
  const guest = currentToken();
  useIdentity(await logIn({ id_token, guest }).catch(() => logIn({ id_token })));
  notice.value = say("you_are", { name: userName.value });
}

/** Return the nonce of an ID token; the server checks its signature. */
function readNonce(token: string): unknown {
  const body = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
  return JSON.parse(atob(body)).nonce;
}

const randomText = (): string => toText(crypto.getRandomValues(new Uint8Array(32)));

function toText(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}
