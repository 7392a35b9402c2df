/** Addresses of this client. They are relative to the base of the page, so that any prefix works. */

import { signal } from "@preact/signals";

/** Where the server's pages are, with a slash at the end. */
export const base = new URL(".", document.baseURI).href;

/** Whether this page is a public board for a TV; it is so from when it is loaded. */
export const isTv = new URLSearchParams(location.search).get("view") === "table";

export interface Route {
  /** `lobby`, `new`, `t`, `replay`, `operator`; anything else is unknown. */
  readonly page: string;
  readonly table: string;
  readonly query: URLSearchParams;
}

export const route = signal(readRoute());

/** Return the address of a page: `t/<table>?i=<invitation>`. */
export function addressOf(path: string): string {
  return new URL(path, base).href;
}

/** Show another page without loading it. */
export function go(path: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", addressOf(path));
  route.value = readRoute();
  globalThis.scrollTo(0, 0);
}

/** Follow links within this client without loading. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    route.value = readRoute();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest?.("a");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (!link || !isPlain || link.target || link.download || !link.href.startsWith(base)) return;
    const path = link.href.slice(base.length);
    if (link.hash && path.startsWith("#")) return;
    if (/^(v1|docs|assets)\b/.test(path)) return;
    event.preventDefault();
    go(path);
  });
}

function readRoute(): Route {
  const path = location.href.slice(base.length).split(/[?#]/)[0] ?? "";
  const [page = "", table = ""] = path.split("/");
  return { page: page || "lobby", table: decodeURIComponent(table), query: new URLSearchParams(location.search) };
}
