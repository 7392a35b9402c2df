"""Books of Between Two Castles to try things on: anna, berta, carla and so on, from seat 0."""

from typing import Any

import msgspec
import pytest

from palatine_protocol.messages import Act, Clock, Info, Sit, Start, Undo
from palatine_server.games.kit import Refused
from palatine_server.games.registry import GAMES
from palatine_server.tables.handlers import do
from palatine_server.tables.model import LogEntry, Page
from palatine_server.tables.state import Book, Who

GAME = GAMES["between_two_castles"]
SEED = "5e" * 32
T0 = 1_000_000
TABLE = {"id": "r", "table": "t"}


def opened(seats: int = 3, move_limit: int | None = None, **more: Any) -> Book:
    info = Info(
        game=GAME.name,
        status="open",
        visibility="public",
        host="Anna",
        seats=[None] * seats,
        options={},
        **{"clock": Clock(move=move_limit) if move_limit else None, **more},
    )
    return Book.opened(GAME, info, "anna", SEED, T0)


def started(seats: int = 3, move_limit: int | None = None, **more: Any) -> Book:
    book = opened(seats, move_limit, **more)
    for seat in range(seats):
        ask(book, seat, Sit(**TABLE))
    ask(book, 0, Start(**TABLE))
    return book


def user(seat: int) -> str:
    return ["anna", "berta", "carla", "dora", "emma", "frida", "gerda", "hanna"][seat]


def choose(book: Book, seat: int, now: int = T0) -> LogEntry:
    assert book.recorder is not None
    tiles = book.recorder.play.document.hands[seat].tiles[:2]
    return act(book, seat, {"do": "choose", "tiles": tiles}, now)


def act(book: Book, seat: int, action: Any, now: int = T0, offer: int | None = None) -> LogEntry:
    """Answer the offer that is open, or another."""
    answered = book.secrets.answers[seat] if offer is None else offer
    return ask(book, seat, Act(**TABLE, offer=answered, action=action), now)


def undo(book: Book, seat: int, now: int = T0) -> LogEntry:
    return ask(book, seat, Undo(**TABLE), now)


def ends(book: Book) -> list[int | None]:
    return [book.until(seat) for seat in range(len(book.info.seats))]


def copied(page: Page) -> Page:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(page), type=Page)


def code_of(do: Any, *given: Any) -> str:
    with pytest.raises(Refused) as refused:
        do(*given)
    return refused.value.code


def ask(book: Book, seat: int, request: Any, now: int = T0, earlier: Page | None = None, **more: Any) -> LogEntry:
    """Somebody asks for something, as it comes over the wire."""
    who = Who(user(seat), user(seat).title(), **more)
    return do(book, who, request, now, earlier)


def tick(book: Book, seat: int, now: int = T0) -> LogEntry:
    """Something that can be undone."""
    return offered(book, seat, {"tick", "untick"}, now)


def place(book: Book, seat: int, now: int = T0) -> LogEntry:
    return offered(book, seat, {"place"}, now)


def offered(book: Book, seat: int, verbs: set[str], now: int) -> LogEntry:
    """The first action with one of these verbs."""
    assert book.recorder is not None
    choice = next(choice for choice in book.recorder.play.offer(seat) if choice.do in verbs)
    return act(book, seat, choice.nth(0), now)
