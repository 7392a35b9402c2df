"""What an import takes: the store holds a constant multiple of the record, also if the import is killed."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Any

import msgspec
import pytest
from records.chat_game import play_chatty_game, talkative_record
from records.game_fixtures import record_of
from records.test_records import forgery
from store.redis_servers import one_server
from store.redis_servers import running as running_redis
from tables.test_directory import ask

from palatine_protocol.messages import Done, Say
from palatine_server.games.kit import Refused
from palatine_server.games.registry import GAMES
from palatine_server.records import Signer, build_record, decode_record, encode_record, erase_texts, sign_record
from palatine_server.records.export import export_record
from palatine_server.records.importer import prepare_import, store_import
from palatine_server.settings import Settings
from palatine_server.store.readonly import SqliteReadonlyStore
from palatine_server.store.redis import RedisStore
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.storage import persistence
from palatine_server.tables.storage.persistence import copy_snapshot

PALAIS = GAMES["palais_royal"]
TIMES = 4  # what the store may take, in sizes of the record
FIXED = 300_000  # bytes besides: an empty store and its pages


def padded(lines: Any) -> None:
    """As much as the info of a table may hold: it was in every snapshot."""
    for number in range(6):
        lines[0]["opening"][f"padding{number}"] = "x" * 9_000


def size_of(directory: Path) -> int:
    return sum(path.stat().st_size for path in directory.iterdir())


@pytest.mark.parametrize("change", [padded, lambda lines: None], ids=["padded", "as it is"])
async def test_a_store_takes_a_few_times_what_the_record_takes(change: Any, tmp_path: Path) -> None:
    content = forgery(record_of(GAMES["noblemen"]), change)
    store = await SqliteStore.open(tmp_path)
    await store_import(prepare_import(content, GAMES), store)
    await store.close()
    size = size_of(tmp_path)
    print(f"a record of {len(content)} bytes takes {size} in SQLite: {size / len(content):.1f} times")  # noqa: T201
    assert size < TIMES * len(content) + FIXED


async def test_what_is_written_on_the_way_is_as_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content, given = forgery(record_of(PALAIS), padded), 0
    store = await SqliteStore.open(tmp_path)
    append = store.append

    def counted(change: Any, on_outcome: Any) -> None:
        nonlocal given
        given += len(change.entry) + len(change.snapshot or b"") + len(msgspec.json.encode(change.summary))
        append(change, on_outcome)

    monkeypatch.setattr(store, "append", counted)
    game = prepare_import(content, GAMES)
    await store_import(game, store)
    await store.close()
    print(f"a record of {len(content)} bytes: {given + len(game.first)} bytes written to the store")  # noqa: T201
    assert given + len(game.first) < 3 * len(content)


async def test_a_redis_takes_a_few_times_what_the_record_takes() -> None:
    content = forgery(record_of(PALAIS), padded)
    with running_redis(one_server) as server:
        store = await RedisStore.open(server.url)
        before = used(server)
        await store_import(prepare_import(content, GAMES), store)
        grown = used(server) - before
        print(f"a record of {len(content)} bytes takes {grown} in Redis: {grown / len(content):.1f} times")  # noqa: T201
        assert grown < TIMES * len(content) + FIXED
        await store.close()


def used(server: Any) -> int:
    lines = server.ask("INFO", "memory").decode().splitlines()
    return int(next(line.partition(":")[2] for line in lines if line.startswith("used_memory:")))


# kill -9


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.palatine"
    path.write_bytes(encode_record(talkative_record()))
    return path


def entries_in(directory: Path) -> int:
    path = directory / "palatine.db"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        try:
            return int(db.execute("SELECT count(*) FROM entries").fetchone()[0])
        except sqlite3.OperationalError:  # there are no tables yet
            return 0


def import_in_a_process(file: Path, data: Path) -> "subprocess.Popen[bytes]":
    palatine = Path(sys.executable).with_name("palatine")
    return subprocess.Popen(
        [palatine, "import", file, "--data", data], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


@pytest.mark.parametrize("after", [1, 60, 150])
async def test_an_import_that_is_killed_leaves_nothing_to_see_and_goes_on(
    after: int, file: Path, tmp_path: Path
) -> None:
    data, length = tmp_path / "data", len(talkative_record().entries)
    with import_in_a_process(file, data) as process:
        while process.poll() is None and entries_in(data) < after:
            sleep(0.001)  # waits for nothing but the entry: any moment after it will do
        process.kill()
    done = entries_in(data)
    assert after <= done
    archive = SqliteReadonlyStore(data)
    if done < length:
        with pytest.raises(Refused) as refused:
            await persistence.load("t", archive)
        assert refused.value.code == "no_such_table"
    await archive.close()
    with import_in_a_process(file, data) as process:
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    archive = SqliteReadonlyStore(data)
    page, _ = await persistence.load("t", archive)
    entries = await persistence.read_entries("t", 0, page.version, archive)
    await archive.close()
    assert encode_record(build_record("t", page, entries)) == file.read_bytes()


# Whose signature an imported game has


@pytest.mark.parametrize("signer", [Signer("77" * 32, "https://elsewhere.example"), None], ids=["signed", "unsigned"])
@pytest.mark.parametrize("kinds", [[], ["name"], ["name", "chat"]], ids=["whole", "without names", "without texts"])
async def test_an_imported_game_keeps_its_signature_and_gets_no_other(signer: Any, kinds: Any, tmp_path: Path) -> None:
    unsigned = msgspec.structs.replace(talkative_record(), signature=None)
    content = encode_record(erase_texts(sign_record(unsigned, signer), kinds))
    store = await SqliteStore.open(tmp_path)
    await store_import(prepare_import(content, GAMES), store)
    page, _ = await persistence.load("t", store)
    entries = await persistence.read_entries("t", 0, page.version, store)
    await store.close()
    assert export_record("t", page, entries, Signer("99" * 32)) == content


async def test_what_is_said_at_an_imported_table_is_not_in_its_record(tmp_path: Path) -> None:
    content = encode_record(talkative_record())
    store = await SqliteStore.open(tmp_path)
    await store_import(prepare_import(content, GAMES), store)
    async with TableDirectory(GAMES, store, Settings(), lambda: 1_000_000_000) as directory:
        assert isinstance(await ask(directory, "u7", Say, table="t", text="Bravo!"), Done)
        page = (await directory.open("t")).state.take_snapshot()
        entries = await persistence.read_entries("t", 0, page.version, store)
    await store.close()
    assert len(entries) == len(talkative_record().entries) + 1
    assert export_record("t", page, entries, Signer("99" * 32)) == content


def test_a_game_that_was_imported_before_tables_kept_their_origin_is_not_signed() -> None:
    state, entries = play_chatty_game()
    page = copy_snapshot(state.take_snapshot())
    assert b'"signature"' in export_record("t", page, entries, Signer("99" * 32))
    page.hidden["opening"]["secrets"]["host"] = ""
    assert b'"signature"' not in export_record("t", page, entries, Signer("99" * 32))


async def test_a_record_whose_signature_is_wrong_is_not_imported() -> None:
    record = talkative_record()
    record.entries[-1].at += 1
    with pytest.raises(Refused, match="signature"):
        prepare_import(encode_record(record), GAMES)
    assert decode_record(encode_record(record)).signature
