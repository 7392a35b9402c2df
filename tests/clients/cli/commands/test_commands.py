"""`palatine tables`, `watch` and `bot`, and what they say when something is wrong."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from clients.pty_driver import piped
from server_fixture import House
from typer.testing import CliRunner, Result

from palatine_client import choose_randomly, connect, run_bot
from palatine_client.cli import main
from palatine_client.cli.errors import build_error

GAME = "between_two_castles"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "home"


async def palatine(*words: str) -> Result:
    """Run a command in this process while the server goes on."""
    return await asyncio.to_thread(CliRunner().invoke, main.build_app(), words)


# Tables


async def test_tables_are_listed_for_people_and_for_programs(house: House) -> None:
    nothing = await palatine("tables", "--server", house.url)
    assert nothing.exit_code == 0
    assert "There are no tables. Open one with:" in nothing.output
    async with connect(house.url, name="Otto") as client:
        open_table, started = await client.create(GAME, seats=3), await client.create(GAME, seats=2)
        await open_table.sit()
        await started.sit()
        await started.fill()
        await started.start()
        listed = (await palatine("tables", "--server", house.url)).output
        assert all(word in listed for word in ("Between Two Castles", "Otto, 2 free seats", "open", "playing"))
        lines = (await palatine("tables", "--server", house.url, "--json", "--status", "open")).output.splitlines()
        assert [json.loads(line)["table"] for line in lines] == [open_table.id]
        german = (await palatine("tables", "--server", house.url, "--lang", "de", "--game", GAME)).output
        assert "Zwischen zwei Schlössern" in german
        assert "läuft" in german


# Watching


@pytest.mark.parametrize("as_json", [False, True])
async def test_a_spectator_sees_the_game_to_its_end(house: House, home: Path, as_json: bool) -> None:
    async with connect(house.url, name="Otto") as client:
        table = await client.create(GAME, seats=3)
        await table.sit()
        await table.fill("random")
        await table.start()
        words = ["watch", "--server", house.url, *(["--json"] if as_json else []), "--", table.id]
        (code, out, err), _ = await asyncio.gather(
            piped(*words, home=home, said=None), run_bot(client, table, choose_randomly)
        )
    assert (code, err) == (0, "")
    if as_json:
        events = [json.loads(line) for line in out.splitlines()]
        assert events[0]["seat"] is None
        assert all(event["hand"] is None for event in events if event["event"] in {"snapshot", "update"})
        assert len(events[-1]["standings"]) == 3
    else:
        assert all(word in out for word in ("Score sheet", "Final ranking", "The game is over."))
        assert "\x1b" not in out


# Bots


async def test_bots_open_a_table_join_it_and_play_to_the_end(house: House, home: Path) -> None:
    opening = asyncio.create_task(
        piped(
            "bot", "--create", "--game", GAME, "--seats", "3", "--bots", "1", "--server", house.url, "--json", home=home
        )
    )
    async with connect(house.url) as client:
        while not (tables := [each for each in await client.list_tables(status="open") if None in each.seats]):
            await asyncio.sleep(0.02)
    words = ["bot", "--policy", "first", "--name", "Primus", "--server", house.url, "--", tables[0].table]
    (code, out, err), (host_code, host_out, host_err) = await asyncio.gather(piped(*words, home=home), opening)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"Table {tables[0].table}"
    assert "The game is over." in out.splitlines()[-1]
    events = [json.loads(line) for line in host_out.splitlines()]
    assert (host_code, host_err, events[0]["event"], events[-1]["event"]) == (0, "", "table", "over")
    assert {event["event"] for event in events[1:-1]} == {"act"}
    assert any("bot_Primus" in path.name for path in (home / "palatine").iterdir())


# What goes wrong ends in one line that says what to do next


@pytest.mark.parametrize(
    ("words", "code", "advice"),
    [
        (["play", "betwen_two_castles"], 2, "Did you mean between_two_castles?"),
        (["play", "chess"], 2, "Try between_two_castles"),
        (["play", GAME, "--seats", "9"], 2, "Between Two Castles is for 2 to 7 players: use --seats 2 to 7."),
        (["play", GAME, "--seats", "3", "--bots", "3"], 2, "At 3 seats there is room for at most this many bots: 2."),
        (["play", GAME, "--policy", "wise"], 2, "Try random, greedy, strong, expert."),
        (["play", GAME, "--option", "takeback"], 2, "Write --option KEY=VALUE"),
        (["play", GAME, "--option", "hats=3"], 2, "Options are: reseat, takeback"),
        (["play", "--table", "nosuchtable"], 1, "Tables are listed by: palatine tables"),
        (["watch", "nosuchtable"], 1, "Tables are listed by: palatine tables"),
        (["bot", "nosuchtable"], 1, "Tables are listed by: palatine tables"),
        (["tables", "--game", "noblemenn"], 2, "Did you mean noblemen?"),
        (["play", "chess", "--lang", "de"], 2, "Das Spiel „chess“ gibt es bei diesem Server nicht."),
    ],
)
async def test_what_cannot_be_done_says_what_can(house: House, words: list[str], code: int, advice: str) -> None:
    result = await palatine(*words, "--server", house.url)
    assert (result.exit_code, result.stdout) == (code, "")
    assert advice in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["play"], ["watch", "table"], ["tables"], ["bot", "table"]])
async def test_without_a_server_one_is_told_how_to_start_one(words: list[str]) -> None:
    result = await palatine(*words, "--server", "http://127.0.0.1:9")
    assert result.exit_code == 1
    assert result.stderr.startswith("There is no server at http://127.0.0.1:9. Start one with: palatine serve.")


class Stranger(BaseHTTPRequestHandler):
    """A web server that knows nothing of games."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<h1>It works!</h1>")

    def log_message(self, *words: object) -> None: ...


@pytest.fixture
def stranger() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


async def test_somebody_elses_server_is_recognised(stranger: str) -> None:
    result = await palatine("tables", "--server", stranger)
    assert result.exit_code == 1
    assert "is no Palatine server. Check the address" in result.stderr


@pytest.mark.parametrize(
    "words", [["bot"], ["bot", "table", "--create"], ["play", "--data", "somewhere"], ["play", "--server", "ftp://x"]]
)
async def test_what_makes_no_sense_is_a_mistake_of_usage(words: list[str]) -> None:
    result = await palatine(*words)
    assert result.exit_code == 2
    assert "Traceback" not in result.stderr


# Help


def helped(*words: str) -> str:
    return CliRunner().invoke(main.build_app(), [*words, "--help"]).output


@pytest.mark.parametrize("command", ["play", "watch", "tables", "bot"])
def test_every_command_explains_itself(command: str) -> None:
    assert command in helped()
    assert all(option in helped(command) for option in ("--server", "--lang", "--json"))


def test_help_needs_no_websockets() -> None:
    code = "import sys, palatine_client.cli.commands; assert not {'websockets', 'msgspec'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], check=True)


# A machine that is not as it should be


async def test_an_identity_that_cannot_be_kept_is_explained(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/dev/null")
    result = await palatine("watch", "table", "--server", house.url)
    assert result.exit_code == 1
    assert result.stderr == "/dev/null/palatine: Not a directory\n"


def test_without_websockets_one_is_told_what_to_install() -> None:
    advice = build_error(ModuleNotFoundError(name="websockets"), "", "en")
    assert "pip install 'palatine[client]'" in advice.sentence
