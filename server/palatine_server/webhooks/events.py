"""Events: what a webhook tells. It is nothing but what everybody sees of the table, and to a user his own seat."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ..games.kit import Seat
from ..tables.state import Book

encoded = msgspec.json.Encoder().encode


class Ring(NamedTuple):
    """Somebody to be told something: the name of a hook, and the user for whom it is, unless he is connected."""

    hook: str
    user: str | None  # None: it is told in any case


class Event(Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something at a table; its id is the same however often it is sent."""

    id: str
    table: str
    game: str


class YourTurn(Event, frozen=True, kw_only=True, tag="your_turn"):
    """The table waits for the user."""

    seat: Seat
    offer: int  # which of his offers: the number to quote
    until: int | None  # when his time is up, in milliseconds since 1970


class GameOver(Event, frozen=True, kw_only=True, tag="game_over"):
    """A game in which the user has a seat is over."""

    seat: Seat
    standings: list[dict[str, int]]


class Turn(Event, frozen=True, kw_only=True, tag="turn"):
    """The table waits for somebody, who is not connected."""

    seat: Seat
    name: str
    until: int | None


class TableOver(Event, frozen=True, kw_only=True, tag="game_over"):
    """The game is over, as it is told to the whole table."""

    names: list[str]  # by seat
    standings: list[dict[str, int]]


def hook_at(table: str) -> str:
    """The name of the hook of a table; no user has such an id."""
    return f"table:{table}"


def rings_of(table: str, book: Book) -> dict[Ring, str]:
    """What there is to tell at a table: to whom, and the id by which it is told only once."""
    hook, users = hook_at(table), book.secrets.users
    if book.info.status == "over":
        over = {Ring(user, user): f"{table}:{seat}:over" for seat, user in enumerate(users) if user}
        return {**over, Ring(hook, None): f"{table}:over"}
    waiting = [] if book.info.paused else book.waiting()
    turns = {users[seat]: _turn(table, book, seat) for seat in waiting if not book.is_bot(seat)}
    return {Ring(name, user): turn for user, turn in turns.items() if user for name in (user, hook)}


def event_of(table: str, book: Book, ring: Ring, id: str) -> Event | None:  # noqa: A002
    """What is told under this id, if it is still true."""
    if rings_of(table, book).get(ring) != id:
        return None
    if ring.user is None:
        return _table_over(table, book, id)
    seat = book.own_seat(ring.user)
    if ring.hook != ring.user:
        return _turn_at(table, book, seat)
    return _game_over(table, book, seat, id) if book.info.status == "over" else _your_turn(table, book, seat)


def _turn(table: str, book: Book, seat: Seat) -> str:
    return f"{table}:{seat}:{book.secrets.answers[seat]}"


def _your_turn(table: str, book: Book, seat: Seat) -> YourTurn:
    offer, turn = book.secrets.answers[seat], _turn(table, book, seat)
    return YourTurn(id=turn, table=table, game=book.info.game, seat=seat, offer=offer, until=book.until(seat))


def _game_over(table: str, book: Book, seat: Seat, id: str) -> GameOver:  # noqa: A002
    return GameOver(id=id, table=table, game=book.info.game, seat=seat, standings=book.info.standings)


def _turn_at(table: str, book: Book, seat: Seat) -> Turn:
    """How often a seat has answered concerns nobody else: the id does not say it."""
    seal = hashlib.sha256(f"{book.secrets.seed} {_turn(table, book, seat)}".encode()).hexdigest()[:16]
    name, until = book.sitting(seat).name, book.until(seat)
    return Turn(id=f"{table}:{seat}:{seal}", table=table, game=book.info.game, seat=seat, name=name, until=until)


def _table_over(table: str, book: Book, id: str) -> TableOver:  # noqa: A002
    names = [seated.name if seated else "" for seated in book.info.seats]
    return TableOver(id=id, table=table, game=book.info.game, names=names, standings=book.info.standings)
