"""The health of the file: what errors say of the disk, the clean-stop mark and the check at the start."""

from __future__ import annotations

import errno
import logging
import os
import sqlite3
from asyncio import gather
from collections.abc import Iterator
from pathlib import Path

import pytest
from chaos.small_disk import SmallDisk, mount_fillable_disk
from store.contract import A_SUMMARY, add, begin, key_of
from store.damage import SNAPSHOT, cut_off, stored

from palatine_server.store import CannotOpen, Committed, Damaged, DamagedFile, Unavailable
from palatine_server.store.sqlite import SqliteStore, connections, health, integrity
from palatine_server.store.sqlite.health import REMIND_EVERY, Health, kind_of

LARGE = os.urandom(50_000)


def sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("…")
    error.sqlite_errorcode = code
    return error


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The directories that were checked."""
    done: list[Path] = []
    check = connections.check_file

    def noted(directory: Path, *given: object) -> None:
        done.append(directory)
        check(directory, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(connections, "check_file", noted)
    return done


async def two_tables(data: Path) -> None:
    """A closed store with two tables, of which the first is large."""
    store = await SqliteStore.open(data)
    await store.create("T", LARGE, A_SUMMARY, key_of("create T"))
    await begin(store, "U")
    await store.close()


# What errors say


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (sqlite_error(sqlite3.SQLITE_FULL), "disk_full"),
        (OSError(errno.ENOSPC, "…"), "disk_full"),
        (OSError(errno.EDQUOT, "…"), "disk_full"),
        (sqlite_error(sqlite3.SQLITE_IOERR_WRITE), "disk_fails"),
        (sqlite_error(sqlite3.SQLITE_READONLY), "disk_fails"),
        (sqlite_error(sqlite3.SQLITE_CORRUPT), "damaged"),
        (sqlite_error(sqlite3.SQLITE_CORRUPT_INDEX), "damaged"),
        (sqlite_error(sqlite3.SQLITE_NOTADB), "damaged"),
        (sqlite_error(sqlite3.SQLITE_BUSY), None),
        (sqlite_error(sqlite3.SQLITE_CONSTRAINT), None),
        (ValueError("…"), None),
    ],
)
def test_an_error_says_what_the_disk_lacks(error: Exception, kind: str | None, tmp_path: Path) -> None:
    assert kind_of(error, tmp_path) == kind


def test_an_io_error_on_a_disk_without_room_means_that_it_is_full(tmp_path: Path) -> None:
    """SQLite says so when the index of its write-ahead log finds no room, or a quota is used up."""
    with mount_fillable_disk(tmp_path / "small") as disk:
        if not isinstance(disk, SmallDisk):
            pytest.skip("no file system can be mounted here; the full disk is tested in tests/server/test_disk.py")
        assert kind_of(sqlite_error(sqlite3.SQLITE_IOERR_SHMSIZE), disk.directory) == "disk_fails"
        disk.fill()
        assert kind_of(sqlite_error(sqlite3.SQLITE_IOERR_SHMSIZE), disk.directory) == "disk_full"


def test_trouble_is_logged_when_it_begins_every_minute_and_when_it_is_over(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    times = iter([0.0, 1.0, 2.0, REMIND_EVERY, REMIND_EVERY + 1, REMIND_EVERY + 1])
    known = Health(tmp_path, lambda: next(times))
    for _ in range(5):
        assert type(known.note_failure(sqlite_error(sqlite3.SQLITE_FULL), "words")) is Unavailable
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]
    trouble = known.trouble()
    assert trouble is not None
    assert (trouble.kind, trouble.stops_writes) == ("disk_full", True)
    known.note_commit()
    assert known.trouble() is None
    assert caplog.records[-1].getMessage() == f"the disk stores again, after {REMIND_EVERY + 1:.0f} seconds"


def test_a_disk_with_hardly_any_room_stays_full_though_something_small_was_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Health(tmp_path)
    known.note_failure(sqlite_error(sqlite3.SQLITE_FULL), "words")
    monkeypatch.setattr(health, "LEAST_ROOM", 2**62)
    known.note_commit()
    assert known.trouble() is not None
    monkeypatch.setattr(health, "LEAST_ROOM", 0)
    known.note_commit()
    assert known.trouble() is None


def test_damage_is_logged_once_for_each_table_and_stops_no_writes(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    known = Health(tmp_path)
    for table in ("T", "T", "U", "T"):
        assert type(known.note_failure(sqlite_error(sqlite3.SQLITE_CORRUPT), "words", table)) is Damaged
    assert [record.__dict__["table"] for record in caplog.records] == ["T", "U"]
    known.note_commit()
    trouble = known.trouble()
    assert trouble is not None
    assert (trouble.kind, trouble.stops_writes) == ("damaged", False)


# The clean-stop mark


async def test_a_file_is_checked_unless_the_last_server_stopped_in_good_order(data: Path, checks: list[Path]) -> None:
    await two_tables(data)
    checks.clear()
    await (await SqliteStore.open(data)).close()
    assert checks == []
    (data / "palatine.lock").write_text("12345")  # as a server leaves it that was killed
    await (await SqliteStore.open(data)).close()
    assert checks == [data]


async def test_a_file_that_was_replaced_or_changed_is_checked(data: Path, checks: list[Path]) -> None:
    await two_tables(data)
    checks.clear()
    backup = (data / "palatine.db").read_bytes()
    (data / "palatine.db").write_bytes(backup)
    await (await SqliteStore.open(data)).close()
    assert checks == [data]


async def test_a_file_without_a_lock_is_checked(data: Path, checks: list[Path]) -> None:
    await two_tables(data)
    checks.clear()
    (data / "palatine.lock").unlink()
    await (await SqliteStore.open(data)).close()
    assert checks == [data]


async def test_no_mark_is_left_where_the_write_ahead_log_could_not_be_emptied(
    data: Path, checks: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    await two_tables(data)
    checks.clear()
    monkeypatch.setattr(connections, "_checkpoint", lambda db: None)
    reader = sqlite3.connect(data / "palatine.db")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM tables").fetchall()
    store = await SqliteStore.open(data)
    assert isinstance(await add(store, 0, table="U"), Committed)
    await store.close()
    reader.close()
    await (await SqliteStore.open(data)).close()
    assert checks == [data]


# The check


async def test_a_damaged_file_is_not_opened(data: Path) -> None:
    await two_tables(data)
    cut_off(data, stored(data, SNAPSHOT, "T"), secretly=False)
    with pytest.raises(DamagedFile, match=rf"is damaged .* palatine doctor --data {data}"):
        await SqliteStore.open(data)
    with pytest.raises(DamagedFile):  # it did not count as a stop in good order
        await SqliteStore.open(data)


async def test_a_check_that_takes_too_long_is_given_up_with_a_warning(
    data: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(db: sqlite3.Connection, *given: object) -> list[str]:
        raise TimeoutError

    await two_tables(data)
    (data / "palatine.lock").unlink()
    monkeypatch.setattr(integrity, "find_damage", endless)
    await (await SqliteStore.open(data)).close()
    assert "the file was not checked to its end" in caplog.text


def test_long_work_tells_how_long_it_takes_and_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "TELL_EVERY", 0.02)
    told: list[float] = []
    db = sqlite3.connect(":memory:", check_same_thread=False)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with pytest.raises(sqlite3.OperationalError, match="interrupted"), integrity._watch_progress(db, 0.3, told.append):
        db.execute(endless).fetchall()
    assert len(told) >= 2
    assert told == sorted(told)
    db.close()


async def test_damage_met_later_costs_one_table(data: Path, checks: list[Path]) -> None:
    await two_tables(data)
    checks.clear()
    cut_off(data, stored(data, SNAPSHOT, "T"), secretly=True)
    store = await SqliteStore.open(data)
    assert checks == []
    with pytest.raises(Damaged):
        await store.load("T")
    found = await store.load("U")
    assert found is not None
    assert (found.snapshot, found.version) == (b"0", 0)
    assert isinstance(await add(store, 0, table="U"), Committed)
    trouble = store.trouble()
    assert trouble is not None
    assert trouble.kind == "damaged"
    await store.close()


async def test_a_change_that_meets_damage_spoils_no_other(data: Path, caplog: pytest.LogCaptureFixture) -> None:
    await two_tables(data)
    cut_off(data, stored(data, SNAPSHOT, "T"), secretly=True)
    store = await SqliteStore.open(data)
    changes = add(store, 0, table="U"), add(store, 0, snapshot=b"s"), add(store, 1, table="U")
    outcomes = await gather(*changes, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Committed, Damaged, Committed]
    assert await store.heads(["U"]) == {"U": outcomes[2].head}  # type: ignore[union-attr]
    assert [record.__dict__["table"] for record in caplog.records] == ["T"]
    with pytest.raises(Damaged, match="table T is damaged"):
        await add(store, 0)
    await store.close()


# A disk that refuses from the start


@pytest.fixture
def small(data: Path) -> Iterator[SmallDisk]:
    with mount_fillable_disk(data) as disk:
        if not isinstance(disk, SmallDisk):
            pytest.skip("no file system can be mounted here")
        yield disk


async def test_a_full_disk_is_named_when_a_server_starts(small: SmallDisk) -> None:
    small.fill()
    with pytest.raises(CannotOpen, match="the disk is full: make room and start again"):
        await SqliteStore.open(small.directory)
    small.heal()
    await (await SqliteStore.open(small.directory)).close()


async def test_a_read_only_disk_is_named_when_a_server_starts(small: SmallDisk) -> None:
    await (await SqliteStore.open(small.directory)).close()
    small.make_read_only()
    with pytest.raises(CannotOpen, match="the disk is read-only: make it writable and start again"):
        await SqliteStore.open(small.directory)
