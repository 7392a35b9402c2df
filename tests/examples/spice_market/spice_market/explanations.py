"""Explanations of the score, in two languages."""

from palatine_server.games.kit import Phrase, Reason, Seat, Topic, read_explanation_text, total

from .board import Market
from .components import FOLDER, SPICES
from .rules import count_pairs

WORDS = read_explanation_text(
    (FOLDER / "explain.toml").read_text("utf-8"),
    {spice: Phrase(entry["name_en"], entry["name_de"]) for spice, entry in SPICES.items()},
)


def score(game: Market, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain the points of a player, final or as if the game ended now."""
    parts = [
        Reason("coins", "SM-END-2", game.board.coins[seat]),
        Reason("pairs", "SM-END-2", count_pairs(game, seat)),
    ]
    return total("score", "SM-END-2", parts, seat=seat)


TOPICS = {"score": Topic(lambda game, viewer: {"seat": game.seats}, score)}
