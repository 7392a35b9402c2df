"""The events that a session returns for the frames it receives."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from palatine_protocol.messages import AnyReply, AnyRequest, Bye, Refused, Welcome


class Welcomed(Struct, frozen=True):
    """The server welcomed the client; pending requests are being sent."""

    welcome: Welcome


class HelloRefused(Struct, frozen=True):
    """The server refused hello; `final` means that a retry would be refused too."""

    refused: Refused
    final: bool


class Replied(Struct, frozen=True):
    """A request got its reply."""

    request: AnyRequest
    reply: AnyReply


class Postponed(Struct, frozen=True):
    """The server refused a request temporarily; the owner of the session calls `Session.resend` later."""

    id: str
    retry_after_ms: int | None  # milliseconds, if the server named them
    times: int = 1  # how often the request has been postponed


class TableChanged(Struct, frozen=True):
    """A table advanced by one version, or the server sent a snapshot."""

    table: str
    version: int
    news: list[dict[str, Any]]
    snapshot: bool


class TableLost(Struct, frozen=True):
    """The server no longer lets the client watch a table."""

    table: str
    refused: Refused


class PartnerPointed(Struct, frozen=True):
    """A partner points at an action they might choose, or stops pointing."""

    table: str
    seat: int


class ListChanged(Struct, frozen=True):
    """The list of tables that the client follows has changed."""


class ByeReceived(Struct, frozen=True):
    """The server is about to close the connection."""

    bye: Bye


class ProblemKind(StrEnum):
    """The ways in which a message of the server can be wrong."""

    UNREADABLE = "unreadable"  # a frame is not a message
    WENT_BACK = "went_back"  # the store lost entries that the client had seen
    GAP = "gap"  # an update is missing
    BAD_PATCH = "bad_patch"  # a patch does not fit the document
    WRONG_DIGEST = "wrong_digest"  # the document differs from the server's
    UNASKED = "unasked"  # a refusal of a request that the client never sent


class Problem(Struct, frozen=True):
    """A message of the server was wrong; the session recovers where it can."""

    kind: ProblemKind
    sentence: str
    table: str = ""


TableEvent = TableChanged | TableLost | PartnerPointed
Event = Welcomed | HelloRefused | Replied | Postponed | TableEvent | ListChanged | ByeReceived | Problem
