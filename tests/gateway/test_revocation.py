"""Revocation: who is shut out is shown out on every node, and not let in again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from time import monotonic, time
from typing import Any

import anyio
import httpx
import pytest
from anyio import to_thread
from hostile.raw_client import raw
from server_fixture import House, Peer, opened, running
from store import redis_servers
from store.redis_servers import Server, one_server
from typer.testing import CliRunner, Result
from websockets.exceptions import ConnectionClosed

from palatine_client import Client, Disconnected
from palatine_client.cli import main
from palatine_protocol.errors import Close
from palatine_protocol.messages import Bye, Done, Ping, Pong, Sit
from palatine_server.games.kit import Refused
from palatine_server.gateway.admission import Admission
from palatine_server.gateway.tokens import Kind, TokenSigner
from palatine_server.settings import Settings

SOON = 5.0  # seconds until sockets are closed on every node


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path) as house:
        yield house


@pytest.fixture
def valkey() -> Iterator[Server]:
    with redis_servers.running(one_server) as server:
        yield server


def token_of(house: House, kind: Kind = "guest", **given: Any) -> str:
    token: str = house.server._app.state.shared.token_signer.create_token("Somebody", kind, **given)[0]
    return token


async def closed(peer: Peer) -> int:
    """The close code, when it comes; the words before it say the same."""
    with suppress(ConnectionClosed):
        while True:
            await peer.receive()
    assert [heard.code for heard in peer.heard if isinstance(heard, Bye)] == [peer.socket.close_code]
    return peer.socket.close_code or 0


async def refused(house: House, token: str) -> tuple[str, int | None]:
    """What somebody hears who says hello, and how it ends."""
    async with raw(house.url) as enemy:
        await enemy.hello(token)
        code = await enemy.end()
    async with httpx.AsyncClient(base_url=house.url) as client:
        answer = await client.get("/v1/tables", headers={"authorization": f"Bearer {token}"})
    return answer.json()["code"], code


def palatine(*words: str) -> Result:
    return CliRunner().invoke(main.build_app(), words)


async def revoke(*words: str) -> None:
    """The command, as an operator gives it."""
    result = await to_thread.run_sync(palatine, "revoke", *words)
    assert result.exit_code == 0, result.output


# Through a running server


async def test_revoked_user_is_shown_out_and_not_let_in_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_ADMIN_TOKEN", token_of(house, "admin"))
    async with house.peer("Anna") as anna, house.peer(token=anna.token) as tab, house.peer("Berta") as berta:
        await revoke(anna.user, "--server", house.url)
        assert [await closed(anna), await closed(tab)] == [Close.REVOKED, Close.REVOKED]
        assert await refused(house, anna.token) == ("token_revoked", Close.REVOKED)
        assert await refused(house, token_of(house, user=anna.user)) == ("token_revoked", Close.REVOKED)
        assert isinstance(await berta.do(Ping), Pong)


async def test_revoked_token_shuts_out_itself_and_what_it_was_renewed_to_but_not_its_user(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALATINE_ADMIN_TOKEN", token_of(house, "admin"))
    leaked = await house.token("Anna")
    renewed = await renewed_from(house, leaked)
    async with house.peer(token=leaked) as thief, house.peer(token=token_of(house, user=thief.user)) as anna:
        await revoke(renewed, "--server", house.url)
        assert await closed(thief) == Close.REVOKED
        assert isinstance(await anna.do(Ping), Pong)
    assert await refused(house, leaked) == ("token_revoked", Close.REVOKED)
    assert await refused(house, renewed) == ("token_revoked", Close.REVOKED)


async def renewed_from(house: House, token: str) -> str:
    async with httpx.AsyncClient(base_url=house.url) as client:
        answer = await client.post("/v1/guests", headers={"authorization": f"Bearer {token}"})
    return str(answer.json()["token"])


async def test_revoked_tokens_cannot_be_renewed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_ADMIN_TOKEN", token_of(house, "admin"))
    token = await house.token("Anna")
    await revoke(token, "--server", house.url)
    async with httpx.AsyncClient(base_url=house.url) as client:
        answer = await client.post("/v1/guests", headers={"authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.json()["code"]) == (401, "token_revoked")


async def test_revoked_administrators_revoke_nobody(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    former = token_of(house, "admin")
    monkeypatch.setenv("PALATINE_ADMIN_TOKEN", former)
    await revoke(former, "--server", house.url)
    result = await to_thread.run_sync(palatine, "revoke", "somebody", "--server", house.url)
    assert (result.exit_code, "shut out" in result.output) == (1, True)


async def test_revoked_client_stops_and_does_not_come_back(house: House) -> None:
    token = await house.token("Anna")
    async with Client(house.url, token) as anna:
        await house.server._app.state.shared.revoke(token, days=1)
        with anyio.fail_after(SOON):
            end = await ended(anna)
    assert end.code == Close.REVOKED


async def ended(client: Client) -> Disconnected:
    try:
        while True:
            await client.list_tables()
    except Disconnected as end:
        return end


@pytest.mark.parametrize("kind", ["guest", "bot"])
async def test_only_administrators_revoke(house: House, kind: Kind) -> None:
    async with house.peer("Anna") as anna, httpx.AsyncClient(base_url=house.url) as client:
        headers = {"authorization": f"Bearer {token_of(house, kind)}"}
        answer = await client.post("/v1/revocations", json={"subject": anna.user}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
        assert isinstance(await anna.do(Ping), Pong)


@pytest.mark.parametrize(
    "body", [{}, {"subject": ""}, {"subject": "x y"}, {"subject": "x" * 2000}, {"subject": "x", "days": 0}, []]
)
async def test_what_is_no_revocation_is_refused(house: House, body: Any) -> None:
    async with httpx.AsyncClient(base_url=house.url) as client:
        headers = {"authorization": f"Bearer {token_of(house, 'admin')}"}
        answer = await client.post("/v1/revocations", json=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


async def test_a_forged_token_revokes_nobody(house: House) -> None:
    async with house.peer("Anna") as anna, httpx.AsyncClient(base_url=house.url) as client:
        headers = {"authorization": f"Bearer {token_of(house, 'admin')}"}
        answer = await client.post("/v1/revocations", json={"subject": anna.token + "x"}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
        assert isinstance(await anna.do(Ping), Pong)


# At the store


async def test_revoking_in_the_file_of_a_server_that_rests(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        token = await house.token("Anna")
    await revoke(token, "--data", str(tmp_path))
    async with running(tmp_path) as house:
        assert await refused(house, token) == ("token_revoked", Close.REVOKED)


async def test_revoking_in_the_file_of_a_server_that_runs_says_what_to_do(house: House) -> None:
    result = await to_thread.run_sync(palatine, "revoke", "somebody", "--data", str(house.settings.data))
    assert result.exit_code == 1
    assert "--server" in result.output


async def test_revoking_at_a_server_that_is_not_there_says_so(house: House) -> None:
    nowhere = "--server", "http://127.0.0.1:9"
    result = await to_thread.run_sync(palatine, "revoke", "somebody", *nowhere, "--admin-token", "any")
    assert result.exit_code == 1
    assert "does not answer" in result.output


async def test_revoking_without_a_token_says_how_to_get_one(house: House) -> None:
    result = await to_thread.run_sync(palatine, "revoke", "somebody", "--server", house.url)
    assert result.exit_code == 1
    assert "palatine token" in result.output


async def test_revoked_on_two_nodes_within_five_seconds(
    tmp_path: Path, valkey: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command writes to the Redis; no node is told."""
    monkeypatch.setenv("PALATINE_SECRET", "known to both nodes")
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(running(tmp_path / name, store=valkey.url)) for name in "ab"]
        token = await nodes[0].token("Anna")
        sockets = [await stack.enter_async_context(node.peer(token=token)) for node in nodes for _ in range(2)]
        berta = await stack.enter_async_context(nodes[1].peer("Berta"))
        table = await opened(sockets[0], 2)
        await revoke(sockets[0].user, "--store", valkey.url, "--data", str(tmp_path))
        began = monotonic()
        assert await asyncio.gather(*map(closed, sockets)) == [Close.REVOKED] * 4
        assert monotonic() - began < SOON
        assert [await refused(node, token) for node in nodes] == [("token_revoked", Close.REVOKED)] * 2
        assert isinstance(await berta.do(Sit, table=table), Done)


# Expiry is like a revocation that was foreseen


async def test_a_token_that_expires_ends_its_connection(house: House) -> None:
    async with house.peer(token=token_of(house)) as anna:
        inside = house.server._app.state.shared
        known = next(iter(inside.connections)).known
        inside.token_signer._now = lambda: known.expires
        assert await closed(anna) == Close.BAD_TOKEN
        async with raw(house.url) as again:
            await again.hello(anna.token)
            assert await again.end() == Close.BAD_TOKEN


def test_nobody_is_let_in_before_it_is_known_who_was_revoked() -> None:
    token_signer = TokenSigner("secret", time)
    door = Admission(Settings(), token_signer, monotonic)
    token, user = token_signer.create_token("Anna")
    with pytest.raises(Refused) as refusal:
        door.admit(token)
    assert refusal.value.code == "try_again"
    door.revoked = frozenset()
    assert door.admit(token) == user
