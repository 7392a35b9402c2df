"""`make bench`: what a picture of a whole board costs, as SVG and as PNG, and how long the event loop waits meanwhile.

The boards are those at the end of games, when they are largest. SVG is drawn in this process, in processor time. PNG is
drawn in a worker process, as a server does it, in real time with the way there and back. `pause` is the longest time in
which the event loop of this process did not run while PNGs were drawn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import anyio
from drawing.facts import NAMES, Moment, at_end, play_until
from rich.console import Console
from rich.table import Table

from palatine_client.render.pictures import draw_picture
from palatine_client.render.raster.markup_check import check_markup
from palatine_protocol.messages import Info, Seated, Snapshot
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES
from palatine_server.metrics import Metrics
from palatine_server.pictures.jobs import PictureJob, PictureStyle, build_view, encode_job, msgspec
from palatine_server.pictures.pool import PicturePool
from palatine_server.pictures.worker import encode_picture
from palatine_server.settings import Settings

TRIES = 15
TILES = 80  # the size of the board that the bars are about: 5 ms as SVG, 200 ms as PNG
CASES = {"between_two_castles": 4, "noblemen": 5, "palais_royal": 4}  # players


class Case(NamedTuple):
    """A board, and the jobs of its pictures."""

    game: Game
    pieces: int
    jobs: dict[str, bytes]

    def draw_svg(self) -> str:
        """Draw the picture in this process, as a worker does."""
        return draw_picture(build_view(msgspec.msgpack.decode(self.jobs["svg"], type=PictureJob), self.game))


def build_case(game: Game, players: int) -> Case:
    """Play a game to its end."""
    moment = Moment("end", play_until(game, players, at_end), None)
    pieces = sum(1 for fact in import_module(f"drawing.{game.name}").list_facts(moment) if fact.piece)
    seats: list[Any] = [Seated(name=name) for name in NAMES[:players]]
    info = Info(game=game.name, status="over", visibility="public", host="", seats=seats, options={})
    empty: dict[str, Any] = {
        "offer": None,
        "waiting": [],
        "can_undo": False,
        "digest": 0,
        "info_digest": 0,
        "view": None,
    }
    snapshot = Snapshot(table="t", version=1, seat=None, info=info, board=moment.view()["board"], hand=None, **empty)
    return Case(game, pieces, {kind: encode_job(game, snapshot, PictureStyle(kind)) for kind in ("svg", "png")})


def list_cases() -> Iterator[Case]:
    yield from (build_case(GAMES[name], players) for name, players in CASES.items())


def time_work(work: Callable[[], Any], tries: int = TRIES) -> list[float]:
    """Return how many milliseconds of processor time some work takes, each time."""
    times = []
    for _ in range(tries):
        began = process_time()
        work()
        times.append(1000 * (process_time() - began))
    return times


# In a worker


class LoopPauses:
    """Measures how long the event loop did not run."""

    longest = 0.0

    async def measure(self) -> None:
        """Note the longest pause, until cancelled."""
        while True:
            began = perf_counter()
            await asyncio.sleep(0.001)
            self.longest = max(self.longest, 1000 * (perf_counter() - began) - 1)


@asynccontextmanager
async def open_pool() -> Any:
    pool = PicturePool(Settings(), Metrics())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(pool.end_idle_processes)
        yield pool
        tasks.cancel_scope.cancel()


async def time_worker(case: Case) -> tuple[list[float], float]:
    """Return the milliseconds from asking for a PNG until it is there, and the longest pause of the loop."""
    pauses, times = LoopPauses(), []
    async with open_pool() as pool, anyio.create_task_group() as tasks:
        await pool.draw(case.jobs["svg"], "")  # starts the process
        tasks.start_soon(pauses.measure)
        for _ in range(TRIES):
            pool._cache._pictures.clear()
            began = perf_counter()
            await pool.draw(case.jobs["png"], "")
            times.append(1000 * (perf_counter() - began))
        tasks.cancel_scope.cancel()
    return times, pauses.longest


def main() -> None:
    """Print a row for each game: processor time in this process, then real time in a worker."""
    columns = ("game", "pieces", "SVG", "check", "PNG", "PNG in a worker", "KiB", "pause")
    table = Table(*columns, title="Pictures, in milliseconds")
    for case in list_cases():
        svg = case.draw_svg()
        checked = min(time_work(partial(check_markup, svg)))
        drawn, pixels = min(time_work(case.draw_svg)) - checked, min(time_work(partial(encode_picture, svg, "png")))
        sent, pause = asyncio.run(time_worker(case))
        times = [f"{drawn:.1f}", f"{checked:.1f}", f"{pixels:.0f}", f"{median(sent):.0f}"]
        table.add_row(
            case.game.name, str(case.pieces), *times, str(len(encode_picture(svg, "png")) // 1024), f"{pause:.1f}"
        )
    Console().print(table)


if __name__ == "__main__":
    main()
