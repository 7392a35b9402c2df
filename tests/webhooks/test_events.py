"""What is told: nothing that its user may not know, and at the end the standings."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from games.lower_bounds import find_least
from gateway.test_secrets_on_the_wire import page_of
from webhooks.nodes import scene
from webhooks.receiver import receiving

from palatine_server.checks import random_games
from palatine_server.games.kit import Game, plain
from palatine_server.games.registry import GAMES
from palatine_server.store import RequestKey
from palatine_server.tables.state import TableState
from palatine_server.tables.storage.persistence import build_summary
from palatine_server.webhooks.events import Recipient, build_event, encode_event, find_recipients

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def bodies(game: Game, document: Any, players: int) -> dict[Recipient, bytes]:
    state = TableState.read(game, page_of(game, document, players))
    return {ring: encode_event(build_event("T", state, ring, id_)) for ring, id_ in find_recipients("T", state).items()}


@every_game
@pytest.mark.parametrize("seed", range(12))
def test_swapped_secrets_are_told_as_the_same_bytes(game: Game, seed: int) -> None:
    secrets, rng = game.secrets, Random(seed)
    assert secrets
    players = rng.choice(list(game.players))
    recorder = random_games.begun(game, players, seed)
    told = 0
    for _, move in zip(range(120), random_games.random_moves(recorder, rng), strict=False):
        recorder.act(*move)
        viewer = rng.randrange(players)
        document = plain(recorder.zones.document())
        here = bodies(game, document, players)
        assert b"null" not in here.values()  # everything that is to be told can be told
        there = bodies(game, secrets.swap(plain(document), viewer, rng), players)
        assert here == there
        told += len(here)
    assert told > (find_least(game, "webhook bodies") or 0)  # each turn to its user and to the table


@every_game
async def test_at_the_end_everybody_who_sat_is_told_the_standings_once(tmp_path: Path, game: Game) -> None:
    recorder = random_games.begun(game, 3, 1)
    for move in random_games.random_moves(recorder, Random(1)):
        recorder.act(*move)
    page = page_of(game, plain(recorder.zones.document()), 3)
    page.info["status"], page.info["standings"] = "over", plain(game.standings(recorder.play))
    async with receiving() as receiver, scene(tmp_path) as house:
        await house.hook(receiver, "u0", "u1", "u2")
        summary = build_summary(TableState.read(game, page))
        await house.store.create("T", msgspec.msgpack.encode(page), summary, RequestKey("u0", "plant", b""))
        house.first.here.add("u1")
        await house.look()
        for node in house.nodes:
            await node.directory.open("T")
        await house.look(after=5_000)
        await house.look(after=5_000)
        told = {letter.event["seat"]: letter.event for letter in receiver.letters}
        assert len(receiver.letters) == 2
        assert told.keys() == {0, 2}
        assert all(event["event"] == "game_over" for event in told.values())
        assert told[0]["standings"] == page.info["standings"]
        assert {row["seat"] for row in told[2]["standings"]} == {0, 1, 2}
