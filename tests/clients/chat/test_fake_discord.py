"""The fake Discord refuses what Discord refuses, in the words of its documentation."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from palatine_client.chat.fake_discord import limits, rate_limits, server
from palatine_client.chat.fake_discord.command_limits import check_commands
from palatine_client.chat.fake_discord.component_limits import check_modal
from palatine_client.chat.fake_discord.payload_checks import BadPayload
from palatine_client.chat.fake_discord.server import FakeDiscord, InteractionFailed

from .discord_fixture import FAST, GUILD, serving

USER = {"id": "9", "username": "ada"}


def button(custom_id: str = "x", **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "go", "custom_id": custom_id, **more}


def row(*components: Any) -> dict[str, Any]:
    return {"type": 1, "components": [*components]}


def select(count: int = 2, **more: Any) -> dict[str, Any]:
    options = [{"label": str(at), "value": str(at)} for at in range(count)]
    return {"type": 3, "custom_id": "s", "options": options, **more}


GOOD: list[dict[str, Any]] = [
    {"content": "x" * 2000},
    {"content": "x", "components": [row(*(button(f"{at}{of}") for of in range(5))) for at in range(5)]},
    {"content": "x", "components": [row(select(25, min_values=0, max_values=25))]},
    {"content": "x", "components": [row(button("c" * 100))]},
    {"embeds": [{"title": "t" * 256, "description": "d" * 4096}]},
    {"flags": 1 << 15, "components": [row(button(str(at))) for at in range(20)]},
    {"flags": 1 << 15, "components": [{"type": 17, "components": [{"type": 10, "content": "x"}]}]},
    {"content": "x", "components": [row({"type": 5, "custom_id": "u", "max_values": 25})]},
    {"content": "x", "components": [row({"type": 2, "style": 5, "label": "go", "url": "https://x.example"})]},
    {"content": "x", "components": [row({"type": 2, "style": 6, "sku_id": "1"})]},
]
BAD: list[dict[str, Any]] = [
    {},
    {"content": "x" * 2001},
    {"content": 5},
    {"embeds": [{"title": "t" * 257}]},
    {"embeds": [{"description": "d" * 4097}]},
    {"embeds": [{"description": "d" * 4000}, {"description": "d" * 2001}]},
    {"embeds": [{"description": "d"}] * 11},
    {"content": "x", "components": [row(button(str(at))) for at in range(6)]},
    {"content": "x", "components": [row(*(button(str(at)) for at in range(6)))]},
    {"content": "x", "components": [row(button("c" * 101))]},
    {"content": "x", "components": [row(button(""))]},
    {"content": "x", "components": [row(button("a"), button("a"))]},
    {"content": "x", "components": [row(button(label="l" * 81))]},
    {"content": "x", "components": [row(button(), select())]},
    {"content": "x", "components": [row(select(26))]},
    {"content": "x", "components": [row(select(0))]},
    {"content": "x", "components": [row(select(2, max_values=3))]},
    {"content": "x", "components": [row(select(2, min_values=3))]},
    {"content": "x", "components": [row(select(placeholder="p" * 151))]},
    {"content": "x", "components": [button()]},
    {"flags": 1 << 15, "components": [row(button(str(at))) for at in range(21)]},
    {"flags": 1 << 15, "content": "x", "components": [row(button())]},
    {"content": "x", "attachments": [{"id": 0, "filename": "a.png"}]},
    {"content": "x", "nonce": "n" * 26},
    {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
    {"content": "x", "embeds": "no list"},
    {"content": "x", "components": [{"type": 1}]},
    {"content": " \n"},
    {"embeds": [{"color": 1}]},
    {"embeds": [{"fields": [{"name": " ", "value": "x"}]}]},
    {"content": "x", "components": [row({"type": 4, "custom_id": "t", "style": 1})]},
    {"content": "x", "components": [row(button(url="https://x.example"))]},
    {"content": "x", "components": [row({"type": 2, "style": 6, "sku_id": "1", "label": "go"})]},
    {"content": "x", "components": [row({"type": 5, "custom_id": "u", "max_values": 26})]},
    {"flags": 1 << 15, "components": [button()]},
    {"flags": 1 << 15, "components": [{"type": 10, "content": "x" * 4001}]},
    {"flags": 1 << 15, "components": [{"type": 9, "components": [{"type": 10, "content": "x"}]}]},
    {"flags": 1 << 15, "components": [{"type": 17, "components": []}]},
]


@pytest.mark.parametrize("body", GOOD)
def test_a_message_at_the_limits_is_taken(body: dict[str, Any]) -> None:
    limits.check_message(body)


@pytest.mark.parametrize("body", BAD, ids=range(len(BAD)))
def test_a_message_beyond_a_limit_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadPayload):
        limits.check_message(body)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "components", "options", "embeds", "flags", "name", "data", "custom_id"]), inner
        )
    ),
    max_leaves=8,
)


@given(plain)
def test_any_payload_is_taken_or_refused(body: Any) -> None:
    for check in (limits.check_message, check_modal, check_commands):
        try:
            check(body)
        except BadPayload:
            continue


def test_a_modal_and_a_command_have_limits() -> None:
    field = {"type": 4, "custom_id": "f", "label": "l", "style": 1}
    check_modal({"custom_id": "m", "title": "t", "components": [row(field)]})
    for bad in ({"title": "t" * 46}, {"components": []}, {"components": [row(field)] * 6}, {"custom_id": "m" * 101}):
        with pytest.raises(BadPayload):
            check_modal({"custom_id": "m", "title": "t", "components": [row(field)], **bad})
    with pytest.raises(BadPayload):
        check_commands([{"name": "Upper", "description": "d"}])


def label(component: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": 18, "label": "l", "component": {"custom_id": "f", **component}, **more}


CHOICES = [{"label": str(at), "value": str(at)} for at in range(10)]


@pytest.mark.parametrize(
    "field",
    [
        label({"type": 4, "style": 1}),
        label(select()),
        label({"type": 21, "options": CHOICES}),
        label({"type": 22, "options": CHOICES, "min_values": 0, "required": False}),
        label({"type": 23}),
        label({"type": 19, "max_values": 10}),
        {"type": 10, "content": "x"},
    ],
)
def test_a_modal_has_fields_of_all_kinds(field: dict[str, Any]) -> None:
    check_modal({"custom_id": "m", "title": "t", "components": [field]})


@pytest.mark.parametrize(
    "field",
    [
        label({"type": 4, "style": 1}, label="l" * 46),
        label({"type": 4, "style": 1, "label": "l"}),
        label({"type": 4, "style": 1, "value": "v" * 4001}),
        label({"type": 4, "style": 1}, description="d" * 101),
        label(select(disabled=True)),
        label(select(min_values=0)),
        label({"type": 21, "options": CHOICES[:1]}),
        label({"type": 22, "options": [*CHOICES, {"label": "x", "value": "x"}]}),
        label({"type": 19, "max_values": 11}),
        label(button()),
        row(select()),
    ],
)
def test_a_modal_with_a_wrong_field_is_refused(field: dict[str, Any]) -> None:
    with pytest.raises(BadPayload):
        check_modal({"custom_id": "m", "title": "t", "components": [field]})


def command(*options: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"name": "c", "description": "d", "options": [*options], **more}]


def option(kind: int, *options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": kind, "name": f"o{kind}", "description": "d", "options": [*options], **more}


def test_commands_are_nested_as_discord_allows() -> None:
    choice = {"name": "n", "value": "v"}
    check_commands(command(option(2, option(1, option(3, choices=[choice] * 25)))))
    for bad in (
        command(option(1, option(1))),
        command(option(2, option(3))),
        command(option(1), option(3)),
        command(option(3, choices=[choice] * 26)),
        command(option(3, choices=[choice], autocomplete=True)),
        command(option(5, choices=[choice])),
        command(option(3, choices=[{"name": "n", "value": "v" * 101}])),
        command(name_localizations={"xx": "c"}),
    ):
        with pytest.raises(BadPayload):
            check_commands(bad)


def test_an_answer_fits_its_interaction() -> None:
    suggestion = {"name": "n", "value": 1}
    limits.check_response({"type": 8, "data": {"choices": [suggestion] * 25}}, limits.AUTOCOMPLETE)
    limits.check_response({"type": 6}, limits.MODAL, has_message=True)
    for answer, kind in (({"type": 8, "data": {"choices": [suggestion] * 26}}, 4), ({"type": 6}, 5), ({"type": 7}, 2)):
        with pytest.raises(BadPayload):
            limits.check_response(answer, kind, has_message=False)


# The sender of interactions


def build_app(*, delay: float = 0.0, answer: Any = None, checks: bool = True) -> Starlette:
    """Return an app that answers everything in the same way; without checks, also wrong signatures."""

    async def reply(request: Request) -> Response:
        await asyncio.sleep(delay)
        body = await request.json()
        signature = request.headers["x-signature-ed25519"]
        if checks and signature in ("", "00" * 64):
            return Response(status_code=401)
        return JSONResponse({"type": 1} if body["type"] == 1 else answer)

    return Starlette(routes=[Route("/", reply, methods=["POST"])])


async def test_the_endpoint_is_verified_as_discord_does() -> None:
    fake = FakeDiscord()
    async with serving(build_app()) as careful, serving(build_app(checks=False)) as careless:
        fake.endpoint = careful + "/"
        await fake.verify_endpoint()
        fake.endpoint = careless + "/"
        with pytest.raises(InteractionFailed, match="401"):
            await fake.verify_endpoint()
    await fake.close()


async def test_a_late_or_wrong_answer_fails() -> None:
    fake = FakeDiscord()
    channel = fake.state.add_channel(GUILD, "games")
    data = {"type": 4, "data": {"content": "x"}}
    async with serving(build_app(delay=0.3, answer=data)) as late, serving(build_app(answer={"type": 7})) as wrong:
        fake.endpoint, fake.answer_within = late + "/", 0.1
        with pytest.raises(InteractionFailed, match="in time"):
            await fake.command(USER, GUILD, channel, "new")
        fake.endpoint, fake.answer_within = wrong + "/", 60
        with pytest.raises(InteractionFailed, match="cannot be answered"):
            await fake.command(USER, GUILD, channel, "new")
    await fake.close()


async def test_a_token_lives_for_fifteen_minutes_and_a_nonce_for_five() -> None:
    now = 1000.0
    fake = FakeDiscord(now=lambda: now, per_route=FAST)
    channel = fake.state.add_channel(GUILD, "games")
    interaction, _ = fake.begin_interaction(2, USER, GUILD, channel, {}, "de")
    fake.state.apply_response(interaction, {"type": 5, "data": {"flags": 64}})
    async with serving(fake.create_app()) as api, httpx.AsyncClient(base_url=f"{api}/api/v10") as http:
        path = f"/webhooks/{fake.application}/{interaction.token}/messages/@original"
        assert (await http.patch(path, json={"content": "x"})).status_code == 200
        http.headers["authorization"] = f"Bot {fake.token}"
        posts = f"/channels/{channel}/messages"
        body = {"content": "y", "nonce": "n", "enforce_nonce": True}
        first = (await http.post(posts, json=body)).json()["id"]
        assert (await http.post(posts, json=body)).json()["id"] == first
        now += 301
        assert (await http.post(posts, json=body)).json()["id"] != first
        now += 600
        late = await http.patch(path, json={"content": "x"})
        assert (late.status_code, late.json()["code"]) == (401, 50027)
        assert (await http.post(posts, json={"content": "x", "flags": 64})).status_code == 400


async def test_what_only_an_interaction_may_do() -> None:
    now = 1000.0
    fake = FakeDiscord(now=lambda: now, per_route=FAST)
    channel = fake.state.add_channel(GUILD, "games")
    interaction, _ = fake.begin_interaction(2, USER, GUILD, channel, {}, "de")
    late, _ = fake.begin_interaction(2, USER, GUILD, channel, {}, "de")
    async with serving(fake.create_app()) as api, httpx.AsyncClient(base_url=f"{api}/api/v10") as http:
        answer, first = (
            {"type": 4, "data": {"content": "x", "flags": 64}},
            f"/interactions/1/{interaction.token}/callback",
        )
        hook = f"/webhooks/{fake.application}/{interaction.token}"
        assert (await http.post(hook, json={"content": "x"})).json()["code"] == 10015  # nothing before the first answer
        assert (await http.post(first, json=answer)).status_code == 204
        assert (await http.post(first, json=answer)).json()["code"] == 40060
        fake.is_user_installed = True
        codes = [(await http.post(hook, json={"content": "x"})).status_code for _ in range(6)]
        assert codes == [200] * 5 + [400]
        assert (await http.patch(f"{hook}/messages/@original", json={"content": ""})).json()["code"] == 50006
        now += 4
        assert (await http.post(f"/interactions/1/{late.token}/callback", json=answer)).json()["code"] == 10062
        http.headers["authorization"] = f"Bot {fake.token}"
        assert interaction.original
        private = f"/channels/{channel}/messages/{interaction.original['id']}"
        tries = [await http.get(private), await http.patch(private, json={"content": "y"}), await http.delete(private)]
        tries.append(await http.post(f"{private}/threads", json={"name": "t"}))
        assert {each.json()["code"] for each in tries} == {10008}
        fake.state.restart_client(USER["id"])
        assert interaction.original not in fake.state.list_visible(channel, USER["id"])


async def test_an_app_that_accepts_a_wrong_signature_is_found_out() -> None:
    fake = FakeDiscord()
    channel = fake.state.add_channel(GUILD, "games")
    async with serving(build_app(answer={"type": 4, "data": {"content": "x"}}, checks=False)) as careless:
        fake.endpoint = careless + "/"
        for _ in range(server.PROBE_EVERY - 1):
            await fake.command(USER, GUILD, channel, "new")
        with pytest.raises(InteractionFailed, match="401"):
            await fake.command(USER, GUILD, channel, "new")
    assert fake.violations == ["a wrong signature is not refused with 401"]
    await fake.close()


async def test_a_person_cannot_send_what_a_form_forbids() -> None:
    fake = FakeDiscord()
    message = fake.state.add_message(fake.state.add_channel(GUILD, "games"), {"content": "x"}, {})
    modal = {"custom_id": "m", "title": "t", "components": [label({"type": 4, "style": 1, "max_length": 3})]}
    for fields in ({"f": "long"}, {"f": ""}, {"g": "x"}, {}):
        with pytest.raises(InteractionFailed, match="form"):
            await fake.submit(USER, message, modal, fields)


async def test_requests_are_counted_by_route_by_bot_and_when_they_are_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    fake = FakeDiscord(now=lambda: now)
    channels = [fake.state.add_channel(GUILD, str(at)) for at in range(12)]
    headers = {"authorization": f"Bot {fake.token}"}
    async with serving(fake.create_app()) as api, httpx.AsyncClient(base_url=f"{api}/api/v10", headers=headers) as http:

        async def post(channel: str) -> httpx.Response:
            return await http.post(f"/channels/{channel}/messages", json={"content": "x"})

        answers = [await post(channels[0]) for _ in range(6)]
        assert [each.status_code for each in answers] == [200] * 5 + [429]
        assert answers[0].headers["x-ratelimit-remaining"] == "4"
        assert answers[5].json()["retry_after"] == 5.0
        codes = [(await post(channel)).json().get("global") for channel in channels[1:] for _ in range(5)]
        assert codes.count(True) == 55 + 6 - 50
        monkeypatch.setattr(rate_limits, "MOST_INVALID", (12, 600.0))
        now += 10
        assert (await post(channels[0])).status_code == 200
        http.headers["authorization"] = "Bot wrong"
        assert (await post(channels[0])).status_code == 401
        http.headers["authorization"] = f"Bot {fake.token}"
        assert (await post(channels[0])).text == "error code: 1015"
