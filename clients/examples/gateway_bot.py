"""A Discord bot over the gateway, with discord.py on our Python client: `pip install discord.py`, then run this file.

It shows people their view in words, and a selection for each question of the offer; it knows no game. Each person is a
user of your service: `palatine token NAME --kind service` prints PALATINE_SERVICE_TOKEN. DISCORD_TOKEN is the bot's.
"""

import os
from contextlib import AsyncExitStack, suppress

import aiohttp
import discord

import palatine_client
from palatine_client.menu import Number, SomeOf, build_question

SERVER = os.environ.get("PALATINE_SERVER", "http://localhost:8080")
SERVICE = {"authorization": f"Bearer {os.environ.get('PALATINE_SERVICE_TOKEN', '')}"}
PAGE = 24  # Discord shows 25 options: this many, and one that leads to the next page


class Bot(discord.Client):
    def __init__(self):
        super().__init__(intents=discord.Intents.none())  # interactions need no intents
        self.tree, self.clients, self.stack = discord.app_commands.CommandTree(self), {}, AsyncExitStack()
        self.tree.command(description="Play against bots")(play)
        self.tree.command(description="Take a seat at a table, or come back to yours")(join)

    async def setup_hook(self):
        await self.tree.sync()

    async def find_client(self, person):  # the same person is always the same user, also after a restart
        if person.id not in self.clients:
            body = {"id": str(person.id), "name": person.display_name[:24]}
            async with (
                aiohttp.ClientSession() as http,
                http.post(f"{SERVER}/v1/users", json=body, headers=SERVICE) as made,
            ):
                token = (await made.json())["token"]
            opened = palatine_client.connect(SERVER, token, patience=None)
            self.clients[person.id] = await self.stack.enter_async_context(opened)
        return self.clients[person.id]


async def play(interaction: discord.Interaction[Bot], game: str, seats: int):
    await interaction.response.defer(ephemeral=True)  # Discord waits for three seconds only
    table = await (await interaction.client.find_client(interaction.user)).create(game, seats=seats)
    await table.sit()
    await table.fill()
    await table.start()
    await show(interaction, table)


async def join(interaction: discord.Interaction[Bot], table: str):
    await interaction.response.defer(ephemeral=True)
    joined = await (await interaction.client.find_client(interaction.user)).join(table)
    if joined.seat is None:
        await joined.sit()
    await show(interaction, joined)


async def show(interaction, table, chosen=None, page=0):
    """Show the table in words, and the next question of the offer, if there is one."""
    words = await table.describe("de" if interaction.locale is discord.Locale.german else "en")
    view = discord.ui.View(timeout=None)
    if table.view.offer and table.view.offer.choices:
        view.add_item(Answers(table, chosen or {}, page))
    view.add_item(Again(table))
    await interaction.edit_original_response(content=words[-1900:], view=view)


def list_answers(asked):
    """Return what can be chosen: the partial action that follows, or one item of several."""
    if isinstance(asked, Number):
        return [{**asked.chosen, asked.field: number} for number in range(asked.low, asked.high + 1)]
    return asked.of if isinstance(asked, SomeOf) else asked.entries


class Answers(discord.ui.Select):
    def __init__(self, table, chosen, page):
        self.table, self.offer, self.chosen, self.page = table, table.view.offer, chosen, page
        self.asked = asked = build_question(self.offer.choices, chosen)
        self.answers = list_answers(asked)
        names = [" ".join(map(str, each.values() if isinstance(each, dict) else [each])) for each in self.answers]
        options = [discord.SelectOption(label=name[:100], value=str(at)) for at, name in enumerate(names)]
        if len(options) > 25:
            options = [*options[page * PAGE :][:PAGE], discord.SelectOption(label="…", value="more")]
        least, most = (asked.least, asked.most) if isinstance(asked, SomeOf) else (1, 1)
        super().__init__(options=options, min_values=least, max_values=min(max(most, 1), len(options)))

    async def callback(self, interaction):
        await interaction.response.defer()
        chosen = page = None
        if self.table.view.offer is self.offer:  # otherwise the table has changed since the question was shown
            if "more" in self.values:
                chosen, page = self.chosen, (self.page + 1) % -(-len(self.answers) // PAGE)
            else:
                chosen = await self.choose([self.answers[int(value)] for value in self.values])
        await show(interaction, self.table, chosen, page or 0)

    async def choose(self, picked):
        """Return the partial action after this answer; carry out a complete one, and begin anew."""
        chosen = {**self.asked.chosen, self.asked.field: picked} if isinstance(self.asked, SomeOf) else picked[0]
        if build_question(self.offer.choices, chosen) is not None:
            return chosen
        with suppress(palatine_client.RequestRefused):  # the table changed at this moment; `show` shows it
            await self.table.act(self.offer.id, chosen)
        return None


class Again(discord.ui.Button):
    def __init__(self, table):
        super().__init__(label="↻")
        self.table = table

    async def callback(self, interaction):
        await interaction.response.defer()
        await show(interaction, self.table)


if __name__ == "__main__":
    Bot().run(os.environ["DISCORD_TOKEN"])
