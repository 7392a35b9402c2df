"""The news of the game, in the words of the rulebook."""

from ..kit import News, Seat
from .catalog import Cell


class RoundBegan(News):
    round: int


class HandsPassed(News):
    to: str  # left or right


class LudwigTilesDrawn(News):
    seat: Seat


class LudwigTilesAssigned(News):
    seat: Seat
    tiles: list[str]  # for the drawer's own castle, then for the other one


class ChoiceConfirmed(News):
    seat: Seat


class TilesRevealed(News):
    tiles: list[list[str]]  # by seat


class RoomPlaced(News):
    seat: Seat
    castle: int
    room: str
    cell: Cell


class RoomTakenBack(News):
    seat: Seat
    castle: int
    room: str


class HoldSet(News):
    seat: Seat
    castle: int


class HoldReleased(News):
    seat: Seat
    castle: int


class BonusEarned(News):
    castle: int
    type: str
    tiles: int  # 3 or 5


class BonusChosen(News):
    castle: int
    type: str


class TilesDrawn(News):
    castle: int
    count: int


class CardsDrawn(News):
    castle: int
    count: int


class DrawDelayed(News):
    castle: int


class AttendantTaken(News):
    castle: int
    attendant: str


class CardKept(News):
    castle: int
    card: str


class RoomGained(News):
    castle: int
    room: str
    cell: Cell


class NothingLeft(News):
    castle: int
    about: str


class ProposalMade(News):
    castle: int
    seat: Seat


class TiebreakCalled(News):
    castle: int
    seat: Seat


class MarkerUsed(News):
    castle: int
    seat: Seat


class SupplyReshuffled(News):
    pile: str


class RoundEnded(News):
    round: int


class CastlesScored(News):
    values: list[int]


NEWS = tuple(kind for kind in News.__subclasses__() if kind.__module__ == __name__)
