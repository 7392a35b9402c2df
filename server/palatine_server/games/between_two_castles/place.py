"""PLACE: the partners put their tiles into their castles."""

from __future__ import annotations

from collections.abc import Iterable

from ..kit import Asking, AtLeisure, BoardPaths, Choice, Lapsing, Offer, Seat, WaitFor, choice
from .actions import Hold, Place, Ready, Release, TakeBack
from .board import Castle, Castles, Laid
from .bonuses import bonus_for
from .catalog import Levels
from .floor_plan import LEVELS, legal_places
from .ludwig import ludwig
from .news import HoldReleased, HoldSet, RoomPlaced, RoomTakenBack
from .seats import castles_of, deciders, in_catalog_order, older, players

PLACING = "placing"
GRACE = 3  # seconds in which the last tile of a turn may be taken back (B2C-PP-10)


# All players place at the same time: one tile into the left castle, the other into the right one (B2C-PP-1).
def place(game: Castles, seat: Seat) -> Asking:
    answer = yield what_to_place(game, seat)
    match answer:
        case Place():
            put_down(game, seat, answer)
        case TakeBack():
            take_back(game, seat, answer.castle)
        case Hold():
            game.board.castles[answer.castle].holds.append(seat)
            game.tell(HoldSet(seat, answer.castle))
        case Release():
            game.board.castles[answer.castle].holds.remove(seat)
            game.tell(HoldReleased(seat, answer.castle))
        case Ready():
            game.board.correcting = None
    return WaitFor(still_waited_for(game))


def find_read_parts(game: Castles, seat: Seat) -> BoardPaths:
    """Return the parts of the board that decide what a seat may place: its tiles, its castles, and the last word."""
    return [("correcting",), ("tiles", seat), *[("castles", number) for number in castles_of(game, seat)]]


def what_to_place(game: Castles, seat: Seat) -> Offer:
    castles = castles_of(game, seat)
    tiles = list(placements(game, seat, castles))
    others = [*holds(game, seat, castles), *take_backs(game, seat, castles)]
    if tiles:
        return [*tiles, *others]
    if seat == game.board.correcting:
        return Lapsing([choice(Ready), *others], GRACE)
    return AtLeisure(others)  # the table does not wait while a bonus or a lock prevents it


# The step ends when all tiles lie; but the player who placed the last tile may correct it, as all could (B2C-PP-10).
def still_waited_for(game: Castles) -> list[Seat]:
    correcting = [] if game.board.correcting is None else [game.board.correcting]
    return seats_with_tiles(game) or correcting


def seats_with_tiles(game: Castles) -> list[Seat]:
    return [seat for seat in players(game) if has_tiles_to_place(game, seat)]


def placements(game: Castles, seat: Seat, castles: list[int]) -> Iterable[Choice]:
    for number in castles:
        if may_place(game, seat, number):
            yield from placements_in(game, number, tiles_for(game, seat, number))


def placements_in(game: Castles, number: int, tiles: list[str]) -> Iterable[Choice]:
    """Yield the placements in a castle, one choice for all tiles with the same levels: they fit the same cells."""
    alike: dict[Levels, list[str]] = {}
    for tile in tiles:
        alike.setdefault(LEVELS[tile], []).append(tile)
    plan = game.board.castles[number].plan
    for levels, group in alike.items():
        yield choice(Place, tile=group, castle=[number], cell=legal_places(plan, levels))


def has_tiles_to_place(game: Castles, seat: Seat) -> bool:
    return bool(game.board.tiles[seat]) or any(game.board.castles[number].ludwig for number in castles_of(game, seat))


# While a bonus is being resolved in a castle, no drafted tile may be placed there (B2C-PP-8). While both partners want
# the other to go first, only the older one may place (B2C-PP-5).
def may_place(game: Castles, seat: Seat, number: int) -> bool:
    castle = game.board.castles[number]
    return not castle.deciding and (not is_locked(castle) or seat == older(game, number))


def is_locked(castle: Castle) -> bool:
    return len(castle.holds) == 2


# The owner decides which of their tiles goes where (B2C-PP-2) and into which cell (B2C-PP-3); the human partner also
# places Ludwig's (B2C-LUDWIG-6).
def tiles_for(game: Castles, seat: Seat, number: int) -> list[str]:
    castle = game.board.castles[number]
    own = [] if has_placed(castle, seat) else game.board.tiles[seat]
    return [*own, castle.ludwig] if castle.ludwig else own


def has_placed(castle: Castle, seat: Seat) -> bool:
    return any(laid.seat == seat for laid in castle.laid)


# Either partner may place first; the first legal placement that arrives counts (B2C-PP-4). A tile that cannot be taken
# back cannot be undone either (B2C-PP-9).
def put_down(game: Castles, seat: Seat, action: Place) -> None:
    castle = game.board.castles[action.castle]
    owner = take_from_table(game, seat, castle, action.tile)
    castle.lay(action.tile, action.cell)
    castle.holds = []
    game.tell(RoomPlaced(seat, action.castle, action.tile, action.cell))
    castle.laid.append(Laid(owner, action.tile, bonus_for(game, action.castle, action.tile)))
    if not may_take_back(game, seat, action.castle):
        game.make_final()
    game.board.correcting = seat if may_correct(game, seat) else None


def may_correct(game: Castles, seat: Seat) -> bool:
    """Return whether all tiles lie and this seat could take one back."""
    return not seats_with_tiles(game) and any(may_take_back(game, seat, number) for number in castles_of(game, seat))


def take_from_table(game: Castles, seat: Seat, castle: Castle, tile: str) -> Seat:
    if tile == castle.ludwig:
        castle.ludwig = ""
        return ludwig(game)
    game.board.tiles[seat].remove(tile)
    return seat


# A deadlock can only arise while both tiles of a castle are unplaced (B2C-PP-5).
def holds(game: Castles, seat: Seat, castles: list[int]) -> Iterable[Choice]:
    open_castles = [number for number in castles if is_open_to_both(game, number)]
    held = [number for number in open_castles if seat in game.board.castles[number].holds]
    if free := [number for number in open_castles if number not in held]:
        yield choice(Hold, castle=free)
    if held:
        yield choice(Release, castle=held)


def is_open_to_both(game: Castles, number: int) -> bool:
    castle = game.board.castles[number]
    return not castle.laid and not castle.deciding and len(deciders(game, number)) == 2


# A tile placed this turn may be taken back while it triggered no bonus and nothing was placed after it (B2C-PP-9).
def take_backs(game: Castles, seat: Seat, castles: list[int]) -> Iterable[Choice]:
    if back := [number for number in castles if may_take_back(game, seat, number)]:
        yield choice(TakeBack, castle=back)


def may_take_back(game: Castles, seat: Seat, number: int) -> bool:
    laid = game.board.castles[number].laid
    if not game.board.options.takeback or not laid or laid[-1].earned:
        return False
    return seat == laid[-1].seat or laid[-1].seat == ludwig(game)


def take_back(game: Castles, seat: Seat, number: int) -> None:
    castle = game.board.castles[number]
    game.board.correcting = None
    castle.take_back()
    laid = castle.laid.pop()
    if laid.seat == seat:
        game.board.tiles[seat] = in_catalog_order([*game.board.tiles[seat], laid.tile])
    else:
        castle.ludwig = laid.tile
    game.tell(RoomTakenBack(seat, number, laid.tile))
