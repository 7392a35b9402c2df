"""Costs: every request is charged to the budget of its user and of its address, over all connections and HTTP."""

from __future__ import annotations

import asyncio
import heapq
import re
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import anyio
import httpx
import msgspec
import pytest
from metrics.test_node_metrics import counted, figures
from server_fixture import House, Peer, opened, running, seated
from starlette.routing import Route

from palatine_protocol.costs import BYTES_AT_COST, COSTS, HTTP_COSTS, REPLAYED_AT_COST, Cost
from palatine_protocol.examples import EXAMPLES
from palatine_protocol.messages import Describe, ListTables, Ping, Pong, Show, Sit, Tables, Unwatch, Update, Watch
from palatine_protocol.spec import README, REQUESTS, wire_name
from palatine_server.games.registry import GAMES
from palatine_server.gateway.rate_limits import LATEST, Budget, TokenBucket
from palatine_server.settings import Settings
from palatine_server.web.app import ROUTES
from palatine_server.web.costs import find_cost

SHIPPED = Settings()
AS_SHIPPED: dict[str, Any] = {"burst": SHIPPED.burst, "rate": SHIPPED.rate}
DRY: dict[str, Any] = {"rate": 1e-6}  # what was spent does not come back during a test
ELSEWHERE, OTHERWHERE = "203.0.113.7", "198.51.100.9"
PAGE = README.read_text("utf-8")


class Clock:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


def left_of(house: House, user: str, address: str = "") -> tuple[float, float]:
    """What is left in the budgets of a user and of an address."""
    door = house.server._app.state.shared.admission
    return door._budgets_of_users.of(user)._left, door._budgets_of_addresses.of(address)._left


# The table


def test_table_has_every_request_and_nothing_else() -> None:
    assert set(COSTS) == set(REQUESTS)
    assert set(COSTS.values()) == {Cost.CHEAP, Cost.ENTRY, Cost.EXPENSIVE}


def test_table_has_every_route_and_nothing_else() -> None:
    routes = [route for route in ROUTES if isinstance(route, Route)]
    served = {(method, route.path) for route in routes for method in (route.methods or set()) - {"HEAD"}}
    generic = {(method, re.sub(r"^/(docs|examples)/.*", r"/\1/{file}", path)) for method, path in served}
    assert generic == HTTP_COSTS.keys()
    assert find_cost("HEAD", "/docs/schema.json") is Cost.CHEAP
    assert find_cost("GET", "/v1/a-route-that-nobody-priced") is Cost.EXPENSIVE


def test_table_on_the_page_is_that_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]* \| `\w+` \| (\w+) \| ", PAGE, re.MULTILINE)
    assert dict(rows) == {wire_name(kind): cost.name.lower() for kind, cost in COSTS.items()}
    units = dict(re.findall(r"^\| (\w+) \| (\d+) \| ", PAGE, re.MULTILINE))
    assert {name: int(amount) for name, amount in units.items() if name.upper() in Cost.__members__} == {
        cost.name.lower(): cost.value for cost in Cost
    }


def test_table_can_be_paid_by_every_budget_that_can_be_set() -> None:
    with pytest.raises(ValueError, match=f">= {Cost.EXPENSIVE}"):
        from_dict({"burst": Cost.EXPENSIVE - 1})
    assert from_dict({"burst": Cost.EXPENSIVE}).burst == Cost.EXPENSIVE


def from_dict(given: Any) -> Settings:
    return msgspec.convert(given, Settings)


async def test_table_is_what_each_message_is_charged(tmp_path: Path) -> None:
    """Also what is refused for another reason is charged: the server has looked into it."""
    async with running(tmp_path, burst=100_000, **DRY) as house, house.peer("Anna") as anna:
        charged = {}
        for kind in COSTS:
            before = left_of(house, anna.user)[0]
            await anna.ask(next(each for each in EXAMPLES.values() if type(each) is kind))  # type: ignore[arg-type]
            charged[kind] = round(before - left_of(house, anna.user)[0])
        assert charged == COSTS


async def test_table_is_what_each_http_request_is_charged(tmp_path: Path) -> None:
    async with running(tmp_path, burst=100_000, **DRY) as house, httpx.AsyncClient(base_url=house.url) as client:
        token = await house.token("Anna")
        user = house.server._app.state.shared.token_signer.read(token).id
        for headers, whose in (({"authorization": f"Bearer {token}"}, 0), ({}, 1)):
            charged = {}
            for method, path in HTTP_COSTS:
                before = left_of(house, user)
                file = "page.css" if path.startswith("/examples") else "schema.json"
                real = path.format(name="palais_royal", table="A" * 16, file=file, page="operator")
                await client.request(method, real, headers=headers)
                after = left_of(house, user)
                charged[method, path] = round(before[whose] - after[whose])
                assert before[1 - whose] == after[1 - whose]
            assert charged == HTTP_COSTS


# The rate


@pytest.mark.parametrize("part", [1.0, 0.97, 0.5])
def test_rate_is_exact_also_if_timers_wake_early(part: float) -> None:
    """In ten seconds as many as are documented, and not one more; the old bucket let 459 through instead of 360."""
    clock = Clock()
    budget = Budget(TokenBucket(60, 30.0, clock), None)
    served = 0
    while True:
        clock.at += part * budget.owe(1)
        if clock.at > 10:
            break
        served += 1
    assert served == pytest.approx(60 + 30 * 10, abs=1 / part)


async def test_rate_of_pings_over_a_socket_is_the_documented_one(tmp_path: Path) -> None:
    async with running(tmp_path, burst=60, rate=30.0) as house, house.peer() as peer:
        began, served = monotonic(), 0
        await send_pings(peer, 120)
        while (elapsed := monotonic() - began) < 2:
            await peer.receive()
            served += 1
            assert served <= 60 + 30 * (monotonic() - began)
        assert served >= 60 + 30 * elapsed - 15


async def send_pings(peer: Peer, many: int) -> None:
    for number in range(many):
        await peer.send(Ping(id=f"p{number}"))


async def test_rate_is_shared_by_all_connections_of_a_user(tmp_path: Path) -> None:
    async with running(tmp_path, burst=60, rate=30.0) as house, AsyncExitStack() as stack:
        token = await house.token("Anna")
        peers = [await stack.enter_async_context(house.peer(token=token)) for _ in range(6)]
        began, served = monotonic(), [0] * len(peers)
        for peer in peers:
            await send_pings(peer, 25)
        with anyio.move_on_after(2):
            await asyncio.gather(*(count_replies(peer, served, number) for number, peer in enumerate(peers)))
        assert 60 < sum(served) <= 60 + 30 * (monotonic() - began)
        assert min(served) > 0
        assert counted(figures(house), "limits_total", "rate") > 0


async def count_replies(peer: Peer, served: list[int], number: int) -> None:
    while True:
        await peer.receive()
        served[number] += 1


# The budget of a user


async def test_user_is_refused_what_is_expensive_on_all_connections_together(tmp_path: Path) -> None:
    async with running(tmp_path, burst=4 * Cost.EXPENSIVE + 10, **DRY) as house, house.peer("Anna") as anna:
        of_table = {"table": await opened(anna, 2)}
        async with house.peer(token=anna.token) as tab, house.peer("Berta") as berta:
            assert [type(await peer.do(ListTables)) for peer in (anna, tab, anna)] == [Tables] * 3
            for peer, kind, given in ((tab, ListTables, {}), (anna, Sit, of_table), (tab, Describe, of_table)):
                reply = await peer.do(kind, **given)
                assert (reply.code, reply.retry_after_ms > 0) == ("too_fast", True)
            assert isinstance(await anna.do(Ping), Pong)
            assert isinstance(await berta.do(ListTables), Tables)
            assert counted(figures(house), "limits_total", "budget") == 3


async def test_user_is_served_after_the_time_that_the_refusal_names(tmp_path: Path) -> None:
    async with running(tmp_path, burst=2 * Cost.EXPENSIVE, rate=40.0) as house, house.peer("Anna") as anna:
        replies = [await anna.do(ListTables) for _ in range(3)]
        assert replies[-1].code == "too_fast"
        assert 0 < replies[-1].retry_after_ms <= 1000 * (Cost.EXPENSIVE + 2 * Cost.CHEAP) / 40 + 1
        await anyio.sleep(replies[-1].retry_after_ms / 1000)
        assert isinstance(await anna.do(ListTables), Tables)


async def test_user_pays_for_refusals(tmp_path: Path) -> None:
    async with running(tmp_path, burst=Cost.EXPENSIVE + 5, **DRY) as house, house.peer("Anna") as anna:
        await anna.do(ListTables)
        before = left_of(house, anna.user)[0]
        assert (await anna.do(ListTables)).code == "too_fast"
        assert before - left_of(house, anna.user)[0] == pytest.approx(Cost.CHEAP, abs=0.01)


async def test_user_pays_for_each_table_that_hello_resumes(tmp_path: Path) -> None:
    async with running(tmp_path, burst=1_000, **DRY) as house, house.peer("Anna") as anna:
        tables = [await opened(anna, 2) for _ in range(3)]
        before = left_of(house, anna.user)[0]
        async with house.peer(token=anna.token, resume=dict.fromkeys(tables, 0)) as tab:
            await tab.do(Ping)
            spent = before - left_of(house, anna.user)[0]
        assert spent == pytest.approx(3 * COSTS[Watch] + 2 * Cost.CHEAP, abs=0.01)


async def test_user_has_one_budget_for_messages_and_http(tmp_path: Path) -> None:
    async with running(tmp_path, burst=2 * Cost.EXPENSIVE, **DRY) as house, house.peer("Anna") as anna:
        await anna.do(ListTables)
        async with httpx.AsyncClient(base_url=house.url) as client:
            of_anna = {"authorization": f"Bearer {anna.token}"}
            answers = [await client.get("/v1/tables", headers=of_anna) for _ in range(2)]
        assert answers[-1].status_code == 429
        assert answers[-1].json()["code"] == "too_fast"
        assert int(answers[-1].headers["retry-after"]) > 0


async def test_user_pays_for_the_length_of_replays_and_records(tmp_path: Path) -> None:
    async with running(tmp_path, burst=10_000, **DRY) as house, house.peer("Anna") as anna:
        (table,) = await seated([anna], bots=1, game="palais_royal")
        await table.play(Random(1).randrange)
        await anna.do(Unwatch, table=table.id)
        before = left_of(house, anna.user)[0]
        watching = await anna.do(Watch, table=table.id, since=0, pace=0)
        await anna.until(Update, version=watching.version)
        await anna.do(Ping)
        spent = before - left_of(house, anna.user)[0] - Cost.EXPENSIVE - Cost.CHEAP
        assert spent == pytest.approx(watching.version / REPLAYED_AT_COST, abs=0.2)
        async with httpx.AsyncClient(base_url=house.url) as client:
            before = left_of(house, anna.user)[0]
            of_anna = {"authorization": f"Bearer {anna.token}"}
            file = await client.get(f"/v1/tables/{table.id}/record", headers=of_anna)
        spent = before - left_of(house, anna.user)[0] - Cost.EXPENSIVE
        assert spent == pytest.approx(len(file.content) / BYTES_AT_COST, abs=0.01)


# The budget of an address


async def test_address_without_a_token_has_a_budget_of_its_own(tmp_path: Path) -> None:
    async with running(tmp_path, burst=Cost.EXPENSIVE, budgets_per_address=1, **DRY) as house:
        async with httpx.AsyncClient(base_url=house.url) as client:
            there, elsewhere = ({"x-forwarded-for": address} for address in (ELSEWHERE, OTHERWHERE))
            asked: list[Any] = [there, there, elsewhere, {}, {}]
            answers = [await client.get("/v1/tables", headers=headers) for headers in asked]
        assert [each.status_code for each in answers] == [200, 429, 200, 200, 429]


async def test_address_is_shared_by_its_users_and_this_machine_is_exempt_for_them(tmp_path: Path) -> None:
    async with running(tmp_path, burst=10 * Cost.EXPENSIVE, budgets_per_address=1, **DRY) as house:
        users = [{"authorization": f"Bearer {await house.token()}"} for _ in range(3)]
        async with httpx.AsyncClient(base_url=house.url) as client:
            there = [{**user, "x-forwarded-for": ELSEWHERE} for user in users]
            answers = [await client.get("/v1/tables", headers=there[number % 2]) for number in range(12)]
            here = [await client.get("/v1/tables", headers=users[2]) for _ in range(10)]
        assert [each.status_code for each in answers] == [200] * 10 + [429] * 2
        assert [each.status_code for each in here] == [200] * 10


def test_address_that_cannot_pay_leaves_the_budget_of_the_user_alone() -> None:
    user, address = TokenBucket(10, 1.0, Clock()), TokenBucket(3, 1.0, Clock())
    budget = Budget(user, address)
    assert [budget.take(2), budget.take(2)] == [0, 1]
    assert (user._left, address._left) == (8, 1)
    assert Budget(None, None).take(1e9) == Budget(None, None).owe(1e9) == 0


# The times at which refused requests come again


@pytest.mark.parametrize("requests", [2, 30, 64])
def test_requests_that_come_again_when_told_are_all_carried_out_at_the_rate_of_the_budget(requests: int) -> None:
    clock = Clock()
    bucket = TokenBucket(2 * Cost.EXPENSIVE, 100.0, clock)
    budget = Budget(bucket, TokenBucket(1e6, 1e6, clock))
    coming, done = [(0.0, number) for number in range(requests)], 0
    while coming:
        clock.at, number = max(clock.at, coming[0][0]), heapq.heappop(coming)[1]
        if budget.take(Cost.EXPENSIVE):
            clock.at += budget.owe(Cost.CHEAP)  # the refusal is sent when it is paid
            heapq.heappush(coming, (clock.at + budget.appoint(Cost.EXPENSIVE) + 0.001, number))
        else:
            done += 1
    assert done == requests
    assert clock.at <= 1.2 * requests * Cost.EXPENSIVE / 100.0


def test_refused_request_comes_again_soon_however_many_were_refused_before_it() -> None:
    bucket = TokenBucket(100, 1.0, Clock())
    assert bucket.appoint(60) == 0
    bucket.take(100)
    assert [bucket.appoint(10), bucket.appoint(10), bucket.appoint(5)] == [10, 20, 25]
    assert max(bucket.appoint(10) for _ in range(1_000)) == LATEST
    assert bucket.appoint(90) == 90


# Who is never limited


async def test_normal_play_a_bot_that_answers_at_once_is_not_limited(tmp_path: Path) -> None:
    async with running(tmp_path, **AS_SHIPPED) as house:
        for game in GAMES:
            async with house.peer(game) as bot:
                (table,) = await seated([bot], bots=GAMES[game].players[0] - 1, game=game)
                await table.play(Random(1).randrange)
                assert table.is_over
                assert "too_fast" not in {getattr(message, "code", "") for message in bot.heard}
        assert counted(figures(house), "limits_total", "rate") == 0


async def test_toggles_are_written_at_the_rate_of_the_budget(tmp_path: Path) -> None:
    """Each toggle is an entry; the shipped server wrote 362 per second for one user."""
    burst, rate = 200, 40.0
    async with running(tmp_path, burst=burst, rate=rate) as house, house.peer("Anna") as anna:
        began, table = monotonic(), await opened(anna, 2)
        first = (await anna.do(Sit, table=table)).version
        shown = True
        while monotonic() - began < 1.5:
            last = (await anna.do(Show, table=table, shown=shown)).version
            shown = not shown
        assert 20 < last - first <= (burst + rate * (monotonic() - began)) / Cost.ENTRY
