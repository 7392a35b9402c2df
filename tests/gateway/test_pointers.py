"""Pointing on the wire: a question before the deciders of one castle reaches nobody else."""

from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gateway.test_secrets_on_the_wire import World, page_of, planted
from gateway.twin_servers import SECRET, TABLE
from server_fixture import running

from palatine_protocol.messages import Noted, Point, Pointed, Watch
from palatine_server.checks import random_games
from palatine_server.games.kit import Recorder, plain
from palatine_server.games.registry import GAMES

GAME = GAMES["between_two_castles"]
PLAYERS = 4


def with_a_secret_question() -> tuple[Recorder, Any]:
    """A game in which two partners have drawn cards or tiles and decide in secret which to keep; and the question."""
    for seed in range(100):
        recorder = random_games.begun(GAME, PLAYERS, seed)
        for move in random_games.random_moves(recorder, Random(seed)):
            recorder.act(*move)
            for question in (question for hand in recorder.zones.hands for question in hand.get("decisions", [])):
                return recorder, question
    raise AssertionError("no secret question in a hundred games")


async def test_a_secretly_drawn_card_is_shown_to_the_partner_of_that_castle_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALATINE_SECRET", SECRET)
    monkeypatch.setattr("palatine_server.tables.viewers.pointers.POINT_EVERY", 0)
    recorder, question = with_a_secret_question()
    pointing, partner = recorder.zones.board["castles"][question["castle"]]["partners"]
    await planted(tmp_path / "data", GAME, page_of(GAME, plain(recorder.zones.document()), PLAYERS))
    async with AsyncExitStack() as stack:
        world = await World.entered(stack, await stack.enter_async_context(running(tmp_path / "data")), PLAYERS)
        proposal = {"do": "propose", "castle": question["castle"], "choice": question["options"][0]}
        for action in (proposal, None):
            assert isinstance(await world.peers[pointing].do(Point, table=TABLE, action=action), Noted)
        heard = []
        for seat, peer in enumerate(world.peers):
            await peer.do(Watch, table=TABLE)  # whatever was sent to this seat before has arrived then
            heard.append([message.action for message in peer.heard if isinstance(message, Pointed)])
            if seat not in (pointing, partner):
                assert not any(question["options"][0].encode() in frame for frame in peer.frames)
    assert heard == [[proposal, None] if seat == partner else [] for seat in range(PLAYERS)]
