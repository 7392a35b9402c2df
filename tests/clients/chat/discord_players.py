"""People who play through the fake Discord: they click on what they see, until the game is over."""

from __future__ import annotations

from random import Random
from typing import Any

import anyio

from palatine_client.chat.fake_discord.random_person import click_control, find_button, list_controls, read_embeds
from palatine_client.chat.messages.phrases import phrase

from .discord_fixture import Stage
from .discord_processes import ProcessStage
from .random_games import ASIDE

Message = dict[str, Any]
AnyStage = Stage | ProcessStage
STANDSTILL = 60  # seconds within which somebody decides something or the game ends, whatever the length of a game


async def begin_game(stage: AnyStage, game: str, seats: int, bots: int = 0, count: int = 1) -> Message:
    """Open a table, let people join it, and start the game; return the message of the table, which is the `count`th."""
    await stage.command(0, "new", game=game, seats=seats)
    post = await stage.find_post(count)
    for number in range(1, seats - bots):
        await stage.click(number, post, find_button(post, phrase("en", "join")).custom_id)
    if bots:
        await stage.command(0, "bots", post["channel_id"])
    await stage.command(0, "start", post["channel_id"])
    with anyio.fail_after(60):
        while not any(each["custom_id"].endswith(":hand") for each in list_controls(post)):
            await anyio.sleep(0.01)
    return post


async def wait_for_end(stage: AnyStage, post: Message) -> str:
    """Wait until the message of the table shows the end; return its text."""
    with anyio.fail_after(20):
        while not is_over(post):
            await anyio.sleep(0.01)
    return str(post["embeds"][0]["description"])


class Player:
    """A person at a table, who keeps one private message open."""

    def __init__(self, stage: AnyStage, number: int, post: Message, seed: int) -> None:
        self.stage, self.number, self.post, self.rng = stage, number, post, Random(f"{seed} {number}")
        self.clicks = 0

    async def take_turn(self) -> bool:
        """Look at the hand; if it is this person's turn, click until something is decided; return whether it was.

        Whoever only may act could take back for ever what the others wait for.
        """
        shown = await self.stage.command(self.number, "hand", self.post["channel_id"])
        if phrase("en", "may act") in read_embeds(shown):
            return False
        while controls := self.list_answers(shown):
            click = click_control(self.rng.choice(controls), self.rng)
            values = click.values if click.component_type == 3 else None
            self.clicks += 1
            before = shown["components"]
            shown = await self.stage.click(self.number, shown, click.custom_id, values)
            if is_decided(before, shown["components"]):
                return True
        return False

    def list_answers(self, shown: Message) -> list[Any]:
        return [each for each in list_controls(shown) if each["custom_id"].split(":")[2] not in ASIDE]


def read_offer(components: list[Any]) -> str:
    """Return the number of the offer that the controls of a message answer."""
    ids = [each["custom_id"].split(":") for each in list_controls({"components": components})]
    return next((parts[3] for parts in ids if parts[2] in ("answer", "page", "pick", "form")), "")


def is_decided(before: list[Any], after: list[Any]) -> bool:
    return read_offer(before) != read_offer(after)


async def play_to_the_end(stage: AnyStage, post: Message, people: int, seed: int) -> int:
    """Let all people play until the game is over; return how often they clicked."""
    players = [Player(stage, number, post, seed) for number in range(people)]
    while not is_over(post):
        with anyio.fail_after(STANDSTILL):
            await play_round(post, players)
    return sum(player.clicks for player in players)


async def play_round(post: Message, players: list[Player]) -> None:
    """Let everybody take a turn, until somebody has decided something or the game is over."""
    while not is_over(post) and not any([await player.take_turn() for player in players]):
        pass


def is_over(post: Message) -> bool:
    return phrase("en", "over") in post["embeds"][0]["description"]
