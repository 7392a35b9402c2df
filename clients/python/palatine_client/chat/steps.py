"""Steps: everything that the core needs from outside, as data. An app carries a step out and sends the result back."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from msgspec import Struct

from palatine_protocol.messages import AnyReply, AnyRequest, Info, Offer, Refused, Waiting

from .chat_events import Person
from .chat_memory import PersonRecord, TableRecord
from .messages.chat_messages import ChatAnswer


class ChatView(Struct, frozen=True, kw_only=True):
    """What one viewer sees of a table; a copy that later updates do not change."""

    table: str
    version: int
    seat: int | None
    info: Info
    board: Any
    hand: Any = None
    offer: Offer | None = None
    waiting: list[Waiting] = []
    can_undo: bool = False
    news: list[dict[str, Any]] = []  # of the last changes


class GameFacts(Struct, frozen=True, kw_only=True):
    """A game as the server describes it, in one language."""

    game: str
    title: str
    players: tuple[int, int]
    policies: list[str] = []
    notice: str = ""
    catalog: dict[str, Any] = {}
    description: dict[str, Any] = {}


# Steps


class AskServer(Struct, frozen=True):
    """Send a request as this person; the result is the reply."""

    person: Person
    request: AnyRequest


class SeeTable(Struct, frozen=True):
    """Look at a table as this person, or as a spectator; the result is the view, or the refusal."""

    table: str
    person: Person | None
    invitation: str = ""


class SeeGame(Struct, frozen=True):
    """Look up a game; the result is its facts, or the refusal."""

    game: str
    lang: str


class FindTable(Struct, frozen=True):
    """Look up the record of a table; the result is the record, or None."""

    table: str


class ListTableRecords(Struct, frozen=True):
    """Look up the tables that belong to a room; the result is a list of records, newest last."""

    community: str
    channel: str


class AddTable(Struct, frozen=True):
    """Save the record of a new table; the record of a known one stays as it is."""

    record: TableRecord


class ChangeMember(Struct, frozen=True):
    """Note that a person took a seat through the chat, or left it."""

    table: str
    person: str
    is_member: bool


class FindPerson(Struct, frozen=True):
    """Look up the record of a person."""

    person: str


class SavePerson(Struct, frozen=True):
    """Save the record of a person."""

    record: PersonRecord


Step = AskServer | SeeTable | SeeGame | FindTable | ListTableRecords | AddTable | ChangeMember | FindPerson | SavePerson
Handling = Generator[Step, Any, ChatAnswer]
SeenTable = ChatView | Refused
ServerReply = AnyReply
