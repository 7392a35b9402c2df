"""The embedded store: the contract, and what only a file can do: be locked, full, sabotaged, too new."""

from __future__ import annotations

import os
import re
import resource
import sqlite3
import subprocess
import sys
from asyncio import CancelledError, Task, create_task, gather, sleep
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from store.contract import *  # noqa: F403 (the whole contract is tested here)
from store.contract import (
    A_SUMMARY,
    Open,
    add,
    becomes,
    begin,
    chain,
    committed,
    entries_of,
    key_of,
    milliseconds,
    shown,
    stale,
    stored,
    summary_of,
)

from palatine_server.store import (
    Append,
    Committed,
    Damaged,
    Duplicate,
    Gone,
    IdReused,
    Overloaded,
    Retention,
    Stale,
    Store,
    Unavailable,
    append_and_wait,
)
from palatine_server.store.readonly import SqliteReadonlyStore
from palatine_server.store.sqlite import (
    CannotOpen,
    SqliteStore,
    StoreLocked,
    appends,
    connections,
    queries,
    workers,
    writes,
)
from palatine_server.store.sqlite import store as sqlite_store
from palatine_server.store.sqlite.log_reader import add_functions
from palatine_server.store.sqlite.schema import SCHEMAS

OPEN_IT = """
import asyncio, pathlib, sys
from palatine_server.store.sqlite import SqliteStore
asyncio.run(SqliteStore.open(pathlib.Path(sys.argv[1])))
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def open_store(directory: Path) -> Open:
    return lambda: SqliteStore.open(directory)


@pytest.fixture
async def file(directory: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteStore]:
    """A store with one table; it waits as long as it takes while the file is locked."""
    monkeypatch.setattr(connections, "PATIENCE", 60)
    opened = await SqliteStore.open(directory)
    await begin(opened)
    yield opened
    await opened.close()


@contextmanager
def stranger(directory: Path) -> Iterator[sqlite3.Connection]:
    """Somebody who looks at the file with his own tools."""
    with closing(sqlite3.connect(directory / "palatine.db", isolation_level=None)) as db:
        yield db


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Meanwhile nobody else can write."""
    with stranger(directory) as db:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")


@contextmanager
def full(directory: Path) -> Iterator[None]:
    """Meanwhile no file of this process grows beyond the size of the write-ahead log."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, ((directory / "palatine.db-wal").stat().st_size, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def sabotage(directory: Path, how: str) -> None:
    """Let each change fail that comes with the snapshot b"bad", after everything else of it was written."""
    with stranger(directory) as db:
        db.execute(
            "CREATE TRIGGER sabotage BEFORE INSERT ON snapshots WHEN NEW.snapshot = x'626164' "
            f"BEGIN SELECT RAISE({how}, 'sabotage'); END"
        )


async def waiting(*changes: Coroutine[Any, Any, Any]) -> list[Task[Any]]:
    """Let these changes begin to wait, in this order."""
    tasks = [create_task(change) for change in changes]
    await sleep(0)
    return tasks


async def outcomes_of(tasks: list[Task[Any]]) -> list[Any]:
    """Outcomes and errors, the errors by their type."""
    outcomes = await gather(*tasks, return_exceptions=True)
    return [type(outcome) if isinstance(outcome, BaseException) else outcome for outcome in outcomes]


def commits(directory: Path) -> int:
    """How many transactions lie in the write-ahead log: a frame that ends one tells the size of the database."""
    log = (directory / "palatine.db-wal").read_bytes()
    page = int.from_bytes(log[8:12], "big")
    sizes = [int.from_bytes(log[at + 4 : at + 8], "big") for at in range(32, len(log), 24 + page)]
    return sum(size > 0 for size in sizes)


# The file


async def test_directory_and_files_are_private(directory: Path, file: SqliteStore) -> None:
    modes = {path.name: path.stat().st_mode & 0o777 for path in [directory, *directory.iterdir()]}
    assert modes.pop("data") == 0o700
    assert {"palatine.db", "palatine.db-wal", "palatine.lock"} <= modes.keys()
    assert set(modes.values()) == {0o600}


async def test_a_commit_waits_for_the_disk(file: SqliteStore) -> None:
    def settings(db: sqlite3.Connection) -> list[Any]:
        return [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]

    assert await file._writer.carry_out(settings) == ["wal", 2]


async def test_readers_cannot_write(file: SqliteStore) -> None:
    with pytest.raises(Unavailable, match="readonly"):
        await file._readers.ask(lambda db: db.execute("DELETE FROM entries"))


async def test_closing_leaves_one_file_and_the_lock(directory: Path) -> None:
    store = await SqliteStore.open(directory)
    await begin(store)
    await store.close()
    assert {path.name for path in directory.iterdir()} == {"palatine.db", "palatine.lock"}


async def test_a_directory_with_a_strange_name_is_fine(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path / "a ?mode=memory" / "100% #ß")
    await begin(store)
    assert await shown(store) == ["T"]
    assert (tmp_path / "a ?mode=memory" / "100% #ß" / "palatine.db").stat().st_size > 0
    await store.close()


async def test_a_newer_schema_is_refused_and_left_alone(directory: Path) -> None:
    await (await SqliteStore.open(directory)).close()
    with stranger(directory) as db:
        db.execute("PRAGMA user_version = 99")
    before = (directory / "palatine.db").read_bytes()
    with pytest.raises(CannotOpen, match=r"written by a newer palatine \(schema 99, this one knows 9\); update"):
        await SqliteStore.open(directory)
    assert (directory / "palatine.db").read_bytes() == before


async def test_a_file_of_the_first_schema_is_brought_up_to_date(directory: Path) -> None:
    directory.mkdir()
    with stranger(directory) as db:
        db.executescript(SCHEMAS[0])
        words = "INSERT INTO tables (id, visibility, created, summary) VALUES ('T', 'public', 1000, ?)"
        db.execute(words, (msgspec.json.encode(A_SUMMARY).decode(),))
        db.execute("INSERT INTO snapshots (number, version, snapshot) VALUES (1, 0, x'30')")
    store = await SqliteStore.open(directory)
    await store._expire_tables()
    assert await store.tables() == [("T", A_SUMMARY)]
    assert await add(store, 0) == committed(1)
    await store.revoke("eve", milliseconds() + 60_000)
    assert await store.list_revoked(0) == {"eve"}
    await store.close()


async def test_what_is_no_database_is_refused(directory: Path) -> None:
    directory.mkdir()
    (directory / "palatine.db").write_bytes(b"Dear diary, " * 100)
    with pytest.raises(CannotOpen, match="cannot be used: file is not a database"):
        await SqliteStore.open(directory)


async def test_what_is_no_directory_is_refused(directory: Path) -> None:
    directory.write_bytes(b"")
    with pytest.raises(CannotOpen, match="cannot be used: "):
        await SqliteStore.open(directory)


async def test_an_id_for_two_tables_is_a_mistake_of_ours(file: SqliteStore) -> None:
    with pytest.raises(ValueError, match="table T exists already"):
        await file.create("T", b"0", A_SUMMARY, key_of("another"))


@pytest.mark.parametrize(
    "name",
    ["HEAD", "HEADS", "REQUEST", "SNAPSHOT", "SPAN", "SHOWN_TO", "DUE", "CREATION", "IS_TABLE", "OLD", "REVOKED"],
)
async def test_no_question_walks_through_all_tables(directory: Path, file: SqliteStore, name: str) -> None:
    sql = getattr(queries, name, None) or getattr(appends, name, None) or getattr(writes, name)
    with stranger(directory) as db:
        given = {"user": "ada", "limit": 5} if ":user" in sql else ("[1]",) * sql.count("?")
        plan = [step[3] for step in db.execute(f"EXPLAIN QUERY PLAN {sql}", given)]
    walks = [
        step
        for step in plan
        if re.match(r"SCAN (tables|entries|requests|members|snapshots|creations|revocations)\b", step)
    ]
    assert [step for step in walks if "tables_public" not in step] == []


# Old tables


class Calendar:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = milliseconds()

    def __call__(self) -> int:
        return self.now

    def pass_days(self, days: float) -> None:
        self.now += int(days * 24 * 3600 * 1000)


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


@pytest.fixture
async def lasting(directory: Path, calendar: Calendar, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SqliteStore]:
    """A store that always looks for old tables, in days of its own."""
    monkeypatch.setattr(sqlite_store, "ROUND", 0.01)
    opened = await SqliteStore.open(directory, clock=calendar)
    yield opened
    await opened.close()


def rows(directory: Path) -> dict[str, int]:
    """How much is in the file."""
    with stranger(directory) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: db.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


async def test_a_table_is_gone_as_a_whole_a_week_after_its_last_entry(
    directory: Path, lasting: SqliteStore, calendar: Calendar
) -> None:
    empty = rows(directory)
    for table in [f"T{number}" for number in range(3 * sqlite_store.SOME)]:
        await begin(lasting, table, deadline=5, users=["ada", "bob"])
        await add(lasting, 0, table=table, request=key_of("r"), snapshot=b"s", summary=summary_of(users=["eve"]))
    calendar.pass_days(7.1)
    await becomes(lambda: is_empty(lasting))
    assert rows(directory) == empty
    assert await add(lasting, 1, table="T0", request=key_of("r")) == Gone()
    assert await lasting.find_creation(key_of("create T0")) is None
    assert await lasting.create("U", b"0", A_SUMMARY, key_of("create T0")) == "U"


async def test_housekeeping_goes_on_after_it_broke(
    directory: Path, lasting: SqliteStore, calendar: Calendar, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(lasting)
    with stranger(directory) as db:
        (summary,) = db.execute("SELECT summary FROM tables").fetchone()
        db.execute("UPDATE tables SET summary = 'scribble'")
    calendar.pass_days(7.1)
    await becomes(lambda: is_said(caplog, "housekeeping broke"))
    with stranger(directory) as db:
        db.execute("UPDATE tables SET summary = ?", (summary,))
    await becomes(lambda: is_empty(lasting))


async def is_said(caplog: pytest.LogCaptureFixture, words: str) -> bool:
    return words in caplog.text


async def test_a_table_that_is_played_at_is_kept(lasting: SqliteStore, calendar: Calendar) -> None:
    await begin(lasting, "idle")
    await begin(lasting)
    for version in range(3):
        calendar.pass_days(4)
        assert await add(lasting, version) == committed(version + 1)
    await becomes(lambda: is_true_of(lasting.load("idle"), lambda found: found is None))
    calendar.pass_days(6.99)
    await lasting._expire_tables()
    assert await lasting.load("T") == stored(0, b"0", [b"entry"] * 3)
    assert await lasting.find_creation(key_of("create T")) == "T"


async def test_a_table_that_has_not_begun_is_gone_sooner(directory: Path, calendar: Calendar) -> None:
    store = await SqliteStore.open(directory, keep=Retention(empty=3_600, waiting=86_400), clock=calendar)
    for table, users in {"empty": [None], "looked at": [None], "left": ["ada"], "waiting": ["ada"]}.items():
        await begin(store, table, users=users)
    await begin(store, "begun", status="playing", users=[None])
    calendar.pass_days(0.9 / 24)
    await add(store, 0, table="left", summary=summary_of(users=[None]))
    await store.touch("looked at", A_SUMMARY)
    await store.touch("nowhere", A_SUMMARY)
    calendar.pass_days(0.2 / 24)
    await store._expire_tables()
    assert await there(store) == ["begun", "left", "looked at", "waiting"]
    calendar.pass_days(0.8 / 24)
    await store._expire_tables()
    assert await there(store) == ["begun", "waiting"]
    await add(store, 0, table="waiting", summary=summary_of(status="playing"))
    calendar.pass_days(6.9)
    await store._expire_tables()
    assert await there(store) == ["begun", "waiting"]
    await store.close()


async def test_no_table_is_taken_away_for_the_time_in_which_the_house_was_closed(
    directory: Path, calendar: Calendar
) -> None:
    store = await SqliteStore.open(directory, clock=calendar)
    await begin(store, "begun", status="playing")
    await store.mark_alive(calendar(), 15_000)
    await store.close()
    calendar.pass_days(20)
    store = await SqliteStore.open(directory, clock=calendar)
    await becomes(lambda: is_true_of(store.mark_alive(calendar(), 15_000), lambda closed: closed > 0))
    await store._expire_tables()
    assert await there(store) == ["begun"]
    calendar.pass_days(7.1)
    await store._expire_tables()
    assert await there(store) == []
    await store.close()


async def there(store: Store) -> list[str]:
    """Which tables can still be read; the list shows no others."""
    tables = ("begun", "empty", "left", "looked at", "waiting")
    found = [table for table in tables if await store.load(table)]
    assert sorted(await shown(store)) == found
    return found


async def test_a_reader_sees_a_table_whole_while_it_is_taken_away(directory: Path, file: SqliteStore) -> None:
    await add(file, 0)

    def take_away(statement: str) -> None:
        if "FROM entries" in statement:
            with stranger(directory) as other:
                other.execute("DELETE FROM entries")

    with stranger(directory) as db:
        db.set_trace_callback(take_away)
        assert queries.load("T", db) == stored(0, b"0", [b"entry"])
        assert queries.load("T", db) == stored(0, b"0", [])


async def is_empty(store: SqliteStore) -> bool:
    return not await store.tables()


async def is_true_of(answer: Awaitable[Any], is_so: Callable[[Any], bool]) -> bool:
    return is_so(await answer)


# The lock


async def test_a_second_store_is_refused_until_the_first_is_closed(directory: Path, file: SqliteStore) -> None:
    with pytest.raises(StoreLocked, match=rf"another palatine serves this data directory \(pid {os.getpid()}\)"):
        await SqliteStore.open(directory)
    assert await add(file, 0) == committed(1)
    await file.close()
    await (await SqliteStore.open(directory)).close()


async def test_a_second_process_is_refused(directory: Path, file: SqliteStore) -> None:
    process = subprocess.run([sys.executable, "-c", OPEN_IT, directory], capture_output=True, text=True)
    assert process.returncode == 1
    sentence = f"another palatine serves this data directory (pid {os.getpid()}); stop it, or choose another one"
    assert f"StoreLocked: {sentence}" in process.stderr


# Group commit


async def test_what_waits_is_committed_together(directory: Path, file: SqliteStore) -> None:
    for n in range(100):
        await begin(file, f"T{n}")
    before = commits(directory)
    with locked(directory):
        tasks = await waiting(*(add(file, 0, table=f"T{n}") for n in range(100)))
    assert await outcomes_of(tasks) == [committed(1)] * 100
    assert commits(directory) - before <= 2


async def test_readers_wait_for_no_writer(directory: Path, file: SqliteStore) -> None:
    with locked(directory):
        tasks = await waiting(add(file, 0, b"later"))
        assert await file.load("T") == stored(0, b"0", [])
        assert not tasks[0].done()
    assert await outcomes_of(tasks) == [committed(1)]


async def test_closing_finishes_what_waits(directory: Path, file: SqliteStore) -> None:
    with locked(directory):
        tasks = await waiting(*(add(file, version, b"%d" % version) for version in range(50)), file.close())
        with pytest.raises(Unavailable, match="closed"):
            await add(file, 50)
    assert await outcomes_of(tasks) == [*(committed(version) for version in range(1, 51)), None]
    again = await SqliteStore.open(directory)
    assert await entries_of(again) == [b"%d" % version for version in range(50)]
    await again.close()


async def test_who_stops_waiting_disturbs_nobody(directory: Path, file: SqliteStore) -> None:
    with locked(directory):
        tasks = await waiting(*(add(file, version, request=key_of(str(version))) for version in range(3)))
        tasks[1].cancel()
        with pytest.raises(CancelledError):
            await tasks[1]
    assert await outcomes_of(tasks) == [committed(1), CancelledError, committed(3)]
    assert await add(file, 1, request=key_of("1")) == Duplicate(2)


async def test_a_question_nobody_waits_for_keeps_no_reader(file: SqliteStore) -> None:
    for _ in range(10 * connections.READERS):
        for task in await waiting(file.load("T"), file.tables()):
            await sleep(0)
            task.cancel()
    assert await file.load("T") == stored(0, b"0", [])


async def test_a_full_queue_refuses_at_once(
    directory: Path, file: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "MOST_WAITING", 5)
    with locked(directory):
        tasks = await waiting(*(add(file, version) for version in range(10)))
        with pytest.raises(Unavailable, match="too many changes wait"):
            await add(file, 10)
    outcomes = await outcomes_of(tasks)
    stored = len(await entries_of(file))
    assert stored in (5, 6)  # the writer may have taken the first one out of the queue already
    assert outcomes == [*(committed(version + 1) for version in range(stored)), *[Overloaded] * (10 - stored)]


async def test_too_many_questions_are_refused_at_once(file: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MOST_WAITING", 5)
    outcomes = await outcomes_of([create_task(file.load("T")) for _ in range(8)])
    assert outcomes == [stored(0, b"0", [])] * 5 + [Overloaded] * 3
    assert await file.load("T") == stored(0, b"0", [])


# All or nothing


async def test_a_change_that_fails_in_the_middle_leaves_nothing(directory: Path, file: SqliteStore) -> None:
    sabotage(directory, "ABORT")
    given: dict[str, Any] = {
        "request": key_of("r"),
        "summary": summary_of(status="over", users=["eve"], deadline=1),
    }
    with pytest.raises(Unavailable, match="sabotage"):
        await add(file, 0, **given, snapshot=b"bad")
    assert await file.load("T") == stored(0, b"0", [])
    assert await file.tables(user="eve") == [("T", A_SUMMARY)]
    assert await file.due(10_000) == []
    assert await add(file, 0, **given, snapshot=b"good") == committed(1)


async def test_a_create_that_fails_in_the_middle_leaves_nothing(directory: Path, file: SqliteStore) -> None:
    sabotage(directory, "ABORT")
    with pytest.raises(Unavailable, match="sabotage"):
        await file.create("U", b"bad", summary_of(host="eve"), key_of("c"))
    assert await file.load("U") is None
    assert await shown(file, "eve") == ["T"]
    assert await file.create("V", b"0", A_SUMMARY, key_of("c")) == "V"


async def test_a_change_that_fails_spoils_no_other(directory: Path, file: SqliteStore) -> None:
    sabotage(directory, "ABORT")
    with locked(directory):
        tasks = await waiting(
            add(file, 0),
            add(file, 1, snapshot=b"bad"),
            add(file, 1),
            add(file, 1),
            add(file, 2, request=key_of("\ud800")),
        )
    assert await outcomes_of(tasks) == [committed(1), Unavailable, committed(2), stale(2), Unavailable]
    assert await entries_of(file) == [b"entry"] * 2


async def test_a_lost_transaction_is_lost_for_all_and_the_writer_goes_on(directory: Path, file: SqliteStore) -> None:
    sabotage(directory, "ROLLBACK")
    with locked(directory):
        tasks = await waiting(add(file, 0), add(file, 1, snapshot=b"bad"), add(file, 1))
    outcomes = await outcomes_of(tasks)
    assert outcomes[1] is Unavailable
    stored = await entries_of(file)
    assert len(stored) == sum(isinstance(outcome, Committed) for outcome in outcomes)
    assert await add(file, len(stored)) == committed(len(stored) + 1)


async def test_however_a_transaction_ends_the_next_one_begins(file: SqliteStore) -> None:
    with pytest.raises(Unavailable, match="no such savepoint"):
        await file._writer.carry_out(lambda db: db.execute("RELEASE change"))
    assert await add(file, 0) == committed(1)


# A disk that fails


async def test_a_full_disk_is_unavailable_until_there_is_room(directory: Path, file: SqliteStore) -> None:
    assert await add(file, 0, request=key_of("before")) == committed(1)
    with full(directory):
        tasks = await waiting(*(add(file, 1, b"x" * 50_000, request=key_of(str(n))) for n in range(5)))
        assert await outcomes_of(tasks) == [Unavailable] * 5
        assert await file.load("T") == stored(0, b"0", [b"entry"])
    assert await add(file, 1, b"x" * 50_000, request=key_of("0")) == committed(2)
    assert await add(file, 2, request=key_of("before")) == Duplicate(1)


async def test_a_file_that_stays_locked_is_unavailable_until_it_is_free(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE", 0.05)
    store = await SqliteStore.open(directory)
    await begin(store)
    with locked(directory), pytest.raises(Unavailable, match="locked"):
        await add(store, 0)
    assert await add(store, 0) == committed(1)
    await store.close()


# The hash chain


OLD_ROWS = """
    INSERT INTO tables (number, id, visibility, created, summary) VALUES (1, 'T', 'public', 1, :summary);
    INSERT INTO tables (number, id, visibility, created, summary) VALUES (2, 'empty', 'public', 1, :summary);
    INSERT INTO snapshots VALUES (1, 2, x'73'), (2, 0, x'30');
    INSERT INTO entries VALUES (1, 1, x'6f6e65'), (1, 2, x'74776f'), (1, 3, x'00ff');
"""
OLD_ENTRIES = [b"one", b"two", b"\x00\xff"]


@pytest.fixture
def old_directory(directory: Path) -> Path:
    """A file of schema 6, without hashes."""
    directory.mkdir()
    with stranger(directory) as db:
        for script in SCHEMAS[:6]:
            db.executescript(script)
        for statement in OLD_ROWS.strip().split(";")[:-1]:
            db.execute(statement, {"summary": msgspec.json.encode(A_SUMMARY).decode()} if ":" in statement else {})
    return directory


async def test_a_file_without_hashes_gets_them_when_it_is_opened(old_directory: Path) -> None:
    store = await SqliteStore.open(old_directory)
    assert await store.load("T") == stored(2, b"s", OLD_ENTRIES[2:], OLD_ENTRIES[:2])
    assert await store.load("empty") == stored(0, b"0", [], table="empty")
    assert await append_and_wait(store, Append("T", chain(*OLD_ENTRIES), b"four")) == Committed(
        chain(*OLD_ENTRIES, b"four")
    )
    await store.close()


async def test_an_archive_reads_a_file_without_hashes_and_leaves_it_alone(old_directory: Path) -> None:
    before = (old_directory / "palatine.db").read_bytes()
    archive = SqliteReadonlyStore(old_directory)
    assert await archive.load("T") == stored(2, b"s", OLD_ENTRIES[2:], OLD_ENTRIES[:2])
    assert (await archive.read("T", 1, 2)).entries == [b"two"]
    assert (await archive.read("T", 0, 3)).end == chain(*OLD_ENTRIES)
    await archive.close()
    assert (old_directory / "palatine.db").read_bytes() == before


TAMPERINGS = {
    "an entry is edited": "UPDATE entries SET entry = x'00' WHERE version = 4",
    "an entry is dropped": "DELETE FROM entries WHERE version = 4",
    "entries change places": "UPDATE entries SET version = 9 - version WHERE version IN (4, 5)",
    "the hash of an entry is edited": "UPDATE entries SET hash = x'00' WHERE version = 4",
    "the snapshot is edited": "UPDATE snapshots SET snapshot = x'00' WHERE version = 3",
    "the snapshot is said to be older": "UPDATE snapshots SET version = 2 WHERE version = 3",
    "the log ends before the snapshot": "DELETE FROM entries WHERE version >= 3",
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
async def test_a_table_that_was_tampered_with_is_not_served_until_it_is_repaired(
    directory: Path, file: SqliteStore, tampering: str, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(file, "other")
    for version in range(5):
        await add(file, version, b"%d" % version, snapshot=b"s" if version == 2 else None)
    with stranger(directory) as db:
        rows = {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in ("entries", "snapshots")}
        db.execute(TAMPERINGS[tampering].replace("9 - version", "90 - version"))
        db.execute("UPDATE entries SET version = version - 81 WHERE version > 80")
    for _ in range(2):
        with pytest.raises(Damaged, match="table T: "):
            await file.load("T")
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert await file.load("other") == stored(0, b"0", [], table="other")
    with stranger(directory) as db:
        for name, kept in rows.items():
            db.execute(f"DELETE FROM {name}")
            db.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(kept[0]))})", kept)
    assert await file.load("T") == stored(3, b"s", [b"3", b"4"], [b"0", b"1", b"2"])


async def test_what_was_edited_before_the_snapshot_is_found_when_it_is_read(directory: Path, file: SqliteStore) -> None:
    for version in range(5):
        await add(file, version, b"%d" % version, snapshot=b"s" if version == 3 else None)
    with stranger(directory) as db:
        db.execute("UPDATE entries SET entry = x'00' WHERE version = 2")
    for after in (0, 1):
        with pytest.raises(Damaged, match="entry 2"):
            await file.read("T", after, 5)


async def test_a_file_that_is_restored_while_it_is_served_is_another_history(
    directory: Path, file: SqliteStore, tmp_path: Path
) -> None:
    await add(file, 0, b"one", request=key_of("1"))
    with stranger(directory) as live, closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        live.backup(copy)
        await add(file, 1, b"two", request=key_of("2"))
        copy.backup(live)
    assert await file.heads(["T"]) == {"T": chain(b"one")}
    assert await append_and_wait(file, Append("T", chain(b"one", b"two"), b"three")) == Stale(chain(b"one"))
    assert await file.find_request("T", key_of("2")) is None
    assert await append_and_wait(file, Append("T", chain(b"one"), b"other")) == Committed(chain(b"one", b"other"))
    assert (await file.read("T", 2, 3)).start != chain(b"one", b"two")


async def test_requests_that_an_older_version_answered_are_known(directory: Path) -> None:
    directory.mkdir()
    invitation = msgspec.msgpack.encode({"type": "invitation", "re": "i", "table": "T", "invitation": "sesame"})
    done = msgspec.msgpack.encode({"type": "done", "re": "r", "table": "T", "version": 1})
    with stranger(directory) as db:
        add_functions(db)
        for script in SCHEMAS[:7]:
            db.executescript(script)
        words = "INSERT INTO tables (id, visibility, created, summary) VALUES ('T', 'public', 1000, ?)"
        db.execute(words, (msgspec.json.encode(A_SUMMARY).decode(),))
        for version, entry in enumerate((b"one", b"two: sesame", b"three: sesame"), 1):
            db.execute("INSERT INTO entries (number, version, entry) VALUES (1, ?, ?)", (version, entry))
        for request, reply in {"r": done, "i": invitation}.items():
            db.execute("INSERT INTO replies VALUES (1, 'ada', ?, ?, ?)", (request, b"content", reply))
        db.commit()
    store = await SqliteStore.open(directory)
    assert await store.find_request("T", key_of("r")) == Duplicate(1)
    assert await store.find_request("T", key_of("r", content=b"other")) == IdReused()
    assert await store.find_request("T", key_of("i")) == Duplicate(2)
    await store.close()
