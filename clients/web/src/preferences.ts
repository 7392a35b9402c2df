/** What this browser remembers: colours, sound, motion. */

import { effect, signal } from "@preact/signals";
import { lang } from "./i18n/languages.ts";

const PREFIX = "palatine.";

/** Read a value that this browser remembers; storage may be forbidden. */
export function recall(key: string): string {
  try {
    return localStorage.getItem(PREFIX + key) ?? "";
  } catch {
    return "";
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // The browser forbids it; the value lasts as long as the page.
  }
}

export const scheme = signal(recall("scheme") || "auto");
export const sound = signal(recall("sound") !== "off");
export const motion = signal(recall("motion") !== "off");
/** Whether single letters are shortcuts; who dictates or uses switches may turn them off. */
export const shortcuts = signal(recall("shortcuts") !== "off");
export const notifications = signal(recall("notifications") === "on");

const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

/** Whether things may move. */
export const moves = (): boolean => motion.value && !reduced.matches;

/** The colours that are shown: `light` or `dark`. */
export const shownScheme = signal<"light" | "dark">("light");

/** Keep the page and this browser's memory as the reader wants them. */
export function applyPreferences(): void {
  const apply = () => {
    const isDark = scheme.value === "dark" || (scheme.value === "auto" && dark.matches);
    shownScheme.value = isDark ? "dark" : "light";
    document.documentElement.dataset.scheme = shownScheme.value;
  };
  dark.addEventListener("change", apply);
  effect(() => {
    remember("scheme", scheme.value);
    apply();
  });
  effect(() => {
    remember("lang", lang.value);
    document.documentElement.lang = lang.value;
  });
  effect(() => remember("sound", sound.value ? "on" : "off"));
  effect(() => remember("motion", motion.value ? "on" : "off"));
  effect(() => remember("shortcuts", shortcuts.value ? "on" : "off"));
  effect(() => remember("notifications", notifications.value ? "on" : "off"));
}
