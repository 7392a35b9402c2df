"""Lantern Quay with a sea that brings boats for ever."""

from dataclasses import replace

from games.kit.example_game import QUAY, Quay, lay, moor, reveal, wave

from palatine_server.games.kit import step


def next_boat(game: Quay) -> None:
    for hand in game.hands:
        hand.lanterns = [1, 2, 3, 4, 5]
    game.plan(step(lay, *game.seats), step(reveal), step(next_boat))


ENDLESS = replace(QUAY, rules=(next_boat, lay, reveal, moor, wave))
