"""`palatine bot` with bots of the kit and bot processes, at a real table."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest
from server_fixture import House
from typer.testing import CliRunner, Result

from palatine_client import connect
from palatine_client.cli import main

GAME = "palais_royal"
HOSTILE = f"{sys.executable} {Path(__file__).parent / 'hostile_bot.py'}"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "200")


async def palatine(*words: str) -> Result:
    return await asyncio.to_thread(CliRunner().invoke, main.build_app("bot"), words)


@pytest.mark.parametrize("words", [["--policy", "arena.arena_bots:first"], ["--process", f"{HOSTILE} good"]])
async def test_a_bot_of_the_kit_plays_a_whole_game_at_a_table(house: House, words: list[str]) -> None:
    done = await palatine("bot", "--create", "--game", GAME, "--seats", "2", "--server", house.url, *words)
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--policy", "arena.arena_bots:Raising"], "king"),
        (["--process", f"{HOSTILE} crash"], "exit code 3"),
        (["--process", f"{HOSTILE} illegal"], ""),
    ],
)
async def test_a_bot_that_fails_is_replaced_by_a_house_bot_and_the_table_goes_on(
    house: House, words: list[str], why: str
) -> None:
    async with connect(house.url, name="Otto") as client:
        table = await client.create(GAME, seats=2)
        await table.sit()
        playing = asyncio.create_task(palatine("bot", table.id, "--server", house.url, "--name", "Rat", *words))
        async with asyncio.timeout(60):
            await table.until(lambda: None not in table.info.seats)
            await table.start()
            async for turn in table:
                await turn.act(turn.offer.random())
        done = await playing
    assert table.is_over
    sitting = table.info.seats[1]
    assert sitting is not None
    assert (sitting.bot, sitting.substitute, sitting.name) == (True, True, "Rat")
    assert done.exit_code == 1
    assert "a house bot plays on" in done.output
    assert why in done.output


async def test_a_name_without_a_bot_says_what_to_do(house: House) -> None:
    done = await palatine("bot", "--create", "--game", GAME, "--server", house.url, "--policy", "json:dumps")
    assert done.exit_code == 2
    assert "name a subclass of palatine_client.bots.Bot" in done.output
