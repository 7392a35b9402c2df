"""The actions of players, one small action per decision, in the order of the rulebook."""

from ..kit import Action
from .catalog import Cell

# Choose


class Tick(Action):
    """Mark a tile of the hand in secret, without obligation."""

    tile: str


class Untick(Action):
    """Remove the mark of a tile."""

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
    """Take back the tile that was placed last in a castle."""

    castle: int


class Hold(Action):
    """Ask the partner to place first."""

    castle: int


class Release(Action):
    """Stop asking the partner to place first."""

    castle: int


class Ready(Action):
    """Confirm the place of the last tile, so that the step ends."""


# Deciding together


class Propose(Action):
    """Propose what the castle takes."""

    castle: int
    choice: str


class ProposeCell(Action):
    """Propose the cell for a room that the castle gained."""

    castle: int
    cell: Cell


class Accept(Action):
    """Agree with the partner's proposal, as it stands in this revision."""

    castle: int
    revision: int


class CallTiebreak(Action):
    """Ask that the tie-break marker decides."""

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
