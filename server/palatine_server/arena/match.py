"""One game of the arena, played in this process to its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from palatine_client.bots.bot_process import BotFailure, FailureKind

from ..games.kit import Action, Play, Policy, Seat
from ..simulation import MOST_ACTIONS, DeadEnd, create_draw, next_seat
from .arena_table import ArenaTable
from .players import Player
from .schedule import ArenaGame

Failures = dict[FailureKind, int]


class SeatResult(Struct, kw_only=True):
    """What one seat did in one game."""

    contender: int
    rank: int = 0  # among the players; seats that the game itself plays do not count
    score: int = 0
    moves: int = 0
    seconds: float = 0.0  # of all its moves
    slowest: float = 0.0  # seconds of its slowest move
    forfeits: Failures = {}  # moves that a house bot played, by reason
    why: str = ""  # the first of these reasons, for the author


class MatchResult(Struct, kw_only=True):
    """The result of one game; `failure` is the traceback of one that was not finished."""

    planned: ArenaGame
    seats: list[SeatResult] = []
    record: bytes = b""
    failure: str = ""


class SeatTally:
    """Counts the moves of one seat."""

    def __init__(self, contender: int) -> None:
        self.result = SeatResult(contender=contender, forfeits={})

    def note_move(self, seconds: float) -> None:
        """Count a move."""
        self.result.moves += 1
        self.result.seconds += seconds
        self.result.slowest = max(self.result.slowest, seconds)

    def note_forfeit(self, failure: BotFailure) -> None:
        """Count a move that a house bot played."""
        forfeits = self.result.forfeits
        forfeits[failure.kind] = forfeits.get(failure.kind, 0) + 1
        self.result.why = self.result.why or str(failure)


def play_match(table: ArenaTable, planned: ArenaGame, players: Sequence[Player], house: str) -> list[SeatResult]:
    """Play a game to its end, and return what every seat did."""
    draw = create_draw(planned.derive("order"))
    below = Random(planned.derive("house")).randrange  # noqa: S311 (reproducible)
    tallies = [SeatTally(contender) for contender in planned.lineup]
    actions = 0
    while not table.play.is_over:
        if actions == MOST_ACTIONS:
            raise DeadEnd(f"The game is not over after {MOST_ACTIONS:,} actions.")
        seat = next_seat(table.play, draw)
        _move(table, seat, players[seat], tallies[seat], house, below)
        actions += 1
    for player in players:
        player.finish(table)
    return rank_seats([tally.result for tally in tallies], table.standings)


def _move(
    table: ArenaTable, seat: Seat, player: Player, tally: SeatTally, house: str, below: Callable[[int], int]
) -> None:
    """Let a player act on its seat; if it does not decide, a house bot plays this move."""
    began = perf_counter()
    try:
        action = player.decide(table)
        if refused := table.play.refusal(seat, action):
            raise BotFailure("nonsense", refused.sentence)
    except BotFailure as failure:
        tally.note_forfeit(failure)
        action = decide_for_house(table.play, house, seat, below)
    tally.note_move(perf_counter() - began)
    table.act(seat, action)


def decide_for_house(play: Play[Any, Any, Any], house: str, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action of the house bot."""
    policy: Policy = play.game.policies[house]
    return policy(play, seat, below)


def rank_seats(seats: list[SeatResult], standings: list[dict[str, int]]) -> list[SeatResult]:
    """Return the results with scores and ranks; ranks count only seats of players, so that each game has a winner."""
    rows = {row["seat"]: row for row in standings}
    order = [rows[seat]["rank"] for seat in range(len(seats))]
    return [
        replace(each, score=rows[seat]["score"], rank=1 + sum(other < order[seat] for other in order))
        for seat, each in enumerate(seats)
    ]
