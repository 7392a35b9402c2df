"""3. Setup."""

from __future__ import annotations

from ..kit import AGAIN, Asking, Chance, Document, Seat, choice, refuse_option, step
from . import rounds
from .actions import Place, PlaceRest
from .board import SUPPLY, Board, Box, Hand, Options, Palais, Player, Turn
from .catalog import COLOURS, COUNTS, LAYOUTS, NOBLES, PRIVILEGES, ROOM_NAMES, SPACES, START
from .news import ServantPlaced
from .servants import send


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Hand, Box]:
    """Fill the park, lay out the palace and deal servants and gold; then each player places five servants."""
    order = turn_order(players, options, chance)
    park, removed = nobles_in_park(chance)
    deck = shuffled_deck(chance)
    board = Board(
        options=options,
        order=order,
        layout=laid_out(options.layout, chance),
        rooms=first_servants(players),
        park=park,
        border={},
        players=[newcomer(seat, order) for seat in range(players)],
        turn=Turn(seat=order[0], phase="setup"),
        bank=bank_after(players, options),
        deck=len(deck),
    )
    agenda = [*(step(begin_placing, seat=seat) for seat in order), step(rounds.begin_round)]
    return Document(board, [Hand() for _ in range(players)], Box(deck, removed), chance, agenda)


# The start player is named or drawn, and stays the same for the whole game; turns go clockwise (PR-SETUP-12).
def turn_order(players: int, options: Options, chance: Chance) -> list[Seat]:
    first = options.start_player
    if first == "random":
        first = chance.below(players, "start player")
    if first >= players:
        raise refuse_option("start_player", "The start player must be one of the seats.", "PR-SETUP-12")
    return [*range(first, players), *range(first)]


# 36 of the 42 nobles lie face up in the park, one on each space; the other six leave the game (PR-SETUP-2).
def nobles_in_park(chance: Chance) -> tuple[dict[str, str], list[str]]:
    nobles = list(NOBLES)
    chance.shuffle(nobles, "nobles")
    return dict(zip(SPACES, nobles, strict=False)), nobles[len(SPACES) :]


# The nine rooms form a square (PR-SETUP-3): as recommended (PR-SETUP-4), at random, or at random around the gate
# (PR-SETUP-5).
def laid_out(mode: str, chance: Chance) -> list[list[str]]:
    layout = LAYOUTS[mode]
    if layout.grid:
        return [list(row) for row in layout.grid]
    others = [room for room in ROOM_NAMES if room not in layout.fixed]
    chance.shuffle(others, "rooms")
    fixed = {place: room for room, place in layout.fixed.items()}
    return [[fixed.get((row, column)) or others.pop() for column in range(3)] for row in range(3)]


# The privilege cards form a face-down deck; no player starts with cards (PR-SETUP-6).
def shuffled_deck(chance: Chance) -> list[str]:
    deck = [card.id for card in PRIVILEGES.values() for _ in range(card.copies)]
    chance.shuffle(deck, "privileges")
    return deck


# Each player puts three servants on the stairway and two on the parade ground (PR-SETUP-8).
def first_servants(players: int) -> dict[str, list[int]]:
    return {room: [START.fixed_servants.get(room, 0)] * players for room in ROOM_NAMES}


# 18 servants are the supply, 7 the reserve of the colour (PR-SETUP-7); unused colours stay out (PR-COMP-3). Gold by
# seat: 0, 1, 2, 3 (PR-SETUP-9).
def newcomer(seat: Seat, order: list[Seat]) -> Player:
    return Player(
        colour=COLOURS[seat],
        supply=COUNTS.servants_start - sum(START.fixed_servants.values()),
        reserve=COUNTS.servants_reserve,
        gold=START.gold_by_seat[order.index(seat)],
    )


# The bank has no limit, unless the table sets one (PR-GOLD-2); the first gold comes from it, too.
def bank_after(players: int, options: Options) -> int | None:
    given = sum(START.gold_by_seat[:players])
    if options.bank_limit is None:
        return None
    if options.bank_limit < given:
        raise refuse_option("bank_limit", f"The bank needs at least {given} gold to begin with.", "PR-GOLD-2")
    return options.bank_limit - given


# Beginning with the start player each player puts exactly five more servants into rooms of their choice, all before
# the next seat places (PR-SETUP-10); afterwards every supply holds eight (PR-SETUP-11).


def begin_placing(game: Palais, seat: Seat) -> None:
    game.board.turn = Turn(seat=seat, phase="setup", to_place=START.free_servants)
    game.plan(step(place_servants, seat))


def place_servants(game: Palais, seat: Seat) -> Asking:
    turn = game.board.turn
    answer = yield [choice(Place, room=ROOM_NAMES), choice(PlaceRest)]
    for room in [answer.room] if isinstance(answer, Place) else START.time_out_rooms[: turn.to_place]:
        send(game, seat, SUPPLY, room)
        turn.to_place -= 1
        game.tell(ServantPlaced(seat, room))
    return AGAIN if turn.to_place else None
