"""7. Actions 1 to 3: Parade Ground, Stairway, Mint, King's Cabinet and Madame de Pompadour, Office."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain

from ..kit import Choice, Seat, choice
from .actions import AddSealServant, Move, Reinforce, TakeGold
from .board import Palais
from .gold import take
from .majority import majority_in
from .news import GateReinforced, GoldTaken, SealServantAdded, ServantMoved
from .nobles import benefit
from .servants import rooms_with, send, sources_of_new

# Action 1, Parade Ground: reinforcement


# One new servant on the gate per servant on the parade ground (PR-GATE-1), one more with the majority (PR-GATE-2), more
# with benefits (PR-GATE-5, PR-BENEFIT-8). Fixed when the action begins (PR-GATE-4).
def gate_allowance(game: Palais, seat: Seat) -> int:
    return (
        game.board.rooms["parade_ground"][seat] + majority_in(game, seat, "parade_ground") + benefit(game, seat, "gate")
    )


# Any part of the allowance may be used, servant by servant (PR-GATE-3); with the card there is no limit (PR-PRIV-2).
def reinforcements(game: Palais, seat: Seat) -> Iterable[Choice]:
    allowed = game.board.turn.gate_unlimited or gate_left(game, seat)
    if allowed and (sources := sources_of_new(game, seat, "gate")):
        yield choice(Reinforce, source=sources)


def gate_left(game: Palais, seat: Seat) -> int:
    turn = game.board.turn
    return turn.gate_left if turn.phase == "a1" else gate_allowance(game, seat)


# The gate is an ordinary room without an action (PR-GATE-6).
def reinforce(game: Palais, seat: Seat, answer: Reinforce) -> None:
    turn = game.board.turn
    turn.gate_left = max(0, turn.gate_left - 1)
    send(game, seat, answer.source, "gate")
    game.tell(GateReinforced(seat, answer.source))


# Action 2, Stairway: moves


# One move per servant on the stairway (PR-MOVE-1), one more with the majority (PR-MOVE-2), more with benefits and cards
# (PR-MOVE-7, PR-BENEFIT-9). The number does not change during the action (PR-MOVE-4).
def moves_allowed(game: Palais, seat: Seat) -> int:
    return (
        game.board.rooms["stairway"][seat]
        + majority_in(game, seat, "stairway")
        + benefit(game, seat, "moves")
        + game.board.turn.extra_moves
    )


# A move takes one own servant from any room, as often as wished (PR-MOVE-5), into the next room. Unused moves are lost
# (PR-MOVE-6).
def moves(game: Palais, seat: Seat) -> Iterable[Choice]:
    if moves_left(game, seat):
        nearby = next_rooms(game, seat)
        for room in rooms_with(game, seat):
            yield choice(Move, source=[room], to=nearby[room])


def moves_left(game: Palais, seat: Seat) -> int:
    turn = game.board.turn
    return turn.moves_left if turn.phase == "a2" else moves_allowed(game, seat)


# The next room is beside, above or below; across a corner only with the benefit (PR-MOVE-3, PR-BENEFIT-3).
def next_rooms(game: Palais, seat: Seat) -> Mapping[str, list[str]]:
    """Return, for each room, the rooms that a servant can reach from it in one move."""
    return rooms_around(tuple(chain(*game.board.layout)), 2 if benefit(game, seat, "diagonal") else 1)


@lru_cache(maxsize=1024)
def rooms_around(palace: tuple[str, ...], reach: int) -> Mapping[str, list[str]]:
    """Return, for each room of a palace, the rooms whose squared distance is within reach."""
    places = {room: divmod(place, 3) for place, room in enumerate(palace)}
    return {
        room: [other for other, (x, y) in places.items() if 0 < (x - row) ** 2 + (y - column) ** 2 <= reach]
        for room, (row, column) in places.items()
    }


def move(game: Palais, seat: Seat, answer: Move) -> None:
    game.board.turn.moves_left -= 1
    send(game, seat, answer.source, answer.to)
    game.tell(ServantMoved(seat, answer.source, answer.to))


# Action 3a, Mint


# Once per turn the player takes all the gold at once, even if it is none (PR-MINT-4); 3a to 3c: any order (PR-TURN-4).
def gold(game: Palais, seat: Seat) -> Iterable[Choice]:
    if not game.board.turn.gold_taken:
        yield choice(TakeGold)


# One gold per servant in the mint (PR-MINT-1), one more with the majority (PR-MINT-2), two more per benefit
# (PR-MINT-3, PR-BENEFIT-4).
def income(game: Palais, seat: Seat) -> int:
    return game.board.rooms["mint"][seat] + majority_in(game, seat, "mint") + benefit(game, seat, "gold")


def take_gold(game: Palais, seat: Seat, answer: TakeGold) -> None:
    game.board.turn.gold_taken = True
    game.tell(GoldTaken(seat, take(game, seat, income(game, seat))))


# Action 3b, King's Cabinet and Madame de Pompadour: each servant there is a seal (PR-SEAL-1), used or not (PR-SEAL-6)

SEAL_BENEFIT = {"king": "seal_turquoise", "madame": "seal_violet"}


# With the majority one new servant (PR-SEAL-2), in each of the two rooms (PR-SEAL-3); one more per benefit (PR-SEAL-5,
# PR-BENEFIT-5). Both majorities are determined before the first servant comes (PR-SEAL-4).
def seals_allowed(game: Palais, seat: Seat) -> dict[str, int]:
    return {room: majority_in(game, seat, room) + benefit(game, seat, kind) for room, kind in SEAL_BENEFIT.items()}


def seal_servants(game: Palais, seat: Seat) -> Iterable[Choice]:
    for room, allowed in seals_left(game, seat).items():
        if allowed and (sources := sources_of_new(game, seat, room)):
            yield choice(AddSealServant, room=[room], source=sources)


def seals_left(game: Palais, seat: Seat) -> dict[str, int]:
    turn = game.board.turn
    return turn.seals_left if turn.phase == "a3" else seals_allowed(game, seat)


# Servants come one at a time; when no more may come, 3b is done (PR-SEAL-4).
def add_seal_servant(game: Palais, seat: Seat, answer: AddSealServant) -> None:
    turn = game.board.turn
    turn.seals_left[answer.room] -= 1
    turn.seals_done = not any(turn.seals_left.values())
    send(game, seat, answer.source, answer.room)
    game.tell(SealServantAdded(seat, answer.room, answer.source))


# Action 3c, Office


# Each servant in the office permits one recruitment (PR-OFFICE-1); the live number counts (PR-OFFICE-3).
def presence(game: Palais, seat: Seat) -> int:
    return game.board.rooms["office"][seat]
