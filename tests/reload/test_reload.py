"""`palatine serve --reload`: changed rules are loaded, running tables are replayed with them, and differences shown."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from examples.test_own_package import GENEROUS, run
from server.process import ServerProcess

import palatine_client
from palatine_client import Client, Table
from palatine_server.reload.file_watch import list_changed, read_stamps

NAME, SOURCE = "harbour_lights", "harbour_lights:HARBOUR_LIGHTS"
PATIENCE = 60.0  # seconds; generous, for machines with other work


class Author:
    """Somebody who writes a game while it is served."""

    def __init__(self, package: Path, served: ServerProcess) -> None:
        self.package, self.served = package, served
        self.read_up_to = 0

    def edit(self, file: str, *changes: tuple[str, str]) -> None:
        """Replace parts of a file; only what is written after this counts as seen."""
        path = self.package / NAME / file
        text = path.read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        self.read_up_to = len(self.served.said)
        path.write_text(text)

    async def sees(self, words: str) -> str:
        """Wait for a line with these words in the terminal, below those that were read before; return it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for number in range(self.read_up_to, len(self.served.said)):
                    if words in self.served.said[number]:
                        self.read_up_to = number + 1
                        return self.served.said[number]
                await asyncio.sleep(0.02)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.served.port}"

    @property
    def token(self) -> str:
        (line,) = [line for line in self.served.said if line.startswith("developer page")]
        return line.partition("#")[2]

    async def ask(self, path: str, body: Any = None) -> Any:
        """Ask the developer page."""
        data = None if body is None else json.dumps(body).encode()
        return await asyncio.to_thread(self._fetch, f"{self.url}/develop/{path}", data)

    def _fetch(self, url: str, data: bytes | None) -> Any:
        request = urllib.request.Request(url, data, {"x-palatine-develop": self.token})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


@pytest.fixture
async def author(tmp_path: Path) -> AsyncIterator[Author]:
    run("new-game", NAME, cwd=tmp_path)
    package = tmp_path / NAME
    served = ServerProcess(tmp_path / "data")
    served.options = ["--reload", "--allow-seeds", "--game", SOURCE]
    served.environment = {"PYTHONPATH": str(package), "LANG": "C.UTF-8", **GENEROUS}
    async with served:
        author = Author(package, served)
        await author.sees("developer page")
        yield author
        assert await served.stop() == 0


async def start_table(client: Client, answers: int) -> Table:
    """Open a table with a bot, and answer so many offers."""
    table = await client.create(NAME, seats=2, seed="5e" * 32)
    await table.sit()
    await table.fill()
    await table.start()
    for _ in range(answers):
        await act(table)
    return table


async def act(table: Table) -> None:
    async with asyncio.timeout(PATIENCE):
        await table.until(lambda: table.view.offer and table.view.offer.choices)
        offer = table.view.offer
        assert offer
        await table.act(offer.id, offer.choices[0].nth(0))


async def test_an_author_changes_rules_while_a_table_is_played(author: Author) -> None:
    """One server for the whole story, because each start takes seconds."""
    async with palatine_client.connect(author.url, name="Ida") as client:
        table = await start_table(client, 2)
        await see_other_results(author, table)
        await fork_with_changed_rules(author, client, table)
        await see_rules_that_cannot_be_loaded(author, table)
        await see_rules_that_refuse(author, table)
        await see_rules_that_cannot_go_on(author, client, table)


async def see_other_results(author: Author, table: Table) -> None:
    """The difference is shown in words, in the terminal and on the developer page, and the table goes on."""
    before = table.view.board["scores"][0]
    author.edit("catalog.toml", *((f"points = {n}", f"points = {n}00") for n in (1, 2, 3, 4)))
    assert await author.sees("catalog.toml")
    assert (await author.sees("played again with the changed rules: 1 (")).endswith("different: 1.")
    line = await author.sees(f"table {table.id}, entry ")
    assert "(Ida: lay, card " in line
    assert line.endswith("the rules lead to another result.")
    value = await author.sees(" in the log, ")
    assert value.startswith("  board, ")
    assert await author.sees("goes on from its stored document")
    await act(table)  # the client has come back by itself
    assert table.view.board["scores"][0] >= before + 100
    lines = (await author.ask("tables"))["report"]["lines"]
    assert (line in lines, value in lines) == (True, True)


async def fork_with_changed_rules(author: Author, client: Client, table: Table) -> None:
    """The fork has the results of the changed rules from its beginning, and Ida plays on there."""
    at = (await author.ask(f"tables/{table.id}"))["versions"]
    made = await author.ask("forks", {"table": table.id, "at": at, "way": "rules"})
    assert (made["entries"], made["stopped"]) == (at, "")
    shown = await author.ask(f"tables/{made['table']}")
    assert all(points % 100 == 0 for points in shown["board"]["scores"])
    fork = await client.join(made["table"])
    await act(fork)


async def see_rules_that_cannot_be_loaded(author: Author, table: Table) -> None:
    """The error is shown with its place, the old rules stay, and no connection is lost."""
    author.edit("rules.py", ("HAND = 3", "HAND = = 3"))
    line = await author.sees("The changed rules cannot be loaded, so the old ones stay")
    assert "SyntaxError" in line
    assert "rules.py, line 12" in line
    changed, told = (await author.ask("tables"))["report"]["lines"]
    assert (changed.endswith("rules.py"), told) == (True, line)
    await act(table)


async def see_rules_that_refuse(author: Author, table: Table) -> None:
    old, new = "card=sorted(set(hand.cards))", "card=sorted(set(hand.cards))[1:]"
    author.edit("rules.py", ("HAND = = 3", "HAND = 3"), (old, new))
    line = await author.sees(f"table {table.id}, entry ")
    assert "the rules refuse it: You do not hold this card. (not_in_hand, HL-TURN-2)" in line


async def see_rules_that_cannot_go_on(author: Author, client: Client, table: Table) -> None:
    """A table whose document the rules cannot read is not served; it is again when they can."""
    old, new = "    first: Kind  #", "    weather: int\n    first: Kind  #"
    author.edit("board.py", (old, new))
    assert await author.sees("is not served until they can; its log stays as it is")
    shown = await author.ask(f"tables/{table.id}")
    assert "weather" in shown["trouble"]
    assert shown["board"]["scores"]
    author.edit("board.py", (new, old))
    assert await author.sees("goes on from its stored document")
    await act(await client.join(table.id))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "0.0.0.0"], "--reload is for authors of games on their own machine"),
        (["--workers", "2", "--store", "redis://127.0.0.1:1"], "--reload runs one process; leave --workers out."),
    ],
)
def test_it_serves_only_this_machine_in_one_process(tmp_path: Path, words: list[str], said: str) -> None:
    assert said in run("serve", "--reload", "--port", "0", "--data", "data", *words, cwd=tmp_path, code=1)


def test_files_that_are_new_changed_or_gone_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    for name in ("rules.py", "catalog.toml", "RULES.md", "bots/greedy.py", "notes.txt", ".#rules.py"):
        (tmp_path / name).write_text("x")
    before = read_stamps([str(tmp_path)])
    assert {Path(path).name for path in before} == {"rules.py", "catalog.toml", "RULES.md", "greedy.py"}
    (tmp_path / "rules.py").write_text("xy")
    (tmp_path / "RULES.md").unlink()
    (tmp_path / "board.py").write_text("x")
    (tmp_path / "notes.txt").write_text("xy")
    changed = list_changed(before, read_stamps([str(tmp_path)]))
    assert [Path(path).name for path in changed] == ["RULES.md", "board.py", "rules.py"]
