"""`palatine play` at a real terminal, with a real server: as somebody plays who has never seen it."""

from __future__ import annotations

import re
import shlex
import signal
from pathlib import Path
from random import Random

import pytest
from clients.players import Friend
from clients.pty_driver import Typist, piped, typing
from server.process import ServerProcess
from server_fixture import House

from palatine_client import connect

GAME = "between_two_castles"
CHOOSE, DECIDE = "2 numbers, e.g. 1 2", "Your choice"
ONCE_MORE = "Another game with the same people? y, or Enter to go"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


async def plays(typist: Typist, rng: Random) -> None:
    """Answer the questions on the screen with numbers that are mostly possible, until the game is over."""
    while (prompt := await typist.prompted(CHOOSE, DECIDE, ONCE_MORE)) != ONCE_MORE:
        typist.type("1 2" if prompt == CHOOSE else rng.choice("1112"))


async def places(typist: Typist) -> None:
    """Choose, and go on until rooms are to be placed."""
    await typist.prompted(CHOOSE)
    typist.type("1 2")
    await typist.prompted(DECIDE)


# A whole game


async def test_a_game_is_played_to_the_end_with_numbers(house: House, home: Path) -> None:
    words = ["play", GAME, "--server", house.url, "--seats", "3", "--name", "Ida"]
    async with typing(*words, home=home) as ida:
        await plays(ida, Random(3))
        ida.type("")
        assert await ida.ends() == 0
        for shown in ("Round 2 of 2 · Turn 4 of 4", "Score sheet", "Final ranking", "The game is over."):
            assert shown in ida.screen
        assert "\x1b[38;2;" in ida.colours or "\x1b[38;5;" in ida.colours
        assert "Traceback" not in ida.screen


async def test_lines_from_a_pipe_play_too_without_colours_or_prompts(house: House, home: Path) -> None:
    rng = Random(5)
    said = "\n".join(rng.choice(["1 2", "1", "2", "3"]) for _ in range(3000))
    code, out, err = await piped("play", GAME, "--server", house.url, "--seats", "3", home=home, said=said)
    assert (code, err) == (0, "")
    assert "The game is over." in out
    assert "\x1b" not in out
    assert "❯" not in out


async def test_the_end_of_a_pipe_is_like_quitting(house: House, home: Path) -> None:
    code, out, err = await piped("play", GAME, "--server", house.url, "--lang", "de", home=home, said="1 2\n")
    assert (code, err) == (0, "")
    assert "Du hast" in out
    assert "Dein Platz bleibt dir." in out


# Mistakes and commands


async def test_mistakes_cost_nothing_and_every_command_answers(house: House, home: Path) -> None:
    async with typing("play", GAME, "--server", house.url, "--name", "Ida", "--bots", "2", home=home) as ida:
        await ida.prompted(CHOOSE)
        for nonsense, answer in {
            "abc": "“abc” is no number and no command",
            "1": "Type exactly 2 numbers.",
            "1 1": "Type different numbers from 1 to 9.",
            "1 99": "Type different numbers from 1 to 9.",
            "u": "Nothing can be taken back now.",
            "h": "Your hand",
            "s": "What happened so far",
            "?": "What you can type",
            "b": "Crossed swords",
        }.items():
            ida.type(nonsense)
            await ida.sees(answer)
            await ida.prompted(CHOOSE)
        ida.press("9 9\x15" + "1 3\x7f2\x1b[A\n")  # all wrong, wiped; then a typing mistake, mended; then an arrow
        await ida.sees("You", "reveals")
        await ida.prompted(DECIDE)


async def test_one_can_go_back_while_choosing_and_undo_afterwards(house: House, home: Path) -> None:
    async with typing("play", GAME, "--server", house.url, "--name", "Ida", "--bots", "2", home=home) as ida:
        await places(ida)
        ida.type("1")
        await ida.sees("Where in")
        await ida.prompted(DECIDE)
        ida.type("0")
        await ida.sees("Your turn")
        await ida.prompted(DECIDE)
        ida.type("1", "1")  # a quick player: the room and its place
        await ida.sees("You placed")
        await ida.prompted(DECIDE)
        ida.type("u")
        await ida.sees("You took your last action back.")
        await ida.sees("Place")
        await ida.prompted(DECIDE)


# Coming and going


async def test_who_quits_is_told_how_to_come_back_and_finds_everything_as_it_was(house: House, home: Path) -> None:
    async with typing("play", GAME, "--server", house.url, "--bots", "2", home=home, columns=200) as ida:
        await ida.prompted("Your name")
        ida.type("Ida")
        await places(ida)
        ida.type("q")
        await ida.sees("Come back with:\n")
        assert await ida.ends() == 0
        (command,) = re.findall(r"palatine (play --table.*)", ida.screen)
    async with typing(*shlex.split(command), home=home) as again:
        await again.sees("Your rooms to place")
        await again.prompted(DECIDE)
        assert "Your name" not in again.screen


async def test_without_words_one_is_asked_and_own_tables_come_first(house: House, home: Path) -> None:
    async with typing("play", GAME, "--server", house.url, "--name", "Ida", home=home) as ida:
        await ida.prompted("How many players, with you [3]")
        ida.type("lots", "4")
        await ida.prompted("How many of them bots [3]")
        ida.type("")
        await ida.prompted(CHOOSE)
        ida.press("\x04")
        assert await ida.ends() == 0
    async with typing("play", "--server", house.url, home=home) as again:
        await again.sees("1 Go on: Between Two Castles, Ida, Bot 2, Bot 3, Bot 4")
        await again.prompted("Your choice [1]")
        again.type("")
        await again.prompted(CHOOSE)


@pytest.mark.parametrize("key", ["\x03", "\x04", "q\n"])
async def test_one_leaves_cleanly_and_the_terminal_is_as_before(house: House, home: Path, key: str) -> None:
    async with typing("play", GAME, "--server", house.url, "--name", "Ida", "--bots", "2", home=home) as ida:
        before = ida.settings()
        await ida.prompted(CHOOSE)
        assert ida.settings() != before
        ida.press(key)
        await ida.sees("Your seat is kept.")
        assert await ida.ends() == 0
        assert ida.settings() == before


async def test_who_leaves_gives_the_seat_to_a_bot(house: House, home: Path) -> None:
    async with typing("play", GAME, "--server", house.url, "--name", "Ida", "--bots", "2", home=home) as ida:
        await ida.prompted(CHOOSE)
        ida.type("leave")
        await ida.sees("a house bot plays on for you; with “q” nobody does.")
        ida.type("leave")
        await ida.sees("a house bot plays on")
        assert await ida.ends() == 0


# Together


async def invited(house: House, ida: Typist) -> str:
    """The table to which a host invites."""
    await ida.sees("Others join with:")
    await ida.prompted(DECIDE)
    (table,) = re.findall(r"--table[ =](\S+)", ida.screen)
    return str(table)


async def test_friends_are_waited_for_and_an_offer_that_changes_is_shown_anew(house: House, home: Path) -> None:
    words = ["play", GAME, "--server", house.url, "--name", "Ida", "--seats", "2", "--bots", "0"]
    async with typing(*words, home=home) as ida, connect(house.url, name="Otto") as client:
        friend = Friend(client, await client.join(await invited(house, ida)))
        await friend.table.sit()
        await ida.sees("Otto sits down.")
        await ida.sees("1 Start the game")
        ida.type("1")
        await ida.sees("The game begins.")
        await ida.prompted(DECIDE)
        ida.type("1")  # rooms for Ludwig
        await shared_castle_changes(ida, friend)


async def shared_castle_changes(ida: Typist, friend: Friend) -> None:
    """Ida is about to place in the castle that she shares with Otto when he does so first."""
    await ida.prompted(CHOOSE)
    ida.type("1 2")
    await ida.prompted("Waiting for Otto")
    ida.press("1")  # too early: it must not answer what comes next
    await friend.does("choose")
    await ida.sees("Everybody reveals:")
    await ida.prompted(DECIDE)
    shared = next(n for n, castle in enumerate(friend.table.board["castles"]) if sorted(castle["partners"]) == [0, 1])
    token = friend.table.board["castles"][shared]["token"].capitalize()
    (number,) = re.findall(rf"(\d) Place .* in {token} Castle", ida.screen)[:1]
    ida.type(number)
    await ida.sees("Where in")
    await ida.prompted(DECIDE)
    ida.press("1")  # not finished yet
    await friend.does("place", castle=shared)
    await ida.sees("The offer has changed while you were choosing; look again.")
    await ida.sees("What you had chosen is still possible.")
    await ida.sees("Where in")
    await ida.prompted(DECIDE)  # what was typed is gone


async def test_a_full_table_says_what_to_do(house: House, home: Path) -> None:
    async with connect(house.url, name="Otto") as client:
        table = await client.create(GAME, seats=2)
        await table.sit()
        await table.fill()
        code, _, err = await piped("play", f"--table={table.id}", "--server", house.url, home=home)
        assert (code, err.count("\n")) == (1, 1)
        assert "The table is full." in err
        await table.start()
        code, _, err = await piped("play", f"--table={table.id}", "--server", house.url, home=home)
        assert code == 1
        assert f"palatine watch --server {house.url}" in err


# Trouble with the server


async def test_a_lost_connection_is_told_and_nothing_is_lost(tmp_path: Path, home: Path) -> None:
    async with ServerProcess(tmp_path / "data") as server:
        url = f"http://127.0.0.1:{server.port}"
        async with typing("play", GAME, "--server", url, "--name", "Ida", "--bots", "2", home=home) as ida:
            await ida.prompted(CHOOSE)
            await server.kill()
            await ida.sees("The connection is lost; trying again ...")
            await ida.prompted(CHOOSE)
            ida.type("1 2")  # kept until the server is back
            await server.start()
            await ida.sees("You chose")  # rooms are named, unless the bots chose before and everybody reveals at once
            await ida.prompted(DECIDE)
            await ida.has_seen("Connected again; nothing was lost.")


async def test_a_closed_window_ends_it(house: House, home: Path) -> None:
    async with typing("play", GAME, "--server", house.url, "--name", "Ida", "--bots", "2", home=home) as ida:
        await ida.prompted(CHOOSE)
        ida.process.send_signal(signal.SIGHUP)
        assert await ida.ends() == 143
        assert "Traceback" not in ida.screen
