"""Golden games: one recorded game per game and seat count, played again and compared.

A difference means that the rules changed: running games would change with them. If that is meant, write the records
anew with `python tests/games/test_golden.py` and say so in CHANGELOG.md.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from palatine_server.games.kit import Game, Scribe, plain
from palatine_server.games.shelf import SHELF

GOLDEN = Path(__file__).parent / "golden"
TABLES = [(game, players) for game in SHELF.values() for players in game.players]


def recorded(game: Game, players: int) -> dict[str, Any]:
    """A game of random bots: the seed, each action with the digest after it, and how it ended."""
    seed = f"{players:064x}"
    scribe, rng, actions = Scribe(game.begin(players, seed)), Random(players), []
    while not scribe.play.is_over:
        seat = rng.choice(scribe.play.waiting_for())
        entry = scribe.act(seat, game.policies["random"](scribe.play, seat, rng.randrange))
        actions.append([seat, entry.action, entry.digests[-1]])
    return {
        "game": game.name,
        "players": players,
        "seed": seed,
        "actions": actions,
        "end": plain(game.standings(scribe.play)),
    }


def path_of(game: Game, players: int) -> Path:
    return GOLDEN / f"{game.name}-{players}.json"


@pytest.mark.parametrize(("game", "players"), TABLES, ids=lambda value: getattr(value, "name", str(value)))
def test_a_golden_game_is_played_as_recorded(game: Game, players: int) -> None:
    record = json.loads(path_of(game, players).read_text())
    scribe = Scribe(game.begin(players, record["seed"]))
    for seat, action, digest in record["actions"]:
        assert scribe.act(seat, game.read_action(action)).digests[-1] == digest
    assert scribe.play.is_over
    assert plain(game.standings(scribe.play)) == record["end"]


@pytest.mark.parametrize(("game", "players"), TABLES, ids=lambda value: getattr(value, "name", str(value)))
def test_a_golden_game_is_regenerated(game: Game, players: int) -> None:
    assert recorded(game, players) == json.loads(path_of(game, players).read_text())


def written(record: dict[str, Any]) -> str:
    """One action per line, so that a difference can be read."""
    actions = ",\n".join(json.dumps(action) for action in record["actions"])
    head = json.dumps({**record, "actions": "ACTIONS"}, indent=1)
    return head.replace('"ACTIONS"', f"[\n{actions}\n]") + "\n"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for game, players in TABLES:
        path_of(game, players).write_text(written(recorded(game, players)))
