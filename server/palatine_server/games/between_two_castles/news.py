"""The news of the game, in the words of the rulebook."""

from typing import Annotated

from ..kit import BY_SEAT, News, Seat, items_for
from .catalog import Cell
from .pieces import (
    AttendantId,
    CardId,
    Cards,
    CastleNumber,
    Direction,
    Option,
    Pile,
    Points,
    Question,
    RoomId,
    Shortage,
    TileId,
    Tiles,
    TypeId,
)


class RoundBegan(News):
    round: int


class HandsPassed(News):
    to: Direction


class LudwigTilesDrawn(News):
    seat: Seat


class LudwigTilesAssigned(News):
    seat: Seat
    tiles: list[TileId]  # for the drawer's own castle, then for the other one


class ChoiceConfirmed(News):
    seat: Seat


class TilesRevealed(News):
    tiles: Annotated[list[list[TileId]], BY_SEAT]


class RoomPlaced(News):
    seat: Seat
    castle: CastleNumber
    room: RoomId
    cell: Cell


class RoomTakenBack(News):
    seat: Seat
    castle: CastleNumber
    room: RoomId


class HoldSet(News):
    seat: Seat
    castle: CastleNumber


class HoldReleased(News):
    seat: Seat
    castle: CastleNumber


class BonusEarned(News):
    castle: CastleNumber
    type: TypeId
    tiles: Tiles  # 3 or 5


class BonusChosen(News):
    castle: CastleNumber
    type: TypeId


class TilesDrawn(News):
    castle: CastleNumber
    count: Tiles


class CardsDrawn(News):
    castle: CastleNumber
    count: Cards


class DrawDelayed(News):
    castle: CastleNumber


class AttendantTaken(News):
    castle: CastleNumber
    attendant: AttendantId


class CardKept(News):
    castle: CastleNumber
    card: CardId


class RoomGained(News):
    castle: CastleNumber
    room: RoomId
    cell: Cell


class NothingLeft(News):
    castle: CastleNumber
    about: Shortage


class ProposalMade(News):
    castle: CastleNumber
    seat: Seat
    about: Question = ""  # this and the next two: absent in older games
    choice: Option = None
    revision: int = 0


class TiebreakCalled(News):
    castle: CastleNumber
    seat: Seat


class MarkerUsed(News):
    castle: CastleNumber
    seat: Seat


class SupplyReshuffled(News):
    pile: Pile


class RoundEnded(News):
    round: int


class CastlesScored(News):
    values: Annotated[list[Points], items_for("castles")]


NEWS = tuple(kind for kind in News.__subclasses__() if kind.__module__ == __name__)
