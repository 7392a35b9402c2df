"""The memory of an app in a small SQLite file. Every change is durable before the app answers."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from .chat_memory import PersonRecord, TableRecord, remove_person

SCHEMA = """
create table if not exists tables (id text primary key, record blob not null) strict;
create table if not exists members (
    "table" text, person text, primary key ("table", person)
) strict, without rowid;
create table if not exists people (id text primary key, record blob not null) strict;
"""
MOST_TABLES = 10_000  # records; beyond it, the oldest are forgotten
MOST_PEOPLE = 100_000  # beyond it, the interval of those who came first is the usual one again
FORGET_OLDEST = "delete from people where id in (select id from people order by rowid desc limit -1 offset ?)"


class SqliteMemory:
    """Keeps the records in a file; the file belongs to one app."""

    def __init__(self, file: Path) -> None:
        self._connection = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = full")
        self._connection.execute("pragma secure_delete = on")  # what is forgotten is overwritten
        self._connection.executescript(SCHEMA)
        self._lock = Lock()

    def close(self) -> None:
        self._connection.close()

    async def find_table(self, table: str) -> TableRecord | None:
        rows = await self._run("select record from tables where id = ?", table)
        return msgspec.json.decode(rows[0][0], type=TableRecord) if rows else None

    async def add_table(self, record: TableRecord) -> None:
        await self._run(
            "insert into tables values (?, ?) on conflict (id) do nothing", record.table, msgspec.json.encode(record)
        )
        old = await self._run("select id from tables order by rowid desc limit -1 offset ?", MOST_TABLES)
        for (table,) in old:
            await self.remove_table(table)

    async def save_table(self, record: TableRecord) -> None:
        await self._run("update tables set record = ? where id = ?", msgspec.json.encode(record), record.table)

    async def remove_table(self, table: str) -> None:
        await self._run("delete from tables where id = ?", table)
        await self._run('delete from members where "table" = ?', table)

    async def list_tables(self) -> list[TableRecord]:
        rows = await self._run("select record from tables order by rowid")
        return [msgspec.json.decode(record, type=TableRecord) for (record,) in rows]

    async def list_members(self, table: str) -> list[str]:
        rows = await self._run('select person from members where "table" = ? order by person', table)
        return [person for (person,) in rows]

    async def add_member(self, table: str, person: str) -> None:
        await self._run("insert into members values (?, ?) on conflict do nothing", table, person)

    async def remove_member(self, table: str, person: str) -> None:
        await self._run('delete from members where "table" = ? and person = ?', table, person)

    async def find_person(self, person: str) -> PersonRecord:
        rows = await self._run("select record from people where id = ?", person)
        return msgspec.json.decode(rows[0][0], type=PersonRecord) if rows else PersonRecord(person)

    async def save_person(self, record: PersonRecord) -> None:
        await self._run(
            "insert into people values (?, ?) on conflict (id) do update set record = excluded.record",
            record.person,
            msgspec.json.encode(record),
        )
        await self._run(FORGET_OLDEST, MOST_PEOPLE)

    async def forget_person(self, person: str) -> None:
        await self._run("delete from people where id = ?", person)
        await self._run("delete from members where person = ?", person)
        for record in await self.list_tables():
            if (without := remove_person(record, person)) != record:
                await self.save_table(without)

    async def _run(self, statement: str, *values: Any) -> list[Any]:
        return await asyncio.to_thread(self._execute, statement, values)

    def _execute(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        with self._lock:
            return self._connection.execute(statement, values).fetchall()
