"""Offers that stand: the kit does not ask a rule again while nothing has changed that the rule read before it asked.

A game says which parts of the board a rule reads (`Game.offers_read`). Two plays get the same actions here: one under a
recorder, which lets offers stand, and one that asks every rule after every action. They must never differ.
"""

from random import Random

import pytest
from games.laws import begun, random_moves

from palatine_server.games.kit import Game, Play, plain
from palatine_server.games.registry import GAMES

ACTIONS = 400  # of each game at most

GAMES_AND_PLAYERS = [(game, players) for game in GAMES.values() for players in game.players]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("game", "players"), GAMES_AND_PLAYERS, ids=lambda value: value.name if isinstance(value, Game) else str(value)
)
def test_an_offer_that_stands_is_the_one_that_the_rule_would_make_again(game: Game, players: int, seed: int) -> None:
    recorder = begun(game, players, seed)
    asked_again = game.copy(recorder.play)
    moves = random_moves(recorder, Random(seed), ("random", "greedy"))
    for _, (seat, action) in zip(range(ACTIONS), moves, strict=False):
        recorder.act(seat, action)
        asked_again.act(seat, action)
        assert game.pack(recorder.play) == game.pack(asked_again)
        assert show_decisions(recorder.play) == show_decisions(asked_again)


def show_decisions(play: Play) -> object:  # type: ignore[type-arg]
    """Return everything that the table learns from the rules that ask."""
    return [plain(play.offer(seat)) for seat in play.seats], play.waiting_for(), play.lapsing()


def test_rules_that_are_named_exist() -> None:
    for game in GAMES.values():
        assert game.offers_read.keys() <= game.rules_by_name.keys()


def test_offers_stand_where_players_choose_at_the_same_time() -> None:
    """A player who chooses in secret changes nothing for the others, so their rules are not asked again."""
    game = GAMES["between_two_castles"]
    recorder = begun(game, 4, 0)
    offers = {seat: recorder.play.offer(seat) for seat in recorder.play.seats}
    recorder.act(0, game.policies["random"](recorder.play, 0, Random(0).randrange))
    assert all(recorder.play.offer(seat) is offers[seat] for seat in (1, 2, 3))
    assert recorder.play.offer(0) is not offers[0]
