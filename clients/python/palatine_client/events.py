"""What a session tells its owner."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from msgspec import Struct

from palatine_protocol.messages import AnyReply, AnyRequest, Bye, Refused, Welcome


class Welcomed(Struct, frozen=True):
    """The server knows us; what was waiting is on its way."""

    welcome: Welcome


class HelloRefused(Struct, frozen=True):
    """The server refused our hello; `final` if it would do so again."""

    refused: Refused
    final: bool


class Replied(Struct, frozen=True):
    """A request got its one reply."""

    request: AnyRequest
    reply: AnyReply


class Postponed(Struct, frozen=True):
    """A request must be sent `again`, after so many milliseconds if the server said how many."""

    id: str
    retry_after: int | None
    times: int = 1  # so often it was, so far


class TableChanged(Struct, frozen=True):
    """A table went on by one version, or was shown anew."""

    table: str
    version: int
    news: list[dict[str, Any]]
    snapshot: bool


class TableLost(Struct, frozen=True):
    """The server does not let us watch a table any more."""

    table: str
    refused: Refused


class PartnerPointed(Struct, frozen=True):
    """A partner shows what he might do, or does so no longer."""

    table: str
    seat: int


class ListChanged(Struct, frozen=True):
    """The list of tables that we follow is another one."""


class ByeReceived(Struct, frozen=True):
    """The server is about to close the connection."""

    bye: Bye


class ProblemKind(StrEnum):
    """What can be wrong with what a server says."""

    UNREADABLE = "unreadable"  # a frame is no message
    WENT_BACK = "went_back"  # the store lost entries that we had seen
    GAP = "gap"  # an update is missing
    BAD_PATCH = "bad_patch"  # a patch does not fit the document
    WRONG_DIGEST = "wrong_digest"  # the document is not the server's
    UNASKED = "unasked"  # a refusal of something we never sent


class Problem(Struct, frozen=True):
    """The server said something wrong; what can be healed is being healed."""

    trouble: ProblemKind
    sentence: str
    table: str = ""


TableEvent = TableChanged | TableLost | PartnerPointed
Event = Welcomed | HelloRefused | Replied | Postponed | TableEvent | ListChanged | ByeReceived | Problem
