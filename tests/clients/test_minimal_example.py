"""The minimal example: it runs as it stands, and says no more than it claims."""

from __future__ import annotations

import ast
import asyncio
import sys
from pathlib import Path

import pytest
from server_fixture import House

from palatine_client import connect, run_bot
from palatine_client.client import choose_randomly

EXAMPLE = Path(__file__).parents[2] / "clients" / "examples" / "minimal.py"


async def minimal(house: House, *words: str) -> list[str]:
    """What the example prints, one line for each player."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-W",
        "error",
        EXAMPLE,
        house.url.replace("http", "ws"),
        *words,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    assert not err, err.decode()
    assert process.returncode == 0
    return out.decode().splitlines()


async def test_it_opens_a_table_with_bots_and_plays_to_the_end(house: House) -> None:
    lines = await minimal(house)
    assert [line.split()[0] for line in lines] == ["1", "2", "3"] or lines[0].startswith("1 ")
    assert any("Minimal" in line for line in lines)
    assert sum("Bot" in line for line in lines) == 2


@pytest.mark.parametrize("bots", [0, 1])  # two players have Ludwig at the table, whose seat has no player
async def test_it_joins_a_table_and_plays_against_us(house: House, bots: int) -> None:
    async with connect(house.url, name="Anna") as client, asyncio.TaskGroup() as tasks:
        table = await client.create("between_two_castles", 2 + bots)
        await table.sit()
        for _ in range(bots):
            await table.add_bot("random")
        playing = tasks.create_task(minimal(house, table.id))
        await table.until(lambda: None not in table.info.seats)
        await table.start()
        await run_bot(client, table, choose_randomly)
        lines = await playing
    assert len(lines) == len(table.standings)
    assert {int(line.split()[-1]) for line in lines} == {row["score"] for row in table.standings}


def test_it_needs_nothing_of_ours() -> None:
    tree = ast.parse(EXAMPLE.read_text())
    imported = {node.names[0].name for node in ast.walk(tree) if isinstance(node, ast.Import)}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {name for name in imported if name.split(".")[0] not in sys.stdlib_module_names}
    assert ours == {"websockets.sync.client"}


def test_it_has_at_most_fifty_lines_that_fit_on_a_screen() -> None:
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 120
