"""The path of an action in one process, without sockets and store; run with the code of either build.

What is measured: decode the request, check it against the offer, run the rules, record the patch with its digests,
encode reply and entry, extend the hash chain, and encode the update of every viewer. Many tables take turns, so that
each finds the processor's caches as it would in a server. `python in_process.py TABLES ACTIONS GAME PLAYERS` prints µs
of processor time per action.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from hashlib import sha256
from random import Random
from time import thread_time_ns
from typing import Any

import msgspec
from bench.counter import COUNTER

from palatine_protocol.codec import MSGPACK, for_server
from palatine_protocol.messages import Act, Done, Info, Seated, Start
from palatine_server.games.kit import plain

try:
    from palatine_server.games.registry import GAMES
    from palatine_server.tables.handlers import play
    from palatine_server.tables.state import Requester, TableState
    from palatine_server.tables.viewers.updates import LiveViewers, Perspective
except ImportError:  # the reference has these modules under their former names
    from palatine_server.games.shelf import SHELF as GAMES
    from palatine_server.tables.book import Book as TableState
    from palatine_server.tables.book import Who as Requester
    from palatine_server.tables.telling import Audience as LiveViewers
    from palatine_server.tables.telling import Sight as Perspective

    from palatine_server.tables import playing as play

WIRE = for_server(MSGPACK)
WARM_UP = 0.2  # of the actions are not counted
TABLE = "a-table-of-the-bench"
encode = msgspec.msgpack.Encoder().encode
create_state: Callable[..., Any] = getattr(TableState, "create", None) or TableState.opened  # type: ignore[attr-defined]


def find_broadcast(book: TableState) -> Callable[[LiveViewers, Any], None]:
    """Return how this build sends an entry to all viewers: the reference knows no forks."""
    try:
        from palatine_server.tables.storage.history import ForkIds
    except ImportError:
        return lambda audience, entry: audience.tell(book, entry)  # type: ignore[attr-defined]
    forks = ForkIds(book.secrets.seed)
    return lambda audience, entry: audience.send_entry(book, entry, forks.of(b""))


def find_recorder(book: TableState) -> Any:
    """Return what records the game of a table; the reference has it under its former name."""
    return book.recorder if hasattr(book, "recorder") else book.scribe


class Player:
    """A viewer on a seat, who throws away what they are sent."""

    wire = WIRE

    def __init__(self, user: str) -> None:
        self.user = user

    def send(self, frame: bytes) -> None:
        """Take a frame."""

    def lose(self, table: str, *_: object) -> None:
        raise AssertionError(table)


class BenchTable:
    """A table with all its players, and everything that an action does to it."""

    def __init__(self, game: Any, players: int, number: int) -> None:
        self._game, self._players, self._random = game, players, Random(number)
        self._games = number * 1_000_000
        self.start()

    def start(self) -> None:
        """Begin a new game."""
        self._games += 1
        users = [f"user-{seat}" for seat in range(self._players)]
        seats: list[Seated | None] = [Seated(name=user) for user in users]
        info = Info(game=self._game.name, status="open", visibility="public", host=users[0], seats=seats, options={})
        self.book = book = create_state(self._game, info, users[0], f"{self._games:064x}", 0)
        book.secrets.users[:] = users
        play.start(book, Requester(users[0], users[0]), Start(id="start", table=TABLE), 0)
        self._audience, self._head, self._broadcast = LiveViewers(TABLE, book), bytes(32), find_broadcast(book)
        for seat, user in enumerate(users):
            player = Player(user)
            self._audience.viewers[player] = Perspective(seat, True)
            self._audience.show(player, book)

    def next_request(self) -> tuple[Requester, bytes]:
        """Return a random action as a client would send it."""
        if self.book.info.status != "playing":
            self.start()
        recorder = find_recorder(self.book)
        seat = self._random.choice(self.book.waiting())
        action = self._game.policies["random"](recorder.play, seat, self._random.randrange)
        user = self.book.secrets.users[seat]
        request = Act(id="0123456789ab", table=TABLE, offer=self.book.secrets.answers[seat], action=plain(action))
        return Requester(user, user), encode(request)

    def carry_out(self, who: Requester, frame: bytes) -> None:
        """Do what a server does with an action."""
        request = WIRE.decode(frame)
        assert isinstance(request, Act)
        entry = play.act(self.book, who, request, 1_700_000_000_000)
        encode(Done(re=request.id, table=TABLE, version=entry.version, seat=entry.seat))
        self._head = sha256(b"%b%d %b" % (self._head, entry.version, encode(entry))).digest()
        self._broadcast(self._audience, entry)


def measure(game: Any, players: int, tables: int, actions: int) -> float:
    """Return the µs of processor time for one action."""
    playing_tables = [BenchTable(game, players, number) for number in range(tables)]
    gc.collect()
    gc.freeze()
    spent, unmeasured = 0, int(WARM_UP * actions)
    for number in range(actions + unmeasured):
        table = playing_tables[number % tables]
        who, frame = table.next_request()
        begun = thread_time_ns()
        table.carry_out(who, frame)
        spent += thread_time_ns() - begun if number >= unmeasured else 0
    gc.unfreeze()
    return spent / actions / 1000


def main(tables: str, actions: str, name: str, players: str) -> None:
    game = COUNTER if name == COUNTER.name else GAMES[name]
    sys.stdout.write(f"{measure(game, int(players), int(tables), int(actions))}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
