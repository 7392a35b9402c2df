"""The API for bots, against a real server: turns, refusals, watchers, lost connections, restarts."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from clients.peers import Relay
from house import House

from palatine_client import (
    ActionRefused,
    Client,
    Offer,
    RequestRefused,
    Table,
    Turn,
    at_random,
    connect,
    run_bot,
    table as table_module,
)
from palatine_client.table import Change, note
from palatine_protocol.codec import JSON, MSGPACK
from palatine_protocol.messages import AnyFromServer, Done, Update
from palatine_protocol.offers import Choice, Pick, Range

GAME = "between_two_castles"
SEED = "5e" * 32


@asynccontextmanager
async def clients(url: str, house: House, count: int, **given: Any) -> AsyncIterator[list[Client]]:
    """So many users, each with a connection of his own."""
    async with AsyncExitStack() as stack:
        tokens = [await house.token(f"Player {number}") for number in range(count)]
        yield [await stack.enter_async_context(connect(url, token, **given)) for token in tokens]


async def seated(players: list[Client], bots: int = 0, **given: Any) -> list[Table]:
    """A table at which all of these sit, started."""
    hosted = await players[0].create(GAME, len(players) + bots, **given)
    tables = [await player.join(hosted.id) for player in players]
    for table in tables:
        await table.sit()
    for _ in range(bots):
        await hosted.add_bot("random")
    await hosted.start()
    return tables


async def play_all(players: list[Client], tables: list[Table], policy: Any = at_random) -> None:
    async with asyncio.TaskGroup() as tasks, asyncio.timeout(120):
        for player, table in zip(players, tables, strict=True):
            tasks.create_task(run_bot(player, table, policy))


def agree(tables: list[Table]) -> bool:
    first = tables[0]
    return all((table.version, table.board, table.info) == (first.version, first.board, first.info) for table in tables)


# Turns


async def test_the_example_of_the_readme(house: House) -> None:
    async with connect(house.url, name="Ludwig") as client:
        table = await client.create(GAME, seats=4)
        await table.sit()
        await table.fill("random")
        await table.start()
        async for turn in table:
            assert turn.must
            assert turn.seat == 0
            await turn.act(turn.offer.random())
        assert table.is_over
        assert sorted(row["seat"] for row in table.standings) == [0, 1, 2, 3]
        assert not client.problems


@pytest.mark.parametrize("wire", [MSGPACK, JSON])
async def test_three_bots_play_and_see_the_same(house: House, wire: str) -> None:
    async with clients(house.url, house, 3, subprotocol=wire) as players:
        tables = await seated(players)
        await play_all(players, tables)
        assert agree(tables)
        assert not any(player.problems for player in players)


async def test_a_turn_does_not_change_while_we_think(house: House) -> None:
    async with clients(house.url, house, 2) as players:
        one, other = await seated(players)
        turn = await anext(aiter(one))
        before = (repr(turn.board), repr(turn.hand), turn.version)
        await run_until(other, one.version or 0)
        await one.look()
        assert one.version is not None
        assert one.version > turn.version
        assert (repr(turn.board), repr(turn.hand), turn.version) == before


async def run_until(table: Table, version: int) -> None:
    """Act until the table has gone on beyond this version."""
    async for turn in table:
        await turn.act(turn.offer.random())
        if (table.version or 0) > version:
            return


async def test_a_turn_left_unanswered_does_not_come_again(house: House) -> None:
    async with clients(house.url, house, 2) as players:
        one, other = await seated(players, seed=SEED)
        turns = aiter(one)
        first = await anext(turns)
        again = asyncio.ensure_future(anext(turns))
        await one.look()
        assert not again.done()
        await first.act(first.offer.random())
        await play_for_a_while(other, again)
        assert (await again).told != first.told


async def play_for_a_while(table: Table, until: asyncio.Future[Any]) -> None:
    async with asyncio.TaskGroup() as tasks:
        playing = tasks.create_task(run_until_cancelled(table))
        await asyncio.wait([until])
        playing.cancel()


async def run_until_cancelled(table: Table) -> None:
    async for turn in table:
        await turn.act(turn.offer.random())


async def test_turns_carry_the_news_since_the_last_one(house: House) -> None:
    async with clients(house.url, house, 1) as (client,):
        (table,) = await seated([client], bots=2)
        told = [news["news"] async for turn in acting(table) for news in turn.news]
        assert told[:2] == ["seat_taken", "seat_taken"]
        assert "game_started" in told
        assert len(told) > 20


async def acting(table: Table) -> AsyncIterator[Turn]:
    async for turn in table:
        yield turn
        await turn.act(turn.offer.random())


async def test_free_turns_are_those_when_we_may_but_need_not(house: House) -> None:
    async with clients(house.url, house, 2) as players:
        one, other = await seated(players)
        async with asyncio.TaskGroup() as tasks:
            others = tasks.create_task(run_bot(players[1], other, at_random))
            free = 0
            async for turn in one.turns(free=True):
                if turn.must:
                    await turn.act(turn.offer.random())
                free += not turn.must
            await others
        assert free > 0


async def test_an_asynchronous_policy_may_think(house: House) -> None:
    async def thoughtful(turn: Turn) -> Any:
        await turn.table.look()
        return turn.offer.random(Random(turn.version))

    async with clients(house.url, house, 2) as players:
        tables = await seated(players)
        await play_all(players, tables, thoughtful)
        assert agree(tables)


async def test_undo_takes_an_action_back(house: House) -> None:
    async with clients(house.url, house, 2) as players:
        tables = await seated(players)
        table = next(table for table in tables if table.must_decide)
        async for turn in table:
            ticks = [action for action in turn.offer if action["do"] == "tick"]
            if not ticks:
                await turn.act(turn.offer.random())
                continue
            await turn.act(ticks[0])
            assert table.hand != turn.hand
            await table.undo()
            assert table.hand == turn.hand
            break


# Refusals


async def test_an_action_that_was_never_offered_is_refused(house: House) -> None:
    async with clients(house.url, house, 2) as players:
        tables = await seated(players)
        table = next(table for table in tables if table.must_decide)
        turns = aiter(table)
        turn = await anext(turns)
        with pytest.raises(ActionRefused) as raised:
            await turn.act({"do": "fly"})
        assert raised.value.code
        assert raised.value.sentence
        same = await anext(turns)  # the turn is still ours
        assert same.told == turn.told


async def test_an_offer_answered_elsewhere_gives_the_next_turn(house: House) -> None:
    token = await house.token("Anna")
    async with clients(house.url, house, 1) as (berta,), connect(house.url, token) as tab, connect(house.url, token) as two:
        hosted = await tab.create(GAME, 2)
        await hosted.sit()
        table, other = await two.join(hosted.id), await berta.join(hosted.id)
        await other.sit()
        await hosted.start()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(run_bot(berta, other, at_random))
            playing = [tasks.create_task(outcomes(each)) for each in (hosted, table)]
        tried = [happened for task in playing for happened in task.result()]
        assert True in tried
        assert False in tried  # two tabs for one seat: somebody came too late, and nobody noticed
        assert agree([hosted, table, other])


async def outcomes(table: Table) -> list[bool]:
    return [await turn.act(turn.offer.random()) async for turn in table]


async def test_a_refusal_that_a_look_at_the_table_does_not_explain_is_raised(house: House, lossy: Relay) -> None:
    async with connect(lossy.url, await house.token("Anna")) as client:
        table = await client.create(GAME, 2)
        await table.sit()
        await table.fill()
        await table.start()
        turn = await anext(aiter(table))
        forged = msgpack_refusal("stale_offer")
        lossy.passed = lambda message, frame: [forged(message)] if isinstance(message, Done) else [frame]
        lossy.passed = forging(lossy)
        with pytest.raises(ActionRefused, match="Invented"):
            await turn.act(turn.offer.random())


async def test_a_table_that_is_not_ours_is_refused(house: House) -> None:
    async with clients(house.url, house, 2) as (anna, berta):
        table = await anna.create(GAME, 2)
        guest = await berta.join(table.id)
        with pytest.raises(RequestRefused) as raised:
            await guest.start()
        assert raised.value.code == "not_the_host"
        assert not isinstance(raised.value, ActionRefused)
