"""Offers that stand: a player who chooses in secret changes no offer of the others."""

from random import Random

from palatine_server.checks.random_games import begun
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES


def test_offers_stand_where_players_choose_at_the_same_time() -> None:
    recorder = begun(BETWEEN_TWO_CASTLES, 4, 0)
    offers = {seat: recorder.play.offer(seat) for seat in recorder.play.seats}
    recorder.act(0, BETWEEN_TWO_CASTLES.policies["random"](recorder.play, 0, Random(0).randrange))
    assert all(recorder.play.offer(seat) is offers[seat] for seat in (1, 2, 3))
    assert recorder.play.offer(0) is not offers[0]
