"""A market whose news reveal the bids, while the board shows a card of a hand that no news tell."""

from dataclasses import replace

from spice_market import SPICE_MARKET
from spice_market import rules as market_rules
from spice_market.board import Market


def reveal(game: Market) -> None:
    market_rules.reveal(game)
    if game.hands[0].cards:
        game.board.discard = [*game.board.discard[:-1], max(game.hands[0].cards)]


LEAKY_MARKET = replace(
    SPICE_MARKET,
    rules=tuple(reveal if rule.__name__ == "reveal" else rule for rule in SPICE_MARKET.rules),
    check=lambda game: None,  # the card on the board is doubled
)
