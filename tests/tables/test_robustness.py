"""What a table and its clocks outlast: nodes at odds, floods, people who are gone, and tables that break."""

import logging
from asyncio import Event
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from msgspec import structs
from records.game_fixtures import record_of
from records.test_importer import posted
from server_fixture import running
from tables.deadlines.test_time_left import Time
from tables.presence.test_cluster import look, node, started, watching
from tables.state_fixtures import started as started_book
from tables.test_directory import GAME, Watcher, ask, halls

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.games.registry import GAMES
from palatine_server.records import encode_record
from palatine_server.store import RequestKey, Summary
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.creation import announce_rematch, create_rematch
from palatine_server.tables.handlers import HANDLERS
from palatine_server.tables.handlers.seats import note_away
from palatine_server.tables.lobby import Filter, Lobby
from palatine_server.tables.presence.cluster import LOOKS
from palatine_server.tables.requests import TableRequest

SECOND = 1_000


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def store(tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteStore]:
    monkeypatch.setattr("palatine_server.tables.directory.LOOK_AROUND", 3600)  # the test says when to look
    opened = await SqliteStore.open(tmp_path, clock=time)
    yield opened
    await opened.close()


async def test_what_another_node_prevented_is_in_no_list(tmp_path: Path) -> None:
    async with halls(tmp_path, 2) as (store, (one, two)):
        created: Any = await one.create("host", "Host", messages.Create(id="c", game=GAME, seats=2), may_seed=False)
        table = created.table
        behind = await two.open(table)
        behind.hint = lambda version: None  # type: ignore[method-assign]  # its hints are lost
        await ask(one, "anna", messages.Sit, table=table, seat=0)
        refused = await ask(two, "berta", messages.Sit, table=table, seat=0)
        assert refused.code == "seat_taken"
        await ask(two, "host", messages.Say, table=table, text="Hello")
        ((_, summary),) = await store.tables()
        assert summary.users == ["anna", None]


async def test_nobody_stops_a_clock_by_asking_without_end(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        table = await directory.open(await started(directory, Clock(move=60)))
        time.now += 61 * SECOND
        asked = 0

        def ask_again(reply: Any) -> None:
            nonlocal asked
            asked += 1
            if asked < 1_000:
                table.submit(TableRequest("berta", "Berta", messages.Unwatch(id=f"{asked}", table=table.id), ask_again))

        ask_again(None)
        with anyio.fail_after(10):
            while asked < 1_000 and table.state.version == 4:
                await anyio.sleep(0)
        assert asked < 1_000


async def test_who_comes_while_he_is_looked_for_was_never_away(store: SqliteStore, time: Time) -> None:
    async with node(store, time) as directory:
        table = await started(directory, Clock(grace=60))
        anna = await watching(directory, "anna", table)
        for _ in range(LOOKS - 1):
            await look(time, directory)
        noted = store.read_notes

        async def comes_meanwhile(keys: Any) -> Any:
            found = await noted(keys)
            for user in ("berta", "carla"):
                await watching(directory, user, table)
            return found

        store.read_notes = comes_meanwhile  # type: ignore[method-assign]
        await look(time, directory)
        there = directory.tables[table]
        assert there.presence.next_look(there.state, there.broadcaster.live.viewers) is None
        assert anna.heard[1:] == []


async def test_a_table_that_cannot_be_read_does_not_close_the_house(
    store: SqliteStore, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    async with node(store, time) as directory:
        table = await started(directory, Clock(move=60))
    ((_, summary),) = await store.tables(user="anna")
    sooner = structs.replace(summary, deadline=0)
    await store.create("broken", b"\xc1", sooner, RequestKey("host", "broken", b""))
    time.now += 61 * SECOND
    with caplog.at_level(logging.ERROR):
        async with node(store, time) as directory:
            with anyio.fail_after(10):
                while table not in directory.tables:
                    await anyio.sleep(0)
            for _ in range(3):
                await directory._look_after_clocks()
    assert [getattr(record, "table", "") for record in caplog.records] == ["broken"]


async def test_a_row_that_nobody_can_show_does_not_close_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palatine_server.tables.directory.LOOK_AROUND", 0.01)
    async with halls(tmp_path) as (store, (directory,)):
        anna = Watcher("anna")
        await directory.create("anna", "Anna", messages.Create(id="create", game=GAME, seats=2), may_seed=False)
        ((first, summary),) = await store.tables()
        await directory.lobby.follow(anna, Filter())
        newer = structs.replace(summary, terms={"clock": "of another version"})
        await store.create("newer", b"", newer, RequestKey("host", "newer", b""))
        await store.create("later", b"", summary, RequestKey("host", "later", b""))
        with anyio.fail_after(10):
            while not anna.heard:
                await anyio.sleep(0.01)
        assert [row.table for lobby in anna.heard for row in lobby.changed] == ["later"]
        assert {row.table for row in await directory.lobby.list_tables(None, Filter())} == {first, "later"}


async def test_when_a_table_breaks_those_who_look_on_late_come_back_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halls(tmp_path) as (_, (directory,)):
        create = messages.Create(id="create", game=GAME, seats=2, delay=3)
        created: Any = await directory.create("anna", "Anna", create, may_seed=False)
        for user in ("anna", "berta"):
            await ask(directory, user, messages.Sit, table=created.table)
        await ask(directory, "anna", messages.Start, table=created.table)
        visitor = await watching(directory, "visitor", created.table)

        def broken(*given: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setitem(HANDLERS, messages.Undo, broken)
        with anyio.move_on_after(5):
            await ask(directory, "anna", messages.Undo, table=created.table)
        assert visitor.lost == [created.table]


async def test_who_is_gone_before_his_replay_begins_breaks_nothing(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer("Anna") as anna:
        await posted(house, encode_record(record_of(GAMES["palais_royal"])))
        await anna.do(messages.Watch, table="t")
        inside = house.server._app.state.shared
        table, read, asked, freed = await inside.directory.open("t"), inside.store.read, Event(), Event()

        async def slow(*given: Any) -> Any:
            asked.set()
            await freed.wait()
            return await read(*given)

        inside.store.read = slow
        async with house.peer("Berta") as berta:
            await berta.send(messages.Watch(id="replay", table="t", open=True, since=10_000))
            await asked.wait()
            await inside.revoke(berta.user, 1)
            with anyio.fail_after(10):
                while len(inside.connections) > 1:
                    await anyio.sleep(0.01)
            freed.set()
        assert isinstance(await anna.do(messages.Ping), messages.Pong)
        assert isinstance(await anna.do(messages.Describe, table="t"), messages.Described)
        assert inside.directory.tables["t"] is table


def test_nobody_is_away_and_no_next_game_is_open_when_a_rematch_begins() -> None:
    state = started_book()
    note_away(state, 1, True, None, 1_000)
    announce_rematch(state, "next", 2_000)
    rematch = create_rematch(state, 3_000)
    assert (rematch.info.next, [sitting and sitting.away for sitting in rematch.info.seats]) == (None, [False] * 3)


async def test_who_looks_on_late_goes_on_after_a_doubt_about_the_store_in_the_lobby(tmp_path: Path) -> None:
    async with halls(tmp_path, snapshot_every=3) as (store, [directory]):
        created: Any = await directory.create(
            "anna", "Anna", messages.Create(id="c", game="palais_royal", seats=2, delay=2), may_seed=False
        )
        table, visitor = created.table, Watcher("visitor")
        await ask(directory, "anna", messages.Sit, table=table)
        await ask(directory, "visitor", messages.Watch, visitor, table=table)
        await ask(directory, "berta", messages.Sit, table=table)
        store.after = 1  # the entry that comes with a snapshot is stored, but the store does not say so
        await ask(directory, "berta", messages.Ready, table=table)
        await ask(directory, "anna", messages.Start, table=table)
        for number in range(4):
            await ask(directory, "anna", messages.Show, id=f"show {number}", table=table, shown=number % 2 == 0)
        newest = (await directory.open(table)).state.version
        assert visitor.lost == []
        assert visitor.versions[-1] == newest - 2
        assert visitor.versions[visitor.versions.index(3) :] == list(range(3, newest - 1))


class Slow:
    """A store whose answer to one user takes until it is let go; it is as old as the question."""

    def __init__(self, user: str) -> None:
        self.user, self.rows, self.asked, self.may_answer = user, dict[str, Summary](), Event(), Event()

    async def tables(self, user: str | None = None) -> list[tuple[str, Summary]]:
        found = list(self.rows.items())
        if user == self.user:
            self.asked.set()
            await self.may_answer.wait()
        return found


def row(*names: str | None) -> Summary:
    given = {"game": GAME, "status": "open", "visibility": "public", "host": "h", "host_name": "H", "created": 1}
    return Summary(**given, users=[None, None], names=list(names))


async def test_a_follower_misses_nothing_that_others_were_told_while_he_came() -> None:
    store, first, second = Slow("second"), Watcher("first"), Watcher("second")
    lobby, listed = Lobby(store), list[Any]()  # type: ignore[arg-type]
    store.rows["table"] = row(None, None)
    await lobby.follow(first, Filter())

    async def follow() -> None:
        listed.extend(await lobby.follow(second, Filter()))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(follow)
        await store.asked.wait()
        store.rows["table"] = row("Anna", None)
        await lobby.look()
        store.may_answer.set()
    assert [table.seats for told in first.heard for table in told.changed] == [["Anna", None]]
    assert [table.seats for table in listed] == [["Anna", None]]
