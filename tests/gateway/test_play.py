"""Playing over real sockets: what ANCHORS.md calls T1, T2, T4, T9 and T14, and the everyday life of a table."""

from contextlib import AsyncExitStack
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from server_fixture import JSON, MSGPACK, House, Peer, Table, opened, running, seated

from palatine_protocol import messages
from palatine_protocol.messages import Act, Clock, Done, Refused, Snapshot, Undo, Update, Watch

SEED = "5e" * 32


async def together(*calls: Any) -> list[Any]:
    """Do all of these at once."""
    results: list[Any] = [None] * len(calls)

    async def one(place: int, call: Any) -> None:
        results[place] = await call

    async with anyio.create_task_group() as tasks:
        for place, call in enumerate(calls):
            tasks.start_soon(one, place, call)
    return results


async def peers_of(house: House, stack: Any, count: int, wires: tuple[str, ...] = (MSGPACK, JSON)) -> list[Peer]:
    return [
        await stack.enter_async_context(house.peer(f"Peer {number}", wire=wires[number % len(wires)]))
        for number in range(count)
    ]


@pytest.fixture
async def stack() -> Any:
    async with AsyncExitStack() as stack:
        yield stack


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_whole_game_is_played_and_every_frame_proves_itself(tmp_path: Path, stack: Any, players: int) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    peers = await peers_of(house, stack, players)
    tables = await seated(peers, seed=SEED)
    await together(*(table.play(Random(number).randrange) for number, table in enumerate(tables)))
    last = max(table.version for table in tables)
    await together(*(table.until_version(last) for table in tables))
    assert len({table.version for table in tables}) == 1
    assert all(table.board == tables[0].board and table.info == tables[0].info for table in tables)
    assert min(row["rank"] for row in tables[0].info["standings"]) == 1


async def test_bots_fill_the_table_and_play_to_the_end(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    (anna,) = await peers_of(house, stack, 1)
    (table,) = await seated([anna], bots=6)
    await table.play(Random(1).randrange)
    assert len(table.info["standings"]) == 7


# T1


async def test_seven_seats_commit_at_once_and_twice_each(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    peers = await peers_of(house, stack, 7)
    twins = [await stack.enter_async_context(house.peer(token=peer.token)) for peer in peers]
    tables = await seated(peers)
    for table in tables:
        await table.until_version(8)
    requests = [choosing(table) for table in tables]
    replies = await together(*asked_twice(peers, twins, requests))
    first, second = replies[:7], replies[7:]
    assert all(isinstance(reply, Done) for reply in first)
    assert sorted(reply.version for reply in first) == list(range(9, 16))
    assert [reply.version for reply in second] == [reply.version for reply in first]
    for table in tables:
        await table.until_version(15)
    assert tables[0].board["phase"] == "place"
    assert all(table.board == tables[0].board for table in tables)


def choosing(table: Table) -> Act:
    assert table.offer is not None
    choose = next(choice for choice in table.offer.choices if choice.do == "choose")
    return Act(id="choose-1", table=table.id, offer=table.offer.id, action=choose.nth(0))


def asked_twice(peers: list[Peer], twins: list[Peer], requests: list[Act]) -> list[Any]:
    """Every request over two connections of the same user."""
    return [peer.ask(request) for peer, request in zip([*peers, *twins], [*requests, *requests], strict=True)]


async def test_a_repeated_request_is_answered_alike_after_a_restart(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer("Anna") as anna, house.peer("Berta") as berta:
        tables = await seated([anna, berta])
        await tables[0].until_version(3)
        await tables[1].until_version(3)
        acting = next(table for table in tables if table.is_waited_for)
        request = Act(id="once", table=acting.id, offer=acting.offer.id, action=acting.offer.choices[0].nth(0))  # type: ignore[union-attr]
        first = await acting.peer.ask(request)
        token = acting.peer.token
    async with running(tmp_path) as house, house.peer(token=token) as again:
        assert await again.ask(request) == first
        changed = Act(id="once", table=request.table, offer=request.offer, action={"do": "untick", "tile": "x"})
        refused = await again.ask(changed)
        assert refused.code == "request_id_reused"


async def test_replies_come_in_the_order_of_requests(tmp_path: Path, stack: Any) -> None:
    """An action is taken at once; what is asked while it is stored must wait for its reply."""
    house = await stack.enter_async_context(running(tmp_path))
    peers = await peers_of(house, stack, 3, (MSGPACK,))
    table = (await seated(peers))[0]
    await table.until_version(4)
    for number in range(40):
        requests = [ticking(table, number), messages.Ping(id=f"ping-{number}")]
        heard = len(peers[0].heard)
        for request in requests:
            await peers[0].send(request)
            await pause()
        await peers[0].reply_to(requests[0].id)
        await table.until_version(5 + number)
        await peers[0].do(messages.Ping)
        replies = [reply.re for reply in peers[0].heard[heard:] if hasattr(reply, "re")]
        assert replies[:2] == [request.id for request in requests]


async def pause() -> None:
    """A moment in which a frame arrives, but nothing is stored."""
    for _ in range(2):
        await anyio.sleep(0)


def ticking(table: Table, number: int) -> Act:
    table.catch_up()
    assert table.offer is not None
    choice = next(choice for choice in table.offer.choices if choice.do == ("untick" if number % 2 else "tick"))
    return Act(id=table.peer.next_id(), table=table.id, offer=table.offer.id, action=choice.nth(0))


# T2


async def test_the_last_placement_and_a_take_back_race(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    peers = await peers_of(house, stack, 3)
    tables = await seated(peers, seed=SEED)
    await together(*(table.play(Random(3).randrange, one_tile_left) for table in tables))
    last = max(table.version for table in tables)
    for table in tables:
        await table.until_version(last)
    placing = next(table for table in tables if may(table, "place"))
    taking = next(table for table in tables if may(table, "take_back") and table is not placing)
    results = await together(placing.peer.ask(answer(placing, "place")), taking.peer.ask(answer(taking, "take_back")))
    assert sum(isinstance(result, Done) for result in results) >= 1
    for result in results:
        assert isinstance(result, Done) or result.code in {"stale_offer", "not_now", "not_offered", "cannot_take_back"}
    newest = max(result.version for result in results if isinstance(result, Done))
    for table in tables:
        await table.until_version(newest)
    assert all(table.board == tables[0].board for table in tables)


def one_tile_left(table: Table) -> bool:
    """Stop playing when only one drafted tile lies beside the castles and somebody could take one back."""
    board = table.board
    if not board or board["phase"] != "place" or any(castle["deciding"] for castle in board["castles"]):
        return False
    return sum(map(len, board["tiles"])) == 1


def may(table: Table, verb: str) -> bool:
    return table.offer is not None and any(choice.do == verb for choice in table.offer.choices)


def answer(table: Table, verb: str) -> Act:
    assert table.offer is not None
    choice = next(choice for choice in table.offer.choices if choice.do == verb)
    return Act(id=table.peer.next_id(), table=table.id, offer=table.offer.id, action=choice.nth(0))


# T4


@pytest.mark.parametrize(("missed", "snapshots"), [(1, 0), (20, 0), (200, 1), (500, 1)])  # 200 would fill the outbox
async def test_who_comes_back_gets_what_he_missed(tmp_path: Path, stack: Any, missed: int, snapshots: int) -> None:
    house = await stack.enter_async_context(running(tmp_path, tail=256))
    anna, berta, carla = await peers_of(house, stack, 3)
    first, second, _ = await seated([anna, berta, carla], seed=SEED)
    await first.until_version(4)
    await second.until_version(4)
    for number in range(missed):
        await think(first, number)
    version = 4
    async with house.peer(token=berta.token, resume={first.id: version}) as back:
        table = Table(back, first.id)
        table.version, table.info, table.board, table.hand = 4, second.info, second.board, second.hand
        await table.until_version(4 + missed)
        assert (table.snapshots, table.updates) == (snapshots, 0 if snapshots else missed)
        await first.until_version(4 + missed)
        assert table.board == first.board
        assert table.offer is not None


async def think(table: Table, number: int) -> None:
    """Tick and untick a tile for ever: entries that nobody else sees anything of."""
    table.catch_up()
    assert table.offer is not None
    verb = "untick" if number % 2 else "tick"
    choice = next(choice for choice in table.offer.choices if choice.do == verb)
    done = await table.peer.do(Act, table=table.id, offer=table.offer.id, action=choice.nth(0))
    assert isinstance(done, Done), done
    await table.until_version(done.version)


# T9


async def test_two_tabs_of_one_seat_see_and_do_the_same(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    anna, berta = await peers_of(house, stack, 2)
    tables = await seated([anna, berta])
    tab = await stack.enter_async_context(house.peer(token=anna.token))
    await tab.do(Watch, table=tables[0].id)
    second = Table(tab, tables[0].id)
    players = [tables[0], second, tables[1]]
    await together(*(table.play(Random(number).randrange) for number, table in enumerate(players)))
    last = max(table.version for table in players)
    await together(*(table.until_version(last) for table in players))
    assert second.seat == tables[0].seat
    assert (second.board, second.hand, second.offer) == (tables[0].board, tables[0].hand, tables[0].offer)


# T14


async def test_a_spectator_sees_exactly_the_public_document(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    anna, berta, visitor = await peers_of(house, stack, 3)
    tables = await seated([anna, berta])
    await together(*(table.play(Random(9).randrange, lambda table: table.version > 60) for table in tables))
    await visitor.do(Watch, table=tables[0].id)
    seen = Table(visitor, tables[0].id)
    seen.catch_up()
    while seen.version < 0:
        await visitor.receive()
        seen.catch_up()
    await together(*(table.until_version(seen.version) for table in tables))
    await seen.until_version(tables[0].version)
    assert (seen.seat, seen.hand, seen.offer) == (None, None, None)
    assert seen.board == tables[0].board
    refused = await visitor.do(Act, table=seen.id, offer=0, action={"do": "choose", "tiles": ["a", "b"]})
    assert refused.code == "not_seated"


# Everyday life


async def test_undo_over_the_wire(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    peers = await peers_of(house, stack, 3)
    table = (await seated(peers))[0]
    await table.until_version(4)
    assert (await peers[0].do(Undo, table=table.id)).code == "cannot_undo"
    before = deepcopy(table.hand)
    await think(table, 0)
    assert table.hand != before
    undone = await peers[0].do(Undo, table=table.id)
    await table.until_version(undone.version)
    assert table.hand == before


async def test_a_seat_that_leaves_is_played_by_the_house_and_can_be_taken_back(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    anna, berta, carla = await peers_of(house, stack, 3)
    tables = await seated([anna, berta, carla])
    await anna.do(messages.Leave, table=tables[0].id)
    await together(
        *(table.play(Random(2).randrange, lambda table: table.is_over or table.version > 40) for table in tables[1:])
    )
    back = await anna.do(messages.Sit, table=tables[0].id)
    assert isinstance(back, Done)
    assert back.seat == 0
    tables[0].catch_up()
    await tables[0].until_version(back.version)
    assert not tables[0].info["seats"][0].get("bot")


async def test_who_lets_the_time_pass_is_played_for(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    anna, berta = await peers_of(house, stack, 2)
    tables = await seated([anna, berta], clock=Clock(move=1))
    await tables[0].until_version(3)
    assert all(waiting.until for waiting in tables[0].waiting)
    update = await anna.until(Update, version=4)  # nobody acts; the clock does
    assert update.news


async def test_private_tables_are_not_listed_to_strangers(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    anna, berta = await peers_of(house, stack, 2)
    private = await opened(anna, 3, visibility="private")
    public = await opened(anna, 3)
    own = await anna.do(messages.ListTables)
    others = await berta.do(messages.ListTables, game="between_two_castles", status="open")
    assert {row.table for row in own.tables} == {private, public}
    assert [row.table for row in others.tables] == [public]


async def test_a_table_that_does_not_exist_is_refused(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    (anna,) = await peers_of(house, stack, 1)
    for kind in (Watch, Undo, messages.Sit, messages.Start, messages.Leave):
        assert (await anna.do(kind, table="nowhere")).code == "no_such_table"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"game": "chess", "seats": 2}, "no_such_game"),
        ({"game": "between_two_castles", "seats": 9}, "wrong_number_of_players"),
        ({"game": "between_two_castles", "seats": 3, "options": {"takeback": "perhaps"}}, "malformed"),
        ({"game": "between_two_castles", "seats": 3, "options": {"seniority": [0, 0, 1]}}, "bad_option"),
        ({"game": "between_two_castles", "seats": 3, "seed": "00" * 32}, "not_allowed"),
    ],
)
async def test_a_table_that_cannot_be_is_refused(tmp_path: Path, stack: Any, given: Any, code: str) -> None:
    house = await stack.enter_async_context(running(tmp_path, allow_seeds=False))
    (anna,) = await peers_of(house, stack, 1)
    refused = await anna.do(messages.Create, **given)
    assert isinstance(refused, Refused)
    assert refused.code == code


async def test_too_many_tables_are_refused(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path, tables_per_user=2))
    (anna,) = await peers_of(house, stack, 1)
    await opened(anna, 2)
    await opened(anna, 2)
    assert (await anna.do(messages.Create, game="between_two_castles", seats=2)).code == "too_many_tables"


async def test_the_same_creation_makes_one_table(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    (anna,) = await peers_of(house, stack, 1)
    request = messages.Create(id="once", game="between_two_castles", seats=3)
    assert await anna.ask(request) == await anna.ask(request)
    listed = await anna.do(messages.ListTables)
    assert len(listed.tables) == 1


async def test_a_snapshot_replaces_the_view_of_somebody_who_sits_down(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    anna, berta = await peers_of(house, stack, 2)
    table = await opened(anna, 2)
    await berta.do(Watch, table=table)
    assert (await berta.until(Snapshot)).seat is None
    await berta.do(messages.Sit, table=table, seat=1)
    assert (await berta.until(Snapshot)).seat == 1


async def test_a_table_that_cannot_be_resumed_is_said_to_be_lost(tmp_path: Path, stack: Any) -> None:
    house = await stack.enter_async_context(running(tmp_path))
    peer = await stack.enter_async_context(house.peer("Anna", resume={"nowhere": 5}))
    lost = await peer.until(messages.Lost)
    assert (lost.table, lost.code) == ("nowhere", "no_such_table")
