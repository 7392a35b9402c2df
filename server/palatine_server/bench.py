"""What an action costs, as a ratio to one msgpack encoding of the same table's full board, in one run."""

from __future__ import annotations

import gc
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter_ns
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from palatine_client.screen_console import ScreenConsole
from palatine_protocol.codec import MSGPACK, for_server
from palatine_protocol.messages import Info, Seated, Start

from .games.kit import Action, Game, Play, Refused, Scribe, Seat
from .games.shelf import SHELF
from .tables import playing
from .tables.book import Book, Who
from .tables.forks import fork_of
from .tables.telling import Audience, Sight

GAMES = 6
BARS = {"action with offers": 15, "with patches and digests": 30, "copy of the game": 6}
TABLE, WIRE = "a-table-of-bench", for_server(MSGPACK)
encode = msgspec.msgpack.Encoder().encode


def timed(do: Callable[..., Any], *given: Any) -> int:
    begin = perf_counter_ns()
    do(*given)
    return perf_counter_ns() - begin


class Costs:
    """Nanoseconds of each kind of work, action by action, and of encoding the fullest board."""

    def __init__(self) -> None:
        self.encoding: list[int] = []
        self.of: dict[str, list[int]] = {name: [] for name in BARS}
        self.widest_offer = 0

    def ratio(self, name: str) -> float:
        """The median over all actions of the cost of this work, in encodings of the fullest board."""
        return median(self.of[name]) / median(self.encoding)


def measured(game: Game, players: int, number: int, costs: Costs) -> None:
    """Play one random game twice, bare and with a scribe, and time each action."""
    seed, rng = f"{number:064x}", Random(number)  # noqa: S311 (bots, not cards)
    bare, written, full = (
        game.begin(players, seed),
        Scribe(game.begin(players, seed)),
        full_board(game, players, number),
    )
    while not written.play.is_over:
        seat = rng.choice(written.play.waiting_for())
        action = game.policies["random"](written.play, seat, rng.randrange)
        costs.of["action with offers"].append(timed(carry_out, bare, bare.act, seat, action))
        costs.of["with patches and digests"].append(timed(carry_out, written.play, written.act, seat, action))
        costs.of["copy of the game"].append(timed(game.copy, written.play))
        costs.encoding.append(timed(encode, full))
        costs.widest_offer = max(costs.widest_offer, *(len(encode(bare.offer(other))) for other in bare.seats))
        bare.told.clear()


def full_board(game: Game, players: int, number: int) -> Any:
    """The board of such a game when it is over."""
    play, rng = game.begin(players, f"{number:064x}"), Random(number)  # noqa: S311 (bots, not cards)
    while not play.is_over:
        seat = rng.choice(play.waiting_for())
        play.act(seat, game.policies["random"](play, seat, rng.randrange))
    return play.document.board


def carry_out(play: Play[Any, Any, Any], act: Callable[[Seat, Action], Any], seat: Seat, action: Action) -> None:
    """The action, and everybody's offer afterwards."""
    act(seat, action)
    for other in play.seats:
        play.offer(other)


def bench(game: Game) -> tuple[Costs, int]:
    """The costs at the fullest table of a game."""
    costs, players = Costs(), game.players[-1]
    for number in range(GAMES):
        measured(game, players, number, costs)
    return costs, players


class Sizes:
    """Bytes on the wire in whole games of greedy bots: to one player in all, and the board's part of each update."""

    def __init__(self) -> None:
        self.games: list[int] = []
        self.boards: list[int] = []
        self.updates: list[int] = []


def sizes(game: Game, players: int) -> Sizes:
    """What the player on seat 0 is sent in a few games."""
    found = Sizes()
    for number in range(3):
        book = started(game, players, number)
        player, audience = Counting(), Audience(TABLE, book)
        audience.viewers[player] = Sight(0, True)
        audience.show(player, book)
        while book.info.status == "playing":
            play_on(book, audience, found)
        found.games.append(sum(player.sizes))
        found.updates += player.sizes[1:]
    return found


def started(game: Game, players: int, number: int) -> Book:
    seats: list[Seated | None] = [Seated(name=f"Player {seat}") for seat in range(players)]
    info = Info(game=game.name, status="open", visibility="public", host="Player 0", seats=seats, options={})
    book = Book.opened(game, info, "", f"{number:064x}", 0)
    book.secrets.users[0] = Counting.user
    playing.start(book, Who("", "Player 0"), Start(id="start", table=TABLE), 0)
    return book


def play_on(book: Book, audience: Audience, found: Sizes) -> None:
    """One action, and how many bytes of the board it puts on the wire."""
    assert book.scribe is not None
    seat = book.waiting()[0]
    action = book.game.policies["greedy"](book.scribe.play, seat, Random(book.version).randrange)  # noqa: S311
    entry = playing.play_for(book, seat, action, "act", 0)
    audience.tell(book, entry, fork_of(book.secrets.seed, b""))
    if entry.board:
        found.boards.append(len(WIRE.encode(entry.board)))


class Counting:
    """The player on seat 0, who only counts the bytes that reach him."""

    user, wire = "player 0", WIRE

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def send(self, frame: bytes) -> None:
        self.sizes.append(len(frame))

    def lose(self, table: str, why: Refused | None = None) -> None:
        raise AssertionError(table)


def main() -> None:
    """Print what every game on the shelf costs, in time and in bytes."""
    console = ScreenConsole(width=140)
    print_costs(console)
    print_sizes(console)


def print_sizes(console: Console) -> None:
    table = Table("game", "board part of an update, median", "whole update, median", "whole game to one player")
    for game in SHELF.values():
        players = min(4, game.players[-1])
        found = sizes(game, players)
        figures = median(found.boards), median(found.updates), max(found.games)
        table.add_row(f"{game.name}, {players} players", *(f"{figure:,.0f}" for figure in figures))
    console.print("Bytes on the wire, msgpack without compression, games of greedy bots", table, sep="\n")


def print_costs(console: Console) -> None:
    table = Table("game", "actions", "encoding, µs", *(f"{name} (≤ {bar})" for name, bar in BARS.items()))
    table.add_column("widest offer, bytes")
    gc.freeze()
    for game in SHELF.values():
        costs, players = bench(game)
        ratios = [f"{costs.ratio(name):.1f}" for name in BARS]
        actions, encoding = len(costs.of["copy of the game"]), f"{median(costs.encoding) / 1000:.1f}"
        table.add_row(f"{game.name}, {players} players", str(actions), encoding, *ratios, str(costs.widest_offer))
    console.print("Costs in encodings of the full board in msgpack, median over all actions", table, sep="\n")


if __name__ == "__main__":
    main()
