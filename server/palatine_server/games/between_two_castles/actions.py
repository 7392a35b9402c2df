"""The actions of players, one small action per decision, in the order of the rulebook."""

from ..kit import Action
from .catalog import Cell
from .pieces import CastleNumber, OptionId, TileId

# Choose


class Tick(Action):
    """Mark a tile of the hand in secret, without obligation."""

    tile: TileId


class Untick(Action):
    """Remove the mark of a tile."""

    tile: TileId


class Choose(Action):
    """Take two tiles and pass the rest; this is final."""

    tiles: list[TileId]


class AssignLudwig(Action):
    """Give this one of Ludwig's two tiles to the castle shared with him, the other one to his other castle."""

    tile: TileId


# Place


class Place(Action):
    """Put a tile into a castle."""

    tile: TileId
    castle: CastleNumber
    cell: Cell


class TakeBack(Action):
    """Take back the tile that was placed last in a castle."""

    castle: CastleNumber


class Hold(Action):
    """Ask the partner to place first."""

    castle: CastleNumber


class Release(Action):
    """Stop asking the partner to place first."""

    castle: CastleNumber


class Ready(Action):
    """Confirm the place of the last tile, so that the step ends."""


# Deciding together


class Propose(Action):
    """Propose what the castle takes."""

    castle: CastleNumber
    choice: OptionId


class ProposeCell(Action):
    """Propose the cell for a room that the castle gained."""

    castle: CastleNumber
    cell: Cell


class Accept(Action):
    """Agree with the partner's proposal, as it stands in this revision."""

    castle: CastleNumber
    revision: int


class CallTiebreak(Action):
    """Ask that the tie-break marker decides."""

    castle: CastleNumber


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
