"""Lantern Quay, an invented game that uses every piece of the kit; only the kit's tests play it."""

from pathlib import Path

from msgspec import Struct

from palatine_server.games.kit import (
    AGAIN,
    FREE,
    Action,
    Asking,
    Chance,
    Document,
    Game,
    News,
    Play,
    Range,
    Seat,
    Standing,
    at_random,
    choice,
    step,
)

BOATS, LANTERNS = [1, 2, 3, 4], [1, 2, 3, 4, 5]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    boats: int = 4


class Board(Struct):
    quays: list[int]
    sea: int
    boat: int | None = None
    waved: list[int] = []


class Hand(Struct):
    lanterns: list[int]
    thought: int = 0
    laid: int | None = None


class Box(Struct):
    sea: list[int]


Quay = Play[Board, Hand, Box]


class Think(Action):
    of: int


class Lay(Action):
    lantern: int


class Moor(Action):
    bags: int


class Wave(Action):
    pass


class LanternLaid(News):
    seat: Seat


class LanternsRevealed(News):
    lanterns: list[int | None]


class BoatMoored(News):
    seat: Seat


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Hand, Box]:
    sea = BOATS[: options.boats]
    chance.shuffle(sea, "boats")
    hands = [Hand(list(LANTERNS)) for _ in range(players)]
    return Document(Board([0] * players, len(sea)), hands, Box(sea), chance, [step(next_boat)])


# A round: a boat arrives, all lay a lantern in secret, all reveal, the highest lantern without a double moors.
def next_boat(game: Quay) -> None:
    if game.box.sea:
        game.board.boat = game.box.sea.pop()
        game.board.sea -= 1
        everyone = range(len(game.hands))
        game.plan(step(lay, *everyone), step(reveal), step(next_boat))


def lay(game: Quay, seat: Seat) -> Asking:
    hand = game.hands[seat]
    answer = yield [choice(Lay, lantern=hand.lanterns), choice(Think, of=Range(1, 9))]
    if isinstance(answer, Think):
        hand.thought = answer.of
        return AGAIN
    hand.lanterns.remove(answer.lantern)
    hand.laid = answer.lantern
    game.tell(LanternLaid(seat))
    return None


def reveal(game: Quay) -> None:
    laid = [hand.laid for hand in game.hands]
    game.tell(LanternsRevealed(laid))
    singles = [face for face in laid if laid.count(face) == 1 and face is not None]
    if singles:
        winner = laid.index(max(singles))
        others = [seat for seat in range(len(laid)) if seat != winner]
        game.plan(step(moor, winner, lane="quay"), step(wave, *others, lane="waving"))


# The winner unloads one or two bags; meanwhile the others may wave, which holds nobody up after the first time.
def moor(game: Quay, seat: Seat) -> Asking:
    answer: Moor = yield [choice(Moor, bags=Range(1, 2))]
    game.board.quays[seat] += answer.bags * (game.board.boat or 0)
    game.tell(BoatMoored(seat))
    return None


def wave(game: Quay, seat: Seat) -> Asking:
    yield [choice(Wave)]
    game.board.waved.append(seat)
    return FREE


def standings(game: Quay) -> list[Standing]:
    quays = game.board.quays
    return [Standing(seat, bags, 1 + sum(other > bags for other in quays)) for seat, bags in enumerate(quays)]


def check(game: Quay) -> None:
    assert len(game.box.sea) == game.board.sea


QUAY = Game(
    name="quay",
    title={"en": "Lantern Quay", "de": "Laternenkai"},
    players=range(2, 5),
    options=Options,
    document=Document[Board, Hand, Box],
    actions=(Think, Lay, Moor, Wave),
    news=(LanternLaid, LanternsRevealed, BoatMoored),
    rules=(next_boat, lay, reveal, moor, wave),
    folder=Path(__file__).parent,
    setup=setup,
    why_not=lambda game, seat, action: None,
    overdue=lambda game, late: (next(iter(late)), Moor(1)),
    standings=standings,
    check=check,
    policies={"random": at_random},
)
