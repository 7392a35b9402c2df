"""Discord's bad days: deleted messages, threads and channels, lost permissions, limits, errors; the app recovers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from palatine_client.chat.chat_memory import TableRecord
from palatine_client.chat.discord import poster, rest_client
from palatine_client.chat.discord.rest_client import DiscordBusy, DiscordRefused, DiscordRest
from palatine_client.chat.discord.routes import DiscordRoutes
from palatine_client.chat.fake_discord.random_person import read_embeds
from palatine_client.chat.fake_discord.rate_limits import Window
from palatine_client.chat.fake_discord.server import FakeDiscord
from palatine_client.chat.messages.phrases import phrase
from palatine_client.render.svg.view import PictureView

from .discord_fixture import FAST, GUILD, Stage, serving, staged
from .discord_players import Player, begin_game

Message = dict[str, Any]


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the app try again soon."""
    monkeypatch.setattr(poster, "FIRST_PAUSE", 0.2)
    monkeypatch.setattr(poster, "RETRY_AFTER", 0.1)
    monkeypatch.setattr(poster, "CHECK_EVERY", 0.1)


async def until(holds: Callable[[], Any]) -> None:
    with anyio.fail_after(20):
        while not holds():
            await anyio.sleep(0.01)


async def find_record(stage: Stage) -> TableRecord:
    assert stage.memory
    [record] = await stage.memory.list_tables()
    return record


async def settle(stage: Stage, post: Message) -> None:
    """Wait until the message shows the newest state of the table."""
    [followed] = stage.poster._tables.values()
    with anyio.fail_after(20):
        while not (followed.view and followed.view.version == (await find_record(stage)).posted):
            await anyio.sleep(0.02)


def list_posts(stage: Stage, thread: str) -> list[Message]:
    return stage.fake.state.list_visible(thread, "")


# Deleted and forbidden


async def test_a_deleted_message_is_posted_again_in_its_thread(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        await settle(stage, post)
        stage.fake.state.remove_message(post["channel_id"], post["id"])
        await Player(stage, 0, post, 1).take_turn()
        await until(lambda: list_posts(stage, post["channel_id"]))
        [again] = list_posts(stage, post["channel_id"])
        assert again["id"] != post["id"]
        assert phrase("en", "news") in read_embeds(again)


async def test_a_deleted_thread_is_opened_again_under_a_new_announcement(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        await settle(stage, post)
        stage.fake.state.remove_channel(post["channel_id"])
        await stage.command(0, "leave")
        await until(lambda: [each for each in stage.fake.state.channels.values() if each["type"] == 11])
        again = await stage.find_post()
        assert again["channel_id"] != post["channel_id"]
        assert (await find_record(stage)).losses == 1


async def test_a_deleted_channel_ends_the_posts_but_not_the_game(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        await settle(stage, post)
        [table] = stage.poster._tables
        stage.fake.state.remove_channel(post["channel_id"])
        stage.fake.state.remove_channel(stage.channel)
        elsewhere = stage.fake.state.add_channel(GUILD, "elsewhere")
        data = {"custom_id": f"p1:{table}:hand", "component_type": 2}
        hand = await stage.fake.interact(3, stage.user(0), GUILD, elsewhere, data, "en-US", None)
        assert phrase("en", "your turn") in read_embeds(hand) or phrase("en", "may act") in read_embeds(hand)
        data["custom_id"] = f"p1:{table}:leave"
        await stage.fake.interact(3, stage.user(0), GUILD, elsewhere, data, "en-US", None)
        await until(lambda: not stage.poster._tables)
        assert (await find_record(stage)).is_lost
        sent = stage.fake.requests
        await anyio.sleep(0.5)  # five checks
        assert stage.fake.requests == sent


async def test_a_forbidden_channel_is_asked_ever_more_rarely_and_used_when_it_is_open_again(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.command(0, "new", game="palais_royal", seats=2)
        post = await stage.find_post()
        await settle(stage, post)
        thread, sent = post["channel_id"], stage.fake.requests
        stage.fake.state.close_channel(thread)
        await stage.command(1, "join", thread)
        await until(lambda: stage.fake.requests >= sent + 2)
        sent = stage.fake.requests
        await anyio.sleep(0.5)
        assert stage.fake.requests <= sent + 2
        stage.fake.state.close_channel(thread, is_closed=False)
        await until(lambda: "Person 1" in read_embeds(post))


async def test_people_hear_which_permissions_the_app_lacks(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        stage.fake.state.close_channel(stage.channel)
        told = read_embeds(await stage.command(0, "new", game="palais_royal", seats=2))
        assert "View Channels" in told
        assert "Send Messages in Threads" in told
        assert "Öffentliche Threads erstellen" in read_embeds(await stage.command(1, "new", game="noblemen", seats=3))
        stage.fake.state.channels[stage.channel] |= {"is_closed": False, "type": 2}
        told = read_embeds(await stage.command(1, "new", game="palais_royal", seats=2))
        assert phrase("de", "text channel") in told
        assert stage.memory
        assert await stage.memory.list_tables() == []
        assert stage.fake.requests == 0


async def test_a_table_that_is_opened_in_a_thread_gets_its_own_thread_in_the_channel(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.command(0, "new", game="palais_royal", seats=2)
        first = await stage.find_post()
        await stage.command(1, "new", first["channel_id"], game="noblemen", seats=3)
        second = await stage.find_post(2)
        assert second["channel_id"] != first["channel_id"]
        assert len(list_posts(stage, stage.channel)) == 2
        assert stage.fake.violations == []


async def test_an_archived_thread_is_opened_for_an_edit(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        await settle(stage, post)
        stage.fake.state.archive_thread(post["channel_id"])
        edits = len(post["history"])
        await Player(stage, 0, post, 1).take_turn()
        await until(lambda: len(post["history"]) > edits)
        assert not stage.fake.state.channels[post["channel_id"]]["thread_metadata"]["archived"]


async def test_a_spectator_whose_token_has_expired_is_replaced(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        await settle(stage, post)
        backend, posted = stage.poster._backend, (await find_record(stage)).posted
        [ended] = backend._spectators
        await ended.client.__aexit__(None, None, None)  # as after the server has closed it for good
        await Player(stage, 0, post, 1).take_turn()
        with anyio.fail_after(20):
            while (await find_record(stage)).posted <= posted:
                await anyio.sleep(0.02)
        [present] = backend._spectators
        assert present is not ended
        assert present.tables == {*stage.poster._tables}


async def test_a_picture_that_overtakes_its_message_is_sent_again(tmp_path: Path) -> None:
    async def draw_at_once(view: PictureView, asker: str) -> bytes:
        return b"a picture"

    async with staged(tmp_path, draw_at_once) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        data = {"name": "palatine", "options": [{"name": "hand", "type": 1, "options": []}]}
        user, thread = stage.user(0), post["channel_id"]
        interaction, body = stage.fake.begin_interaction(2, user, GUILD, thread, data, "en-US")
        answer = await stage.fake.post(json.dumps(body).encode())
        sent = stage.fake.requests
        await until(lambda: stage.fake.requests > sent)  # the picture comes before Discord has read the answer
        shown = stage.fake.apply(interaction, 2, answer.json())
        await until(lambda: shown["attachments"])


# Errors and limits


async def test_errors_and_limits_of_discord_delay_a_post_and_lose_none(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        stage.fake.faults = [503, 429, 500, 0, 502, 504, 429]
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        await settle(stage, post)
        assert stage.fake.faults == []
        assert len([each for each in stage.fake.state.channels.values() if each["type"] == 11]) == 1
        assert list_posts(stage, post["channel_id"]) == [post]
        assert len(list_posts(stage, stage.channel)) == 1


async def test_discord_is_away_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_client, "ATTEMPTS", 2)
    async with staged(tmp_path) as stage:
        stage.fake.faults = [500] * 7
        assert read_embeds(await begin_game(stage, "palais_royal", 2, bots=1))


async def test_edits_keep_to_the_rate_limit_of_the_headers(tmp_path: Path) -> None:
    async with staged(tmp_path, per_route=(2, 3.0)) as stage:
        post = await begin_game(stage, "palais_royal", 2, bots=1)
        for _ in range(12):
            await Player(stage, 0, post, 1).take_turn()
        await settle(stage, post)
        assert stage.fake.rate_limits.refused == 0
        assert len(post["history"]) < 12  # changes in a row are one edit


async def test_a_refused_token_stops_all_requests_for_a_while() -> None:
    fake = FakeDiscord(per_route=FAST)
    async with serving(fake.create_app()) as api:
        rest = DiscordRest("wrong", f"{api}/api/v10")
        channel = fake.state.add_channel(GUILD, "games")
        with pytest.raises(DiscordRefused):
            await DiscordRoutes(rest).post(channel, {"content": "x"})
        with pytest.raises(DiscordBusy):
            await DiscordRoutes(rest).post(channel, {"content": "x"})
        assert fake.requests == 1
        await rest.close()


async def test_a_banned_address_stays_silent_as_long_as_it_is_told() -> None:
    fake = FakeDiscord(per_route=FAST)
    async with serving(fake.create_app()) as api:
        rest = DiscordRest(fake.token, f"{api}/api/v10")
        fake.rate_limits._invalid = Window(fake.now(), 20_000)
        for channel in ("1", "2"):
            with pytest.raises(DiscordBusy):
                await DiscordRoutes(rest).post(channel, {"content": "x"})
        assert fake.requests == 1
        await rest.close()


async def test_the_queue_of_requests_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_client, "MOST_WAITING", 3)
    fake = FakeDiscord(per_route=(1, 0.3))
    async with serving(fake.create_app()) as api:
        rest = DiscordRest(fake.token, f"{api}/api/v10")
        channel = fake.state.add_channel(GUILD, "games")
        refused = 0

        async def post() -> None:
            nonlocal refused
            try:
                await DiscordRoutes(rest).post(channel, {"content": "x"})
            except DiscordBusy:
                refused += 1

        async with anyio.create_task_group() as tasks:
            for _ in range(8):
                tasks.start_soon(post)
        assert refused == 5
        assert len(list(fake.state.messages)) == 3
        assert fake.rate_limits.refused == 0
        await rest.close()


@pytest.mark.parametrize("answer", [b"", b"null", b"[]", b'{"id": 5}', b'{"id": "../x"}', b"{", b"\xff"])
async def test_an_answer_that_is_no_answer_of_discord_is_no_id(answer: bytes) -> None:
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route

    async def reply(_: object) -> Response:
        return Response(answer)

    async with serving(Starlette(routes=[Route("/channels/1/messages", reply, methods=["POST"])])) as api:
        rest = DiscordRest("token", api)
        with pytest.raises(DiscordBusy):
            await DiscordRoutes(rest).post("1", {"content": "x"})
        await rest.close()
