/** The players with their clocks. */

import { useSignal } from "@preact/signals";
import type { View } from "palatine-client";
import { useEffect } from "preact/hooks";
import { say } from "../i18n/languages.ts";
import { client } from "../session.ts";

const SHORT = 10_000; // milliseconds that are left when a clock becomes red

export function Seats({ view }: { view: View }) {
  return (
    <ul class="seats" aria-label={say("seats")}>
      {view.info.seats.map((seat, at) => {
        const waited = view.waiting.find((each) => each.seat === at);
        return (
          <li key={at} class={waited && view.info.status === "playing" ? "seat turn" : "seat"}>
            <strong>{seat?.name ?? say("free_seat")}</strong>
            <span class="small soft">{listMarks(view, at).join(" · ")}</span>
            {waited?.until != null && <Countdown until={waited.until} />}
            {!waited && seat?.bank != null && <span class="clock small">{formatTime(seat.bank)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function listMarks(view: View, at: number): string[] {
  const seat = view.info.seats[at];
  return [
    at === view.seat ? say("you") : "",
    seat?.substitute ? say("substitute") : seat?.bot ? say("bot") : "",
    seat?.host ? say("host") : "",
    seat?.away ? say("away") : "",
    seat?.ready && view.info.status === "open" ? say("is_ready") : "",
  ].filter(Boolean);
}

function Countdown({ until }: { until: number }) {
  const now = useSignal(Date.now());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, until - (now.value + (client.value?.clockOffset ?? 0)));
  return <span class={left < SHORT ? "clock short" : "clock"}>{formatTime(left)}</span>;
}

/** Return milliseconds as `1:05`, `2:03:09` or whole days. */
export function formatTime(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = `${seconds % 60}`.padStart(2, "0");
  if (hours >= 48) return `${Math.floor(hours / 24)} d`;
  return hours ? `${hours}:${`${minutes}`.padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}
