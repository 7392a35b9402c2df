"""The news of the game, in the words of the rulebook. Public news never names cards that only their owner knows."""

from typing import Annotated

from ..kit import BY_SEAT, News, Seat
from .pieces import Cards, Gold, LastRound, NobleId, Phase, Points, PrivilegeId, RoomId, Servants, SourceId, Space


class ServantPlaced(News):
    seat: Seat
    room: RoomId


class RoundBegan(News):
    round: int


class FinalRoundBegan(News):
    reason: LastRound


class TurnBegan(News):
    seat: Seat


class ActionBegan(News):
    seat: Seat
    phase: Phase


class GateReinforced(News):
    seat: Seat
    source: SourceId


class ServantMoved(News):
    seat: Seat
    source: RoomId
    to: RoomId


class GoldTaken(News):
    seat: Seat
    gold: Gold


class SealServantAdded(News):
    seat: Seat
    room: RoomId
    source: SourceId


class NobleRecruited(News):
    seat: Seat
    space: Space
    noble: NobleId
    gold: Gold  # the gold paid


class BorderServantPlaced(News):
    seat: Seat
    space: Space
    source: SourceId


class ReserveCalled(News):
    seat: Seat
    servants: Servants


class CardsDrawn(News):
    seat: Seat
    count: Cards


class CardsSeen(News):
    """The drawn cards; only the player who drew them sees this."""

    kinds: list[PrivilegeId]


class DeckReshuffled(News):
    cards: Cards


class CardsKept(News):
    seat: Seat
    count: Cards
    discarded: list[PrivilegeId]


class PrivilegePlayed(News):
    seat: Seat
    kind: PrivilegeId


class TurnEnded(News):
    seat: Seat


class GameScored(News):
    totals: Annotated[list[Points], BY_SEAT]


NEWS = tuple(kind for kind in News.__subclasses__() if kind.__module__ == __name__)
