"""The news of the game, in the words of the rulebook. Amounts are public, hidden kinds are not (NM-HIDE-3)."""

from typing import Annotated

from ..kit import BY_SEAT, News, Seat
from .estate import Tile
from .pieces import (
    AreaId,
    Bribes,
    BuildingKind,
    Buildings,
    CardId,
    Cards,
    Cell,
    FollyId,
    Points,
    Pounds,
    Prestige,
    ScoreLine,
    TileKind,
    Tiles,
    TitleId,
    TrackField,
    Vertex,
)

# Setup


class TilesChosen(News):
    seat: Seat


class HandsFilled(News):
    drawn: Annotated[list[Tiles], BY_SEAT]


class CardsOffered(News):
    seat: Seat
    count: Cards


class CardGained(News):
    seat: Seat
    count: Cards


class IntrigueUsed(News):
    seat: Seat


# The turn


class TurnBegan(News):
    seat: Seat


class TilesTraded(News):
    seat: Seat


class CardPlayed(News):
    seat: Seat
    card: CardId


class TurnEnded(News):
    seat: Seat


class PointsScored(News):
    seat: Seat
    points: Points
    rule: ScoreLine  # the rule that gives them


class MoneyReceived(News):
    seat: Seat
    pounds: Pounds


class MoneyPaid(News):
    seat: Seat
    pounds: Pounds


class TilesDrawn(News):
    seat: Seat
    count: Tiles


class QueenTaken(News):
    seat: Seat


# Actions A to G


class EstateExpanded(News):
    seat: Seat
    tiles: list[Tile]


class AreaCompleted(News):
    seat: Seat
    area: AreaId
    vertex: Vertex


class BuildingBuilt(News):
    seat: Seat
    kind: BuildingKind
    cell: Cell
    folly: FollyId = ""


class KnightPlaced(News):
    seat: Seat
    player: Seat
    area: AreaId
    vertex: Vertex


class KnightLifted(News):
    seat: Seat
    player: Seat
    vertex: Vertex


class MoneyHandedOver(News):
    giver: Seat
    receiver: Seat
    pounds: Pounds


class TilesHandedOver(News):
    giver: Seat
    receiver: Seat
    count: Tiles


class TilesSeen(News):
    """The kinds of the tiles that changed hands; only giver and receiver see them."""

    giver: Seat
    receiver: Seat
    kinds: list[TileKind]


class BribesTaken(News):
    seat: Seat
    count: Bribes


class BribesSpent(News):
    seat: Seat
    count: Bribes


class TaxesCollected(News):
    seat: Seat


class LandGained(News):
    seat: Seat


class TilesDonated(News):
    seat: Seat
    kinds: list[TileKind]


class TilesReturned(News):
    seat: Seat
    count: Tiles


class Idled(News):
    seat: Seat


# Round track, masked ball, decades


class RoundMarkerMoved(News):
    field: int
    type: TrackField


class BallBegan(News):
    first: Seat


class PrestigeCounted(News):
    seat: Seat
    base: Prestige
    bribes: Bribes
    blackmails: Cards
    other_cards: Cards
    total: Prestige
    field: int  # where the counter came to stand


class TitleTaken(News):
    seat: Seat
    title: TitleId


class BallEnded(News):
    pass


class BuildingsScored(News):
    points: Annotated[list[Points], BY_SEAT]


class BuildingsRefilled(News):
    added: dict[BuildingKind, Buildings]


class DecadeBegan(News):
    decade: int


class GameEnded(News):
    scores: Annotated[list[Points], BY_SEAT]
    winners: list[Seat]


NEWS = tuple(kind for kind in News.__subclasses__() if kind.__module__ == __name__)
