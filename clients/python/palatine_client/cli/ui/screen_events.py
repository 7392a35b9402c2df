"""The events that a screen handles, and the outcomes of a screen."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct
from rich.console import RenderableType

from ...offer import Action
from ...table import Change
from .terminal import TypedLine


class Outcome(Enum):
    """The ways in which a screen ends."""

    OVER = "the game is over"
    AGAIN = "the player goes on at the table of the rematch"
    QUIT = "the player keeps the seat and may return"
    LEFT = "the player gave up the seat"


class ConnectionChanged(Struct, frozen=True):
    """The connection was lost or restored."""

    now: bool


class CommandAnswered(Struct, frozen=True):
    """A slash command has finished, perhaps with a result to show."""

    shown: RenderableType | None


class PointerChanged(Struct, frozen=True):
    """A partner points at an action, or stops pointing."""

    seat: int
    action: Action | None


class ClockTicked(Struct, frozen=True):
    """A second has passed."""


class TableFailure(Struct, frozen=True):
    """The client can no longer watch the table."""

    error: Exception


ScreenEvent = (
    TypedLine | Change | ConnectionChanged | CommandAnswered | PointerChanged | ClockTicked | TableFailure | Struct
)
