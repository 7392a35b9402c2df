"""The connection: greeting, coming back, beating, giving up; against a scripted server and a real one."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from clients.relay import PATIENCE, Relay, Scripted, scripted
from server_fixture import House, running

from palatine_client import (
    NEW,
    ActionRefused,
    Client,
    Connection,
    Disconnected,
    RequestRefused,
    UnexpectedReply,
    connect,
    connection,
    create_guest,
)
from palatine_client.events import Postponed, ProblemKind
from palatine_client.guest_tokens import HTTP_SCHEMES, WEBSOCKET_SCHEMES, build_url
from palatine_client.session import State
from palatine_client.table_list import TableList
from palatine_protocol.codec import JSON
from palatine_protocol.errors import Close
from palatine_protocol.messages import (
    Act,
    AddBot,
    AnyFromServer,
    Bye,
    Create,
    Done,
    Hello,
    ListTables,
    Ping,
    Pong,
    Refused,
    Tables,
    Update,
    Watch,
)


class Eager(Random):
    """Chance that never makes us wait."""

    def uniform(self, a: float, b: float) -> float:
        return a


def eager(url: str, **given: Any) -> Connection:
    return Connection(url, "token", **{"random": Eager(), "patience": PATIENCE, **given})


class Greeted:
    """A connection that is being opened while the test plays the server."""

    def __init__(self, script: Scripted, **given: Any) -> None:
        self.script, self.connection = script, eager(script.url, **given)

    async def __aenter__(self) -> Any:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self.connection.__aenter__())
            line = await self.script.line()
            await line.greet()
        return self.connection, line

    async def __aexit__(self, *error: Any) -> None:
        await self.connection.__aexit__(None, None, None)


# Requests


async def test_a_request_is_answered(script: Scripted) -> None:
    async with Greeted(script) as (client, line), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(client.request(Ping(id=NEW)))
        ping = await line.hear(Ping)
        await line.say(Pong(re=ping.id))
        assert await asking == Pong(re=ping.id)


async def test_replies_may_come_in_any_order(script: Scripted) -> None:
    async with Greeted(script) as (client, line), asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(client.request(Ping(id=f"ping-{number}"))) for number in range(5)]
        pings = [await line.hear(Ping) for _ in asking]
        await line.say(*(Pong(re=ping.id) for ping in reversed(pings)))
        assert [reply.re for reply in await asyncio.gather(*asking)] == [f"ping-{number}" for number in range(5)]


async def test_a_refusal_is_raised_with_all_that_it_says(script: Scripted) -> None:
    async with Greeted(script) as (client, line), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(refused(client, Act(id=NEW, table="t", offer=0, action={})))
        act = await line.hear(Act)
        await line.say(Refused(re=act.id, code="too_high", sentence="Too high.", rule="B2C-PLACE-9"))
        refusal = await asking
        assert isinstance(refusal, ActionRefused)
        assert (refusal.code, refusal.sentence, refusal.rule) == ("too_high", "Too high.", "B2C-PLACE-9")
        assert str(refusal) == "Too high. (too_high, B2C-PLACE-9)"


async def refused(client: Connection, request: Any) -> RequestRefused:
    with pytest.raises(RequestRefused) as raised:
        await client.request(request)
    return raised.value


async def test_a_reply_of_the_wrong_kind_is_raised_where_it_was_asked(script: Scripted) -> None:
    async with Greeted(script) as (client, line):
        asking = asyncio.ensure_future(client.ask(Ping(id=NEW), Pong))
        ping = await line.hear(Ping)
        await line.say(Done(re=ping.id, table="t", version=1))
        with pytest.raises(UnexpectedReply, match="Ping was answered with Done"):
            await asking


async def test_try_again_is_obeyed_without_the_asker_noticing(script: Scripted) -> None:
    async with Greeted(script) as (client, line), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(client.request(Ping(id=NEW)))
        first = await line.hear(Ping)
        await line.say(Refused(re=first.id, code="try_again", sentence="Later.", retry_after_ms=1))
        second = await line.hear(Ping)
        await line.say(Refused(re=first.id, code="too_fast", sentence="Slower."))
        third = await line.hear(Ping)
        assert first == second == third
        await line.say(Pong(re=third.id))
        assert await asking == Pong(re=first.id)


async def test_no_more_than_so_many_requests_wait_for_their_reply(
    script: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MAX_PENDING", 2)
    async with Greeted(script) as (client, line), asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(client.request(Ping(id=f"ping-{number}"))) for number in range(3)]
        await line.hear(Ping)
        second = await line.hear(Ping)
        assert [task.get_name() for task in asking if task.done()] == []
        await line.say(Pong(re=second.id))
        assert (await line.hear(Ping)).id == "ping-2"
        await line.say(Pong(re="ping-0"), Pong(re="ping-2"))


async def test_a_cancelled_request_is_not_sent_again(script: Scripted) -> None:
    async with Greeted(script) as (client, line):
        asking = asyncio.ensure_future(client.request(Ping(id="cancelled")))
        await line.hear(Ping)
        asking.cancel()
        await asyncio.wait([asking])
        await line.cut()
        again = await script.line()
        await again.greet()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(client.request(Ping(id="next")))
            assert (await again.hear(Ping)).id == "next"
            await again.say(Pong(re="next"))


# Coming back


async def test_what_is_refused_for_now_again_and_again_is_sent_once_each_time(script: Scripted) -> None:
    async with Greeted(script) as (client, line), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(client.request(Ping(id="p")))
        await line.hear(Ping)
        await line.say(Refused(re="p", code="try_again", sentence="Later.", retry_after_ms=60_000))
        await line.cut()
        again = await script.line()
        await again.greet()
        await again.hear(Ping)
        await again.say(Refused(re="p", code="try_again", sentence="Later.", retry_after_ms=1))
        await again.hear(Ping)
        assert client._retries == {}
        await again.say(Pong(re="p"))
        assert await asking == Pong(re="p")


async def test_a_request_survives_a_lost_connection(script: Scripted) -> None:
    async with Greeted(script) as (client, line), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(client.request(Act(id=NEW, table="t", offer=7, action={"do": "build"})))
        first = await line.hear(Act)
        await line.cut()
        again = await script.line()
        await again.greet()
        second = await again.hear(Act)
        assert first == second
        await again.say(Done(re=second.id, table="t", version=9))
        assert (await asking).version == 9


async def test_the_server_says_when_to_come_back(script: Scripted) -> None:
    async with Greeted(script) as (client, line):
        await line.say(Bye(code=Close.RESTART, reason="restart", reconnect_in_ms=150))
        loop = asyncio.get_running_loop()
        before = loop.time()
        await line.close(Close.RESTART)
        again = await script.line()
        assert loop.time() - before >= 0.14
        await again.greet()
        assert isinstance(client, Connection)


async def test_the_server_says_where_to_come_back_and_that_is_tried_once(script: Scripted) -> None:
    async with scripted() as other, Greeted(script) as (_, line):
        await line.say(Bye(code=Close.RESTART, reason="restart", reconnect_in_ms=0, reconnect_to=other.url))
        await line.close(Close.RESTART)
        elsewhere = await other.line()
        await elsewhere.close(Close.RESTART)  # before a welcome
        back = await script.line()
        await back.greet()
        assert other.lines.empty()


@pytest.mark.parametrize(
    ("url", "where", "goes"),
    [
        ("ws://a", "wss://b", "wss://b"),
        ("wss://a", "wss://b", "wss://b"),
        ("wss://a", "ws://b", "wss://a"),
        ("https://a", "http://b", "https://a"),
        ("ws://a", "file:///b", "ws://a"),
        ("ws://a", "", "ws://a"),
        ("ws://a", None, "ws://a"),
    ],
)
def test_a_goodbye_leads_to_no_less_secure_a_place(url: str, where: str | None, goes: str) -> None:
    connection = Connection(url, "token")
    connection._bye, connection._failures = Bye(code=Close.RESTART, reason="", reconnect_to=where), 1
    assert connection._next_url() == goes


@pytest.mark.parametrize(
    "code",
    [Close.GOING_AWAY, Close.INTERNAL, Close.RESTART, Close.OVERLOADED, Close.NO_HELLO, Close.TOO_FAST, Close.TOO_SLOW],
)
async def test_these_close_codes_mean_come_back(script: Scripted, code: Close) -> None:
    async with Greeted(script) as (_, line):
        await line.close(code)
        await (await script.line()).greet()


@pytest.mark.parametrize("code", [Close.NORMAL, Close.FORBIDDEN, Close.TOO_BIG, Close.BAD_TOKEN, Close.MALFORMED, 1003])
async def test_these_close_codes_mean_stop(script: Scripted, code: int) -> None:
    async with Greeted(script) as (client, line):
        asking = asyncio.ensure_future(client.request(Ping(id=NEW)))
        await line.hear(Ping)
        await line.close(code, "enough")
        with pytest.raises(Disconnected, match="enough") as raised:
            await asking
        assert raised.value.code == code
        with pytest.raises(Disconnected):
            await client.request(Ping(id=NEW))
        assert script.lines.empty()


async def test_a_bad_token_ends_it_at_once(script: Scripted) -> None:
    async with asyncio.TaskGroup() as tasks:
        entering = tasks.create_task(entered(script.url))
        line = await script.line()
        hello = await line.hear(Hello)
        await line.say(Refused(re=hello.id, code="bad_token", sentence="The token is not valid."))
        assert (await entering).code == Close.BAD_TOKEN


async def entered(url: str, **given: Any) -> Disconnected:
    with pytest.raises(Disconnected) as raised:
        async with eager(url, **given):
            pass
    return raised.value


async def test_patience_ends(unused_tcp_port: int) -> None:
    ended = await entered(f"ws://127.0.0.1:{unused_tcp_port}", patience=0.2)
    assert "no server" in ended.sentence


async def test_patience_ends_after_a_lost_connection_too(script: Scripted) -> None:
    async with Greeted(script, patience=0.2) as (client, line):
        asking = asyncio.ensure_future(client.request(Ping(id=NEW)))
        await line.hear(Ping)
        await line.cut()
        silent = await script.line()  # it opens, but nobody says welcome
        with pytest.raises(Disconnected, match="no server"):
            await asking
        await silent.socket.wait_closed()


async def test_a_connection_without_welcome_is_given_up(script: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HANDSHAKE_TIMEOUT", 0.1)
    async with asyncio.TaskGroup() as tasks:
        client = eager(script.url)
        tasks.create_task(client.__aenter__())
        silent = await script.line()
        await silent.hear(Hello)
        await silent.socket.wait_closed()
        await (await script.line()).greet()
    await client.__aexit__(None, None, None)


async def test_a_server_that_falls_silent_is_left(script: Scripted) -> None:
    async with asyncio.TaskGroup() as tasks:
        client = eager(script.url)
        tasks.create_task(client.__aenter__())
        line = await script.line()
        await line.greet(heartbeat=1)
        client.follow_list(TableList())
        asked = await line.hear(ListTables)
        await line.say(Tables(re=asked.id, tables=[]))
        await line.hear(Ping)  # it waits for changes of the list, and checks the line
        await (await script.line()).greet()  # nothing came back
    await client.__aexit__(None, None, None)


async def test_answered_pings_keep_a_connection(script: Scripted) -> None:
    async with asyncio.TaskGroup() as tasks:
        client = eager(script.url)
        tasks.create_task(client.__aenter__())
        line = await script.line()
        await line.greet(heartbeat=1)
        client.follow_list(TableList())
        asked = await line.hear(ListTables)
        await line.say(Tables(re=asked.id, tables=[]))
        for _ in range(5):
            ping = await line.hear(Ping)
            await line.say(Pong(re=ping.id))
        assert script.lines.empty()
    await client.__aexit__(None, None, None)


async def test_pongs_alone_keep_an_idle_client_connected(tmp_path: Path) -> None:
    async with running(tmp_path, heartbeat=1) as server, connect(server.url, name="Ida") as client:
        await asyncio.sleep(3.5)  # silence ends a connection after two heartbeats, and nothing tells of a third
        assert client.welcome.heartbeat == 1
        assert client.session.state is State.WELCOMED
        assert len(server.server.server_state.connections) == 1
    await client.__aexit__(None, None, None)


async def test_an_http_refusal_ends_it(house: House) -> None:
    ended = await entered(f"{house.url}/elsewhere")
    assert 400 <= ended.code < 500


def test_who_is_put_off_often_becomes_more_patient() -> None:
    client = Connection("ws://x", "t", random=Random(1))
    soon = [client._retry_delay(Postponed("p", None, times)) for times in range(1, connection.STEADY_RETRIES + 1)]
    assert 0.1 <= min(soon) <= max(soon) <= 0.5
    assert max(client._retry_delay(Postponed("p", None, 100)) for _ in range(100)) > 2
    assert client._retry_delay(Postponed("p", 0)) > 0
    assert client._retry_delay(Postponed("p", 10**9)) == connection.MAX_HINT


def test_delays_double_up_to_a_limit_and_are_drawn_below_it() -> None:
    class Highest(Random):
        def uniform(self, a: float, b: float) -> float:
            assert a == 0
            return b

    client = Connection("ws://x", "t", random=Highest())
    delays = [client._reconnect_delay() for _ in range(8)]
    assert delays == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0]


async def test_problems_are_kept_and_do_not_end_it(script: Scripted) -> None:
    async with Greeted(script) as (client, line), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(client.request(Ping(id=NEW)))
        ping = await line.hear(Ping)
        await line.say(b"\xc1nonsense", Pong(re=ping.id))
        await asking
        assert [problem.kind for problem in client.problems] == [ProblemKind.UNREADABLE]


async def test_leaving_tells_those_who_still_wait(script: Scripted) -> None:
    async with Greeted(script) as (client, line):
        asking = asyncio.ensure_future(client.request(Ping(id=NEW)))
        await line.hear(Ping)
    with pytest.raises(Disconnected):
        await asking
    assert line.socket.close_code == Close.NORMAL


class Distracted(Connection):
    """Loses the cancellation that is to end it, as a library may that has an error of its own at that moment."""

    async def _connect_once(self) -> None:
        try:
            await super()._connect_once()
        except asyncio.CancelledError:
            return


async def test_leaving_ends_it_even_if_the_cancellation_is_lost(script: Scripted) -> None:
    connection = Distracted(script.url, "token", random=Eager())
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        coming = tasks.create_task(connection.__aenter__())
        await (await script.line()).greet()
        await coming
        await connection.__aexit__(None, None, None)
    with pytest.raises(Disconnected):
        connection.check()


# Guests


async def test_a_guest_gets_a_token_and_keeps_his_identity_when_he_renews_it(house: House) -> None:
    ludwig = await create_guest(house.url, "Ludwig")
    again = await create_guest(house.url, token=ludwig.token)
    assert (again.user, again.name) == (ludwig.user, "Ludwig")
    async with connect(house.url, again) as client:
        assert client.welcome.user == ludwig.user


async def test_a_guest_with_a_wrong_token_is_refused(house: House) -> None:
    with pytest.raises(RequestRefused) as raised:
        await create_guest(house.url, token="nonsense")
    assert raised.value.code == "bad_token"
    with pytest.raises(Disconnected) as ended:
        async with connect(house.url, "nonsense"):
            pass
    assert ended.value.code == Close.BAD_TOKEN


async def test_a_guest_without_a_server_hears_so(unused_tcp_port: int) -> None:
    with pytest.raises(Disconnected):
        await create_guest(f"ws://127.0.0.1:{unused_tcp_port}")


@pytest.mark.parametrize(
    ("url", "socket", "page"),
    [
        ("ws://host:8080", "ws://host:8080/v1/ws", "http://host:8080/v1/guests"),
        ("wss://host/", "wss://host/v1/ws", "https://host/v1/guests"),
        ("https://host/games", "wss://host/games/v1/ws", "https://host/games/v1/guests"),
        ("http://host/v1/ws", "ws://host/v1/ws", "http://host/v1/guests"),
        ("host:8080", "ws://host:8080/v1/ws", "http://host:8080/v1/guests"),
    ],
)
def test_addresses(url: str, socket: str, page: str) -> None:
    assert (build_url(url, WEBSOCKET_SCHEMES, "/v1/ws"), build_url(url, HTTP_SCHEMES, "/v1/guests")) == (socket, page)


def test_an_address_of_something_else_is_refused() -> None:
    with pytest.raises(Disconnected, match="ftp"):
        build_url("ftp://host", WEBSOCKET_SCHEMES, "/v1/ws")


# Against the real server


async def test_the_json_twin_speaks_to_the_real_server(house: House) -> None:
    async with connect(house.url, name="Jason", subprotocol=JSON) as client:
        table = await client.create("between_two_castles", 3)
        await table.sit()
        assert table.info.seats[0]
        assert table.info.seats[0].name == "Jason"


async def test_a_refusal_of_the_real_server(house: House) -> None:
    async with connect(house.url, name="Anna") as client:
        assert (await refused(client, Create(id=NEW, game="chess", seats=2))).code == "no_such_game"
        with pytest.raises(RequestRefused) as raised:
            await client.join("nowhere")
        assert raised.value.code == "no_such_table"


# T3: an update is lost; the next one shows the gap, and one watch brings back what is missing, without a snapshot.
async def test_a_lost_frame_is_healed_in_one_round_trip(house: House, lossy: Relay) -> None:
    async with Client(lossy.url, await house.token("Anna")) as client:
        table = await client.create("between_two_castles", 4, seed="5e" * 32)  # nobody adds chance to a chosen seed
        await table.sit()
        lossy.passed = losing(version=2)
        lossy.requests.clear()
        bots = [client.request(AddBot(id=NEW, table=table.id)) for _ in range(2)]
        await asyncio.gather(*bots)
        await table.until(lambda: table.version == 3)
        assert [request.since for request in lossy.requests if isinstance(request, Watch)] == [1]
        assert [problem.kind for problem in client.problems] == [ProblemKind.GAP]
        assert table.info.seats.count(None) == 1


def losing(version: int) -> Any:
    """Lose the first update with this version."""
    lost: list[AnyFromServer] = []

    def passed(message: AnyFromServer, frame: bytes) -> list[bytes]:
        if isinstance(message, Update) and message.version == version and not lost:
            lost.append(message)
            return []
        return [frame]

    return passed


async def test_hello_resumes_a_running_game(house: House, lossy: Relay) -> None:
    async with connect(lossy.url, await house.token("Anna")) as client:
        table = await client.create("between_two_castles", 2)
        await table.sit()
        await table.fill()
        await table.start()
        lossy.cut()
        await table.catch_up()
        hellos = [request for request in lossy.requests if isinstance(request, Hello)]
        assert table.id in hellos[-1].resume
        assert not client.problems
