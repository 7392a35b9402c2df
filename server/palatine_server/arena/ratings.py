"""Ratings and shares of wins, with intervals from resampled deals.

All intervals are 95 % intervals of a bootstrap over deals: games of one deal depend on each other, deals do not.
Ratings are those of openskill (Plackett-Luce), computed over the games in their order, without the growth of
uncertainty over time: a bot does not change. A contender with several seats gets the mean of what its seats get.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct

from .match import MatchResult

LEAST_DEALS = 5  # with fewer, resampling says nothing
SHARE_RESAMPLES = 1_000
RATED_GAMES = 100_000  # games that all resamples of ratings rate together, so that a large run does not take minutes
MOST_RATING_RESAMPLES = 200
LEAST_RATING_RESAMPLES = 20
Z = 1.96  # standard errors in half a 95 % interval

Deal = list[MatchResult]


class Interval(Struct, frozen=True):
    """An estimate with the ends of its 95 % interval; there are none after few deals."""

    value: float
    low: float | None = None
    high: float | None = None


# Shares of wins


def split_win(result: MatchResult) -> list[float]:
    """Return each seat's part of the win; seats that share the first place share the win."""
    winners = [seat.rank == 1 for seat in result.seats]
    return [is_winner / sum(winners) for is_winner in winners]


def count_wins(deal: Deal, contender: int) -> tuple[float, float]:
    """Return the wins of a contender in a deal, and how many its seats would get by chance."""
    won = chance = 0.0
    for result in deal:
        parts = split_win(result)
        won += sum(part for part, seat in zip(parts, result.seats, strict=True) if seat.contender == contender)
        chance += sum(seat.contender == contender for seat in result.seats) / len(parts)
    return won, chance


def share_of(counted: Sequence[tuple[float, float]]) -> float:
    """Return wins in fair shares; 1 if the contender did not play."""
    won, chance = (sum(column) for column in zip(*counted, strict=True)) if counted else (0.0, 0.0)
    return won / chance if chance else 1.0


def estimate_share(deals: Sequence[Deal], contender: int, rng: Random) -> Interval:
    """Return the share of wins of a contender, where 1 is its fair share."""
    counted = [count_wins(deal, contender) for deal in deals]
    if len(deals) < LEAST_DEALS:
        return Interval(_round(share_of(counted)))
    shares = sorted(share_of(drawn) for drawn in resample(counted, SHARE_RESAMPLES, rng))
    return Interval(_round(share_of(counted)), *(_round(end) for end in percentiles(shares)))


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of the middle 95 % of sorted values."""
    return values[round(0.025 * (len(values) - 1))], values[round(0.975 * (len(values) - 1))]


def resample(items: Sequence[Any], times: int, rng: Random) -> Iterator[list[Any]]:
    """Yield bootstrap samples of the same size."""
    return (rng.choices(items, k=len(items)) for _ in range(times))


# Ratings


def estimate_ratings(
    deals: Sequence[Deal], contenders: int, rng: Random, advance: Callable[[float], None] = lambda part: None
) -> list[Interval]:
    """Return the rating of every contender; `advance` hears which part of the work is done."""
    flat = [[reduce_game(result) for result in deal] for deal in deals]
    rated = rate_deals(flat, contenders)
    if len(deals) < LEAST_DEALS:
        return [Interval(_round(value)) for value in rated]
    games = sum(map(len, flat))
    times = max(LEAST_RATING_RESAMPLES, min(MOST_RATING_RESAMPLES, RATED_GAMES // max(1, games)))
    samples = []
    for drawn in resample(flat, times, rng):
        samples.append(rate_deals(drawn, contenders))
        advance(1 / times)
    errors = [stdev(column) for column in zip(*samples, strict=True)]
    return [
        Interval(_round(value), _round(value - Z * error), _round(value + Z * error))
        for value, error in zip(rated, errors, strict=True)
    ]


RatedGame = list[tuple[int, int]]  # the contender and the rank of each seat


def reduce_game(result: MatchResult) -> RatedGame:
    return [(seat.contender, seat.rank) for seat in result.seats]


def rate_deals(deals: Sequence[Sequence[RatedGame]], contenders: int) -> list[float]:
    """Return the ratings after these games, each contender's mean skill."""
    from openskill.models import PlackettLuce  # takes a while, and only the arena needs it

    model = PlackettLuce(tau=0.0)
    ratings = [(25.0, 25.0 / 3)] * contenders
    for deal in deals:
        for game in deal:
            _rate_game(model, ratings, game)
    return [mu for mu, _ in ratings]


def _rate_game(model: Any, ratings: list[tuple[float, float]], game: RatedGame) -> None:
    """Rate one game in place."""
    teams = [[model.rating(*ratings[contender])] for contender, _ in game]
    rated = model.rate(teams, ranks=[rank for _, rank in game])
    found: dict[int, list[Any]] = {}
    for (contender, _), (new,) in zip(game, rated, strict=True):
        found.setdefault(contender, []).append(new)
    for contender, seats in found.items():
        ratings[contender] = fmean(each.mu for each in seats), fmean(each.sigma for each in seats)


def _round(number: float) -> float:
    """Return a number as reports have it; more decimals mean nothing."""
    return round(number, 4)
