"""S9: secrets are planted in a running game, everything is made to fail, and no log or figure knows one of them."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import anyio
import httpx
import pytest
from server.process import ServerProcess
from server_fixture import MSGPACK, Peer, Table, seated
from store import redis_servers
from store.redis_servers import Server, free_port, one_server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from palatine_protocol import messages
from palatine_server.log_format import LogLine
from palatine_server.store.redis.keys import Keys

NAME, QUERY, SEED = "Kanarienvogel", "canary-in-a-query", "ca9a41" * 10 + "ca9a"
SECRET = "canary-secret-0123456789abcdef"  # signs tokens


@pytest.fixture
def valkey() -> Iterator[Server]:
    with redis_servers.running(one_server) as server:
        yield server


@pytest.fixture
async def served(tmp_path: Path, valkey: Server) -> AsyncIterator[ServerProcess]:
    """A real process that logs to a pipe, with a game that can break."""
    process = ServerProcess(tmp_path / "data")
    process.options = ["--store", valkey.url, "--game", "deploy.failing_game:FRAGILE", "--allow-seeds"]
    process.environment = {
        "PYTHONPATH": str(Path(__file__).parent.parent),
        "PALATINE_SECRET": SECRET,
        "PALATINE_METRICS_PORT": str(free_port()),
        "PALATINE_BURST": "10000",
        "PALATINE_RATE": "10000",
    }
    async with process:
        yield process


async def token(served: ServerProcess) -> str:
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"http://127.0.0.1:{served.port}/v1/guests", json={"name": NAME})
    return str(answer.json()["token"])


@asynccontextmanager
async def entered(served: ServerProcess, given: str) -> AsyncIterator[Peer]:
    subprotocols: Any = [MSGPACK]
    async with connect(served.socket, subprotocols=subprotocols, compression=None, max_queue=None) as socket:
        peer = Peer(socket, MSGPACK, given)
        await peer.hello()
        yield peer


async def figures(served: ServerProcess) -> str:
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"http://127.0.0.1:{served.environment['PALATINE_METRICS_PORT']}/metrics")
    return answer.text


def words_in(hand: Any) -> set[str]:
    """Every name in a hand that is long enough not to be found by accident."""
    if isinstance(hand, str):
        return {hand} if len(hand) > 5 else set()
    parts = hand.values() if isinstance(hand, dict) else hand if isinstance(hand, list) else []
    return {word for part in parts for word in words_in(part)}


# What goes wrong


async def nonsense(served: ServerProcess, given: str) -> None:
    """Unreadable frames and requests, full of secrets."""
    async with entered(served, given) as peer:
        for frame in (
            f"\xc1{given}{NAME}".encode(),
            peer.codec.encode({"type": NAME, "id": given[:60], "table": SEED}),
        ):
            await peer.socket.send(frame)
            await peer.receive()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{served.port}") as client:
        for path in (f"/v1/tables?game={QUERY}", f"/{QUERY}", f"/v1/games/{QUERY}?token={given}"):
            await client.get(path, headers={"authorization": f"Bearer {given}x"})
        await client.post("/v1/guests", content=json.dumps({"name": [NAME]}))
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(f"GET /{QUERY} HTTP/9.9 {given}\r\n\r\n".encode())
    await reader.read()
    writer.close()
    await writer.wait_closed()


async def breaking(peer: Peer, table: Table) -> None:
    """A rule raises an error that quotes the action, with the hands and the seed among its variables."""
    assert table.offer
    action = {"do": "break", "secret": [NAME, SEED]}
    await peer.send(messages.Act(id=peer.next_id(), table=table.id, offer=table.offer.id, action=action))
    with pytest.raises(ConnectionClosed):
        await peer.until(messages.Lost)


async def losing_the_store(peer: Peer, table: Table, valkey: Server, served: ServerProcess) -> None:
    """The store forgets its functions, goes away in the middle of a game, and comes back when that was noticed."""
    valkey.ask("FUNCTION", "FLUSH")
    assert await table.act(Random(1).randrange)
    valkey.kill()
    await peer.send(messages.Leave(id=peer.next_id(), table=table.id))
    with pytest.raises(ConnectionClosed):
        await peer.until(messages.Lost)
    with anyio.fail_after(30):
        while not any("the store does not answer" in line for line in served.said):
            await anyio.sleep(0.02)
    valkey.start()


def damage(valkey: Server, table: str) -> None:
    """Somebody edits what is stored."""
    key = Keys("palatine").table(table)
    assert valkey.ask("HSET", key, "snapshot", f"{NAME} {SEED}") == 0  # it was there


async def looked_at(peer: Peer, table: str) -> Any:
    with anyio.fail_after(30):
        return await peer.do(messages.Watch, table=table)


async def test_no_secret_is_in_the_logs_or_the_figures(served: ServerProcess, valkey: Server) -> None:
    given = await token(served)
    await nonsense(served, given)
    hands: set[str] = set()
    for trouble in ("store", "rule"):
        async with entered(served, given) as peer:
            (table,) = await seated([peer], game="fragile", bots=2, seed=SEED)
            await table.play(Random(1).randrange, until=lambda table: table.is_waited_for)
            hands |= words_in(table.hand)
            await (losing_the_store(peer, table, valkey, served) if trouble == "store" else breaking(peer, table))
    shown = await figures(served)
    assert await served.stop() == 0
    damage(valkey, table.id)
    await served.start()
    async with entered(served, given) as peer:
        await looked_at(peer, table.id)
    shown += await figures(served)
    assert await served.stop() == 0

    lines = [json.loads(line) for line in served.said]
    assert all({*line} <= {*LogLine.__struct_fields__} for line in lines)
    errors = {error for line in lines for error in line.get("errors", [])}
    assert {"KeyError", "ValueError"} <= errors  # the rule broke, and was logged
    assert any("table broke" in line["event"] for line in lines)
    assert any("Damaged" in line["event"] for line in lines)
    assert 'result="ok"' in shown
    assert len(hands) >= 9

    told = "\n".join([*served.said, shown])
    assert not [word for word in (NAME, QUERY, SEED, SECRET, given, *hands) if word in told]


@pytest.mark.parametrize("url", ["redis://palatine:{}@127.0.0.1:{}", "redis://x:{}@[{}", "redis+sentinel://x:{}@y:{}/"])
async def test_a_password_is_not_in_what_is_said_of_a_store_that_cannot_be_used(
    tmp_path: Path, valkey: Server, url: str
) -> None:
    process = ServerProcess(tmp_path)
    process.options = ["--store", url.format(SECRET, valkey.port)]
    await process.launch()
    assert await process.exit_code() == 1
    assert process.said
    assert SECRET not in "".join(process.said)
