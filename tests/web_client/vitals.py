"""How soon and how steadily a page is there: on a slow line and a processor that is slowed down four times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from web_client.players import Player

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SLOW_LINE = {
    "offline": False,
    "latency": 150,  # milliseconds
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
WATCH = """
window.vitals = {lcp: 0, cls: 0, inp: 0}
const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note))
    .observe({type, buffered: true, durationThreshold: 16})
watch("largest-contentful-paint", (each) => { vitals.lcp = each.startTime })
watch("layout-shift", (each) => { if (!each.hadRecentInput) vitals.cls += each.value })
watch("event", (each) => { vitals.inp = Math.max(vitals.inp, each.duration) })
"""
# Requests that had to end before the first paint: those that block it are the page, its styles and its script.
REQUESTS = """() => {
    const [paint] = performance.getEntriesByName("first-contentful-paint")
    return 1 + performance.getEntriesByType("resource").filter((each) => each.responseEnd <= paint.startTime).length
}"""


@dataclass(frozen=True)
class Vitals:
    """Milliseconds; the shift has no unit."""

    requests: int
    lcp: float
    inp: float
    cls: float


async def measure_vitals(person: Player, path: str) -> Vitals:
    """Load a page of a table as a slow phone does, tap a verb, and return what the browser measured."""
    page = await person.context.new_page()
    session = await person.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    await session.send("Network.setBypassServiceWorker", {"bypass": True})
    await session.send("Network.emulateNetworkConditions", SLOW_LINE)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    await page.add_init_script(WATCH)
    await page.goto(f"{person.house.url}/{path}")
    await page.locator(".board-area .board").wait_for()
    await page.locator("#choices [data-verb]").first.wait_for()
    figures = await page.evaluate("vitals")
    requests = await page.evaluate(REQUESTS)
    for _ in range(3):
        await page.locator("#choices [data-verb]").first.tap()
    inp = await page.evaluate("new Promise((resolve) => setTimeout(() => resolve(vitals.inp), 500))")
    await page.close()
    return Vitals(requests, figures["lcp"], inp, figures["cls"])
