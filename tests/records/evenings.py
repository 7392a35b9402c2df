"""Whole games to make records of."""

from functools import cache
from random import Random
from typing import Any

from palatine_protocol.messages import Clock, Contribute, Create, Sit, Start
from palatine_server.games.kit import Game
from palatine_server.games.shelf import SHELF
from palatine_server.records import Record, recorded
from palatine_server.tables.book import Book, Who
from palatine_server.tables.deeds import do
from palatine_server.tables.log import LogEntry
from palatine_server.tables.opening import opened


@cache
def played(name: str, seed: int) -> tuple[Book, tuple[LogEntry, ...]]:
    """A whole game among people who add their entropy, act at random and undo."""
    game, rng = SHELF[name], Random(seed)
    seats = game.players[0] + rng.randrange(2)
    book = opened(game, "u0", "Anna", Create(id="c", game=game.name, seats=seats, clock=Clock(move=60)), 1)
    people = [Who(f"u{seat}", f"Name {seat}") for seat in range(seats)]
    table: Any = {"id": "r", "table": "t"}
    entries = [do(book, who, Sit(**table), 1, None) for who in people]
    entries += [do(book, who, Contribute(**table, entropy=rng.randbytes(16).hex()), 1, None) for who in people[1:]]
    entries.append(do(book, people[0], Start(**table), 1, None))
    while book.info.status != "over":
        assert book.scribe is not None
        seat = rng.choice(book.waiting())
        action = game.policies["random"](book.scribe.play, seat, rng.randrange)
        entries.append(book.play_for(seat, action, "bot", 1))
        if book.info.status != "over" and book.scribe.may_undo(seat) and rng.random() < 0.1:
            entries.append(book.undo(f"u{seat}", 1))
    return book, tuple(entries)


def record_of(game: Game, seed: int = 0) -> Record:
    book, entries = played(game.name, seed)
    return recorded("t", book.page(), entries)
