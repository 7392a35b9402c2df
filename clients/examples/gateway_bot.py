"""A Discord bot over the gateway, with discord.py on our Python client: `pip install discord.py`, then run this file.

It shows people their view in words, and a selection for each question of the offer; it knows no game. Each person is a
user of your service: `palatine token NAME --kind service` prints PALATINE_SERVICE_TOKEN. DISCORD_TOKEN is the bot's.
"""

import os
from contextlib import AsyncExitStack, suppress

import aiohttp
import discord

import palatine_client
from palatine_client.menu import InputError, Number, SomeOf, apply_answer, build_question

SERVER = os.environ.get("PALATINE_SERVER", "http://localhost:8080")
SERVICE = {"authorization": f"Bearer {os.environ.get('PALATINE_SERVICE_TOKEN', '')}"}
PAGE = 24  # Discord shows 25 options: this many, and one that leads to the next page


class GatewayBot(discord.Client):
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
                aiohttp.ClientSession(SERVER, headers=SERVICE) as http,
                http.post("/v1/users", json=body) as made,
            ):
                connection = palatine_client.connect(SERVER, (await made.json())["token"], patience=None)
            self.clients[person.id] = await self.stack.enter_async_context(connection)
        return self.clients[person.id]


async def play(interaction: discord.Interaction[GatewayBot], game: str, seats: int):
    await interaction.response.defer(ephemeral=True)  # Discord waits for three seconds only
    table = await (await interaction.client.find_client(interaction.user)).create(game, seats=seats)
    await table.sit()
    await table.fill()
    await table.start()
    await show(interaction, table)


async def join(interaction: discord.Interaction[GatewayBot], table: str):
    await interaction.response.defer(ephemeral=True)
    joined = await (await interaction.client.find_client(interaction.user)).join(table)
    if joined.seat is None:
        await joined.sit()
    await show(interaction, joined)


async def show(interaction, table, chosen=None, page=0):
    """Show the table in words, and the next question of the offer, if there is one."""
    words = await table.describe("de" if interaction.locale is discord.Locale.german else "en")
    view = discord.ui.View(timeout=None)
    view.add_item(TableMenu(table, table.view.offer, chosen or {}, page))
    await interaction.edit_original_response(content=words[-1900:], view=view)


class TableMenu(discord.ui.Select):
    def __init__(self, table, offer, chosen, page):
        self.table, self.offer, self.chosen, self.page = table, offer, chosen, page
        self.asked = asked = build_question(offer.choices, chosen) if offer and offer.choices else None
        answers = list(enumerate_answers(asked))
        self.pages = max(1, -(-len(answers) // PAGE))
        # The last option leads to the next page, or shows the table as it is now.
        shown = [*answers[page * PAGE :][:PAGE], ("further", "…" if self.pages > 1 else "↻")]
        options = [discord.SelectOption(label=name[:100], value=str(value)) for value, name in shown]
        super().__init__(options=options, max_values=min(getattr(asked, "most", 1) or 1, len(options)))

    async def callback(self, interaction):
        await interaction.response.defer()
        chosen, page = None, 0
        if self.offer is self.table.view.offer:  # otherwise the table has changed since the question was shown
            if "further" in self.values:
                chosen, page = self.chosen, (self.page + 1) % self.pages
            else:
                with suppress(InputError, palatine_client.RequestRefused):  # then `show` asks again
                    answer = apply_answer(self.asked, " ".join(self.values))
                    if build_question(self.offer.choices, answer) is None:
                        await self.table.act(self.offer.id, answer)
                    else:
                        chosen = answer
        await show(interaction, self.table, chosen, page)


def enumerate_answers(asked):
    """Return the answers to a question as a person would type them, each with its name."""
    if isinstance(asked, Number):
        return [(number, str(number)) for number in range(asked.low, asked.high + 1)]
    items = asked.of if isinstance(asked, SomeOf) else asked.entries if asked else []
    return enumerate((" ".join(map(str, each.values() if isinstance(each, dict) else [each])) for each in items), 1)


if __name__ == "__main__":
    GatewayBot().run(os.environ["DISCORD_TOKEN"])
