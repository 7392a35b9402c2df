"""The actions of players, one small step per decision, in the order of the rulebook (NM-STEP)."""

from ..kit import Action
from .estate import Cell, Vertex

# Setup


class Take(Action):
    """Pick one more tile of this kind for the first hand."""

    kind: str


class Keep(Action):
    """Keep the card at this place of the card offer, counted from 0."""

    index: int


class UseIntrigue(Action):
    """Give up an intrigue and keep all cards of the card offer."""


# Steps that several actions share


class Done(Action):
    """Carry out the draft."""

    of: str


class Drop(Action):
    """Drop the draft; nothing has moved."""


class Give(Action):
    """Add a tile of this kind to the tiles to give away."""

    kind: str


class Spend(Action):
    """Add one bribe marker to the markers to spend."""


# The turn


class Want(Action):
    """Name the kind of tile to take from the bag for the two tiles given; this carries out the trade."""

    kind: str


class Play(Action):
    """Play a scandal card."""

    card: str


class EndTurn(Action):
    """End the turn."""


# A: expand the estate


class Lay(Action):
    """Lay a tile. `corner` says which corner shows the quarter symbol; meadows have none."""

    kind: str
    cell: Cell
    corner: str | None = None


# B: build


class Build(Action):
    """Choose the kind of building to build, and for a folly also which folly."""

    kind: str
    folly: str | None = None


class Site(Action):
    """Choose the cell for the building."""

    cell: Cell


class LiftKnight(Action):
    """Choose which of the player's own knights to move, as none is left in stock."""

    player: int
    vertex: Vertex


class PlaceKnight(Action):
    """Put a knight on this symbol of another player's estate."""

    player: int
    vertex: Vertex


# C to G


class Buy(Action):
    """Add one bribe marker to the markers to buy."""


class Tax(Action):
    """Collect taxes."""


class Land(Action):
    """Gain land."""


class Donate(Action):
    """Add a tile of this kind to the donation for the church."""

    kind: str


class Idle(Action):
    """Do nothing, for a point."""


# Masked ball


class SpendCard(Action):
    """Add a scandal card to the cards to spend for prestige."""

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
