"""The bot: override `choose`, or register handlers for turns and news as authors of chat bots do.

class Builder(Bot):
    def choose(self, turn):
        return max(turn.offer, key=self.rate)

bot = Bot()

@bot.on_turn
def decide(turn):
    return turn.offer.random()

@bot.on_news("room_placed")
async def note_room(news): ...
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

from msgspec import Struct

from ..offer import Action
from .bot_turn import BotTurn

News = dict[str, Any]
TurnHandler = Callable[[BotTurn], Action | Awaitable[Action]]
NewsHandler = Callable[[News], object]
H = TypeVar("H", bound=Callable[..., object])


class GameStart(Struct, frozen=True, kw_only=True):
    """What a bot learns when a game begins."""

    game: str
    seat: int
    players: int
    options: dict[str, Any] = {}
    seconds: float | None = None  # for each move; None: the table has no such limit
    catalog: dict[str, Any] = {}  # the components; empty over the wire, where `GET /v1/games/<game>` has them


class GameEnd(Struct, frozen=True, kw_only=True):
    """What a bot learns when a game is over."""

    standings: list[dict[str, Any]]
    news: list[News] = []


class Bot:
    """Plays one seat. Without a `choose` and without a handler, it chooses at random."""

    _turn_handler: TurnHandler | None = None
    _news_handlers: tuple[tuple[str, NewsHandler], ...] = ()

    # What authors override

    def start(self, start: GameStart) -> Awaitable[None] | None:
        """Prepare for a game."""

    def choose(self, turn: BotTurn) -> Action | Awaitable[Action]:
        """Return one of the offered actions."""
        return self._turn_handler(turn) if self._turn_handler else turn.offer.random()

    def hear(self, news: News) -> Awaitable[None] | None:
        """Note news; they come in order, before the next turn and at the end of the game."""

    def end(self, end: GameEnd) -> Awaitable[None] | None:
        """Note the result of a game."""

    # Handlers

    def on_turn(self, handler: H) -> H:
        """Register the function that chooses; a later one replaces it."""
        self._turn_handler = handler  # type: ignore[assignment]  # its types are the author's
        return handler

    @overload
    def on_news(self, kind: H) -> H: ...
    @overload
    def on_news(self, kind: str) -> Callable[[H], H]: ...
    def on_news(self, kind: Any) -> Any:
        """Register a function for all news, or for one kind: `@bot.on_news` or `@bot.on_news("room_placed")`."""
        if not isinstance(kind, str):
            self._news_handlers += (("", kind),)
            return kind

        def register(handler: H) -> H:
            self._news_handlers += ((kind, handler),)
            return handler

        return register

    # What drivers call

    async def begin_game(self, start: GameStart) -> None:
        """Start a game."""
        await _settle(self.start(start))

    async def play_turn(self, turn: BotTurn) -> Action:
        """Tell the bot the news of a turn, and return its action."""
        await self._hear_all(turn.news)
        action: Action = await _settle(self.choose(turn))
        return action

    async def end_game(self, end: GameEnd) -> None:
        """Tell the bot the last news and the result."""
        await self._hear_all(end.news)
        await _settle(self.end(end))

    async def _hear_all(self, all_news: list[News]) -> None:
        for news in all_news:
            await _settle(self.hear(news))
            for kind, handler in self._news_handlers:
                if kind in ("", news.get("news")):
                    await _settle(handler(news))


async def _settle(value: Any) -> Any:
    """Return a value, awaiting it if necessary: authors write plain functions or coroutines."""
    return await value if inspect.isawaitable(value) else value
