"""What a chat app must remember besides the games: where a table is shown, and how often a person wants reminders."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ..render.translations import Lang

DEFAULT_MINUTES = 60  # between two reminders of one person
MOST_MINUTES = 7 * 24 * 60


class PersonRecord(Struct, frozen=True):
    """A person: the user that they are on the server, and the minutes between two reminders (0: none)."""

    person: str
    user: str = ""
    name: str = ""  # as the chat showed it last
    minutes: int = DEFAULT_MINUTES


class TableRecord(Struct, frozen=True, kw_only=True):
    """A table: where it is shown, and what was posted last."""

    table: str
    game: str
    community: str
    channel: str
    lang: Lang = "en"
    invitation: str = ""  # with which people of the channel come in
    host: str = ""  # the person who opened it
    announcement: str = ""  # the message in the channel, from which the thread grows
    announced: str = ""  # the status of the table that the announcement shows
    thread: str = ""
    message: str = ""  # the message of the table in its thread
    posted: int = -1  # the version that the message shows
    is_finished: bool = False  # the message shows the end of the game
    losses: int = 0  # how often the message, the thread or the announcement was deleted
    is_lost: bool = False  # the table is not posted any more: its channel is gone, or its message was deleted too often
    pinged: dict[str, int] = {}  # when each person was last reminded of their turn, in milliseconds since 1970
    turns: dict[str, int] = {}  # since when the table waited for them then
    ping: str = ""  # the last reminder


def remove_person(record: TableRecord, person: str) -> TableRecord:
    """Return the record of a table without a person who is to be forgotten."""
    return replace(
        record,
        host="" if record.host == person else record.host,
        pinged={each: when for each, when in record.pinged.items() if each != person},
        turns={each: when for each, when in record.turns.items() if each != person},
    )


class ChatMemory(Protocol):
    """Keeps the records of tables and people, and who plays from the chat.

    Several processes may share a memory. The record of a table is written by the process that posts; members are added
    and removed by any process.
    """

    async def find_table(self, table: str) -> TableRecord | None:
        """Return the record of a table."""

    async def add_table(self, record: TableRecord) -> None:
        """Save the record of a new table; the record of a known one stays as it is."""

    async def save_table(self, record: TableRecord) -> None:
        """Save the record of a table, in place of an earlier one."""

    async def remove_table(self, table: str) -> None:
        """Forget a table."""

    async def list_tables(self) -> list[TableRecord]:
        """Return the records of all tables."""

    async def list_members(self, table: str) -> list[str]:
        """Return the people who took a seat at a table through the chat."""

    async def add_member(self, table: str, person: str) -> None:
        """Note that a person took a seat through the chat."""

    async def remove_member(self, table: str, person: str) -> None:
        """Note that a person has left their seat."""

    async def find_person(self, person: str) -> PersonRecord:
        """Return the record of a person; a new one if the person is not known."""

    async def save_person(self, record: PersonRecord) -> None:
        """Save the record of a person."""

    async def forget_person(self, person: str) -> None:
        """Forget a person: their record, their seats, and that they opened tables."""
