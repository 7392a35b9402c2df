"""The API for bots, against a real server: turns, refusals, watchers, lost connections, restarts."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from clients.relay import Relay, relay
from server_fixture import House, running

import palatine_client
from palatine_client import (
    ActionRefused,
    Client,
    Offer,
    RequestRefused,
    Table,
    Turn,
    choose_randomly,
    connect,
    run_bot,
)
from palatine_client import table as table_module
from palatine_client.table import Change, append_change
from palatine_protocol.codec import JSON, MSGPACK
from palatine_protocol.messages import Act, AnyFromServer, Clock, Refused, Update, Watch
from palatine_protocol.offers import Choice, Pick, Range

GAME = "between_two_castles"


@asynccontextmanager
async def clients(url: str, house: House, count: int, **given: Any) -> AsyncIterator[list[Client]]:
    """So many users, each with a connection of his own."""
    async with AsyncExitStack() as stack, asyncio.timeout(60):
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


async def play_all(players: list[Client], tables: list[Table], policy: Any = choose_randomly) -> None:
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
        one, other = await seated(players, bots=1)
        turn = await anext(aiter(one))
        before = (repr(turn.board), repr(turn.hand), turn.version)
        await run_until(other, one.version or 0)
        await one.catch_up()
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
        one, other = await seated(players, bots=1)
        turns = aiter(one)
        first = await anext(turns)
        again = asyncio.ensure_future(anext(turns))
        await one.catch_up()
        assert not again.done()
        await first.act(first.offer.random())
        await play_for_a_while(other, again)
        assert (await again).offer_message != first.offer_message


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
        assert told[:3] == ["entropy_added", "seat_taken", "seat_taken"]
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
            others = tasks.create_task(run_bot(players[1], other, choose_randomly))
            free = 0
            async for turn in one.turns(free=True):
                if turn.must:
                    await turn.act(turn.offer.random())
                free += not turn.must
            await others
        assert free > 0


async def test_an_asynchronous_policy_may_think(house: House) -> None:
    async def thoughtful(turn: Turn) -> Any:
        await turn.table.catch_up()
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
        assert same.offer_message == turn.offer_message


async def test_an_offer_answered_elsewhere_gives_the_next_turn(house: House) -> None:
    token = await house.token("Anna")
    async with (
        clients(house.url, house, 1) as (berta,),
        connect(house.url, token) as tab,
        connect(house.url, token) as two,
    ):
        hosted = await tab.create(GAME, 2)
        await hosted.sit()
        table, other = await two.join(hosted.id), await berta.join(hosted.id)
        await other.sit()
        await hosted.start()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(run_bot(berta, other, choose_randomly))
            playing = [tasks.create_task(outcomes(each)) for each in (hosted, table)]
        tried = [happened for task in playing for happened in task.result()]
        assert True in tried
        assert False in tried  # two tabs for one seat: somebody came too late, and nobody noticed
        assert agree([hosted, table, other])


async def outcomes(table: Table) -> list[bool]:
    return [await turn.act(turn.offer.random()) async for turn in table]


async def test_a_refusal_that_a_look_at_the_table_does_not_explain_is_raised(house: House, lossy: Relay) -> None:
    async with clients(lossy.url, house, 2) as players:
        tables = await seated(players)
        turn = await anext(aiter(next(table for table in tables if table.must_decide)))
        lossy.answers = lambda request: [refusal_of(request)] if isinstance(request, Act) else []
        with pytest.raises(ActionRefused, match="An invention"):
            await turn.act(turn.offer.random())


def refusal_of(request: Act) -> Refused:
    return Refused(re=request.id, code="stale_offer", sentence="An invention.")


async def test_a_table_that_is_not_ours_is_refused(house: House) -> None:
    async with clients(house.url, house, 2) as (anna, berta):
        table = await anna.create(GAME, 2)
        guest = await berta.join(table.id)
        with pytest.raises(RequestRefused) as raised:
            await guest.start()
        assert raised.value.code == "not_the_host"
        assert not isinstance(raised.value, ActionRefused)


# Watching


async def test_a_watcher_hears_every_change_and_sees_the_public_board(house: House) -> None:
    async with clients(house.url, house, 3) as (*players, visitor):
        tables = await seated(players)
        watched = await visitor.join(tables[0].id)
        async with asyncio.TaskGroup() as tasks:
            watching = tasks.create_task(changes_of(watched))
            await play_all(players, tables)
            changes = await watching
        assert changes[0].snapshot
        versions = [change.version for change in changes]
        assert versions == list(range(versions[0], versions[-1] + 1))
        assert versions[-1] == tables[0].version
        assert (watched.seat, watched.hand, watched.view.offer) == (None, None, None)
        assert agree([watched, *tables])


async def changes_of(table: Table) -> list[Change]:
    return [change async for change in table.updates()]


def test_a_watcher_who_is_too_far_behind_gets_one_change_for_all() -> None:
    changes: deque[Change] = deque()
    for version in range(table_module.MAX_CHANGES + 1):
        append_change(changes, Change(version, [{"news": "x"}], snapshot=False))
    assert [*changes] == [Change(table_module.MAX_CHANGES, [], snapshot=True)]


async def test_a_watcher_may_stop(house: House) -> None:
    async with clients(house.url, house, 1) as (client,):
        table = await client.create(GAME, 2)
        async for change in table.updates():
            assert change.snapshot
            break
        await table.unwatch()
        assert client.session.tables == {}
        again = await client.join(table.id)
        await again.sit()
        assert again.seat == 0


# Seats


async def test_everything_we_do_shows_when_it_returns(house: House) -> None:
    async with clients(house.url, house, 1) as (client,):
        table = await client.create(GAME, 3, visibility="private", clock=Clock(move=60))
        assert (table.info.status, table.info.visibility, table.info.clock) == ("open", "private", Clock(move=60))
        assert await table.sit(2) == table.seat == 2
        await table.leave()
        assert table.seat is None
        await table.add_bot("random", seat=1)
        assert table.info.seats[1]
        await table.remove_bot(1)
        assert table.info.seats == [None, None, None]
        await table.sit()
        await table.fill()
        await table.start()
        assert table.info.status == "playing"
        assert [row.table for row in await client.list_tables(status="playing")] == [table.id]


async def test_bots_fill_what_is_free_also_if_somebody_sat_down_unseen(house: House, lossy: Relay) -> None:
    async with clients(lossy.url, house, 1) as (anna,), clients(house.url, house, 1) as (berta,):
        table = await anna.create(GAME, 2)
        await table.sit()
        lossy.passed = lambda message, frame: [] if isinstance(message, Update) else [frame]
        other = await berta.join(table.id)
        await other.sit()
        assert None in table.info.seats
        filling = asyncio.ensure_future(table.fill())
        lossy.passed = lambda message, frame: [frame]
        await filling
        assert table.info == other.info


async def test_who_has_left_a_running_game_gets_no_turns_until_he_sits_down_again(house: House) -> None:
    async with clients(house.url, house, 2) as (anna, berta):
        one, other = await seated([anna, berta])
        await one.leave()
        turns = aiter(one)
        coming = asyncio.ensure_future(anext(turns))
        await run_until(other, other.version or 0)
        await one.catch_up()
        assert not coming.done()
        await one.sit()
        await play_for_a_while(other, coming)
        assert (await coming).seat == one.seat


# Lost tables and lost connections


async def test_a_table_that_is_closed_to_us_ends_what_waits_for_it(house: House, lossy: Relay) -> None:
    async with clients(lossy.url, house, 1) as (client,):
        table = await client.create(GAME, 2)
        coming = asyncio.ensure_future(anext(aiter(table)))
        lossy.answers = lambda request: [closed_to(request)] if isinstance(request, Watch) else []
        with pytest.raises(RequestRefused, match="Closed"):
            await table.catch_up()
        with pytest.raises(RequestRefused, match="Closed"):
            await coming
        assert table.info.status == "open"  # what we saw last can still be seen


def closed_to(request: Watch) -> Refused:
    return Refused(re=request.id, code="no_such_table", sentence="Closed.")


async def test_standings_can_be_read_after_the_connection_is_closed(house: House) -> None:
    async with clients(house.url, house, 1) as (client,):
        (table,) = await seated([client], bots=1)
        await run_bot(client, table.id, choose_randomly)
    assert len(table.standings) == 3  # Ludwig is the third


async def test_a_game_goes_on_over_a_relay_that_cuts_loses_and_doubles(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(running(tmp_path, heartbeat=1))
        lossy = await stack.enter_async_context(relay(house.socket))
        players = await stack.enter_async_context(clients(lossy.url, house, 3))
        tables = await seated(players, bots=1)
        lossy.passed = with_bad_luck(lossy, Random(5))
        await play_all(players, tables)
        lossy.passed = lambda message, frame: [frame]
        for table in tables:
            await table.catch_up()
        assert agree(tables)
        assert any(player.problems for player in players)


def with_bad_luck(lossy: Relay, rng: Random) -> Any:
    """Now and then everything is cut, an update is lost, an update comes twice."""

    def passed(message: AnyFromServer, frame: bytes) -> list[bytes]:
        luck = rng.random()
        if luck < 0.01:
            lossy.cut()
            return []
        if isinstance(message, Update) and luck < 0.05:
            return [] if luck < 0.03 else [frame, frame]
        return [frame]

    return passed


# T6: the server is a process of its own; it is stopped in the middle of a game and started again on the same data.
@pytest.mark.parametrize("end", ["terminate", "kill"])
async def test_clients_come_back_to_a_server_that_was_restarted(tmp_path: Path, unused_tcp_port: int, end: str) -> None:
    url = f"ws://127.0.0.1:{unused_tcp_port}"
    server = await served(tmp_path, unused_tcp_port)
    try:
        async with connect(url, name="Anna") as anna, connect(url, name="Berta") as berta:
            tables = await seated([anna, berta])
            async with asyncio.TaskGroup() as tasks:
                playing = tasks.create_task(play_all([anna, berta], tables))
                for version in (20, 40):
                    await tables[0].until(lambda: (tables[0].version or 0) > version)  # noqa: B023
                    getattr(server, end)()
                    await server.wait()
                    server = await served(tmp_path, unused_tcp_port)
                await playing
            assert agree(tables)
            assert tables[0].is_over
            assert not anna.problems
            assert not berta.problems
    finally:
        server.terminate()
        await server.wait()


async def served(data: Path, port: int) -> asyncio.subprocess.Process:
    """A server that is ready."""
    palatine = "from palatine_client.cli.main import main; main()"
    words = ["-c", palatine, "serve", "--port", str(port), "--data", str(data)]
    server = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=PIPE, stderr=STDOUT)
    assert server.stdout
    async with asyncio.timeout(20):
        line = (await server.stdout.readline()).decode()
    assert str(port) in line, line
    return server


# Offers


def test_an_offer_lists_counts_draws_and_judges() -> None:
    offer = Offer([Choice("pass"), Choice("take", {"n": Range(1, 3), "of": Pick(1, 1, ["a", "b"])})], Random(1))
    assert offer.count() == len(offer.list()) == 7
    assert {repr(offer.random()) for _ in range(200)} == {repr(action) for action in offer}
    assert offer.permits({"do": "take", "n": 2, "of": ["b"]})
    assert {"do": "take", "n": 4, "of": ["b"]} not in offer
    assert offer.random(Random(7)) == offer.random(Random(7))
    assert offer.choices[0].do == "pass"


# The package


def test_everything_that_is_exported_is_there() -> None:
    assert all(hasattr(palatine_client, name) for name in palatine_client.__all__)
    with pytest.raises(AttributeError):
        palatine_client.nothing  # noqa: B018


def test_the_command_line_does_not_load_websockets() -> None:
    loaded = "import sys, palatine_client.render.terminal; sys.exit('websockets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], check=False).returncode == 0
