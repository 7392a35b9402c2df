"""T12: a client of before, which knows nothing of what came later, plays a full game with a server of later."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

import msgpack  # type: ignore[import-untyped]
import pytest
from clients.test_minimal_example import minimal
from server_fixture import House

from palatine_client import connect, run_bot
from palatine_client.client import choose_randomly
from palatine_protocol import digest, patch
from palatine_protocol.codec import JSON, MSGPACK
from palatine_protocol.messages import Clock
from palatine_server.gateway.connection import Connection

# Maps without a fixed set of keys: their keys are names of the game, not of the protocol.
FREE = {"board", "hand", "options", "fields"}


def of_later(value: Any) -> Any:
    """The same with keys that nobody has heard of, in every map of the protocol."""
    if isinstance(value, list):
        return [of_later(item) for item in value]
    if not isinstance(value, dict):
        return value
    known = {key: item if key in FREE else of_later(item) for key, item in value.items()}
    return {"later": {"a": [1, None]}, **known, "laterer": "!"}


class Later:
    """What a later server sends: more keys in all it says, and messages of new types to those who watch."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.grown = self.new = 0
        self.infos: dict[tuple[Connection, str], Any] = {}  # as the client has them
        self._send = Connection.send
        monkeypatch.setattr(Connection, "send", lambda peer, frame: self.send(peer, frame))

    def send(self, peer: Connection, frame: bytes) -> None:
        is_text = peer.wire.is_text
        message = json.loads(frame) if is_text else msgpack.unpackb(frame)
        self.grown += 1
        grown = of_later(message)
        self.keep_info(peer, grown)
        self._send(peer, written(grown, is_text))
        if message["type"] == "update":
            self.new += 1
            celebration = {"type": "celebration", "table": message["table"], "fireworks": 3}
            self._send(peer, written(celebration, is_text))

    def keep_info(self, peer: Connection, grown: dict[str, Any]) -> None:
        """Compute the digest of the info anew, with the new keys."""
        if grown["type"] == "snapshot":
            self.infos[peer, grown["table"]] = copy.deepcopy(grown["info"])
        elif grown["type"] == "update" and "info" in grown:
            info = self.infos[peer, grown["table"]]
            self.infos[peer, grown["table"]] = patch.apply(info, copy.deepcopy(grown["info"]))
        if "info_digest" in grown:
            grown["info_digest"] = digest.of_info(self.infos[peer, grown["table"]])


def written(message: Any, is_text: bool) -> bytes:
    return json.dumps(message).encode() if is_text else bytes(msgpack.packb(message))


@pytest.mark.parametrize(
    ("game", "seats", "wire"), [("between_two_castles", 3, MSGPACK), ("palais_royal", 2, JSON), ("noblemen", 3, JSON)]
)
async def test_it_plays_to_the_end_at_a_table_with_everything_new(
    house: House, monkeypatch: pytest.MonkeyPatch, game: str, seats: int, wire: str
) -> None:
    later = Later(monkeypatch)
    connected = connect(house.url, name="Anna", subprotocol=wire)
    async with asyncio.timeout(120), connected as client, asyncio.TaskGroup() as tasks:
        clock = Clock(move=600, bank=600, increment=5, grace=600, overdue="greedy")
        table = await client.create(game, seats, clock=clock, delay=5)
        await table.sit()
        for _ in range(seats - 2):
            await table.add_bot("random")
        playing = tasks.create_task(minimal(house, table.id))
        await table.until(lambda: None not in table.info.seats)
        await table.say("Good luck")
        await table.show_hand()
        await table.start()
        await run_bot(client, table, choose_randomly)
        lines = await playing
        assert {int(line.split()[-1]) for line in lines} == {row["score"] for row in table.standings}
        assert not client.problems  # nor does our own client mind
    assert later.grown > 100
    assert later.new > 50


async def test_it_opens_a_table_of_its_own(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    later = Later(monkeypatch)
    assert len(await minimal(house)) == 3
    assert later.new > 20
