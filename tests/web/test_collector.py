"""The garbage collector looks at everything in quiet moments only, and closed tables leave it nothing to find."""

import gc
import weakref
from itertools import count
from pathlib import Path

import anyio
import pytest
from server_fixture import House, opened, running

from palatine_protocol.messages import Sit, Start, Watch
from palatine_server.tables.table import Table as ServerTable
from palatine_server.web.collector import (
    AT_LEAST_EVERY,
    AT_MOST_EVERY,
    FEW_REQUESTS,
    QUIET,
    QuietCollector,
    collect_all,
)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_it_is_time_after_some_quiet_looks_and_not_too_often() -> None:
    clock = Clock()
    collector = QuietCollector(lambda: 7, clock)
    assert not any(collector.is_time() for _ in range(2 * QUIET)), "the last time is not long ago"
    clock.now += AT_MOST_EVERY
    assert collector.is_time()
    assert not any(collector.is_time() for _ in range(2 * QUIET))


def test_it_is_not_time_while_requests_come_in_unless_it_was_awaited_for_very_long() -> None:
    clock, requests = Clock(), count()
    collector = QuietCollector(lambda: next(requests), clock)
    clock.now += AT_LEAST_EVERY - 1
    assert not any(collector.is_time() for _ in range(2 * QUIET))
    clock.now += 1
    assert collector.is_time()


def test_young_objects_are_looked_at_while_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    done, served = list[str](), 0
    monkeypatch.setattr(gc, "collect", lambda generation: done.append(f"collect {generation}"))
    collector = QuietCollector(lambda: served)
    for requests in (0, 1, 0, FEW_REQUESTS, FEW_REQUESTS + 1):
        served += requests
        collector.collect_young()
    assert done == ["collect 1", "collect 1"]


def test_what_was_not_looked_at_when_it_was_young_is_found_in_a_quiet_moment() -> None:
    class Node:
        itself: object

    node = Node()
    node.itself, gone = node, weakref.ref(node)
    gc.freeze()
    del node
    gc.collect()
    assert gone() is not None
    collect_all()
    assert gone() is None
    gc.unfreeze()


async def test_closed_tables_and_connections_are_freed_without_the_collector(tmp_path: Path) -> None:
    async with running(tmp_path, idle=0.05) as house:
        await come_and_go(house)
        gc.collect()
        gc.disable()
        try:
            for _ in range(5):
                await come_and_go(house)
            kept = [thing for thing in gc.get_objects() if type(thing) is ServerTable or is_protocol(thing)]
            assert len(kept) <= 1, "the last table may still be a variable of the hall's housekeeping"
        finally:
            gc.enable()


def is_protocol(thing: object) -> bool:
    return type(thing).__name__ in {"WebSocketProtocol", "Connection"} and "palatine" in type(thing).__module__


async def come_and_go(house: House) -> None:
    """Two people begin a game and leave; wait until their table and their connections are closed."""
    directory = house.server._app.state.shared.directory
    async with house.peer("Anna") as anna, house.peer("Berta") as berta:
        table = await opened(anna, 2, game="palais_royal")
        for peer in (anna, berta):
            await peer.do(Sit, table=table)
        await anna.do(Start, table=table)
        for peer in (anna, berta):
            await peer.do(Watch, table=table)
    with anyio.fail_after(10):
        while directory.tables or house.server._app.state.shared.connections:
            await anyio.sleep(0.01)
