"""A benchmark of the bytes that games send: `python -m palatine_server.bench`. `make bench` measures their cost."""

from __future__ import annotations

from random import Random
from statistics import median

from rich.table import Table

from palatine_client.screen_console import ScreenConsole
from palatine_protocol.codec import MSGPACK, for_server
from palatine_protocol.messages import Info, Seated, Start

from .games.kit import Game, Refused
from .games.registry import GAMES
from .tables.handlers import play
from .tables.state import Requester, TableState
from .tables.storage.history import fork_of
from .tables.viewers.updates import LiveViewers, Perspective

GAMES_PLAYED = 3  # games of each kind
TABLE, WIRE = "a-table-of-bench", for_server(MSGPACK)


class MessageSizes:
    """Bytes sent to one player: per game, per update, and in the board part of an update; and the largest offer."""

    def __init__(self) -> None:
        self.games: list[int] = []
        self.boards: list[int] = []
        self.updates: list[int] = []
        self.widest_offer = 0


def measure_sizes(game: Game, players: int) -> MessageSizes:
    """Return the sizes of the messages that the player on seat 0 receives in a few games."""
    found = MessageSizes()
    for number in range(GAMES_PLAYED):
        state = start_game(game, players, number)
        player, live = CountingPlayer(), LiveViewers(TABLE, state)
        live.viewers[player] = Perspective(0, True)
        live.show(player, state)
        while state.info.status == "playing":
            play_on(state, live, found)
        found.games.append(sum(player.sizes))
        found.updates += player.sizes[1:]
    return found


def start_game(game: Game, players: int, number: int) -> TableState:
    seats: list[Seated | None] = [Seated(name=f"Player {seat}") for seat in range(players)]
    info = Info(game=game.name, status="open", visibility="public", host="Player 0", seats=seats, options={})
    state = TableState.create(game, info, "", f"{number:064x}", 0)
    state.secrets.users[0] = CountingPlayer.user
    play.start(state, Requester("", "Player 0"), Start(id="start", table=TABLE), 0)
    return state


def play_on(state: TableState, live: LiveViewers, found: MessageSizes) -> None:
    """Play one action, and note the size of its board part."""
    assert state.recorder is not None
    seat = state.waiting()[0]
    found.widest_offer = max(found.widest_offer, len(WIRE.encode(state.recorder.play.offer(seat))))
    action = state.game.policies["greedy"](state.recorder.play, seat, Random(state.version).randrange)  # noqa: S311
    entry = play.play_for(state, seat, action, "act", 0)
    live.send_entry(state, entry, fork_of(state.secrets.seed, b""))
    if entry.board:
        found.boards.append(len(WIRE.encode(entry.board)))


class CountingPlayer:
    """A viewer on seat 0 that counts the bytes it receives."""

    user, wire = "player 0", WIRE

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def send(self, frame: bytes) -> None:
        self.sizes.append(len(frame))

    def lose(self, table: str, why: Refused | None = None) -> None:
        raise AssertionError(table)


def main() -> None:
    """Print the figures of every registered game."""
    table = Table("game", "board part of an update, median", "whole update, median", "whole game to one player")
    table.add_column("widest offer")
    for game in GAMES.values():
        players = min(4, game.players[-1])
        found = measure_sizes(game, players)
        figures = median(found.boards), median(found.updates), max(found.games), found.widest_offer
        table.add_row(f"{game.name}, {players} players", *(f"{figure:,.0f}" for figure in figures))
    ScreenConsole(width=140).print("Bytes, msgpack without compression, games of greedy bots", table, sep="\n")


if __name__ == "__main__":
    main()
