/** What calls a player back to the table: the title, a sound, a notification. */

import type { View } from "palatine-client";
import { say } from "../i18n/languages.ts";
import { notifications, sound } from "../preferences.ts";
import { addressOf } from "../route.ts";
import { announce } from "./live_region.tsx";

/** Whether the table waits for this user. */
export function mustDecide({ waiting, seat, info }: View): boolean {
  return info.status === "playing" && waiting.some((each) => each.seat === seat) && !info.seats[seat ?? -1]?.bot;
}

/** Name the state of a table in the title of the page. */
export function showTitle(view: View, title: string): void {
  document.title = mustDecide(view) ? `● ${say("your_turn")} · ${title}` : `${title} · ${say("app")}`;
}

/** Call the player when their turn begins. */
export function callPlayer(before: View, after: View, title: string): void {
  if (!mustDecide(after) || mustDecide(before)) return;
  announce(say("your_turn"));
  if (sound.value) playSound();
  if (notifications.value && document.hidden) notify(title, after.table).catch(() => {});
}

/** Show a notification; phones show only those of a service worker. */
async function notify(title: string, table: string): Promise<void> {
  if (globalThis.Notification?.permission !== "granted") return;
  const options = {
    body: say("your_turn"),
    tag: table,
    data: addressOf(`t/${table}`),
    icon: addressOf("icon-192.png"),
  };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) await worker.showNotification(title, options);
  else new Notification(title, options);
}

/** Two short notes; made here, so that no file is loaded. */
function playSound(): void {
  try {
    const context = new AudioContext();
    for (const [at, frequency] of [659, 880].entries()) playNote(context, frequency, at * 0.16);
    setTimeout(() => context.close(), 1000);
  } catch {
    // No sound device, or the browser wants a tap first.
  }
}

function playNote(context: AudioContext, frequency: number, delay: number): void {
  const oscillator = new OscillatorNode(context, { frequency, type: "sine" });
  const gain = new GainNode(context, { gain: 0 });
  const start = context.currentTime + delay;
  gain.gain.setValueAtTime(0.0001, start);
  gain.gain.exponentialRampToValueAtTime(0.18, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.3);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + 0.32);
}
