"""Everything that a seat of Between Two Castles does not see, dealt anew: tiles, bonus cards and secret questions."""

from __future__ import annotations

from ..kit import Redeal, Seat
from ..kit.hidden_zones.resample import Pool
from .board import Box, Castles, Decision, Hand, Proposal
from .bonuses import CARD_DRAW, FOOD_DRAW
from .castle import legal_cells
from .catalog import CARDS, META, ROOMS
from .joint_decisions import CELL, has_question
from .ludwig import drawer
from .seats import castles_of, deciders, in_catalog_order, lane


def redraw(game: Castles, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
    """Deal every tile and card that the seat does not see to the hands, the questions and the piles."""
    board, seen = game.board, pieces_seen(game, seat)
    rooms = deal.pool(room for room in ROOMS if room not in seen)
    cards = deal.pool(card for card in CARDS if card not in seen)
    questions = {
        number: question_of(game, seat, number, deal, rooms, cards)
        for number, castle in enumerate(board.castles)
        if has_question(castle) and castle.decision is None
    }
    hands = [game.hands[seat] if other == seat else hand_of(game, other, rooms) for other in game.seats]
    for other in game.seats:
        if other != seat:
            hands[other].decisions = [questions[n] for n in sorted(castles_of(game, other)) if n in questions]
    supply, discards = rooms.take(board.supply), rooms.take(board.discards)
    deck, card_discards = cards.take(board.deck), cards.take(board.card_discards)
    return hands, Box(supply, deck, discards, card_discards, rooms.take_all())


def pieces_seen(game: Castles, seat: Seat) -> set[str]:
    board, hand = game.board, game.hands[seat]
    seen = {room.name for castle in board.castles for room in castle.rooms}
    seen |= {card for castle in board.castles for card in castle.cards} | {castle.ludwig for castle in board.castles}
    seen |= {tile for tiles in board.tiles for tile in tiles}
    seen |= {*hand.tiles, *hand.chosen, *hand.passed, *hand.ludwig}
    for decision in hand.decisions:
        seen |= {decision.room} if decision.about == CELL else {*decision.options}
    return seen


# Hands pass on, so that all have the same number of tiles: two fewer in each turn (B2C-ROUND-3).
def hand_of(game: Castles, seat: Seat, rooms: Pool[str]) -> Hand:
    board, picks = game.board, META.picks_per_turn
    held = META.hand_size - picks * (board.turn - 1)
    match board.phase:
        case "ludwig":
            return Hand(tiles=rooms.take(held), ludwig=rooms.take(picks if seat == drawer(game) else 0))
        case "choose" if board.chosen[seat]:
            return Hand(chosen=in_catalog_order(rooms.take(picks)), passed=rooms.take(held - picks))
        case "choose":
            return Hand(tiles=rooms.take(held))
        case "place":
            return Hand(passed=rooms.take(held - picks))
    return Hand()


# A question about drawn tiles or cards lies in the hands of its deciders. All others see only what it is about, and
# which of the partners the table still waits for: the other one has proposed something.
def question_of(game: Castles, seat: Seat, number: int, deal: Redeal, rooms: Pool[str], cards: Pool[str]) -> Decision:
    """Return the secret question of a castle, which is invented if the seat does not see it."""
    for decision in game.hands[seat].decisions:
        if decision.castle == number:
            return decision
    castle, question = game.board.castles[number], invented(game, number, rooms, cards)
    question.revision = castle.revision
    for other in deciders(game, number):
        if other not in awaited(game, number):
            question.revision += 1
            wanted = question.options[deal.below(len(question.options))]
            question.proposals = [*question.proposals, Proposal(other, wanted, question.revision)]
    return question


def invented(game: Castles, number: int, rooms: Pool[str], cards: Pool[str]) -> Decision:
    castle = game.board.castles[number]
    if castle.deciding == CELL:
        (room,) = rooms.take(1)
        cells = [list(cell) for cell in legal_cells(castle, room)]
        return Decision(castle=number, about=CELL, options=cells, room=room)
    options = rooms.take(FOOD_DRAW) if castle.deciding == "food" else cards.take(CARD_DRAW)
    return Decision(castle=number, about=castle.deciding, options=options)


def awaited(game: Castles, number: int) -> list[Seat]:
    """Return the partners whose answer the table still waits for."""
    (step,) = (step for step in game.document.agenda if step.lane == lane(number) and step.rule == "decide")
    return step.seats
