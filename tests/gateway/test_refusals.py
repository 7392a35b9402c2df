"""Refusals: the code, the sentence and the path fit the mistake, and a wrong value does not end a connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from server_fixture import JSON, MSGPACK, House, Peer, opened, running, seated
from websockets.exceptions import ConnectionClosed

from palatine_protocol import messages
from palatine_protocol.messages import Act, Created, Done, Refused, Sit

each_wire = pytest.mark.parametrize("wire", [JSON, MSGPACK])


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path) as house:
        yield house


async def send(peer: Peer, **message: Any) -> Any:
    """Send any message, also one that is wrong, and return the next reply."""
    frame = peer.codec.encode(message)
    await peer.socket.send(frame.decode() if peer.codec.is_text else frame)
    return await peer.reply_to(message.get("id", ""))


@each_wire
async def test_wrong_values_never_end_the_connection(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        for number in range(3 * house.settings.bad_frames):
            refused = await send(anna, type="sit", id=f"w{number}")
            assert (refused.code, refused.path) == ("malformed", "$.table")
            refused = await send(anna, type="dance", id=f"d{number}")
            assert (refused.code, refused.path) == ("unknown_request", "$.type")
        assert isinstance(await anna.do(messages.Ping), messages.Pong)


@each_wire
async def test_unreadable_frames_do(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        for _ in range(house.settings.bad_frames):
            await anna.socket.send("{" if wire == JSON else b"\xc1")
        await anna.until(messages.Bye)
        with pytest.raises(ConnectionClosed):
            await anna.receive()
        assert anna.socket.close_code == 4005


@each_wire
@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"takeback": "perhaps"}, "$.options.takeback"),
        ({"ages": [30, "old"]}, "$.options.ages[1]"),
        ({"seniority": [0, 0]}, "$.options.seniority"),
        ({"reseat": 1.5}, "$.options.reseat"),
    ],
)
async def test_a_wrong_option_is_named(house: House, wire: str, options: dict[str, Any], path: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        refused = await send(anna, type="create", id="c1", game="between_two_castles", seats=2, options=options)
        assert (refused.code in ("malformed", "bad_option"), refused.path) == (True, path)
        table = await opened(anna, 2)
        refused = await send(anna, type="change", id="c2", table=table, options=options)
        assert refused.path == path


@each_wire
async def test_unknown_keys_are_ignored_in_requests_options_actions_and_questions(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        options = {"finite_supply": True, "weather": "mild"}
        created = await send(anna, type="create", id="c1", game="palais_royal", seats=2, more=1, options={"weather": 1})
        assert isinstance(created, Created)
        (table,) = await seated([anna], bots=1, options=options)
        await table.until_version(3)
        assert table.info["options"] == {"finite_supply": True}
        assert table.offer
        action = {**table.offer.choices[0].nth(0), "weather": "mild"}
        assert isinstance(await anna.do(Act, table=table.id, offer=0, action=action), Done)
        explained = await anna.do(messages.Explain, table=table.id)
        question = {**explained.questions[0].nth(0), "weather": "mild"}
        answer = await anna.do(messages.Explain, table=table.id, question=question)
        assert isinstance(answer, messages.Explained), answer


@each_wire
async def test_each_mistake_has_its_own_code(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        (table,) = await seated([anna], bots=1)
        await table.until_version(3)
        assert table.offer
        action = table.offer.choices[0].nth(0)

        async def code(kind: type[messages.AtTable], **given: Any) -> tuple[str, str]:
            refused = await anna.do(kind, table=table.id, **given)
            assert isinstance(refused, Refused)
            return refused.code, refused.path

        assert await code(Sit) == ("already_seated", "")
        assert await code(Sit, seat=0) == ("already_seated", "")
        assert await code(Act, offer=7, action=action) == ("no_such_offer", "")
        assert await code(Act, offer=0, action={"do": "dance"}) == ("no_such_action", "$.action.do")
        assert await code(Act, offer=0, action={"do": "choose", "tiles": "all"}) == ("malformed", "$.action.tiles")
        assert await code(Act, offer=0, action={"do": "choose"}) == ("malformed", "$.action.tiles")
        assert await code(Act, offer=0, action={}) == ("malformed", "$.action.do")
        assert isinstance(await anna.do(Act, table=table.id, offer=0, action=action), Done)
        assert await code(Act, offer=0, action=action) == ("stale_offer", "")


@each_wire
async def test_an_id_is_not_used_for_another_kind_of_request_or_another_table(house: House, wire: str) -> None:
    async with house.peer("Anna", wire=wire) as anna:
        created = await anna.ask(messages.Create(id="one", game="between_two_castles", seats=2))
        other = await opened(anna, 2)
        for request in (
            Sit(id="one", table=created.table),
            messages.ListTables(id="one"),
            messages.Ping(id="one"),
        ):
            assert (await anna.ask(request)).code == "request_id_reused"
        assert isinstance(await anna.ask(Sit(id="two", table=created.table)), Done)
        assert isinstance(await anna.ask(Sit(id="two", table=created.table)), Done), "a repeated request is no mistake"
        assert (await anna.ask(Sit(id="two", table=other))).code == "request_id_reused"
        again = await anna.ask(messages.Create(id="one", game="between_two_castles", seats=2))
        assert again.table == created.table


# Over HTTP


async def test_over_http_the_path_is_in_the_body(house: House) -> None:
    async with httpx.AsyncClient(base_url=house.url) as client:
        answer = await client.post("/v1/guests", json={"name": 7})
        assert (answer.status_code, answer.json()["code"], answer.json()["path"]) == (400, "malformed", "$.name")
        answer = await client.post("/v1/guests", content=b"{")
        assert (answer.json()["code"], "path" in answer.json()) == ("malformed", False)
        token = {"authorization": f"Bearer {await house.token('Anna')}"}
        answer = await client.put("/v1/webhook", json={}, headers=token)
        assert (answer.json()["code"], answer.json()["path"]) == ("malformed", "$.url")


async def test_over_http_a_name_that_is_too_long_is_refused(house: House) -> None:
    async with httpx.AsyncClient(base_url=house.url) as client:
        answer = await client.post("/v1/guests", json={"name": "A" * 25})
        assert (answer.status_code, answer.json()["code"], answer.json()["path"]) == (400, "bad_name", "$.name")
        assert (await client.post("/v1/guests", json={"name": f"  {'A' * 24}  "})).json()["name"] == "A" * 24


async def test_over_http_a_limit_says_when_in_milliseconds_and_in_the_header_in_seconds(tmp_path: Path) -> None:
    async with running(tmp_path, guests_per_minute=1) as house, httpx.AsyncClient(base_url=house.url) as client:
        await client.post("/v1/guests")
        answer = await client.post("/v1/guests")
        assert answer.status_code == 429
        assert 0 < answer.json()["retry_after_ms"] <= 1000 * int(answer.headers["retry-after"])
