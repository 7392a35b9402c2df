"""TablePicker a table in `palatine play`, from a list that changes while one looks at it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from clients.pty_driver import typing
from server_fixture import House

from palatine_client import Client, connect

GAME, OTHER = "palais_royal", "between_two_castles"
CHOOSE = "Your choice [1]"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
async def otto(house: House) -> AsyncIterator[Client]:
    async with connect(house.url, name="Otto") as client:
        yield client


def playing(house: House, *words: str) -> list[str]:
    return ["play", *words, "--server", house.url, "--name", "Ida"]


async def test_tables_keep_their_numbers_while_others_come_and_go(house: House, home: Path, otto: Client) -> None:
    first = await otto.create(GAME, 2)
    async with typing(*playing(house), home=home, columns=120) as ida:
        await ida.sees("1 Sit down: Royal Palace, 2 free seats")
        await ida.sees("n Open a new table")
        await ida.prompted(CHOOSE)
        ida.press("2")  # typed before there is a second table, and kept
        second = await otto.create(OTHER, 3)
        await ida.sees("2 Sit down: Between Two Castles, 3 free seats")
        await first.fill()
        await ida.sees("1 Gone")
        await second.sit()
        await ida.sees("2 Sit down: Between Two Castles, Otto, 2 free seats")
        ida.press("\n")
        await second.until(lambda: second.info.seats[1])


async def test_a_table_that_is_gone_cannot_be_picked(house: House, home: Path, otto: Client) -> None:
    table = await otto.create(GAME, 2)
    async with typing(*playing(house, "--lang", "de"), home=home, columns=120) as ida:
        await ida.sees("1 Dazusetzen: Palais Royal, 2 freie Plätze")
        await table.fill()
        await ida.sees("1 Weg")
        for nonsense in ("", "1", "2", "0", "x"):
            ida.type(nonsense)
            await ida.sees("Tippe die Nummer eines Tisches, den es noch gibt")
        ida.type("n")
        await ida.sees("Welches Spiel?")
        ida.type("q")
        assert await ida.ends() == 0


async def test_own_tables_come_first_and_who_goes_has_gone(house: House, home: Path, otto: Client) -> None:
    words = ["--seats", "2", "--bots", "0"]
    async with typing(*playing(house, GAME, *words), home=home) as ida:
        await ida.sees("Let bots take the free seats and start")
    await otto.create(OTHER, 2)
    async with typing(*playing(house), home=home, columns=120) as ida:
        await ida.sees("1 Go on: Royal Palace, Ida, a free seat")
        await ida.sees("2 Sit down: Between Two Castles")
        await ida.prompted(CHOOSE)
        ida.press("\x04")
        assert await ida.ends() == 0
        assert "Traceback" not in ida.screen
