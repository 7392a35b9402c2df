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

from .games.kit import Action, Game, Play, Scribe, Seat
from .games.shelf import SHELF

GAMES = 6
BARS = {"action with offers": 15, "with patches and digests": 30, "copy of the game": 6}
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


def main() -> None:
    """Print the costs of every game on the shelf."""
    table = Table("game", "actions", "encoding, µs", *(f"{name} (≤ {bar})" for name, bar in BARS.items()))
    table.add_column("widest offer, bytes")
    gc.freeze()
    for game in SHELF.values():
        costs, players = bench(game)
        ratios = [f"{costs.ratio(name):.1f}" for name in BARS]
        actions, encoding = len(costs.of["copy of the game"]), f"{median(costs.encoding) / 1000:.1f}"
        table.add_row(f"{game.name}, {players} players", str(actions), encoding, *ratios, str(costs.widest_offer))
    Console(width=140).print("Costs in encodings of the full board in msgpack, median over all actions", table, sep="\n")


if __name__ == "__main__":
    main()
