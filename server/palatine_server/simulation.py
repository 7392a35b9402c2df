"""Simulation: bots play whole games, in one process or in several, and the outcomes are summarized.

Every game can be repeated alone and in any language: game i of run S has the seed SHA-256("S/i") (decimal numbers,
counted from 0), written as 64 hexadecimal digits. The bots draw from a separate `Chance`, whose seed is
SHA-256("<seed of the game>/bots").
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator, Iterable, Sequence
from hashlib import sha256
from statistics import fmean, median
from time import perf_counter
from typing import Any
from zlib import crc32

from msgspec import Struct

from palatine_protocol import digest

from .games.kit import Chance, Game, Play, Policy, Seat, Standing
from .games.named_games import load_game
from .games.registry import GAMES
from .job_pool import open_job_pool

MOST_ACTIONS = 20_000
CHUNK = 4  # games that a process receives at a time


class DeadEnd(Exception):  # noqa: N818 (a position, not a fault)
    """The game is not over but cannot be finished."""


# One game


class Match(Struct, frozen=True, kw_only=True):
    """A game to play, with everything that determines it."""

    game: str
    source: str = ""  # of a game that is not installed: package.module:GAME
    players: int
    seed: str
    policies: list[str]  # by seat
    options: dict[str, Any] = {}


class MatchOutcome(Struct, frozen=True, kw_only=True):
    """The outcome of a match; `failure` is the traceback of an unfinished one."""

    match: Match
    seconds: float
    actions: int = 0
    standings: list[Standing] = []
    digest: int = 0  # a checksum of the final board
    failure: str = ""


def run_match(match: Match) -> MatchOutcome:
    """Play a match; an error becomes part of its outcome."""
    began = perf_counter()
    try:
        play, actions = play_match(match)
        standings, final = play.game.standings(play), digest.of_board(play.board)
    except Exception:
        return MatchOutcome(match=match, seconds=perf_counter() - began, failure=traceback.format_exc())
    seconds = perf_counter() - began
    return MatchOutcome(match=match, seconds=seconds, actions=actions, standings=standings, digest=final)


def play_match(match: Match) -> tuple[Play[Any, Any, Any], int]:
    """Play a match to its end; return the final position and the number of actions."""
    play = find_game_of(match).begin(match.players, match.seed, match.options)
    draw, actions = create_draw(match.seed), 0
    while not play.is_over:
        if actions == MOST_ACTIONS:
            raise DeadEnd(f"The game is not over after {MOST_ACTIONS:,} actions.")
        seat = next_seat(play, draw)
        act(play, seat, play.game.policies[match.policies[seat]], draw)
        actions += 1
    return play, actions


def find_game_of(match: Match) -> Game:
    """Return the game of a match, in any process."""
    return load_game(match.source or match.game, GAMES)


def act(play: Play[Any, Any, Any], seat: Seat, policy: Policy, draw: Callable[[int], int]) -> None:
    """Let a bot act, and check the invariants of the game."""
    action = None
    try:
        action = policy(play, seat, draw)
        play.act(seat, action)
        play.game.check(play)
    except Exception as error:
        error.add_note(f"Seat {seat} (the first is 0) was to act: {action or 'it had not decided yet'}")
        raise
    play.told.clear()


def next_seat(play: Play[Any, Any, Any], draw: Callable[[int], int]) -> Seat:
    """Draw one of the seats that the table waits for, so that simultaneous decisions come in any order."""
    seats = play.waiting_for()
    if not seats:
        raise DeadEnd("The game is not over, but nobody has anything to decide.")
    return seats[draw(len(seats))]


# Chance


def derive_seed(run: int, number: int) -> str:
    """Return the seed of one game of a run."""
    return _hash(f"{run}/{number}")


def create_draw(seed: str) -> Callable[[int], int]:
    """Return the random numbers of the bots, which are independent of the game's own chance."""
    chance = Chance(_hash(f"{seed}/bots"))
    return lambda n: chance.below(n, "bots")


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


# Many games


def run_matches(matches: Sequence[Match], jobs: int) -> Generator[MatchOutcome, None, None]:
    """Yield the outcomes of these matches in order, played by this process or by `jobs` others."""
    if jobs == 1:
        yield from map(run_match, matches)
        return
    with open_job_pool(jobs) as pool:
        yield from pool.map(run_match, matches, chunksize=CHUNK)


class Spread(Struct, frozen=True):
    """Minimum, median, mean and maximum of many numbers."""

    least: float
    median: float
    mean: float
    most: float


class SimulationSummary(Struct, frozen=True, kw_only=True):
    """The summary of all games with one number of players."""

    players: int
    games: int
    actions: Spread
    scores: Spread  # scores of players, without seats that the game itself plays
    wins: list[float]  # by seat, including seats of the game; a shared first place counts as a fraction
    seconds: float
    actions_per_second: float  # by one process


def summarize_outcomes(outcomes: Iterable[MatchOutcome]) -> list[SimulationSummary]:
    """Return one summary for each number of players."""
    by_players: dict[int, list[MatchOutcome]] = {}
    for each in outcomes:
        by_players.setdefault(each.match.players, []).append(each)
    return [summarize_players(players, by_players[players]) for players in sorted(by_players)]


def summarize_players(players: int, outcomes: Sequence[MatchOutcome]) -> SimulationSummary:
    seconds, actions = sum(each.seconds for each in outcomes), [each.actions for each in outcomes]
    return SimulationSummary(
        players=players,
        games=len(outcomes),
        actions=compute_spread(actions),
        scores=compute_spread([row.score for each in outcomes for row in each.standings if row.seat < players]),
        wins=[sum(column) for column in zip(*map(split_victory, outcomes), strict=True)],
        seconds=seconds,
        actions_per_second=sum(actions) / seconds,
    )


def split_victory(outcome: MatchOutcome) -> list[float]:
    """Return each seat's share of the first place."""
    ranks = [row.rank for row in sorted(outcome.standings, key=lambda row: row.seat)]
    return [(rank == 1) / ranks.count(1) for rank in ranks]


def compute_spread(numbers: Sequence[int]) -> Spread:
    return Spread(min(numbers), median(numbers), fmean(numbers), max(numbers))


def compute_digest(outcomes: Iterable[MatchOutcome]) -> str:
    """Return a checksum over all final boards, which does not depend on the number of processes."""
    checksum = 0
    for each in outcomes:
        checksum = crc32(each.digest.to_bytes(4, "big"), checksum)
    return f"{checksum:08x}"
