"""Victories of bots: how often one bot wins among others, in every seat in turn."""

from random import Random

from palatine_server.games.kit import Game
from palatine_server.simulation import derive_seed

PLAYERS = 4


def count_victories(game: Game, games: int, policy: str = "strong", others: str = "greedy") -> float:
    """Return the victories of one bot; a shared first place counts as a part of a victory."""
    return sum(part_of_victory(game, policy, others, number % PLAYERS, number) for number in range(games))


def part_of_victory(game: Game, policy: str, others: str, seat: int, number: int) -> float:
    play, rng = game.begin(PLAYERS, derive_seed(2026, number)), Random(number)
    while not play.is_over:
        at = rng.choice(play.waiting_for())
        play.act(at, game.policies[policy if at == seat else others](play, at, rng.randrange))
        play.told.clear()
    winners = [row.seat for row in game.standings(play) if row.rank == 1]
    return 1 / len(winners) if seat in winners else 0.0
