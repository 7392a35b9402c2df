"""What can happen to somebody at a table, and how it may end for him."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct
from rich.console import RenderableType

from ...table import Change
from ...table_requests import Action
from .terminal import TypedLine


class Outcome(Enum):
    """How somebody came to stand up."""

    OVER = "the game is over"
    AGAIN = "he goes on at the table of the next game"
    QUIT = "he comes back later"
    LEFT = "he gave his seat up"


class ConnectionChanged(Struct, frozen=True):
    """The connection is lost, or holds again."""

    now: bool


class CommandAnswered(Struct, frozen=True):
    """An aside is done, and there is something to show, or nothing."""

    shown: RenderableType | None


class PointerChanged(Struct, frozen=True):
    """A partner shows what he might do, or does so no longer."""

    seat: int
    action: Action | None


class ClockTicked(Struct, frozen=True):
    """Another second has passed."""


class TableFailure(Struct, frozen=True):
    """We are cut off from the table for good."""

    error: Exception


ScreenEvent = (
    TypedLine | Change | ConnectionChanged | CommandAnswered | PointerChanged | ClockTicked | TableFailure | Struct
)
