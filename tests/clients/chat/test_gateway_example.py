"""The example of a gateway bot: discord.py runs for real, with the fake Discord's REST API and without the gateway.

The test logs the bot in, syncs its commands, and hands it the interactions that the gateway would deliver.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import anyio
import discord
import pytest
from server_fixture import running

from palatine_client.chat.fake_discord.random_person import click_control, list_controls
from palatine_client.chat.fake_discord.server import FakeDiscord

from .discord_fixture import FAST, GUILD, make_service_token, serving

EXAMPLE = Path(__file__).parents[3] / "clients" / "examples" / "gateway_bot.py"
USER = {"id": "9001", "username": "ada", "discriminator": "0", "avatar": None, "global_name": "Ada"}


def load_example(server: str, token: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("gateway_bot", EXAMPLE)
    assert spec
    assert spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.SERVER, example.SERVICE = server, {"authorization": f"Bearer {token}"}  # type: ignore[attr-defined]
    return example


async def wait_until(holds: Callable[[], Any]) -> None:
    with anyio.fail_after(30):
        while not holds():
            await anyio.sleep(0.01)


class Gateway:
    """Delivers interactions to a bot as the gateway does."""

    def __init__(self, fake: FakeDiscord, bot: discord.Client) -> None:
        self.fake, self.bot, self.channel = fake, bot, fake.state.add_channel(GUILD, "games")

    async def deliver(self, kind: int, data: dict[str, Any], message: Any = None) -> dict[str, Any]:
        """Deliver an interaction, and return the message that answers it, once it shows something new."""
        before = len(message["history"]) if message else 0
        interaction, body = self.fake.begin_interaction(kind, USER, GUILD, self.channel, data, "de", message)
        self.bot._connection.parse_interaction_create(body)  # type: ignore[arg-type]
        await wait_until(
            lambda: interaction.original and len(interaction.original["history"]) > max(before, 1 - kind % 2)
        )
        assert interaction.original
        shown = interaction.original
        await wait_until(lambda: self.is_listening(shown))
        return shown

    def is_listening(self, message: dict[str, Any]) -> bool:
        """Return whether the bot knows that its edit was done, and listens to the new controls."""
        known = self.bot._connection._view_store._views.get(int(message["id"]), {})
        return {each["custom_id"] for each in list_controls(message)} <= {custom_id for _, custom_id in known}


async def test_a_person_plays_a_game_through_the_gateway_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeDiscord(per_route=FAST)
    async with running(tmp_path / "data") as house, serving(fake.create_app()) as api:
        monkeypatch.setattr(discord.http.Route, "BASE", f"{api}/api/v10")
        example = load_example(house.url, make_service_token(house.settings.data))
        bot = example.GatewayBot()
        async with bot, bot.stack:
            await bot.login(fake.token)
            assert {command["name"] for command in fake.state.commands} == {"play", "join"}
            gateway, rng = Gateway(fake, bot), Random(3)
            options = [{"name": "game", "type": 3, "value": "palais_royal"}, {"name": "seats", "type": 4, "value": 2}]
            shown = await gateway.deliver(2, {"id": "5", "name": "play", "type": 1, "options": options})
            assert shown["viewer"] == USER["id"]
            [table] = bot.clients[9001].listeners.values()
            answered = table.view.offer.id if table.view.offer else 0  # counts the answers of the seat
            with anyio.fail_after(120):
                while (table.view.offer.id if table.view.offer else 0) < answered + 8 and not table.is_over:
                    [menu] = list_controls(shown)
                    click = click_control(menu, rng)
                    kind = click.component_type
                    data = {"custom_id": click.custom_id, "component_type": kind, "values": click.values}
                    shown = await gateway.deliver(3, data, shown)
            assert len(shown["content"]) > 100
        assert fake.violations == []
