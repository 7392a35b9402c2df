"""The news of the game, in the words of the rulebook. Amounts are public, hidden kinds are not (NM-HIDE-3)."""

from ..kit import News, Seat
from .estate import Cell, Tile, Vertex

# Setup


class TilesChosen(News):
    seat: Seat


class HandsFilled(News):
    drawn: list[int]  # by seat


class CardsOffered(News):
    seat: Seat
    count: int


class CardGained(News):
    seat: Seat
    count: int


class IntrigueUsed(News):
    seat: Seat


# The turn


class TurnBegan(News):
    seat: Seat


class TilesTraded(News):
    seat: Seat


class CardPlayed(News):
    seat: Seat
    card: str


class TurnEnded(News):
    seat: Seat


class PointsScored(News):
    seat: Seat
    points: int
    rule: str  # the rule that gives them


class MoneyReceived(News):
    seat: Seat
    pounds: int


class MoneyPaid(News):
    seat: Seat
    pounds: int


class TilesDrawn(News):
    seat: Seat
    count: int


class QueenTaken(News):
    seat: Seat


# Actions A to G


class EstateExpanded(News):
    seat: Seat
    tiles: list[Tile]


class AreaCompleted(News):
    seat: Seat
    area: str
    vertex: Vertex


class BuildingBuilt(News):
    seat: Seat
    kind: str
    cell: Cell
    folly: str = ""


class KnightPlaced(News):
    seat: Seat
    player: Seat
    area: str
    vertex: Vertex


class KnightLifted(News):
    seat: Seat
    player: Seat
    vertex: Vertex


class MoneyHandedOver(News):
    giver: Seat
    receiver: Seat
    pounds: int


class TilesHandedOver(News):
    giver: Seat
    receiver: Seat
    count: int


class TilesSeen(News):
    """The kinds of the tiles that changed hands; only giver and receiver see them."""

    giver: Seat
    receiver: Seat
    kinds: list[str]


class BribesTaken(News):
    seat: Seat
    count: int


class BribesSpent(News):
    seat: Seat
    count: int


class TaxesCollected(News):
    seat: Seat


class LandGained(News):
    seat: Seat


class TilesDonated(News):
    seat: Seat
    kinds: list[str]


class TilesReturned(News):
    seat: Seat
    count: int


class Idled(News):
    seat: Seat


# Round track, masked ball, decades


class RoundMarkerMoved(News):
    field: int
    type: str


class BallBegan(News):
    first: Seat


class PrestigeCounted(News):
    seat: Seat
    base: int
    bribes: int
    blackmails: int
    other_cards: int
    total: int
    field: int  # where the counter came to stand


class TitleTaken(News):
    seat: Seat
    title: str


class BallEnded(News):
    pass


class BuildingsScored(News):
    points: list[int]  # by seat


class BuildingsRefilled(News):
    added: dict[str, int]


class DecadeBegan(News):
    decade: int


class GameEnded(News):
    scores: list[int]  # by seat
    winners: list[Seat]


NEWS = tuple(kind for kind in News.__subclasses__() if kind.__module__ == __name__)
