"""Actions leave nothing behind that only a garbage collection finds: its pauses would be felt at all tables."""

import gc
from collections.abc import Iterator
from random import Random

import pytest
from games.kit.example_game import QUAY

from palatine_server.games.kit import Game, Recorder
from palatine_server.games.registry import GAMES

FEW = 5  # objects that the tools around the game may leave behind


@pytest.fixture
def no_collections() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def act(recorder: Recorder, rng: Random) -> None:
    """Look at all offers, do something, be refused something, and take it back now and then."""
    play, game = recorder.play, recorder.game
    for seat in play.seats:
        play.offer(seat)
    seat = rng.choice(play.waiting_for())
    action = game.policies["random"](play, seat, rng.randrange)
    recorder.act(seat, action)
    recorder.play.refusal(seat, action)
    undoing = recorder.undoing()
    if undoing is not None and not rng.randrange(8):
        recorder.undo(undoing)


def play(game: Game, actions: int) -> None:
    """Do so many actions, in as many games as it takes, and let go of them."""
    rng = Random(7)
    recorder = Recorder(game.begin(game.players[-1], f"{actions:064x}"))
    for number in range(actions):
        if recorder.play.is_over:
            recorder.play.release()
            recorder = Recorder(game.begin(game.players[-1], f"{number:064x}"))
        act(recorder, rng)
    recorder.play.release()


@pytest.mark.parametrize("game", [*GAMES.values(), QUAY], ids=lambda game: game.name)
@pytest.mark.usefixtures("no_collections")
def test_a_thousand_actions_leave_no_cycles(game: Game) -> None:
    play(game, 100)  # msgspec leaves something behind when it reads a type for the first time
    gc.collect()
    play(game, 1000)
    assert gc.collect() < FEW
