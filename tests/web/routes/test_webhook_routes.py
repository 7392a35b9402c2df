"""HTTP: saying where one wants to be told, and being told."""

import logging
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from server_fixture import House, Peer, opened, running
from webhooks.receiver import receiving

from palatine_client import connect, is_genuine
from palatine_protocol import messages
from palatine_protocol.costs import Cost

HERE: dict[str, Any] = {"webhooks": "http", "webhook_networks": ["127.0.0.0/8"], "webhook_grace": 0.0}


@pytest.fixture
async def house(tmp_path: Path) -> Any:
    async with running(tmp_path) as house:
        yield house


async def asked(
    house: House, method: str, token: str | None, path: str = "/v1/webhook", **given: Any
) -> httpx.Response:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(base_url=house.url) as client:
        return await client.request(method, path, headers=headers, **given)


async def test_a_webhook_is_made_shown_replaced_and_removed(house: House) -> None:
    token, other = await house.token("Anna"), await house.token("Berta")
    assert (await asked(house, "GET", token)).status_code == 404
    made = (await asked(house, "PUT", token, json={"url": "https://hooks.example/one"})).json()
    assert made["url"] == "https://hooks.example/one"
    assert len(made["secret"]) > 40
    shown = (await asked(house, "GET", token)).json()
    assert shown == {"url": made["url"], "expires": made["expires"]}  # the secret is shown once
    assert (await asked(house, "GET", other)).status_code == 404
    again = (await asked(house, "PUT", token, json={"url": "https://hooks.example/one"})).json()
    assert again["secret"] != made["secret"]
    assert (await asked(house, "DELETE", token)).status_code == 204
    assert (await asked(house, "DELETE", token)).status_code == 204
    assert (await asked(house, "GET", token)).json()["code"] == "no_webhook"


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_without_a_token_nothing_is_possible(house: House, method: str) -> None:
    assert (await asked(house, method, None)).status_code == 401
    assert (await asked(house, method, "nonsense")).status_code == 401


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"url": "https://127.0.0.1/"}, "bad_webhook"),
        ({"url": "http://hooks.example/"}, "bad_webhook"),
        ({"url": "https://hooks.example:6379/"}, "bad_webhook"),
        ({"url": "https://hooks.example/" + "x" * 2000}, "malformed"),
        ({"url": 5}, "malformed"),
        ({}, "malformed"),
    ],
)
async def test_what_leads_nowhere_is_refused(house: House, body: Any, code: str) -> None:
    answer = await asked(house, "PUT", await house.token("Anna"), json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert "127.0.0.1" not in answer.text


async def test_a_house_may_have_none(tmp_path: Path) -> None:
    async with running(tmp_path, webhooks="off") as house:
        answer = await asked(house, "PUT", await house.token("Anna"), json={"url": "https://hooks.example/"})
        assert answer.status_code == 403


async def test_requests_are_limited(tmp_path: Path) -> None:
    async with running(tmp_path, burst=3 * Cost.EXPENSIVE, rate=1e-6) as house:
        token = await house.token("Anna")
        answers = [await asked(house, "GET", token) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [404, 404, 404, 429]


async def test_who_left_is_told_that_it_is_his_turn_and_no_log_knows_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("palatine_server.webhooks.dispatcher.SETTLE", 0)
    caplog.set_level(logging.DEBUG)
    async with receiving() as receiver, running(tmp_path, **HERE) as house, house.peer("Anna") as anna:
        table = await opened(anna, 2, game="palais_royal")
        await anna.do(messages.Sit, table=table)
        token = await house.token("Berta")
        async with house.peer(token=token) as berta:
            await berta.do(messages.Sit, table=table)
        made = (await asked(house, "PUT", token, json={"url": f"{receiver.url}&key=canary"})).json()
        await asked(house, "PUT", anna.token, json={"url": f"{receiver.url}&key=anna"})
        await anna.do(messages.Start, table=table)
        await anna.do(messages.Watch, table=table)
        shown = await anna.until(messages.Snapshot)
        if shown.waiting[0].seat == 0:
            await anna.do(messages.Leave, table=table)  # a bot plays on
        (letter,) = await receiver.until(1)
        assert "key=canary" in letter.line
        assert (letter.event["table"], letter.event["seat"]) == (table, 1)
        assert made["secret"] not in caplog.text
    assert "canary" not in caplog.text


# Of a table

ONE, TWO = {"url": "https://hooks.example/one"}, {"url": "https://hooks.example/two"}


async def table_with(house: House, stack: AsyncExitStack, *names: str, **given: Any) -> tuple[str, list[Peer]]:
    """A table at which all of these sit but the first, who is its host."""
    peers = [await stack.enter_async_context(house.peer(name)) for name in names]
    table = await opened(peers[0], 3, game="palais_royal", **given)
    invitation = (await peers[0].do(messages.Invite, table=table)).invitation
    for peer in peers[1:]:
        assert isinstance(await peer.do(messages.Sit, table=table, invitation=invitation), messages.Done)
    return f"/v1/tables/{table}/webhook", peers


async def test_who_sits_at_a_table_gives_it_a_webhook_and_the_host_may_take_it_away(house: House) -> None:
    async with AsyncExitStack() as stack:
        path, (anna, berta, carla) = await table_with(house, stack, "Anna", "Berta", "Carla")
        assert (await asked(house, "GET", berta.token, path)).status_code == 404
        made = (await asked(house, "PUT", berta.token, path, json=ONE)).json()
        assert (made["url"], made["yours"], len(made["secret"]) > 40) == (ONE["url"], True, True)
        shown = (await asked(house, "GET", berta.token, path)).json()
        assert shown == {"url": ONE["url"], "expires": made["expires"], "yours": True}
        for other in (anna, carla):  # such addresses are often secrets
            assert (await asked(house, "GET", other.token, path)).json() == {"expires": made["expires"], "yours": False}
        for method in ("PUT", "DELETE"):
            refused = await asked(house, method, carla.token, path, json=TWO)
            assert (refused.status_code, refused.json()["code"]) == (403, "not_the_host")
        assert (await asked(house, "PUT", anna.token, path, json=TWO)).json()["url"] == TWO["url"]
        assert (await asked(house, "DELETE", anna.token, path)).status_code == 204
        assert (await asked(house, "GET", berta.token, path)).json()["code"] == "no_webhook"
        assert (await asked(house, "PUT", carla.token, path, json=ONE)).status_code == 200


@pytest.mark.parametrize(
    ("visibility", "status", "code"), [("public", 403, "not_seated"), ("private", 404, "no_such_table")]
)
async def test_strangers_have_nothing_to_do_with_the_webhook_of_a_table(
    house: House, visibility: str, status: int, code: str
) -> None:
    async with AsyncExitStack() as stack:
        path, _ = await table_with(house, stack, "Anna", "Berta", visibility=visibility)
        token = await house.token("Stranger")
        for method in ("GET", "PUT", "DELETE"):
            refused = await asked(house, method, token, path, json=ONE)
            assert (refused.status_code, refused.json()["code"]) == (status, code)


async def test_a_table_leads_into_no_private_network(house: House) -> None:
    async with AsyncExitStack() as stack:
        path, (anna,) = await table_with(house, stack, "Anna")
        refused = await asked(house, "PUT", anna.token, path, json={"url": "https://10.0.0.1/"})
        assert (refused.status_code, refused.json()["code"]) == (400, "bad_webhook")


async def test_a_bot_hears_at_one_place_whose_turn_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palatine_server.webhooks.dispatcher.SETTLE", 0)
    async with AsyncExitStack() as stack:
        receiver = await stack.enter_async_context(receiving())
        house = await stack.enter_async_context(running(tmp_path, **HERE))
        async with connect(house.url, name="Anna") as anna, connect(house.url, name="Berta") as berta:
            table = await anna.create("palais_royal", 2)
            await table.sit()
            await (await berta.join(table.id)).sit()
            assert await anna.webhooks.get(table.id) is None
            hook = await anna.webhooks.put(receiver.url, table.id)
            shown = await berta.webhooks.get(table.id)
            assert shown is not None
            assert (shown.url, shown.secret, shown.yours) == ("", "", False)
            await table.start()
        (letter,) = await receiver.until(1)
        event = letter.event
        assert (event["event"], event["name"]) == ("turn", ["Anna", "Berta"][event["seat"]])
        header = letter.headers["palatine-signature"]
        assert is_genuine(header, letter.body, hook.secret)
        assert not is_genuine(header, letter.body + b" ", hook.secret)
        assert not is_genuine(header, letter.body, hook.secret, now=time.time() + 301)
        assert not is_genuine("t=now", letter.body, hook.secret)
