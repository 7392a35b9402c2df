"""The book of a table can be rebuilt from its entries, and keeps its secrets."""

from random import Random

import msgspec
from tables.books import GAME, SEED, T0, TABLE, ask, copied, opened, started

from palatine_protocol.messages import AddBot, Leave, Sit, Start
from palatine_server.tables.book import Book
from palatine_server.tables.log import LogEntry, turned
from palatine_server.tables.playing import play_for


def test_a_book_can_be_rebuilt_from_its_entries_without_rules() -> None:
    book = opened(4)
    page, rng, log = copied(book.page()), Random(4), []
    log += [ask(book, seat, Sit(**TABLE)) for seat in range(3)]
    for seat, request in ((0, AddBot(**TABLE, policy="random")), (0, Start(**TABLE)), (2, Leave(**TABLE))):
        log.append(ask(book, seat, request))
    while book.info.status == "playing":
        seat = rng.choice(book.waiting())
        action = GAME.policies["random"](book.begun().play, seat, rng.randrange)
        log.append(play_for(book, seat, action, "bot", T0))
    for entry in log:
        page = turned(page, msgspec.msgpack.decode(msgspec.msgpack.encode(entry), type=LogEntry))
    assert page == book.page()
    assert Book.read(GAME, copied(page)).page() == book.page()
    assert [entry.version for entry in log] == list(range(1, len(log) + 1))
    assert book.info.standings


def test_users_and_seed_are_nowhere_to_be_seen() -> None:
    book = started()
    public = repr((book.page().info, book.page().board, book.page().hands))
    assert SEED not in public
    assert "berta" not in public
