"""The hook of a table: whose turn it is, told for all who sit there, but for nobody who is connected."""

from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from gateway.test_secrets_on_the_wire import page_of
from webhooks.nodes import FORGET, SETTLE, Scene, ask, messages, open_table_of, scene, table_of
from webhooks.receiver import BROKEN, Receiver, receiving
from webhooks.test_dispatcher import GRACE, LONG, choose

from palatine_server.checks import random_games
from palatine_server.games.kit import plain
from palatine_server.games.registry import GAMES
from palatine_server.store import RequestKey
from palatine_server.tables.state import TableState
from palatine_server.tables.storage.persistence import build_summary
from palatine_server.webhooks import table_webhook_name
from palatine_server.webhooks.signatures import sign_body


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


def seats(receiver: Receiver) -> list[int]:
    return sorted(letter.event["seat"] for letter in receiver.letters)


async def started(house: Scene, receiver: Receiver, owner: str = "anna") -> str:
    """A table with a hook, open on all nodes, whose game has just begun."""
    table = await open_table_of(house.first.directory)
    await house.register_table(receiver, table, owner)
    await ask(house.first.directory, "anna", messages.Start, table=table)
    for node in house.nodes[1:]:
        await node.directory.open(table)
    return table


async def test_a_table_is_told_once_whose_turn_it_is(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path) as house:
        table = await started(house, receiver)
        await house.look()
        assert receiver.letters == []
        await house.look(after=GRACE)
        for _ in range(5):
            await house.look(after=LONG)
        assert seats(receiver) == [0, 1, 2]
        letter = min(receiver.letters, key=lambda letter: letter.event["seat"])
        told = letter.event
        assert told.pop("id").startswith(f"{table}:0:")
        game = "between_two_castles"
        assert told == {"event": "turn", "table": table, "game": game, "seat": 0, "name": "Anna", "until": None}
        hook = (await house.first.dispatcher.registrations.find([table_webhook_name(table)]))[table_webhook_name(table)]
        sent = int(letter.headers["palatine-signature"][2:].partition(",")[0])
        assert letter.headers["palatine-signature"] == sign_body(hook.secret, letter.body, sent)


@pytest.mark.parametrize("node", [0, 1])
async def test_of_whom_is_connected_anywhere_nothing_is_told(tmp_path: Path, receiver: Receiver, node: int) -> None:
    async with scene(tmp_path) as house:
        house.nodes[node].here.add("berta")  # she has no hook of her own
        await started(house, receiver)
        await house.look()
        for _ in range(LONG // GRACE):
            await house.look(after=GRACE)
        assert seats(receiver) == [0, 2]


async def test_who_was_never_sought_is_first_looked_for_on_all_nodes(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path) as house:
        house.nodes[1].here.add("berta")
        await house.look()  # the second node learns that nobody wants to know of her
        table = await table_of(house.first.directory)
        await house.first.dispatcher.registrations.put(table_webhook_name(table), receiver.url, "anna")
        await house.look(after=GRACE)
        assert receiver.letters == []
        for _ in range(SETTLE // GRACE):
            await house.look(after=GRACE)
        assert seats(receiver) == [0, 2]
        house.nodes[1].here.clear()
        for _ in range(1 + FORGET // GRACE):
            await house.look(after=GRACE)
        assert seats(receiver) == [0, 1, 2]


async def test_the_next_turn_is_told_again_under_another_id(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path) as house:
        table = await started(house, receiver)
        await house.look(after=GRACE)
        for user in ("anna", "berta", "carla"):
            assert isinstance(await choose(house, user, table), messages.Done)
        await house.look(after=GRACE)
        await house.look(after=GRACE)
        assert seats(receiver) == [0, 0, 1, 1, 2, 2]
        assert len({letter.event["id"] for letter in receiver.letters}) == 6


async def test_a_user_and_his_table_are_both_told_and_each_is_tried_again(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path, nodes=1) as house:
        await house.hook(receiver, "berta")
        receiver.answers.extend([BROKEN] * 4)
        await started(house, receiver)
        await house.look(after=GRACE)
        delivered = {letter.event["id"]: letter.event["event"] for letter in receiver.letters}
        assert sorted(delivered.values()) == ["turn", "turn", "turn", "your_turn"]
        assert len(receiver.letters) == 8
        assert house.first.rang("delivered") == 4


async def test_who_is_no_longer_there_is_told_nothing(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path) as house:
        table = await open_table_of(house.first.directory)
        await house.register_table(receiver, table, "carla")
        await ask(house.first.directory, "carla", messages.Leave, table=table)
        await ask(house.first.directory, "anna", messages.AddBot, table=table, policy="random")
        await ask(house.first.directory, "anna", messages.Start, table=table)
        await house.look(after=GRACE)
        assert receiver.letters == []


async def test_no_more_than_allowed_in_a_minute(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path, nodes=1, webhooks_per_minute=2) as house:
        await started(house, receiver)
        await house.look(after=GRACE)
        assert len(receiver.letters) == 2
        await house.look(after=60_000)
        assert seats(receiver) == [0, 1, 2]


async def test_the_end_is_told_once_whoever_is_connected(tmp_path: Path, receiver: Receiver) -> None:
    game = GAMES["palais_royal"]
    recorder = random_games.begun(game, 3, 1)
    for move in random_games.random_moves(recorder, Random(1)):
        recorder.act(*move)
    page = page_of(game, plain(recorder.zones.document()), 3)
    page.info["status"], page.info["standings"] = "over", plain(game.standings(recorder.play))
    async with scene(tmp_path) as house:
        await house.register_table(receiver, "T", "u0")
        summary: Any = build_summary(TableState.read(game, page))
        await house.store.create("T", msgspec.msgpack.encode(page), summary, RequestKey("u0", "plant", b""))
        house.first.here.update(["u0", "u1", "u2"])
        for node in house.nodes:
            await node.directory.open("T")
        await house.look(after=GRACE)
        await house.look(after=LONG)
        (letter,) = receiver.letters
        names = [seated["name"] for seated in page.info["seats"]]
        standings = page.info["standings"]
        told = {"event": "game_over", "id": "T:over", "table": "T", "game": game.name}
        assert letter.event == {**told, "names": names, "standings": standings}


async def test_who_was_shut_out_is_not_told_by_the_hook_he_gave_to_a_table(tmp_path: Path, receiver: Receiver) -> None:
    async with scene(tmp_path) as house:
        await started(house, receiver, "carla")
        await house.store.revoke("carla", house.clock.now + LONG)
        await house.look(after=GRACE)
        assert receiver.letters == []
