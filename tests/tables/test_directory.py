"""Tables at work on a real store: durable before acknowledged, once and only once, also when the store fails."""

from asyncio import get_running_loop
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from palatine_protocol import digest, messages, patch
from palatine_protocol.codec import MSGPACK, for_client, for_server
from palatine_server.games.kit import Refused, plain
from palatine_server.games.registry import GAMES
from palatine_server.settings import Settings
from palatine_server.store import Append, Damaged, OnOutcome, Unavailable
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.handlers import HANDLERS
from palatine_server.tables.lobby import Filter
from palatine_server.tables.requests import TableRequest
from palatine_server.tables.table import Table

GAME = "between_two_castles"


class Failing:
    """A real store that fails when told: before anything is stored, or after it was stored but before it says so."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self.before = self.after = self.unread = 0
        self.damaged = ""  # a table that cannot be read

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def load(self, table: str) -> Any:
        if self.unread:
            self.unread -= 1
            raise Unavailable
        if table == self.damaged:
            raise Damaged
        return await self._store.load(table)

    def append(self, given: Append, on_outcome: OnOutcome) -> None:
        if self.before:
            self.before -= 1
            get_running_loop().call_soon(on_outcome, Unavailable())
        else:
            self._store.append(given, partial(self._answer, on_outcome))

    def _answer(self, on_outcome: OnOutcome, outcome: Any) -> None:
        is_lost, self.after = self.after > 0, max(0, self.after - 1)
        on_outcome(Unavailable() if is_lost else outcome)


class Time:
    """A clock that stands still until the test moves it."""

    now = 1_000

    def __call__(self) -> int:
        return self.now


def move_clock(directory: TableDirectory, milliseconds: int) -> None:
    assert isinstance(directory.clock, Time)
    directory.clock.now += milliseconds


@dataclass(eq=False)
class Watcher:
    """A viewer that folds what it is sent."""

    user: str
    wire: Any = field(default_factory=lambda: for_server(MSGPACK))
    heard: list[Any] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def send(self, frame: bytes) -> None:
        self.heard.append(for_client(MSGPACK).decode(frame))

    def lose(self, table: str, why: Refused | None = None) -> None:
        self.lost.append(table)

    @property
    def versions(self) -> list[int]:
        return [message.version for message in self.heard]

    async def until(self, version: int) -> None:
        with anyio.fail_after(5):
            while self.versions[-1] < version:
                await anyio.sleep(0)

    def board(self) -> Any:
        """The board after everything that was sent, each digest checked."""
        board: Any = None
        for message in self.heard:
            if isinstance(message, messages.Snapshot):
                board = message.board
            elif message.board is not messages.UNSET:
                board = patch.apply(board, message.board)
            assert digest.of_board(board) == message.digest
        return board


@asynccontextmanager
async def halls(data: Path, count: int = 1, **settings: Any) -> AsyncIterator[tuple[Failing, list[TableDirectory]]]:
    """As many nodes as wanted on one store."""
    store = Failing(await SqliteStore.open(data))
    chosen = Settings(data=data, **settings)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(store.close)
        nodes = [TableDirectory(GAMES, store, chosen, Time()) for _ in range(count)]  # type: ignore[arg-type]
        yield store, [await stack.enter_async_context(node) for node in nodes]


async def ask(directory: TableDirectory, user: str, kind: Any, viewer: Any = None, **given: Any) -> Any:
    replies: list[Any] = []
    request = kind(**{"id": f"{kind.__name__}-{user}", **given})
    await directory.ask(TableRequest(user, user.title(), request, replies.append, viewer))
    assert len(replies) == 1
    return replies[0]


async def table_of(directory: TableDirectory, seats: int = 3) -> str:
    """A started table of anna, berta and carla."""
    request = messages.Create(id="create", game=GAME, seats=seats)
    created: Any = await directory.create("anna", "Anna", request, may_seed=False)
    for user in ("anna", "berta", "carla")[:seats]:
        await ask(directory, user, messages.Sit, table=created.table)
    await ask(directory, "anna", messages.Start, table=created.table)
    return str(created.table)


async def tick(directory: TableDirectory, user: str, table: str, **given: Any) -> Any:
    state = directory.tables[table].state if table in directory.tables else (await directory.open(table)).state
    seat = state.seat_of(user)
    assert seat is not None
    assert state.recorder is not None
    choice = next(choice for choice in state.recorder.play.offer(seat) if choice.do in {"tick", "untick"})
    offer = state.secrets.answers[seat]
    return await ask(directory, user, messages.Act, table=table, offer=offer, action=choice.nth(0), **given)


async def test_what_could_not_be_stored_did_not_happen(tmp_path: Path) -> None:
    async with halls(tmp_path) as (store, (directory,)):
        table = await table_of(directory)
        watcher = Watcher("anna")
        await ask(directory, "anna", messages.Watch, watcher, table=table)
        store.before = 2
        refused = await tick(directory, "anna", table, id="one")
        assert refused.code == "try_again"
        assert watcher.versions == [4]
        done = await tick(directory, "anna", table, id="one")
        assert (done.version, watcher.versions) == (5, [4, 5])


async def test_a_store_that_is_gone_for_a_moment_is_asked_again(tmp_path: Path) -> None:
    async with halls(tmp_path) as (store, (directory,)):
        table = await table_of(directory)
        watcher = Watcher("anna")
        await ask(directory, "anna", messages.Watch, watcher, table=table)
        store.before = 1
        done = await tick(directory, "anna", table, id="one")
        assert (done.version, watcher.versions) == (5, [4, 5])


async def test_what_was_stored_though_the_answer_was_lost_happens_once(tmp_path: Path) -> None:
    async with halls(tmp_path) as (store, (directory,)):
        table = await table_of(directory)
        watcher = Watcher("anna")
        await ask(directory, "anna", messages.Watch, watcher, table=table)
        opened = await directory.open(table)
        choose = next(choice for choice in opened.state.recorder.play.offer(0) if choice.do == "choose")  # type: ignore[union-attr]
        request = messages.Act(id="one", table=table, offer=0, action=choose.nth(0))
        replies: list[Any] = []
        store.after = 1
        await directory.ask(TableRequest("anna", "Anna", request, replies.append))
        await directory.ask(TableRequest("anna", "Anna", request, replies.append))
        assert [reply.version for reply in replies] == [5, 5]
        assert watcher.versions == [4, 5]


async def test_what_was_refused_is_refused_again_though_it_would_be_possible_now(tmp_path: Path) -> None:
    async with halls(tmp_path) as (_, [directory]):
        await directory.create("anna", "Anna", messages.Create(id="create", game=GAME, seats=2), may_seed=False)
        [listed] = await directory.lobby.list_tables("anna", Filter())
        await ask(directory, "anna", messages.Sit, table=listed.table)
        refused = await ask(directory, "anna", messages.Start, table=listed.table)
        assert refused.code == "seats_empty"
        await ask(directory, "berta", messages.Sit, table=listed.table)
        assert await ask(directory, "anna", messages.Start, table=listed.table) == refused
        assert isinstance(await ask(directory, "anna", messages.Start, id="another", table=listed.table), messages.Done)


async def test_the_same_request_at_two_nodes_happens_once(tmp_path: Path) -> None:
    async with halls(tmp_path, 2) as (_, (one, two)):
        table = await table_of(one)
        first = await tick(one, "anna", table, id="same")
        replies: list[Any] = []
        request = messages.Act(id="same", table=table, offer=0, action={"do": "tick", "tile": tile_of(one, table)})
        await two.ask(TableRequest("anna", "Anna", request, replies.append))
        assert replies == [first]


def tile_of(directory: TableDirectory, table: str) -> str:
    state = directory.tables[table].state
    assert state.recorder is not None
    return str(state.recorder.play.document.hands[0].ticked[0])


async def test_two_nodes_play_on_one_table_without_losing_anything(tmp_path: Path) -> None:
    async with halls(tmp_path, 2) as (_, nodes):
        table = await table_of(nodes[0])
        watchers = [Watcher("visitor"), Watcher("visitor")]
        for node, watcher in zip(nodes, watchers, strict=True):
            await ask(node, "visitor", messages.Watch, watcher, table=table)
        for number in range(20):
            done = await tick(nodes[number % 2], ("anna", "berta", "carla")[number % 3], table, id=f"tick-{number}")
            assert isinstance(done, messages.Done), done
            assert done.version == 5 + number
        for watcher in watchers:
            await watcher.until(24)
            assert watcher.versions == list(range(4, 25))
        assert watchers[0].board() == watchers[1].board()


async def test_a_node_that_is_behind_reads_on_before_it_refuses(tmp_path: Path) -> None:
    async with halls(tmp_path, 2) as (_, (one, two)):
        table = await table_of(one)
        await two.open(table)
        await tick(one, "anna", table)
        untick = messages.Act(id="back", table=table, offer=1, action={"do": "untick", "tile": tile_of(one, table)})
        replies: list[Any] = []
        await two.ask(TableRequest("anna", "Anna", untick, replies.append))
        assert replies[0].version == 6


async def test_nobody_is_shown_less_than_he_saw_at_another_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halls(tmp_path, 2) as (_, (one, two)):
        table = await table_of(one)
        monkeypatch.setattr(await two.open(table), "hint", lambda version: None)  # the hints are lost
        seen = await tick(one, "anna", table)
        watcher = Watcher("anna")
        watching = await ask(two, "anna", messages.Watch, watcher, table=table, since=seen.version)
        assert (watching.version, watcher.heard) == (seen.version, [])


async def test_a_change_that_came_too_late_is_not_made_again_on_a_book_that_could_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halls(tmp_path, 2) as (store, (one, two)):
        request = messages.Create(id="create", game=GAME, seats=3)
        created: Any = await one.create("anna", "Anna", request, may_seed=False)
        monkeypatch.setattr(await two.open(created.table), "hint", lambda version: None)  # the hints are lost
        await ask(one, "anna", messages.Sit, table=created.table)
        store.unread = 1
        refused = await ask(two, "berta", messages.Sit, table=created.table)
        assert refused.code == "try_again"
        done = await ask(two, "berta", messages.Sit, table=created.table)
        assert (done.version, done.seat) == (2, 1)


async def test_what_was_refused_here_and_done_elsewhere_is_answered_as_it_was_there(tmp_path: Path) -> None:
    async with halls(tmp_path, 2) as (_, (one, two)):
        request = messages.Create(id="create", game=GAME, seats=2)
        created: Any = await one.create("anna", "Anna", request, may_seed=False)
        refused = await ask(two, "anna", messages.Start, table=created.table)
        for user in ("anna", "berta"):
            await ask(one, user, messages.Sit, table=created.table)
        done = await ask(one, "anna", messages.Start, table=created.table)
        assert (refused.code, done.version) == ("seats_empty", 3)
        assert await ask(two, "anna", messages.Start, table=created.table) == done


async def test_a_node_far_behind_reads_all_that_it_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palatine_server.tables.directory.LOOK_AROUND", 60)  # one nudge must do
    async with halls(tmp_path, 2, tail=2) as (_, (one, two)):
        table, watcher = await table_of(one), Watcher("visitor")
        await ask(two, "visitor", messages.Watch, watcher, table=table)
        behind = two.tables[table]
        with monkeypatch.context() as lost_hints:
            lost_hints.setattr(behind, "hint", lambda version: None)
            for number in range(7):
                await tick(one, "anna", table, id=f"tick-{number}")
        behind.hint(11)
        await watcher.until(11)
        assert watcher.versions == list(range(4, 12))


async def test_a_table_nobody_watches_is_put_away_and_opened_again(tmp_path: Path) -> None:
    async with halls(tmp_path, idle=0.01) as (_, (directory,)):
        table = await table_of(directory)
        opened = await directory.open(table)
        with anyio.fail_after(5):
            while table in directory.tables:
                await anyio.sleep(0.01)
        assert opened.is_closed
        assert (await tick(directory, "berta", table)).version == 5


async def test_bots_play_on_though_nobody_watches(tmp_path: Path) -> None:
    async with halls(tmp_path, idle=0.01) as (store, (directory,)):
        created: Any = await directory.create(
            "anna", "Anna", messages.Create(id="c", game=GAME, seats=2), may_seed=False
        )
        for number in range(2):
            await ask(directory, "anna", messages.AddBot, table=created.table, policy="random", id=f"bot-{number}")
        await ask(directory, "anna", messages.Start, table=created.table)
        with anyio.fail_after(30):
            while (await store.tables(user="anna"))[0][1].status != "over":
                await anyio.sleep(0.02)


async def test_a_table_that_breaks_is_logged_and_its_viewers_come_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halls(tmp_path) as (_, (directory,)):
        table = await table_of(directory)
        watcher = Watcher("anna")
        await ask(directory, "anna", messages.Watch, watcher, table=table)

        def broken(*_: Any) -> Any:
            raise ZeroDivisionError

        with monkeypatch.context() as patched:
            patched.setitem(HANDLERS, messages.Undo, broken)
            refused = await ask(directory, "anna", messages.Undo, table=table)
        assert refused.code == "try_again"
        with anyio.fail_after(5):
            while not watcher.lost:
                await anyio.sleep(0)
        assert watcher.lost == [table]
        assert "table broke" in caplog.text
        assert (await tick(directory, "anna", table, id="again")).version == 5


async def test_a_full_inbox_says_try_again(tmp_path: Path) -> None:
    async with halls(tmp_path, inbox=1) as (_, (directory,)):
        table = await table_of(directory)
        replies: list[Any] = []
        async with anyio.create_task_group() as tasks:
            for number in range(20):
                request = messages.Undo(id=f"undo-{number}", table=table)
                tasks.start_soon(directory.ask, TableRequest("anna", "Anna", request, replies.append))
        assert len(replies) == 20
        assert {reply.code for reply in replies} == {"try_again", "cannot_undo"}


async def test_a_node_tells_its_viewers_what_another_node_did(tmp_path: Path) -> None:
    async with halls(tmp_path, 2) as (_, (one, two)):
        table = await table_of(one)
        watcher = Watcher("visitor")
        await ask(two, "visitor", messages.Watch, watcher, table=table)
        for number in range(5):
            await tick(one, "anna", table, id=f"tick-{number}")
        await watcher.until(9)
        assert watcher.versions == [4, 5, 6, 7, 8, 9]


async def test_who_moves_while_several_entries_are_told_is_shown_the_last_page_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with halls(tmp_path, 2) as (_, (one, two)):
        created: Any = await one.create("anna", "Anna", messages.Create(id="c", game=GAME, seats=2), may_seed=False)
        table = created.table
        for user in ("anna", "berta"):
            await ask(one, user, messages.Sit, table=table)
        berta, sara = Watcher("berta"), Watcher("sara")
        await ask(two, "berta", messages.Watch, berta, table=table)
        await ask(two, "sara", messages.Watch, sara, table=table)
        behind = two.tables[table]
        with monkeypatch.context() as lost:
            lost.setattr(behind, "hint", lambda version: None)
            await ask(one, "berta", messages.Leave, table=table)
            await ask(one, "carla", messages.Sit, table=table)
            await ask(one, "anna", messages.Start, table=table)
        behind.hint(5)
        await sara.until(5)
        assert [(type(heard), heard.version) for heard in berta.heard] == [
            (messages.Snapshot, 2),
            (messages.Snapshot, 5),
        ]
        assert sara.versions == [2, 3, 4, 5]
        assert [waiting.seat for waiting in sara.heard[-1].waiting] == behind.state.waiting() != []


async def test_a_table_opened_twice_by_one_request_takes_room_once(tmp_path: Path) -> None:
    async with halls(tmp_path, tables_per_user=1) as (_, (directory,)):
        request = messages.Create(id="create", game=GAME, seats=2)
        first = await directory.create("anna", "Anna", request, may_seed=False)
        assert await directory.create("anna", "Anna", request, may_seed=False) == first
        with pytest.raises(Refused, match="tables"):
            await directory.create("anna", "Anna", messages.Create(id="another", game=GAME, seats=2), may_seed=False)


async def test_nobody_gets_more_tables_by_asking_at_the_same_time(tmp_path: Path) -> None:
    async with halls(tmp_path, tables_per_user=3) as (_, (directory,)):
        others = [await table_of_another(directory, user) for user in ("berta", "carla", "dora")]
        answers: list[Any] = []

        async def create(number: int) -> None:
            request = messages.Create(id=f"create-{number}", game=GAME, seats=2)
            try:
                answers.append(await directory.create("anna", "Anna", request, may_seed=False))
            except Refused as why:
                answers.append(why)

        async def sit(table: str) -> None:
            answers.append(await ask(directory, "anna", messages.Sit, table=table))

        async with anyio.create_task_group() as tasks:
            for number in range(5):
                tasks.start_soon(create, number)
            for table in others:
                tasks.start_soon(sit, table)
        assert sorted(getattr(answer, "code", "done") for answer in answers) == ["done"] * 3 + ["too_many_tables"] * 5


async def table_of_another(directory: TableDirectory, user: str) -> str:
    created: Any = await directory.create(user, user, messages.Create(id="create", game=GAME, seats=2), may_seed=False)
    return str(created.table)


# Room


async def test_of_too_many_tables_those_asked_longest_ago_are_put_away(tmp_path: Path) -> None:
    async with halls(tmp_path, open_tables=2) as (_, (directory,)):
        tables = [await opened(directory, number) for number in range(4)]
        await ask(directory, "anna", messages.Watch, Watcher("anna"), table=tables[0])
        await directory.open(tables[1])
        with anyio.fail_after(10):
            while len(directory.tables) > 2:
                await anyio.sleep(0.01)
        assert set(directory.tables) == {
            tables[0],
            tables[1],
        }  # the one that is watched, and the one that was asked last


async def opened(directory: TableDirectory, number: int) -> str:
    request = messages.Create(id=f"create-{number}", game=GAME, seats=3)
    created: Any = await directory.create("anna", "Anna", request, may_seed=False)
    await ask(directory, "anna", messages.Sit, table=created.table, id=f"sit-{number}")
    return str(created.table)


async def test_tables_that_are_watched_stay_open_and_it_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with halls(tmp_path, open_tables=1) as (_, (directory,)):
        for number in range(3):
            await ask(directory, "anna", messages.Watch, Watcher("anna"), table=await opened(directory, number))
        with anyio.fail_after(10):
            while "3 tables are open" not in caplog.text:
                await anyio.sleep(0.01)
        assert len(directory.tables) == 3


async def test_who_asks_while_a_table_is_put_away_is_answered_by_the_next_one(tmp_path: Path) -> None:
    async with halls(tmp_path) as (_, (directory,)):
        table = await table_of(directory)
        before = await directory.open(table)
        replies: list[Any] = []
        async with anyio.create_task_group() as tasks:
            before.put_away()
            watcher = Watcher("anna")
            tasks.start_soon(
                directory.ask,
                TableRequest("anna", "Anna", messages.Watch(id="w", table=table), replies.append, watcher),
            )
            tasks.start_soon(
                directory.ask, TableRequest("berta", "Berta", messages.Undo(id="u", table=table), replies.append)
            )
        assert before.is_closed
        assert sorted(type(reply).__name__ for reply in replies) == ["Refused", "Watching"]
        assert next(reply for reply in replies if isinstance(reply, messages.Refused)).code == "cannot_undo"
        assert list(directory.tables[table].broadcaster.viewers) == [watcher]


async def test_what_was_too_fast_is_done_when_it_comes_again_in_time(tmp_path: Path) -> None:
    async with halls(tmp_path) as (_, (directory,)):
        created: Any = await directory.create(
            "anna", "Anna", messages.Create(id="c", game=GAME, seats=3), may_seed=False
        )
        for number in range(5):
            await ask(directory, "anna", messages.Say, id=f"s{number}", table=created.table, text="again")
        line = {"id": "s5", "table": created.table, "text": "and again"}
        refused = await ask(directory, "anna", messages.Say, **line)
        assert (refused.code, refused.retry_after_ms) == ("too_fast", 10_000)
        move_clock(directory, 10_000)
        assert isinstance(await ask(directory, "anna", messages.Say, **line), messages.Done)
        assert isinstance(await ask(directory, "anna", messages.Say, **line), messages.Done)
        assert [line.text for line in directory.tables[created.table].state.secrets.talk[4:]] == ["again", "and again"]


async def test_who_points_too_often_is_told_when_he_may_again(tmp_path: Path) -> None:
    async with halls(tmp_path) as (_, (directory,)):
        table = await table_of(directory)
        assert isinstance(await ask(directory, "anna", messages.Point, id="p1", table=table), messages.Noted)
        refused = await ask(directory, "anna", messages.Point, id="p2", table=table)
        assert (refused.code, refused.retry_after_ms) == ("too_fast", 100)
        move_clock(directory, 100)
        assert isinstance(await ask(directory, "anna", messages.Point, id="p2", table=table), messages.Noted)


async def test_hints_take_no_place_in_the_queue(tmp_path: Path) -> None:
    async with halls(tmp_path, inbox=4) as (_, [directory]):
        table = await directory.open(await table_of(directory))
        for version in range(100, 200):
            table.hint(version)
        refusals = []
        for number in range(5):
            call = TableRequest("anna", "Anna", messages.Undo(id=f"u{number}", table=table.id), refusals.append)
            assert table.submit(call)
        assert [(refusal.re, refusal.code) for refusal in refusals] == [("u4", "try_again")]


# The list of tables


async def test_a_row_that_cannot_be_shown_hides_no_other(tmp_path: Path) -> None:
    async with halls(tmp_path) as (store, [directory]):
        table = await table_of(directory)
        [(_, row)] = await store.tables()
        strange = msgspec.structs.replace(row, terms={"clock": "an hourglass"})

        async def tables(**given: Any) -> Any:
            return [("strange", strange), (table, row)]

        store.tables = tables  # type: ignore[method-assign]
        assert [shown.table for shown in await directory.lobby.list_tables("anna", Filter())] == [table]


# Clocks


async def test_a_deadline_is_carried_out_once_by_whichever_node_comes_first(tmp_path: Path) -> None:
    async with halls(tmp_path, 2) as (store, nodes):
        request = messages.Create(id="create", game=GAME, seats=3, clock=messages.Clock(move=5))
        created: Any = await nodes[0].create("anna", "Anna", request, may_seed=False)
        for user in ("anna", "berta", "carla"):
            await ask(nodes[0], user, messages.Sit, table=created.table)
        await ask(nodes[0], "anna", messages.Start, table=created.table)
        both = [await node.open(created.table) for node in nodes]
        for node, table in zip(nodes, both, strict=True):
            move_clock(node, 5_000)
            table.hint(10**9)  # so that it looks at the clock now
        with anyio.fail_after(10):
            while len(log := await entries_of(store, created.table)) < 7 or {t.state.version for t in both} != {
                len(log)
            }:
                await anyio.sleep(0.01)
        assert [(entry["did"]["do"], entry["seat"]) for entry in log[4:7]] == [("overdue", seat) for seat in range(3)]
        assert len(log) == 7  # the next turn has its own time


async def test_an_offer_lapses_at_a_table_without_a_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Between Two Castles the last to place may correct for a moment; nobody does, and the turn ends."""
    monkeypatch.setattr("palatine_server.games.between_two_castles.place.GRACE", 0.05)
    store = await SqliteStore.open(tmp_path)
    async with TableDirectory(GAMES, store, Settings(data=tmp_path)) as directory:
        created: Any = await directory.create(
            "anna", "Anna", messages.Create(id="c", game=GAME, seats=2), may_seed=False
        )
        for user in ("anna", "berta"):
            await ask(directory, user, messages.Sit, table=created.table)
        await ask(directory, "anna", messages.Start, table=created.table)
        table = await directory.open(created.table)
        await place_all(directory, table)
        with anyio.fail_after(10):
            while (await entries_of(store, created.table))[-1]["did"]["do"] != "lapse":
                await anyio.sleep(0.01)
        assert table.state.require_begun().play.board.turn == 2
    await store.close()


async def place_all(directory: TableDirectory, table: Table) -> None:
    """Let everybody do what the rules would choose for them, until every tile of the turn lies."""
    game, users, number = GAMES[GAME], ("anna", "berta"), 0
    while (play := table.state.require_begun().play).board.correcting is None and play.board.turn == 1:
        seat, action = game.overdue(play, play.waiting_for())
        given = {"offer": table.state.secrets.answers[seat], "action": plain(action)}
        await ask(directory, users[seat], messages.Act, id=f"act {(number := number + 1)}", table=table.id, **given)


async def table_with_clock(directory: TableDirectory, game: str) -> str:
    """A started table of anna and berta."""
    request = messages.Create(id=game, game=game, seats=2, clock=messages.Clock(move=5))
    created: Any = await directory.create("anna", "Anna", request, may_seed=False)
    for user in ("anna", "berta"):
        await ask(directory, user, messages.Sit, id=f"{game} {user}", table=created.table)
    await ask(directory, "anna", messages.Start, id=f"{game} start", table=created.table)
    return str(created.table)


async def test_tables_that_cannot_be_opened_here_keep_no_others_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palatine_server.tables.directory.SOME_DUE", 1)
    async with halls(tmp_path) as (store, (one,)):
        due = [await table_with_clock(one, game) for game in ("palais_royal", GAME)]
        shelf = {GAME: GAMES[GAME]}
        other = TableDirectory(shelf, store, Settings(data=tmp_path), lambda: 1_000 + 60_000)  # type: ignore[arg-type]
        async with other:
            with anyio.fail_after(10):
                while due[1] not in other.tables:
                    await anyio.sleep(0.01)
            assert due[0] not in other.tables


async def test_a_damaged_table_keeps_no_others_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palatine_server.tables.directory.SOME_DUE", 1)
    async with halls(tmp_path) as (store, (one,)):
        due = [await table_with_clock(one, game) for game in ("palais_royal", GAME)]
        store.damaged = due[0]
        other = TableDirectory(GAMES, store, Settings(data=tmp_path), lambda: 1_000 + 60_000)  # type: ignore[arg-type]
        async with other:
            with anyio.fail_after(10):
                while due[1] not in other.tables:
                    await anyio.sleep(0.01)
            assert due[0] not in other.tables
            assert isinstance(await ask(other, "anna", messages.Watch, table=due[0]), messages.Refused)
            assert isinstance(
                await ask(other, "anna", messages.Watch, table=due[1], viewer=Watcher("anna")), messages.Watching
            )


async def entries_of(store: Any, table: str) -> list[Any]:
    return [msgspec.msgpack.decode(entry) for entry in (await store.read(table, 0, 10**9)).entries]


# Coming back


class Counting(Failing):
    """A real store that counts how often a table is read."""

    loads = reads = 0

    async def load(self, table: str) -> Any:
        self.loads += 1
        return await self._store.load(table)

    async def read(self, *given: Any) -> Any:
        self.reads += 1
        return await self._store.read(*given)


async def test_many_who_come_back_read_the_table_once(tmp_path: Path) -> None:
    async with halls(tmp_path, 2) as (store, (one, two)):
        table = await table_of(one)
        for number in range(40):  # more than one snapshot
            await tick(one, ("anna", "berta", "carla")[number % 3], table, id=f"tick-{number}")
        two.store = counting = Counting(store._store)  # type: ignore[assignment]
        watchers = [Watcher("visitor") for _ in range(50)]
        async with anyio.create_task_group() as tasks:
            for number, watcher in enumerate(watchers):
                request = messages.Watch(id=f"w-{number}", table=table, since=10 + number % 30)
                tasks.start_soon(two.ask, TableRequest("visitor", "Visitor", request, lambda reply: None, watcher))
        assert all(watcher.versions == list(range(11 + number % 30, 45)) for number, watcher in enumerate(watchers))
        assert counting.loads == 1
        assert counting.reads <= 2  # how far back they were, not how many
