"""The app as a route of two server processes on one Valkey: both answer, one of them posts, the other takes over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import anyio
import pytest
from server_fixture import House, running
from store import redis_servers
from store.redis_servers import one_server

from palatine_client.chat.discord import poster
from palatine_client.chat.discord.poster import DiscordPoster
from palatine_client.chat.fake_discord.random_person import find_button, read_embeds
from palatine_client.chat.fake_discord.server import FakeDiscord
from palatine_client.chat.messages.phrases import phrase
from palatine_server.web import discord_service

from .discord_fixture import FAST, Stage, draw_nothing, serving
from .discord_players import Player, begin_game


class SharedStage(Stage):
    """A stage whose interactions go to the running nodes in turn."""

    nodes: list[House]
    turn = cycle((0, 1))

    async def command(self, number: int, name: str, channel: str = "", **options: Any) -> dict[str, Any]:
        self.aim()
        return await super().command(number, name, channel, **options)

    async def click(
        self, number: int, message: dict[str, Any], custom_id: str, values: list[str] | None = None
    ) -> dict[str, Any]:
        self.aim()
        return await super().click(number, message, custom_id, values)

    def aim(self) -> None:
        self.fake.endpoint = f"{self.nodes[next(self.turn) % len(self.nodes)].url}/discord/interactions"

    def list_posters(self) -> list[DiscordPoster]:
        """Return the posters that follow tables."""
        return [each for each in map(find_poster, self.nodes) if each._tables]


@asynccontextmanager
async def sharing(folder: Path, store: str) -> AsyncIterator[tuple[SharedStage, list[AsyncExitStack]]]:
    """Run two nodes with the app; each has a stack that stops it."""
    fake, stacks = FakeDiscord(per_route=FAST), [AsyncExitStack(), AsyncExitStack()]
    async with serving(fake.create_app()) as api, stacks[0], stacks[1]:
        settings = {"discord_public_key": fake.public_key, "discord_token": fake.token, "discord_api": f"{api}/api/v10"}
        nodes = [
            await stack.enter_async_context(running(folder / name, store=store, picture_workers=0, **settings))
            for name, stack in zip("ab", stacks, strict=True)
        ]
        stage = SharedStage(nodes[0], fake, api, folder / "unused.sqlite", draw_nothing)
        stage.nodes = nodes
        yield stage, stacks
    await fake.close()


async def test_two_nodes_share_people_and_tables_and_one_posts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_SECRET", "known to both nodes")
    monkeypatch.setattr(discord_service, "PERIOD", 1_000)
    monkeypatch.setattr(poster, "CHECK_EVERY", 0.1)
    with redis_servers.running(one_server) as valkey:
        async with sharing(tmp_path, valkey.url) as (stage, stacks):
            post = await begin_game(stage, "palais_royal", 2)
            players = [Player(stage, number, post, 1) for number in range(2)]
            for player in players * 2:
                await player.take_turn()
            stranger = await stage.click(5, post, find_button(post, phrase("en", "hand")).custom_id)
            assert phrase("de", "not seated") in read_embeds(stranger)
            [active] = stage.list_posters()
            await stop_poster(stage, stacks, active)
            edits = len(post["history"])
            with anyio.fail_after(30):
                while len(post["history"]) == edits:
                    for player in players:
                        await player.take_turn()
                    await anyio.sleep(0.05)
            assert stage.list_posters() != [active]
            threads = [each for each in stage.fake.state.channels.values() if each["type"] == 11]
            assert len(threads) == 1
            assert stage.fake.state.list_visible(post["channel_id"], "") == [post]
            assert len(stage.fake.state.list_visible(stage.channel, "")) == 1
            assert stage.fake.violations == []


async def stop_poster(stage: SharedStage, stacks: list[AsyncExitStack], active: DiscordPoster) -> None:
    """Stop the node that posts."""
    [number] = [at for at, node in enumerate(stage.nodes) if find_poster(node) is active]
    del stage.nodes[number]
    await stacks[number].aclose()


def find_poster(node: House) -> DiscordPoster:
    found: DiscordPoster = node.server._app.state.shared.discord._app.poster
    return found
