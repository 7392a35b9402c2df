"""The report of an arena: what `--json` prints. It holds no times, so the same run gives the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from random import Random
from statistics import fmean
from typing import Any

import msgspec
from msgspec import Struct

from .contenders import Contender, Kind
from .match import Failures, MatchResult, SeatResult
from .ratings import Deal, Interval, count_wins, estimate_ratings, estimate_share, share_of
from .sequential_test import LOWER, UPPER, SequentialTest, Verdict

_encode = msgspec.json.Encoder(order="deterministic").encode


class ContenderReport(Struct, kw_only=True):
    """The figures of one contender."""

    name: str
    kind: Kind
    what: str
    games: int  # games in which it had a seat
    seats: int  # seats that it had in all of them
    wins: float  # a shared first place counts as a fraction
    share: Interval  # wins over what its seats would get by chance
    rating: Interval  # openskill
    place: float  # its mean place
    score: float  # its mean score
    moves: int
    forfeits: Failures  # moves that a house bot played for it, by reason
    why: str  # the first of these reasons


class StopReport(Struct, kw_only=True):
    """The stop rule, and what it found."""

    contender: str
    low: float
    high: float
    ratio: float  # the log-likelihood ratio
    lower: float = round(LOWER, 4)
    upper: float = round(UPPER, 4)
    verdict: Verdict


class ArenaReport(Struct, kw_only=True):
    """All figures of a run."""

    game: str
    edition: str
    players: int
    options: dict[str, Any]
    seed: int
    seconds: float  # for each move
    house: str
    arguments: list[int]  # the contenders as they were named; one that was named twice takes two seats
    deals: int
    games: int
    contenders: list[ContenderReport]
    ahead: list[list[float | None]]  # how often the contender of the row finishes before the one of the column
    stop: StopReport | None = None
    digest: str  # of all places and scores


class ContenderTimes(Struct, kw_only=True):
    """The times of one contender, which differ from run to run."""

    mean: float  # seconds for a move
    slowest: float


def group_deals(results: Sequence[MatchResult], players: int) -> list[Deal]:
    """Return the complete deals: after an interruption, the last one may lack rotations."""
    whole = len(results) - len(results) % players
    return [list(results[start : start + players]) for start in range(0, whole, players)]


def list_shares(deals: Sequence[Deal], contender: int) -> list[float]:
    """Return the share of wins of a contender in each deal in which it played."""
    counted = (count_wins(deal, contender) for deal in deals)
    return [share_of([each]) for each in counted if each[1]]


def report_contenders(
    contenders: Sequence[Contender], deals: Sequence[Deal], seed: int, advance: Callable[[float], None]
) -> list[ContenderReport]:
    """Return the figures of every contender."""
    ratings = estimate_ratings(deals, len(contenders), Random(f"{seed}/ratings"), advance)  # noqa: S311
    return [
        report_contender(number, contender, deals, ratings[number], Random(f"{seed}/{number}"))  # noqa: S311
        for number, contender in enumerate(contenders)
    ]


def report_contender(
    number: int, contender: Contender, deals: Sequence[Deal], rating: Interval, rng: Random
) -> ContenderReport:
    """Return the figures of one contender."""
    seats, games = select_seats(deals, number)
    forfeits: Failures = {}
    for seat in seats:
        for kind, count in seat.forfeits.items():
            forfeits[kind] = forfeits.get(kind, 0) + count
    return ContenderReport(
        name=contender.name,
        kind=contender.kind,
        what=contender.what,
        games=games,
        seats=len(seats),
        wins=round(sum(count_wins(deal, number)[0] for deal in deals), 4),
        share=estimate_share(deals, number, rng),
        rating=rating,
        place=round(fmean(seat.rank for seat in seats), 4) if seats else 0.0,
        score=round(fmean(seat.score for seat in seats), 4) if seats else 0.0,
        moves=sum(seat.moves for seat in seats),
        forfeits=forfeits,
        why=next((seat.why for seat in seats if seat.why), ""),
    )


def select_seats(deals: Sequence[Deal], contender: int) -> tuple[list[SeatResult], int]:
    """Return all seats of a contender, and the number of its games."""
    found = [[seat for seat in game.seats if seat.contender == contender] for deal in deals for game in deal]
    return [seat for seats in found for seat in seats], sum(map(bool, found))


def report_times(deals: Sequence[Deal], contender: int) -> ContenderTimes:
    """Return the times of a contender."""
    seats, _ = select_seats(deals, contender)
    moves, seconds = sum(seat.moves for seat in seats), sum(seat.seconds for seat in seats)
    return ContenderTimes(mean=seconds / max(1, moves), slowest=max((seat.slowest for seat in seats), default=0.0))


def compare_places(deals: Sequence[Deal], contenders: int) -> list[list[float | None]]:
    """Return how often each contender finishes before each other one; a tie counts half."""
    before = [[0.0] * contenders for _ in range(contenders)]
    met = [[0] * contenders for _ in range(contenders)]
    for game in (game for deal in deals for game in deal):
        for one in game.seats:
            for other in game.seats:
                if one.contender != other.contender:
                    met[one.contender][other.contender] += 1
                    before[one.contender][other.contender] += (one.rank < other.rank) + (one.rank == other.rank) / 2
    return [
        [round(won / count, 4) if count else None for won, count in zip(*rows, strict=True)]
        for rows in zip(before, met, strict=True)
    ]


def report_stop(test: SequentialTest, name: str, shares: Sequence[float]) -> StopReport:
    """Return what the stop rule found."""
    ratio, verdict = test.compute_ratio(shares), test.decide(shares)
    return StopReport(contender=name, low=test.low, high=test.high, ratio=round(ratio, 4), verdict=verdict)


def compute_digest(deals: Sequence[Deal]) -> str:
    """Return a checksum over all places and scores."""
    games = [
        [game.planned.name, [[seat.contender, seat.rank, seat.score] for seat in game.seats]]
        for deal in deals
        for game in deal
    ]
    return hashlib.sha256(_encode(games)).hexdigest()[:16]


def encode_report(report: ArenaReport) -> bytes:
    """Return the report as indented JSON."""
    return msgspec.json.format(_encode(report), indent=2) + b"\n"
