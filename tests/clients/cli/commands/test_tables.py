"""`palatine tables`: the list of tables, filtered, and as it changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from clients.pty_driver import PALATINE, PATIENCE, environment, piped, typing
from server_fixture import House

from palatine_client import Client, connect
from palatine_client.cli.commands.tables import compare_lists
from palatine_client.cli.format.table_rows import describe_people, describe_terms
from palatine_protocol.messages import Clock, TableSummary

CASTLES, PALAIS = "between_two_castles", "palais_royal"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
async def otto(house: House) -> AsyncIterator[Client]:
    async with connect(house.url, name="Otto") as client:
        yield client


class Lines:
    """What a command writes into a pipe, line by line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def line(self) -> str:
        assert self.process.stdout
        async with asyncio.timeout(PATIENCE):
            return (await self.process.stdout.readline()).decode().rstrip("\n")

    async def event(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(await self.line())
        return told


@asynccontextmanager
async def following(house: House, home: Path, *words: str) -> AsyncIterator[Lines]:
    """Follow the list of tables through a pipe."""
    process = await asyncio.create_subprocess_exec(
        *(PALATINE, "tables", "--follow", "--server", house.url, *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        env=environment(home),
    )
    try:
        yield Lines(process)
    finally:
        process.kill()
        await process.wait()


# The list


async def test_filters_leave_what_fits(house: House, home: Path, otto: Client) -> None:
    free = await otto.create(PALAIS, 2)
    full = await otto.create(PALAIS, 2)
    await full.fill()
    await otto.create(CASTLES, 2)

    async def listed(*words: str) -> list[str]:
        _, out, _ = await piped("tables", "--server", house.url, "--json", *words, home=home)
        return [json.loads(line)["table"] for line in out.splitlines()]

    assert await listed("--game", PALAIS) == [full.id, free.id]
    assert await listed("--game", PALAIS, "--free") == [free.id]
    assert await listed("--status", "playing") == []


async def test_terms_and_kept_seats_are_shown(house: House, home: Path, otto: Client) -> None:
    ordinary = ["tables", "--server", house.url]
    await otto.create(PALAIS, 2)
    _, out, _ = await piped(*ordinary, home=home, COLUMNS="160")
    assert "Terms" not in out
    clock = Clock(move=30, bank=600, increment=5)
    table = await otto.create(CASTLES, 4, clock=clock, ready_check=True, delay=20, reserved=["somebody"])
    await table.sit()
    _, out, _ = await piped(*ordinary, home=home, COLUMNS="160")
    (row,) = [line for line in out.splitlines() if table.id in line]
    assert "Otto, 2 free seats, a kept seat" in row
    assert "30s,10m+5s, ready check, 20 behind" in row
    _, out, _ = await piped(*ordinary, "--lang", "de", home=home, COLUMNS="160")
    (row,) = [line for line in out.splitlines() if table.id in line]
    assert "Otto, 2 freie Plätze, ein freigehaltener Platz" in row
    assert "30s,10m+5s, alle bereit?, 20 zurück" in row


# As it changes


async def test_in_a_pipe_every_change_is_a_line(house: House, home: Path, otto: Client) -> None:
    table = await otto.create(PALAIS, 2)
    async with following(house, home, "--game", PALAIS) as list_:
        assert await list_.line() == f"New: {table.id} · Royal Palace · open · 2 free seats"
        await table.sit()
        assert await list_.line() == f"Changed: {table.id} · Royal Palace · open · Otto, a free seat"
        await otto.create(CASTLES, 2)
        await table.change(visibility="private")
        assert (await list_.line()).startswith(f"Gone: {table.id}")


async def test_for_programs_every_change_is_an_object(house: House, home: Path, otto: Client) -> None:
    async with following(house, home, "--json", "--free") as list_:
        table = await otto.create(PALAIS, 2, clock=Clock(move=60))
        told = await list_.event()
        assert (told["event"], told["table"], told["seats"]) == ("new", table.id, [None, None])
        assert told["clock"] == {"move": 60}
        await table.sit()
        told = await list_.event()
        assert (told["event"], told["seats"]) == ("changed", ["Otto", None])
        await table.fill()
        assert await list_.event() == {"event": "gone", "table": table.id}


async def test_at_a_terminal_the_list_is_redrawn_in_place(house: House, home: Path, otto: Client) -> None:
    words = ["tables", "--follow", "--server", house.url, "--lang", "de"]
    async with typing(*words, home=home, columns=120) as ida:
        await ida.sees("Noch gibt es keinen solchen Tisch.")
        table = await otto.create(PALAIS, 2)
        await ida.sees(table.id)
        await ida.sees("Diese Liste bleibt aktuell.")
        await table.sit()
        await ida.sees("Otto, ein freier Platz")
        assert "\x1b[1A" in ida.colours  # it goes up and draws over what stood there
        ida.press("\x03")
        assert await ida.ends() == 130
        assert "Traceback" not in ida.screen


# In words


def summary(**given: Any) -> TableSummary:
    usual = {"game": PALAIS, "status": "open", "visibility": "public", "seats": [None], "host": "h", "created": 0}
    return TableSummary(**{"table": "t", **usual, **given})


def test_changes_are_what_is_gone_new_or_different_and_nothing_else() -> None:
    one, two, three = summary(table="one"), summary(table="two"), summary(table="three")
    other = summary(table="two", seats=["Ida"])
    assert list(compare_lists([], [two, one])) == [("new", one), ("new", two)]
    assert list(compare_lists([two, one], [three, other])) == [("gone", one), ("changed", other), ("new", three)]
    assert list(compare_lists([two, one], [two, one])) == []


def test_a_kept_seat_counts_only_while_it_is_empty() -> None:
    assert describe_people(summary(seats=["Ida", None, None], reserved=[0, 2]), "en") == "Ida, a free seat, a kept seat"
    assert describe_people(summary(seats=["Ida", "Otto"], reserved=[1]), "en") == "Ida, Otto"
    assert describe_people(summary(seats=[None, None], reserved=[0, 1]), "de") == "2 freigehaltene Plätze"


def test_nobody_is_asked_to_be_ready_once_the_game_has_begun() -> None:
    assert describe_terms(summary(ready_check=True), "en") == ["ready check"]
    assert describe_terms(summary(ready_check=True, status="playing", delay=3), "en") == ["3 behind"]


async def test_where_there_is_little_room_no_word_of_the_list_is_broken(house: House, home: Path) -> None:
    async with connect(house.url, name="Otto") as otto:
        table = await otto.create("between_two_castles", 7, clock=Clock(move=60), ready_check=True)
        await table.sit()
        _, out, _ = await piped("tables", "--server", house.url, "--lang", "de", home=home, COLUMNS="40")
    assert "Zwischen zwei Schlössern · offen" in out
    assert "6 freie Plätze" in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 40
