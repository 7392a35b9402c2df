"""The actions of players, one small step per decision, in the order of the rulebook (NM-STEP)."""

from ..kit import Action, Seat
from .pieces import BuildingKind, CardId, Cell, Corner, FollyId, OfferPlace, Task, TileKind, TitleId, Vertex

# Setup


class Take(Action):
    """Pick one more tile of this kind for the first hand."""

    kind: TileKind


class Keep(Action):
    """Keep the card at this place of the card offer, counted from 0."""

    index: OfferPlace


class UseIntrigue(Action):
    """Give up an intrigue and keep all cards of the card offer."""


# Steps that several actions share


class Done(Action):
    """Carry out the draft."""

    of: Task


class Drop(Action):
    """Drop the draft; nothing has moved."""


class Give(Action):
    """Add a tile of this kind to the tiles to give away."""

    kind: TileKind


class Spend(Action):
    """Add one bribe marker to the markers to spend."""


# The turn


class Want(Action):
    """Name the kind of tile to take from the bag for the two tiles given; this carries out the trade."""

    kind: TileKind


class Play(Action):
    """Play a scandal card."""

    card: CardId


class EndTurn(Action):
    """End the turn."""


# A: expand the estate


class Lay(Action):
    """Lay a tile. `corner` says which corner shows the quarter symbol; meadows have none."""

    kind: TileKind
    cell: Cell
    corner: Corner | None = None


# B: build


class Build(Action):
    """Choose the kind of building to build, and for a folly also which folly."""

    kind: BuildingKind
    folly: FollyId | None = None


class Site(Action):
    """Choose the cell for the building."""

    cell: Cell


class LiftKnight(Action):
    """Choose which of the player's own knights to move, as none is left in stock."""

    player: Seat
    vertex: Vertex


class PlaceKnight(Action):
    """Put a knight on this symbol of another player's estate."""

    player: Seat
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

    kind: TileKind


class Idle(Action):
    """Do nothing, for a point."""


# Masked ball


class SpendCard(Action):
    """Add a scandal card to the cards to spend for prestige."""

    card: CardId


class ChooseTitle(Action):
    """Take this title."""

    title: TitleId


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
