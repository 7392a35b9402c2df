"""The memory of a chat app in the server's store, as notes that all processes share.

A table has a note with its record, and a slot in a list of fixed length, so that all tables can be found. A slot is
taken atomically; a table looks for a free one from a place that follows from its id.
"""

from __future__ import annotations

import zlib

import msgspec

from palatine_client.chat.chat_memory import PersonRecord, TableRecord, remove_person
from palatine_client.chat.runner import ServerAway

from ..store import Store

SLOTS = 1024  # tables of one app at the same time; finished ones make room for new ones
SEATS = 32  # people of one table
KEEP_TABLE = 30 * 86_400_000  # milliseconds after the last change of a record
KEEP_PERSON = 730 * 86_400_000


class ChatNotes:
    """Keeps the records of tables and people in the store."""

    def __init__(self, store: Store, prefix: str = "discord") -> None:
        self._store, self._prefix = store, prefix

    async def find_table(self, table: str) -> TableRecord | None:
        return (await self._read_tables([table])).get(table)

    async def add_table(self, record: TableRecord) -> None:
        await self._store.add_note(self._name("table", record.table), msgspec.json.encode(record), KEEP_TABLE)
        await self._list_table(record.table)

    async def save_table(self, record: TableRecord) -> None:
        await self._store.set_note(self._name("table", record.table), msgspec.json.encode(record), KEEP_TABLE)
        await self._list_table(record.table)

    async def _list_table(self, table: str) -> None:
        """Put a table on the list of all tables; raise ServerAway if the list is full of tables that are played."""
        if not await self._take_slot(table):
            await self._make_room()
            if not await self._take_slot(table):
                raise ServerAway("too many tables")

    async def _take_slot(self, table: str) -> bool:
        """Take a slot for a table, unless it has one; return whether there was a free one."""
        first, wanted = zlib.crc32(table.encode()) % SLOTS, table.encode()
        for at in range(SLOTS):
            name = self._name("slot", str((first + at) % SLOTS))
            if await self._store.add_note(name, wanted, KEEP_TABLE) == wanted:
                return True
        return False

    async def _make_room(self) -> None:
        """Take finished tables, and tables without a record, off the list."""
        slots = await self._read_slots()
        records = await self._read_tables([value.decode() for value in slots.values()])
        for name, value in slots.items():
            record = records.get(value.decode())
            if record is None or record.is_finished or record.is_lost:
                await self._store.set_note(name, b"", 0)

    async def remove_table(self, table: str) -> None:
        for name, value in (await self._read_slots()).items():
            if value.decode() == table:
                await self._store.set_note(name, b"", 0)
        await self._store.set_note(self._name("table", table), b"", 0)

    async def list_tables(self) -> list[TableRecord]:
        tables = [value.decode() for value in (await self._read_slots()).values()]
        return [*(await self._read_tables(tables)).values()]

    async def list_members(self, table: str) -> list[str]:
        names = [self._name_seat(table, at) for at in range(SEATS)]
        return sorted({value.decode() for value in (await self._store.read_notes(names)).values() if value})

    async def add_member(self, table: str, person: str) -> None:
        for at in range(SEATS):
            if await self._store.add_note(self._name_seat(table, at), person.encode(), KEEP_TABLE) == person.encode():
                return

    async def remove_member(self, table: str, person: str) -> None:
        names = [self._name_seat(table, at) for at in range(SEATS)]
        for name, value in (await self._store.read_notes(names)).items():
            if value == person.encode():
                await self._store.set_note(name, b"", 0)

    def _name_seat(self, table: str, at: int) -> str:
        return self._name("member", f"{table}/{at}")

    async def find_person(self, person: str) -> PersonRecord:
        name = self._name("person", person)
        found = (await self._store.read_notes([name])).get(name)
        return msgspec.json.decode(found, type=PersonRecord) if found else PersonRecord(person)

    async def save_person(self, record: PersonRecord) -> None:
        await self._store.set_note(self._name("person", record.person), msgspec.json.encode(record), KEEP_PERSON)

        if record.user:
            await self._store.set_note(self._name("user", record.user), record.person.encode(), KEEP_PERSON)

    async def forget_person(self, person: str) -> None:
        await self._store.set_note(self._name("person", person), b"", 0)
        for record in await self.list_tables():
            await self.remove_member(record.table, person)
            if (without := remove_person(record, person)) != record:
                await self.save_table(without)

    async def forget_user(self, user: str) -> None:
        """Forget the person who is this user, if there is one."""
        name = self._name("user", user)
        if person := (await self._store.read_notes([name])).get(name):
            await self.forget_person(person.decode())
            await self._store.set_note(name, b"", 0)

    async def _read_slots(self) -> dict[str, bytes]:
        return await self._store.read_notes([self._name("slot", str(at)) for at in range(SLOTS)])

    async def _read_tables(self, tables: list[str]) -> dict[str, TableRecord]:
        names = {self._name("table", table): table for table in tables}
        found = await self._store.read_notes(names) if names else {}
        return {names[name]: msgspec.json.decode(value, type=TableRecord) for name, value in found.items() if value}

    def _name(self, kind: str, key: str) -> str:
        return f"{self._prefix}/{kind}/{key}"
