"""What players can do, one small action per decision, in the order of the rulebook."""

from ..kit import Action
from .catalog import Cell

# Choose


class Tick(Action):
    """Mark a tile of the hand, in secret; it binds to nothing."""

    tile: str


class Untick(Action):
    """Remove such a mark."""

    tile: str


class Choose(Action):
    """Take two tiles and pass the rest; this is final."""

    tiles: list[str]


class AssignLudwig(Action):
    """Give this one of Ludwig's two tiles to the castle shared with him, the other one to his other castle."""

    tile: str


# Place


class Place(Action):
    """Put a tile into a castle."""

    tile: str
    castle: int
    cell: Cell


class TakeBack(Action):
    """Take the tile just placed in a castle back."""

    castle: int


class Hold(Action):
    """Ask the partner to place first."""

    castle: int


class Release(Action):
    """No longer ask for that."""

    castle: int


class Ready(Action):
    """Leave the last tile where it lies, so that the step ends."""


# Deciding together


class Propose(Action):
    """Name what the castle should take."""

    castle: int
    choice: str


class ProposeCell(Action):
    """Name the cell for a room that the castle gained."""

    castle: int
    cell: Cell


class Accept(Action):
    """Agree with the partner's proposal, as it stands in this revision."""

    castle: int
    revision: int


class CallTiebreak(Action):
    """Ask for the marker to decide."""

    castle: int


ACTIONS = (
    Tick,
    Untick,
    Choose,
    AssignLudwig,
    Place,
    TakeBack,
    Hold,
    Release,
    Ready,
    Propose,
    ProposeCell,
    Accept,
    CallTiebreak,
)
