"""What a seat sees in words, and its actions as sentences: made from the game's description, or by its presentation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from palatine_client.render.text import GameText, load_game_text
from palatine_client.render.text.narration import build_context, narrate_view
from palatine_client.render.text.render_context import RenderContext
from palatine_protocol.messages import Info, Offer, Waiting

from ..games.kit import Game, Seat, plain
from .episode import SeatView
from .text_phrases import say


class TextView(Struct):
    """A view of a seat, in the form that texts are made from."""

    seat: Seat | None
    board: Any
    hand: Any
    waiting: list[Waiting]
    info: Info | None = None
    offer: Offer | None = None  # a text environment lists actions itself: whole ones, and not the questions of a menu
    can_undo: bool = False


class SeatNarrator:
    """Puts the view of one seat into words."""

    def __init__(self, game: Game, players: int, view: SeatView, lang: str) -> None:
        self._words: GameText = load_game_text(game.name)
        self._view = TextView(view.seat, view.board, view.hand, [Waiting(seat=seat) for seat in view.waiting])
        self._news = [plain(told.news) for told in view.news]
        self.context: RenderContext = build_context(
            game.name, self._view, game.catalog, lang, name_players(players, lang), game.description
        )

    def describe(self) -> str:
        """Return the board, the hand and the news."""
        return narrate_view(self._words, self.context, self._view, self._news)

    def format_actions(self, actions: Iterable[dict[str, Any]]) -> list[str]:
        """Return actions as sentences; in process a cell is a tuple, and texts know cells as clients receive them."""
        return [self._words.format_action(plain(action), self.context) for action in actions]


def describe_seat(game: Game, players: int, view: SeatView, lang: str) -> str:
    """Return what a seat sees in words."""
    return SeatNarrator(game, players, view, lang).describe()


def name_players(players: int, lang: str) -> Sequence[str]:
    """Return the names of the players."""
    return [say("player", lang, number=seat + 1) for seat in range(players)]
