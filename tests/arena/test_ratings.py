"""Ratings, shares of wins and their intervals, from results whose truth is known."""

from __future__ import annotations

from random import Random

from palatine_server.arena.match import MatchResult, SeatResult, rank_seats
from palatine_server.arena.ratings import Deal, estimate_ratings, estimate_share
from palatine_server.arena.report import compare_places
from palatine_server.arena.schedule import ArenaGame, rotate


def make_deals(strengths: list[float], count: int, seed: int) -> list[Deal]:
    """Deals of a toy game: the seat with the highest strength plus luck wins."""
    rng, lineup = Random(seed), [*range(len(strengths))]
    return [
        [make_game(rotate(lineup, turn), strengths, deal, turn, rng) for turn in range(len(lineup))]
        for deal in range(count)
    ]


def make_game(lineup: list[int], strengths: list[float], deal: int, turn: int, rng: Random) -> MatchResult:
    scores = [round(1000 * (strengths[each] + rng.random())) for each in lineup]
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    seats = [SeatResult(contender=each, rank=rank) for each, rank in zip(lineup, ranks, strict=True)]
    return MatchResult(planned=ArenaGame(deal=deal, rotation=turn, lineup=lineup, seed="00"), seats=seats)


def test_equal_contenders_have_one_fair_share_each() -> None:
    deals = make_deals([0.0, 0.0, 0.0], 200, seed=1)
    shares = [estimate_share(deals, number, Random(number)) for number in range(3)]
    assert sum(share.value for share in shares) / 3 == 1.0 or abs(sum(s.value for s in shares) - 3) < 1e-3
    assert all(share.low is not None and share.low < 1 < (share.high or 0) for share in shares)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    covered = 0
    for seed in range(60):
        share = estimate_share(make_deals([0.0, 0.0], 40, seed), 0, Random(seed))
        covered += (share.low or 0) <= 1 <= (share.high or 0)
    assert covered >= 52  # 95 % would be 57


def test_ratings_find_the_order_and_their_intervals_are_apart() -> None:
    ratings = estimate_ratings(make_deals([0.9, 0.0, 0.4], 15, seed=2), 3, Random(1))
    best, worst, middle = ratings
    assert best.value > middle.value > worst.value
    assert (best.low or 0) > (worst.high or 0)


def test_few_deals_have_no_interval() -> None:
    deals = make_deals([0.0, 0.5], 2, seed=1)
    assert estimate_share(deals, 0, Random(1)).low is None
    assert estimate_ratings(deals, 2, Random(1))[0].low is None


def test_a_comparison_says_how_often_one_is_before_the_other() -> None:
    ahead = compare_places(make_deals([2.0, 0.0], 5, seed=1), 2)
    assert ahead == [[None, 1.0], [0.0, None]]


def test_ranks_count_players_alone() -> None:
    seats = [SeatResult(contender=0), SeatResult(contender=1)]
    standings = [
        {"seat": 2, "score": 50, "rank": 1},
        {"seat": 0, "score": 40, "rank": 2},
        {"seat": 1, "score": 40, "rank": 2},
    ]
    assert [(seat.rank, seat.score) for seat in rank_seats(seats, standings)] == [(1, 40), (1, 40)]
