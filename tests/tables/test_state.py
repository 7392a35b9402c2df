"""The book of a table can be rebuilt from its entries, and keeps its secrets."""

from random import Random

import msgspec
import pytest
from tables.state_fixtures import GAME, SEED, T0, TABLE, ask, copied, opened, started

from palatine_protocol.messages import AddBot, Clock, Info, Leave, Seated, Sit, Start
from palatine_server.games.kit import Game, plain
from palatine_server.games.registry import GAMES
from palatine_server.tables.handlers.play import play_for, start
from palatine_server.tables.model import LogEntry, turned
from palatine_server.tables.state import Book, Who


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


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("clock", [None, Clock(move=5, bank=20, increment=2)], ids=["untimed", "timed"])
def test_an_action_changes_no_other_secrets_than_are_looked_at(game: Game, clock: Clock | None) -> None:
    seats: list[Seated | None] = [Seated(name="A") for _ in range(game.players[-1])]
    info = Info(game=game.name, status="open", visibility="public", host="A", seats=seats, options={}, clock=clock)
    book, rng, now = Book.opened(game, info, "anna", SEED, T0), Random(7), T0
    start(book, Who("anna", "A"), Start(**TABLE), T0)
    for _ in range(120):
        if book.info.status != "playing":
            break
        seat, now = rng.choice(book.waiting()), now + rng.randrange(9_000)
        action = game.policies["random"](book.begun().play, seat, rng.randrange)
        play_for(book, seat, action, "act", now)
        kept = {name: value for name, value in book.page().hidden.items() if name != "game"}
        assert kept == plain(book.secrets)
        assert book.page().info == plain(book.info)


def test_users_and_seed_are_nowhere_to_be_seen() -> None:
    book = started()
    public = repr((book.page().info, book.page().board, book.page().hands))
    assert SEED not in public
    assert "berta" not in public
