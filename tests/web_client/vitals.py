"""How soon and how steadily a page is there: on a slow line and a processor that is slowed down four times."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession, Page
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


# What a page costs is compared with this work, which the same processor does a moment later.
REFERENCE = """() => {
    const items = Array.from({length: 2000}, (_, at) => ({at, name: `item ${at}`, values: [at, 2 * at]}))
    let length = 0
    for (let times = 0; times < 60; times++) length += JSON.stringify(JSON.parse(JSON.stringify(items))).length
    return length
}"""
TAPS = 3
# Jumps in a replay, waits until the new event is drawn, and returns the milliseconds.
JUMP = """async (place) => {
    const slider = document.querySelector(".scrubber input[type=range]")
    const drawn = new Promise((resolve) => new MutationObserver((_, observer) => {
        observer.disconnect()
        resolve()
    }).observe(document.querySelector("#position"), {childList: true, characterData: true, subtree: true}))
    const began = performance.now()
    slider.value = place
    slider.dispatchEvent(new Event("input", {bubbles: true}))
    await drawn
    return performance.now() - began
}"""


@dataclass(frozen=True)
class Vitals:
    """Milliseconds; the shift has no unit."""

    requests: int
    lcp: float
    inp: float
    cls: float


@dataclass(frozen=True)
class Work:
    """What a page asks of a phone; processor time is in units of the reference, so that other work does not count."""

    requests: int
    load: float
    tap: float
    cls: float


async def measure_vitals(person: Player, path: str) -> Vitals:
    """Load a page of a table as a slow phone does, tap a verb, and return what the browser measured."""
    async with open_slowly(person) as (page, session):
        await session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        await show_table(page, f"{person.house.url}/{path}")
        figures = await page.evaluate("vitals")
        requests = await page.evaluate(REQUESTS)
        await tap_a_verb(page)
        inp = await page.evaluate("new Promise((resolve) => setTimeout(() => resolve(vitals.inp), 500))")
        return Vitals(requests, figures["lcp"], inp, figures["cls"])


async def measure_work(person: Player, path: str) -> Work:
    """Load a page of a table over a slow line, tap a verb, and return the processor time of the page's main thread."""
    async with open_slowly(person) as (page, session):
        await enable_meter(session)
        load = await measure_time(session, show_table(page, f"{person.house.url}/{path}"))
        cls = await page.evaluate("vitals.cls")
        requests = await page.evaluate(REQUESTS)
        taps = await measure_time(session, tap_a_verb(page))
        reference = await measure_time(session, page.evaluate(REFERENCE))
        return Work(requests, load / reference, taps / TAPS / reference, cls)


@asynccontextmanager
async def open_slowly(person: Player) -> AsyncIterator[tuple[Page, CDPSession]]:
    """A page on a slow line without a cache."""
    page = await person.context.new_page()
    session = await person.context.new_cdp_session(page)
    await session.send("Network.enable")
    await session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    await session.send("Network.setBypassServiceWorker", {"bypass": True})
    await session.send("Network.emulateNetworkConditions", SLOW_LINE)
    await page.add_init_script(WATCH)
    yield page, session
    await page.close()


async def show_table(page: Page, url: str) -> None:
    await page.goto(url)
    await page.locator(".board-area .board").wait_for()
    await page.locator("#choices [data-verb]").first.wait_for()


async def tap_a_verb(page: Page) -> None:
    for _ in range(TAPS):
        await page.locator("#choices [data-verb]").first.tap()


async def open_meter(page: Page) -> CDPSession:
    """Return a session of this page for `measure_time`."""
    session = await page.context.new_cdp_session(page)
    await enable_meter(session)
    return session


async def enable_meter(session: CDPSession) -> None:
    await session.send("Performance.enable", {"timeDomain": "threadTicks"})


async def measure_time(session: CDPSession, doing: Awaitable[Any]) -> float:
    """Return the seconds of processor time that the main thread of the page spends meanwhile."""
    before = await read_task_time(session)
    await doing
    return await read_task_time(session) - before


async def read_task_time(session: CDPSession) -> float:
    answer = await session.send("Performance.getMetrics")
    return next(each["value"] for each in answer["metrics"] if each["name"] == "TaskDuration")
