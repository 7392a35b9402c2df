"""The memories of chat apps: a file of the app, and the notes of the server's store, which several processes share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from msgspec.structs import replace

from palatine_client.chat import sqlite_memory
from palatine_client.chat.chat_memory import ChatMemory, PersonRecord, TableRecord
from palatine_client.chat.sqlite_memory import SqliteMemory
from palatine_server.store.sqlite import SqliteStore
from palatine_server.web import chat_notes
from palatine_server.web.chat_notes import ChatNotes


def record(number: int, **fields: object) -> TableRecord:
    return replace(TableRecord(table=f"table{number}", game="noblemen", community="7", channel="8"), **fields)


@pytest.fixture(params=["file", "notes"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ChatMemory]:
    if request.param == "file":
        opened = SqliteMemory(tmp_path / "discord.sqlite")
        yield opened
        opened.close()
    else:
        store = await SqliteStore.open(tmp_path)
        yield ChatNotes(store)
        await store.close()


async def test_a_new_table_is_added_once_and_changed_later(memory: ChatMemory) -> None:
    await memory.add_table(record(1, invitation="a"))
    await memory.add_table(record(1, invitation="b"))
    assert await memory.find_table("table1") == record(1, invitation="a")
    await memory.save_table(record(1, thread="9"))
    await memory.add_table(record(1))
    assert await memory.list_tables() == [record(1, thread="9")]
    await memory.remove_table("table1")
    assert await memory.list_tables() == []
    assert await memory.find_table("table1") is None


async def test_members_are_added_and_removed_at_the_same_time(memory: ChatMemory) -> None:
    await memory.add_table(record(1))
    async with anyio.create_task_group() as tasks:
        for person in "abcdefg":
            tasks.start_soon(memory.add_member, "table1", person)
            tasks.start_soon(memory.save_table, record(1, thread=person))
    await memory.add_member("table1", "a")
    await memory.remove_member("table1", "c")
    assert await memory.list_members("table1") == [*"abdefg"]
    assert await memory.list_members("table2") == []


async def test_a_person_has_the_usual_interval_until_they_choose_another(memory: ChatMemory) -> None:
    assert await memory.find_person("discord:1") == PersonRecord("discord:1", minutes=60)
    await memory.save_person(PersonRecord("discord:1", "user", "Ada", 5))
    assert (await memory.find_person("discord:1")).minutes == 5


async def test_a_full_file_forgets_those_who_came_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_memory, "MOST_PEOPLE", 2)
    memory = SqliteMemory(tmp_path / "discord.sqlite")
    for number in range(4):
        await memory.save_person(PersonRecord(f"discord:{number}", minutes=5))
    await memory.save_person(PersonRecord("discord:2", minutes=7))
    assert [(await memory.find_person(f"discord:{number}")).minutes for number in range(4)] == [60, 60, 7, 5]
    memory.close()


async def test_a_full_memory_forgets_old_or_finished_tables_first(
    memory: ChatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_memory, "MOST_TABLES", 3)
    monkeypatch.setattr(chat_notes, "SLOTS", 3)
    await memory.add_table(record(1, is_finished=True))
    for number in (2, 3, 4):
        await memory.add_table(record(number))
    assert {each.table for each in await memory.list_tables()} == {"table2", "table3", "table4"}


# People who are forgotten, and records of other versions


async def test_a_forgotten_person_is_nowhere(memory: ChatMemory) -> None:
    await memory.add_table(record(1, host="discord:5", pinged={"discord:5": 1, "discord:6": 2}, turns={"discord:5": 1}))
    await memory.add_member("table1", "discord:5")
    await memory.add_member("table1", "discord:6")
    await memory.save_person(PersonRecord("discord:5", "user5", "Ada", 30))
    await memory.forget_person("discord:5")
    assert await memory.list_tables() == [record(1, pinged={"discord:6": 2})]
    assert await memory.list_members("table1") == ["discord:6"]
    assert await memory.find_person("discord:5") == PersonRecord("discord:5")


async def test_a_forgotten_person_leaves_no_bytes_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "discord.sqlite"
    opened = SqliteMemory(file)
    await opened.save_person(PersonRecord("discord:555", "user5", "Adelheid"))
    await opened.forget_person("discord:555")
    opened.close()
    kept = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert b"Adelheid" not in kept
    assert b"discord:555" not in kept


async def test_an_erased_user_is_forgotten_as_a_person_too(tmp_path: Path) -> None:
    store = await SqliteStore.open(tmp_path)
    notes = ChatNotes(store)
    await notes.save_person(PersonRecord("discord:5", "user5", "Ada"))
    await notes.forget_user("user6")
    assert (await notes.find_person("discord:5")).name == "Ada"
    await notes.forget_user("user5")
    assert await notes.find_person("discord:5") == PersonRecord("discord:5")
    await store.close()


async def test_a_file_of_another_version_can_be_read(tmp_path: Path) -> None:
    opened = SqliteMemory(tmp_path / "discord.sqlite")
    old = b'{"table": "table1", "game": "noblemen", "community": "7", "channel": "8", "colour": "of a later version"}'
    await opened._run("insert into tables values (?, ?)", "table1", old)
    await opened._run("insert into people values (?, ?)", "discord:5", b'{"person": "discord:5", "minutes": 5}')
    assert await opened.list_tables() == [record(1)]
    assert (await opened.find_person("discord:5")).minutes == 5
    opened.close()
