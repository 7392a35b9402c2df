"""Events: what a webhook tells its user. It is nothing but what everybody sees of the table, and his own seat."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from ..games.kit import Seat
from ..tables.book import Book

encoded = msgspec.json.Encoder().encode


class Event(Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something at a table; its id is the same however often it is sent."""

    id: str
    table: str
    game: str
    seat: Seat


class YourTurn(Event, frozen=True, kw_only=True, tag="your_turn"):
    """The table waits for the user."""

    offer: int  # which of his offers: the number to quote
    until: int | None  # when his time is up, in milliseconds since 1970


class GameOver(Event, frozen=True, kw_only=True, tag="game_over"):
    """A game in which the user has a seat is over."""

    standings: list[dict[str, int]]


def events_of(table: str, book: Book) -> dict[str, Event]:
    """What there is to tell at a table, by user."""
    if book.info.status == "over":
        return {user: _game_over(table, book, seat) for seat, user in enumerate(book.secrets.users) if user}
    waiting = [] if book.info.paused else book.waiting()
    people = {seat: book.secrets.users[seat] for seat in waiting if not book.is_bot(seat)}
    return {user: _your_turn(table, book, seat) for seat, user in people.items() if user}


def _your_turn(table: str, book: Book, seat: Seat) -> YourTurn:
    offer = book.secrets.answers[seat]
    id_ = f"{table}:{seat}:{offer}"
    return YourTurn(id=id_, table=table, game=book.info.game, seat=seat, offer=offer, until=book.until(seat))


def _game_over(table: str, book: Book, seat: Seat) -> GameOver:
    id_ = f"{table}:{seat}:over"
    return GameOver(id=id_, table=table, game=book.info.game, seat=seat, standings=book.info.standings)
