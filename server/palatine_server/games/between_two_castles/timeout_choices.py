"""When time is up: the choices that the rules make for players who are late."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..kit import Action, Refused, Seat
from .actions import Accept, AssignLudwig, CallTiebreak, Choose, Place, Ready, Release
from .board import Castles, Decision
from .castle import legal_cells
from .catalog import META
from .joint_decisions import expected, open_question, proposal_of, to_propose
from .place import is_open_to_both, may_place, tiles_for
from .seats import castles_of, deciders, in_catalog_order

Move = tuple[Seat, Action]


def overdue(game: Castles, late: Collection[Seat]) -> Move:
    """Return the next action that the rules take for one of these late seats."""
    moves = [*choices(game, late), *words(game, late), *placements(game, late), *releases(game, late)]
    moves += [(seat, Ready()) for seat in late if seat == game.board.correcting]  # B2C-PP-10
    if not moves:
        raise Refused("not_your_turn", "None of these seats has anything to decide now.")
    return moves[0]


# The tile drawn first goes to the drawer's own castle (B2C-LUDWIG-4). Ticked tiles are kept, and filled up with the
# first tiles of the hand in dealt order (B2C-DRAFT-4).
def choices(game: Castles, late: Collection[Seat]) -> Iterator[Move]:
    for seat in sorted(late):
        hand = game.hands[seat]
        if game.board.phase == "ludwig" and hand.ludwig:
            yield seat, AssignLudwig(hand.ludwig[0])
        if game.board.phase == "choose" and hand.tiles:
            unticked = [tile for tile in hand.tiles if tile not in hand.ticked]
            yield seat, Choose([*hand.ticked, *unticked][: META.picks_per_turn])


def words(game: Castles, late: Collection[Seat]) -> Iterator[Move]:
    for number in range(len(game.board.castles)):
        decision = open_question(game, number)
        if decision is not None:
            yield from ((seat, word(decision, seat)) for seat in expected(game, decision) if seat in late)


# A silent partner agrees (B2C-JOINT-8), two proposals go to the marker (B2C-JOINT-7), without any the first option is
# taken (B2C-JOINT-9).
def word(decision: Decision, seat: Seat) -> Action:
    if proposal_of(decision, seat) is not None:
        return CallTiebreak(decision.castle)
    if decision.proposals:
        return Accept(decision.castle, decision.proposals[0].revision)
    return to_propose(decision, decision.options[0])


# Castles in order, the older partner first, their own tile before Ludwig's; of two tiles the one that is first in the
# catalog goes to the left castle; the first cell in canonical order (B2C-PP-6).
def placements(game: Castles, late: Collection[Seat]) -> Iterator[Move]:
    for number, castle in enumerate(game.board.castles):
        partners = sorted(deciders(game, number), key=game.board.seniority.index)
        for seat in (seat for seat in partners if seat in late and may_place(game, seat, number)):
            for tile in tiles_due(game, seat, number):
                yield seat, Place(tile, number, legal_cells(castle, tile)[0])


def tiles_due(game: Castles, seat: Seat, number: int) -> list[str]:
    """Return the tiles to put into this castle for a seat: its own tile, then Ludwig's."""
    if game.board.phase != "place":
        return []
    tiles, own = tiles_for(game, seat, number), in_catalog_order(game.board.tiles[seat])
    if len(own) < 2:
        return tiles
    left, _ = castles_of(game, seat)
    for_the_other_castle = own[1] if number == left else own[0]
    return [tile for tile in tiles if tile != for_the_other_castle]


# If both partners ask the other to place first, the younger one stops asking.
def releases(game: Castles, late: Collection[Seat]) -> Iterator[Move]:
    for number, castle in enumerate(game.board.castles):
        if game.board.phase == "place" and is_open_to_both(game, number):
            yield from ((seat, Release(number)) for seat in castle.holds if seat in late)
