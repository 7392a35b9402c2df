"""The news of the game, in the words of the rulebook. Public news never names cards that only their owner knows."""

from ..kit import News, Seat


class ServantPlaced(News):
    seat: Seat
    room: str


class RoundBegan(News):
    round: int


class FinalRoundBegan(News):
    reason: str  # park, stall or max_rounds


class TurnBegan(News):
    seat: Seat


class ActionBegan(News):
    seat: Seat
    phase: str


class GateReinforced(News):
    seat: Seat
    source: str


class ServantMoved(News):
    seat: Seat
    source: str
    to: str


class GoldTaken(News):
    seat: Seat
    gold: int


class SealServantAdded(News):
    seat: Seat
    room: str
    source: str


class NobleRecruited(News):
    seat: Seat
    space: str
    noble: str
    gold: int  # the gold paid


class BorderServantPlaced(News):
    seat: Seat
    space: str
    source: str


class ReserveCalled(News):
    seat: Seat
    servants: int


class CardsDrawn(News):
    seat: Seat
    count: int


class CardsSeen(News):
    """The drawn cards; only the player who drew them sees this."""

    kinds: list[str]


class DeckReshuffled(News):
    cards: int


class CardsKept(News):
    seat: Seat
    count: int
    discarded: list[str]


class PrivilegePlayed(News):
    seat: Seat
    kind: str


class TurnEnded(News):
    seat: Seat


class GameScored(News):
    totals: list[int]  # by seat


NEWS = tuple(kind for kind in News.__subclasses__() if kind.__module__ == __name__)
