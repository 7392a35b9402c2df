"""The expert house bots: they are fair, find something that is on offer, and play better than greedy ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest
from games.test_strong_bots import Unseen

from palatine_server.games.kit import Game, Play, Seat, plain
from palatine_server.games.registry import GAMES
from palatine_server.simulation import derive_seed

MOMENTS = 2  # of each game; a decision may take a second
ALL_GAMES = [game for game in GAMES.values() if "expert" in game.policies]
every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=[game.name for game in ALL_GAMES])


def moments(game: Game, players: int, number: int) -> Iterator[tuple[Play[Any, Any, Any], Seat, Random]]:
    """Some moments of a game of quick bots, the last ones near its end, each with a seat that must decide."""
    seen, rng = list[tuple[bytes, Seat]](), Random(number)
    play = game.begin(players, derive_seed(number, players))
    while not play.is_over:
        seat = rng.choice(play.waiting_for())
        seen.append((game.pack(play), seat))
        play.act(seat, game.policies["greedy"](play, seat, rng.randrange))
        play.told.clear()
    early, late = rng.sample(seen, MOMENTS - 1), seen[-rng.randrange(10, 30)]
    return ((game.unpack(packed), seat, rng) for packed, seat in [*early, late])


@every_game
def test_it_looks_at_nothing_that_its_seat_may_not_see(game: Game) -> None:
    for play, seat, _ in moments(game, game.players[1], 1):
        blind: Any = game.copy(play)
        blind.document.box, blind.document.chance = Unseen(), Unseen()
        for other in set(play.seats) - {seat}:
            blind.document.hands[other] = Unseen()
        action = game.policies["expert"](blind, seat, Random(7).randrange)
        assert play.refusal(seat, action) is None
        assert action == game.policies["expert"](play, seat, Random(7).randrange)


@every_game
def test_other_secrets_do_not_change_its_mind(game: Game) -> None:
    assert game.secrets
    for play, seat, rng in moments(game, game.players[0], 2):
        there = game.resume(game.secrets.swap(plain(play.document), seat, rng))
        choices = [game.policies["expert"](world, seat, Random(7).randrange) for world in (game.copy(play), there)]
        assert choices[0] == choices[1]


# Strength. The same random numbers lead to the same decisions on every machine, so these games end the same everywhere.


class Challenge(NamedTuple):
    """Games of greedy bots, in which an expert takes over a seat: by how much its lead must grow in all of them."""

    game: str
    players: int
    deals: int
    left: int  # actions of the greedy game after the expert takes over
    points: float


CHALLENGES = (
    Challenge("between_two_castles", 2, 2, 14, 6),
    Challenge("palais_royal", 3, 2, 200, 20),
    Challenge("noblemen", 3, 2, 300, 15),
)


@pytest.mark.parametrize("challenge", CHALLENGES, ids=[each.game for each in CHALLENGES])
def test_it_gains_points_where_greedy_ones_would_not(challenge: Challenge) -> None:
    gains = [measure_gain(challenge, number) for number in range(challenge.deals)]
    assert sum(gains) >= challenge.points, gains


def measure_gain(challenge: Challenge, number: int) -> float:
    """Return by how many points the lead of a seat grows if an expert takes it over near the end."""
    game, seat = GAMES[challenge.game], number % challenge.players
    begin = game.begin(challenge.players, derive_seed(challenge.players, number))
    length = sum(1 for _ in play_on(begin, seat, "greedy"))
    play = game.begin(challenge.players, derive_seed(challenge.players, number))
    for _ in islice(play_on(play, seat, "greedy"), length - challenge.left):
        pass
    leads = []
    for policy in ("expert", "greedy"):
        copy = game.copy(play)
        for _ in play_on(copy, seat, policy):
            pass
        leads.append(lead_of(copy, seat))
    return leads[0] - leads[1]


def play_on(play: Play[Any, Any, Any], seat: Seat, policy: str) -> Iterator[None]:
    """Play on, and stop after each action."""
    rng = Random(2026)
    while not play.is_over:
        mover = play.waiting_for()[0]
        play.act(mover, play.game.policies[policy if mover == seat else "greedy"](play, mover, rng.randrange))
        play.told.clear()
        yield


def lead_of(play: Play[Any, Any, Any], seat: Seat) -> int:
    scores = {row.seat: row.score for row in play.game.standings(play)}
    return scores[seat] - max(score for other, score in scores.items() if other != seat and other in play.seats)
