"""`palatine play --local`, which is `make play`: a server of one's own that lives as long as one plays."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
from pathlib import Path

import pytest
from clients.pty_driver import PATIENCE, Typist, piped, typing

GAME = "between_two_castles"
CHOOSE = "2 numbers, e.g. 1 2"
MAKE_PLAY = ("play", GAME, "--local", "--seats", "3", "--bots", "2")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


async def children_of(process: int) -> list[int]:
    """The processes that this one has started."""
    text = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in text.split()]


async def is_gone(process: int) -> bool:
    """Wait until a process has ended."""
    async with asyncio.timeout(PATIENCE):
        while is_running(process):
            await asyncio.sleep(0.02)
    return True


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def server_of(typist: Typist) -> int:
    (server,) = await children_of(typist.process.pid)
    return server


def test_make_play_is_what_is_tested_here() -> None:
    makefile = (Path(__file__).parents[4] / "Makefile").read_text()
    assert f"$(BIN)/palatine {shlex.join(MAKE_PLAY)}\n" in makefile


async def test_without_a_keyboard_a_demonstration_is_played_to_the_end(home: Path) -> None:
    code, out, err = await piped(*MAKE_PLAY, home=home, said=None)
    assert code == 0
    assert "this is a demonstration" in out
    assert all(word in out for word in ("Score sheet", "Final ranking", "The game is over."))
    starting, address = err.splitlines()
    assert starting == "A server of your own is starting ..."
    assert re.fullmatch(r"In a browser, the same server is at http://127\.0\.0\.1:\d+/", address)
    assert list(home.iterdir()) == []  # it leaves no traces


async def test_the_server_ends_with_the_game_and_the_game_is_kept(home: Path) -> None:
    async with typing(*MAKE_PLAY, "--name", "Ida", home=home, columns=200) as ida:
        await ida.prompted(CHOOSE)
        server = await server_of(ida)
        ida.type("q")
        assert await ida.ends() == 0
        assert await is_gone(server)
        (command,) = re.findall(r"palatine (play --table.*)", ida.screen)
        assert (home / "data" / "player.json").stat().st_mode & 0o777 == 0o600
    async with typing(*shlex.split(command), home=home) as again:
        await again.prompted(CHOOSE)


async def test_others_are_invited_to_where_it_serves(home: Path) -> None:
    words = ("play", GAME, "--local", "--seats", "2", "--bots", "0", "--name", "Ida")
    async with typing(*words, home=home, columns=200) as ida:
        await ida.sees("Others join with:")
        await ida.prompted("Your choice")
        (command,) = re.findall(r"palatine (play --table.*)", ida.screen)
        otto = ("--name", "Otto")
        async with typing(*shlex.split(command), *otto, home=home, XDG_CONFIG_HOME=str(home / "otto")) as other:
            await ida.sees("Otto sits down.")
            await other.prompted("Ida starts the game.")
            ida.type("/invite")
            await ida.sees("This leads to the table:")
            await ida.sees("--server http://127.0.0.1:")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_whatever_ends_the_player_ends_the_server(home: Path, how: signal.Signals) -> None:
    async with typing(*MAKE_PLAY, "--name", "Ida", home=home) as ida:
        await ida.prompted(CHOOSE)
        server = await server_of(ida)
        ida.process.send_signal(how)
        await ida.ends()
        assert await is_gone(server)


async def test_a_server_that_dies_ends_the_game_with_a_sentence(home: Path) -> None:
    async with typing(*MAKE_PLAY, "--name", "Ida", home=home) as ida:
        await ida.prompted(CHOOSE)
        os.kill(await server_of(ida), signal.SIGKILL)
        await ida.sees("The server of this game has ended. Nothing is lost; start again to go on.")
        assert await ida.ends() == 1
        assert "Traceback" not in ida.screen


async def test_a_data_directory_in_use_is_explained(home: Path) -> None:
    async with typing(*MAKE_PLAY, "--name", "Ida", home=home) as ida:
        await ida.prompted(CHOOSE)
        code, _, err = await piped(*MAKE_PLAY, "--no-demo", "--data", str(home / "data"), home=home)
        assert code == 1
        assert "The server of this game did not start." in err
        assert "Traceback" not in err
