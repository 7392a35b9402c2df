"""What players can do, one small step per decision, in the order of the rulebook (NM-STEP)."""

from ..kit import Action
from .estate import Cell, Vertex

# Setup


class Take(Action):
    """Pick one more tile of this kind for the first hand."""

    kind: str


class Keep(Action):
    """Keep this card of those on offer, counted from 0."""

    index: int


class UseIntrigue(Action):
    """Give up an intrigue and keep all cards on offer."""


# Steps that several actions share


class Done(Action):
    """Carry out what was drafted."""

    of: str


class Drop(Action):
    """Drop what was drafted; nothing has happened."""


class Give(Action):
    """Add a tile of this kind to what is given away."""

    kind: str


class Spend(Action):
    """Add one bribe marker to what is spent."""


# The turn


class Want(Action):
    """Name the kind taken from the bag for the two tiles given; this carries out the trade."""

    kind: str


class Play(Action):
    """Play a scandal card."""

    card: str


class EndTurn(Action):
    """End the turn."""


# A: expand the estate


class Lay(Action):
    """Lay a tile. The corner says where its quarter symbol is; meadows have none."""

    kind: str
    cell: Cell
    corner: str | None = None


# B: build


class Build(Action):
    """Build this kind; of a folly also which one."""

    kind: str
    folly: str | None = None


class Site(Action):
    """Choose the cell of the building."""

    cell: Cell


class LiftKnight(Action):
    """Move this one of the own knights, as none is left in stock."""

    player: int
    vertex: Vertex


class PlaceKnight(Action):
    """Put a knight on this symbol of another player's estate."""

    player: int
    vertex: Vertex


# C to G


class Buy(Action):
    """Add one bribe marker to what is bought."""


class Tax(Action):
    """Collect taxes."""


class Land(Action):
    """Gain land."""


class Donate(Action):
    """Add a tile of this kind to what the church gets."""

    kind: str


class Idle(Action):
    """Do nothing, for a point."""


# Masked ball


class SpendCard(Action):
    """Add a scandal card to what is spent for prestige."""

    card: str


class ChooseTitle(Action):
    """Take this title."""

    title: str


ACTIONS = (
    Take,
    Keep,
    UseIntrigue,
    Done,
    Drop,
    Give,
    Spend,
    Want,
    Play,
    EndTurn,
    Lay,
    Build,
    Site,
    LiftKnight,
    PlaceKnight,
    Buy,
    Tax,
    Land,
    Donate,
    Idle,
    SpendCard,
    ChooseTitle,
)
