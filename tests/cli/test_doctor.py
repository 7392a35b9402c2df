"""`palatine doctor`: what is wrong with a store, in plain words, and what can be done about it."""

from __future__ import annotations

import json
import lzma
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
from cli.test_shadow import CASTLES, Evening
from store import redis_servers
from store.damage import damage_snapshot, scribble_over
from store.redis_servers import Server, one_server
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_server.cli.doctor_texts import TEXTS
from palatine_server.games.registry import GAMES
from palatine_server.inspection import Reason
from palatine_server.store import Store
from palatine_server.store.hash_chain import link, origin, seal
from palatine_server.store.redis import RedisStore
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.model import TableSnapshot

STORED = Path(__file__).parents[1] / "fixtures" / "stored"
PLAYED = ("between_two_castles", "noblemen", "palais_royal")
HEALTHY, FINDINGS, CANNOT_OPEN = 0, 1, 2
LARGE = "between_two_castles-1"  # a table whose snapshot takes more than one page of the file


def doctor(*words: str, lang: str = "en", **given: Any) -> Result:
    return CliRunner().invoke(
        main.build_app("doctor"), ["doctor", *words], env={"COLUMNS": "200", "LC_ALL": lang}, **given
    )


def report(*words: str) -> Any:
    return json.loads(doctor(*words, "--json").stdout)


async def fill(store: Store, tables: list[Evening]) -> None:
    for table in tables:
        await table.keep(store)
    await store.close()


@pytest.fixture(scope="module")
def tables() -> list[Evening]:
    """One table of each game that the tests below name."""
    return [Evening(GAMES[name], 1).play(60) for name in PLAYED]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory, tables: list[Evening]) -> Path:
    path = tmp_path_factory.mktemp("original") / "data"

    async def filled() -> None:
        await fill(await SqliteStore.open(path), tables)

    anyio.run(filled)
    return path


@pytest.fixture
def data(tmp_path: Path, original: Path) -> Path:
    """A data directory that may be spoilt."""
    return Path(shutil.copytree(original, tmp_path / "data"))


@pytest.fixture
def valkey(tables: list[Evening]) -> Iterator[Server]:
    async def filled() -> None:
        await fill(await RedisStore.open(server.url), tables)

    with redis_servers.running(one_server) as server:
        anyio.run(filled)
        yield server


def change(data: Path, statement: str, *given: object) -> None:
    with closing(sqlite3.connect(data / "palatine.db", isolation_level=None)) as db:
        assert db.execute(statement, given).rowcount > 0


def number_of(data: Path, table: str) -> int:
    with closing(sqlite3.connect(data / "palatine.db")) as db:
        return int(db.execute("SELECT number FROM tables WHERE id = ?", (table,)).fetchone()[0])


# A healthy store


def test_a_healthy_file_is_said_to_be_healthy_and_left_as_it_is(data: Path, tables: list[Evening]) -> None:
    before = (data / "palatine.db").read_bytes()
    result = doctor("--data", str(data))
    entries = sum(len(table.entries) for table in tables)
    assert f"✓ The store is healthy: 3 tables with {entries} entries, all readable." in result.stdout
    assert (result.exit_code, result.stderr) == (HEALTHY, "")
    assert (data / "palatine.db").read_bytes() == before


def test_a_healthy_redis_is_said_to_be_healthy_and_left_as_it_is(valkey: Server) -> None:
    before = valkey.ask("DBSIZE")
    found = report("--store", valkey.url)
    assert (found["kind"], found["tables"], found["unreadable"]) == ("redis", 3, [])
    assert valkey.ask("DBSIZE") == before


def test_a_server_at_work_is_not_disturbed(data: Path) -> None:
    async def at_work() -> None:
        store = await SqliteStore.open(data)
        result = await anyio.to_thread.run_sync(doctor, "--data", str(data))
        await store.close()
        assert result.exit_code == HEALTHY

    anyio.run(at_work)


@pytest.mark.parametrize("file", sorted(STORED.glob("*/palatine.db.xz")), ids=lambda file: file.parent.name)
def test_what_every_version_has_stored_is_healthy(file: Path, tmp_path: Path) -> None:
    (tmp_path / "palatine.db").write_bytes(lzma.decompress(file.read_bytes()))
    found = report("--data", str(tmp_path))
    assert (found["damage"], found["unreadable"]) == ([], [])
    assert found["tables"] >= 15


def test_a_table_of_another_edition_is_no_finding(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    object.__setattr__(CASTLES, "edition", edition := CASTLES.edition)
    monkeypatch.setitem(CASTLES.__dict__, "edition", "another")
    result = doctor("--data", str(data))
    assert result.exit_code == HEALTHY
    assert "1 tables began with another edition" in result.stdout
    assert edition not in result.stdout


# What can be wrong with a table


def lose_entry(data: Path, table: str) -> None:
    change(data, "DELETE FROM entries WHERE number = ? AND version = 30", number_of(data, table))


def put_in_another_entry(data: Path, table: str) -> None:
    """The same entry, whose patch leads to a place that is not there."""
    number = number_of(data, table)
    with closing(sqlite3.connect(data / "palatine.db", isolation_level=None)) as db:
        where = "WHERE number = ? AND version = 30"
        (raw,) = db.execute(f"SELECT entry FROM entries {where}", (number,)).fetchone()
        entry = msgspec.msgpack.decode(raw)
        entry["board"] = [[["nowhere", "at", "all"], 1]]
        db.execute(f"UPDATE entries SET entry = ? {where}", (msgspec.msgpack.encode(entry), number))


def change_snapshot(data: Path, table: str) -> None:
    page = snapshot_of(data, table)
    page.info["host"] = "Somebody else"
    put_snapshot(data, table, msgspec.msgpack.encode(page))


def change_game(data: Path, table: str) -> None:
    page = snapshot_of(data, table)
    page.info["game"] = "chess\x1b[31m"
    put_snapshot(data, table, msgspec.msgpack.encode(page))


def break_position(data: Path, table: str) -> None:
    page = snapshot_of(data, table)
    page.hidden["game"] = {"agenda": "nonsense"}
    put_snapshot(data, table, msgspec.msgpack.encode(page))


def snapshot_of(data: Path, table: str) -> TableSnapshot:
    with closing(sqlite3.connect(data / "palatine.db")) as db:
        question = "SELECT snapshot FROM snapshots WHERE number = ?"
        (raw,) = db.execute(question, (number_of(data, table),)).fetchone()
        return msgspec.msgpack.decode(raw, type=TableSnapshot)


def put_snapshot(data: Path, table: str, snapshot: bytes) -> None:
    change(data, "UPDATE snapshots SET snapshot = ? WHERE number = ?", snapshot, number_of(data, table))


def chain_again(data: Path, table: str) -> None:
    """Compute the hash chain of a table anew, as if its flaw had been written by a server."""
    number = number_of(data, table)
    with closing(sqlite3.connect(data / "palatine.db", isolation_level=None)) as db:
        heads = [origin(table)]
        for version, entry in db.execute("SELECT version, entry FROM entries WHERE number = ?", (number,)).fetchall():
            heads.append(link(heads[-1], entry))
            db.execute(
                "UPDATE entries SET hash = ? WHERE version = ? AND number = ?", (heads[-1].hash, version, number)
            )
        of_table = "FROM snapshots WHERE number = ?"
        version, snapshot = db.execute(f"SELECT version, snapshot {of_table}", (number,)).fetchone()
        head = heads[version]
        words = "UPDATE snapshots SET hash = ?, seal = ? WHERE number = ?"
        db.execute(words, (head.hash, seal(head, snapshot), number))


FLAWS: dict[str, tuple[Any, Reason, int | None]] = {
    "an entry cannot be decoded": (lambda data, table: scribble_over(data, table, 30), "unreadable", 30),
    "an entry does not fit": (put_in_another_entry, "does_not_apply", 30),
    "the snapshot cannot be decoded": (lambda data, table: put_snapshot(data, table, b"\xc1"), "unreadable", 60),
    "the snapshot is another": (change_snapshot, "differs", 60),
    "the snapshot cannot be read": (damage_snapshot, "damaged", None),
    "the snapshot was changed by hand": (change_snapshot, "damaged", None),
    "an entry was changed by hand": (put_in_another_entry, "damaged", 30),
    "an entry is lost": (lose_entry, "incomplete", 30),
    "the game is not installed": (change_game, "no_game", None),
    "the rules cannot go on": (break_position, "cannot_go_on", 60),
}


@pytest.mark.parametrize("name", FLAWS)
def test_a_table_that_cannot_be_served_is_listed_with_the_reason(data: Path, name: str) -> None:
    spoil, reason, at = FLAWS[name]
    spoil(data, LARGE)
    if reason not in ("damaged", "incomplete"):
        chain_again(data, LARGE)
    (found,) = report("--data", str(data))["unreadable"]
    assert (found["table"], found["reason"], found.get("at")) == (LARGE, reason, at)
    for lang in ("en", "de"):
        result = doctor("--data", str(data), lang=lang)
        words = TEXTS[lang][f"{reason} at" if at and f"{reason} at" in TEXTS[lang] else reason]  # type: ignore[index]
        assert words.format(at=at) in result.stdout
        assert result.exit_code == FINDINGS
        assert "\x1b" not in result.stdout
        assert f"palatine doctor --data {data} --export" in result.stdout


def test_a_broken_chain_in_redis_is_listed(valkey: Server) -> None:
    valkey.ask("HSET", "palatine:{table:noblemen-1}", "snapshot", "forged")
    result = doctor("--store", valkey.url)
    assert result.exit_code == FINDINGS
    (row,) = [line for line in result.stdout.splitlines() if "noblemen-1" in line]
    assert "it was changed by hand" in row
    assert valkey.url not in result.output


def test_a_damaged_file_is_said_to_be_damaged_and_other_tables_are_still_checked(data: Path) -> None:
    damage_snapshot(data, LARGE)
    result = doctor("--data", str(data))
    assert "The file itself is damaged" in result.stdout
    assert "copy the whole data directory" in result.stdout
    assert "--rebuild" in result.stdout
    found = report("--data", str(data))
    assert found["damage"]
    assert (found["tables"], len(found["unreadable"])) == (3, 1)


def test_findings_hold_no_secrets(data: Path, tables: list[Evening]) -> None:
    put_in_another_entry(data, "noblemen-1")
    scribble_over(data, LARGE, 30)
    shown = doctor("--data", str(data)).output + doctor("--data", str(data), "--json").output
    for table in tables:
        assert table.state.secrets.seed not in shown
        assert all(user not in shown for user in table.state.secrets.users if user)


# What cannot be opened


@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_is_no_store_ends_with_code_2(tmp_path: Path, lang: str) -> None:
    assert doctor("--data", str(tmp_path), lang=lang).exit_code == CANNOT_OPEN
    (tmp_path / "palatine.db").write_bytes(b"Dear diary, " * 100)
    result = doctor("--data", str(tmp_path), lang=lang)
    assert (result.exit_code, result.stdout) == (CANNOT_OPEN, "")
    assert "not a database" in result.stderr


def test_a_redis_that_is_not_there_ends_with_code_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RedisStore.wait_for_primaries, "__defaults__", (0.1,))  # seconds to wait for it
    result = doctor("--store", "redis://:secret@127.0.0.1:1")
    assert result.exit_code == CANNOT_OPEN
    assert "secret" not in result.output


def test_a_file_of_a_newer_version_ends_with_code_2(data: Path) -> None:
    with closing(sqlite3.connect(data / "palatine.db")) as db:
        db.execute("PRAGMA user_version = 99")
    result = doctor("--data", str(data))
    assert (result.exit_code, "written by a newer palatine" in result.stderr) == (CANNOT_OPEN, True)


# Export


def exported(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_export_writes_a_whole_table_for_its_owner_only(data: Path, tables: list[Evening], tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    (played,) = [table for table in tables if table.id == "noblemen-1"]
    result = doctor("--data", str(data), "--export", "noblemen-1", "-o", str(path))
    assert result.exit_code == HEALTHY
    assert "holds every secret of the table" in result.stdout
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    header, snapshot, *entries, end = exported(path)
    assert header == {"palatine_export": 1, "table": "noblemen-1", "holds_secrets": True}
    assert snapshot["snapshot"]["info"]["game"] == "noblemen"
    assert [line["version"] for line in entries] == list(range(1, 61))
    assert entries[-1]["entry"]["did"] == msgspec.to_builtins(played.entries[-1].did)
    assert end == {"end": True, "entries": 60, "is_whole": True}


def test_export_writes_the_entries_up_to_the_damage(data: Path, tmp_path: Path) -> None:
    damage_snapshot(data, LARGE)
    lose_entry(data, LARGE)
    path = tmp_path / "table.jsonl"
    result = doctor("--data", str(data), "--export", LARGE, "-o", str(path))
    assert "29 entries, up to the damage" in result.stdout
    header, *entries, end = exported(path)
    assert [line["version"] for line in entries] == list(range(1, 30))
    assert end == {"end": True, "entries": 29, "is_whole": False}


def test_export_keeps_what_cannot_be_decoded_as_it_is(data: Path, tmp_path: Path) -> None:
    scribble_over(data, "noblemen-1", 30)
    chain_again(data, "noblemen-1")
    path = tmp_path / "table.jsonl"
    doctor("--data", str(data), "--export", "noblemen-1", "-o", str(path))
    assert "entry_bytes" in exported(path)[31]


def test_export_overwrites_nothing_and_knows_what_is_not_there(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    result = doctor("--data", str(data), "--export", "nowhere", "-o", str(path))
    assert (result.exit_code, path.exists()) == (CANNOT_OPEN, False)
    assert "There is no table nowhere" in result.stderr
    path.write_text("mine")
    result = doctor("--data", str(data), "--export", "noblemen-1", "-o", str(path))
    assert (result.exit_code, path.read_text()) == (CANNOT_OPEN, "mine")


def test_export_from_redis(valkey: Server, tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    valkey.ask("XDEL", "palatine:{table:noblemen-1}:log", "30-0")
    result = doctor("--store", valkey.url, "--export", "noblemen-1", "-o", str(path))
    assert "29 entries, up to the damage" in result.stdout
    assert exported(path)[-1] == {"end": True, "entries": 29, "is_whole": False}


# Drop


def test_drop_removes_a_table_with_everything(data: Path) -> None:
    lose_entry(data, "noblemen-1")
    result = doctor("--data", str(data), "--drop", "noblemen-1", "--yes")
    assert (result.exit_code, result.stdout) == (HEALTHY, "Table noblemen-1 is removed.\n")
    found = report("--data", str(data))
    assert (found["tables"], found["unreadable"]) == (2, [])
    with closing(sqlite3.connect(data / "palatine.db")) as db:
        for name in ("snapshots", "entries", "requests", "members"):
            left = f"SELECT count(*) FROM {name} WHERE number NOT IN (SELECT number FROM tables)"
            assert db.execute(left).fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM creations WHERE id = 'noblemen-1'").fetchone() == (0,)
    assert doctor("--data", str(data), "--drop", "noblemen-1", "--yes").exit_code == CANNOT_OPEN


def test_drop_asks_first_and_needs_somebody_to_ask(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = doctor("--data", str(data), "--drop", "noblemen-1")
    assert (result.exit_code, "--yes" in result.stderr) == (CANNOT_OPEN, True)
    monkeypatch.setattr("palatine_server.cli.store_doctor.is_terminal", lambda: True)
    result = doctor("--data", str(data), "--drop", "noblemen-1", input="n\n")
    assert (result.exit_code, "Nothing was changed" in result.stderr) == (CANNOT_OPEN, True)
    assert report("--data", str(data))["tables"] == 3
    assert doctor("--data", str(data), "--drop", "noblemen-1", input="y\n").exit_code == HEALTHY
    assert report("--data", str(data))["tables"] == 2


@pytest.mark.parametrize("words", [("--drop", "noblemen-1"), ("--rebuild",)], ids=lambda words: words[0])
def test_nothing_is_changed_while_a_server_holds_the_file(data: Path, words: tuple[str, ...]) -> None:
    async def at_work() -> None:
        store = await SqliteStore.open(data)
        result = await anyio.to_thread.run_sync(doctor, "--data", str(data), "--yes", *words)
        assert (result.exit_code, "another palatine serves" in result.stderr) == (CANNOT_OPEN, True)
        assert await store.load("noblemen-1")
        await store.close()

    anyio.run(at_work)


def test_drop_from_redis(valkey: Server) -> None:
    valkey.ask("HSET", "palatine:{table:noblemen-1}", "snapshot", "forged")
    assert doctor("--store", valkey.url, "--drop", "noblemen-1", "--yes").exit_code == HEALTHY
    found = report("--store", valkey.url)
    assert (found["tables"], found["unreadable"]) == (2, [])
    assert doctor("--store", valkey.url, "--drop", "noblemen-1", "--yes").exit_code == CANNOT_OPEN


# Rebuild


def test_a_table_in_a_damaged_part_is_left_out_of_a_rebuilt_file(data: Path) -> None:
    damage_snapshot(data, LARGE)
    result = doctor("--data", str(data), "--drop", LARGE, "--yes")
    assert (result.exit_code, "--rebuild" in result.stderr) == (CANNOT_OPEN, True)
    damaged = (data / "palatine.db").read_bytes()
    result = doctor("--data", str(data), "--rebuild", "--yes")
    assert (result.exit_code, "2 tables were copied" in result.stdout) == (HEALTHY, True)
    assert f"Left out, because they cannot be read: {LARGE}" in result.stdout
    (kept,) = data.glob("palatine.damaged-*.db")
    assert kept.read_bytes() == damaged
    assert stat.S_IMODE((data / "palatine.db").stat().st_mode) == 0o600
    found = report("--data", str(data))
    assert (found["damage"], found["unreadable"], found["tables"]) == ([], [], 2)

    async def served() -> None:
        store = await SqliteStore.open(data)  # which checks it
        assert await store.load(LARGE) is None
        assert len(await store.tables(user="user-0")) == 2
        await store.close()

    anyio.run(served)


def test_a_rebuilt_file_holds_everything_that_was_in_a_healthy_one(data: Path) -> None:
    before = contents(data)
    doctor("--data", str(data), "--rebuild", "--yes")
    assert contents(data) == before


def contents(data: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(data / "palatine.db")) as db:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'index')")]
        rows = {name: [] for name in names if name.startswith("sqlite_") or "_" in name}
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {**rows, **{name: db.execute(f"SELECT * FROM {name}").fetchall() for name in tables}}


def test_only_one_thing_is_done_at_a_time(data: Path) -> None:
    result = doctor("--data", str(data), "--drop", "noblemen-1", "--rebuild", "--yes")
    assert (result.exit_code, report("--data", str(data))["tables"]) == (CANNOT_OPEN, 3)


def test_both_languages_say_the_same() -> None:
    assert TEXTS["en"].keys() == TEXTS["de"].keys()
    assert not [key for key in TEXTS["en"] if TEXTS["en"][key] == TEXTS["de"][key]]
