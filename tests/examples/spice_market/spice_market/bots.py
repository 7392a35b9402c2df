"""The house bot of Spice Market."""

from collections.abc import Callable

from palatine_server.games.kit import Action, Seat

from .actions import Bid, Build
from .board import Market
from .components import SPICES
from .rules import list_empty_cells


def greedy(game: Market, seat: Seat, below: Callable[[int], int]) -> Action:
    """Bid high for much and low for little; build beside an own stand."""
    if game.board.phase == "bid":
        cards = sorted(game.hands[seat].cards, key=lambda card: int(SPICES[card]["value"]))
        return Bid(cards[-1] if game.board.stall > 2 else cards[below(len(cards))])
    own = {tuple(stand.cell) for stand in game.board.stands if stand.seat == seat}
    empty = list_empty_cells(game)
    beside = [(x, y) for x, y in empty if own & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}]
    return Build((beside or empty)[below(len(beside or empty))])
