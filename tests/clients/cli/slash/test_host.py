"""Hosting through the CLI: who may come, who sits where, under which terms; and going away from a table."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from clients.cli.json_mode.test_play_json import script
from clients.pty_driver import Typist, piped, typing
from server_fixture import House

from palatine_client import Client, Table, connect
from palatine_protocol.messages import Clock

GAME = "palais_royal"
START, PLAYERS = "Your choice", "Waiting for players"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
async def otto(house: House) -> AsyncIterator[Client]:
    async with connect(house.url, name="Otto") as client:
        yield client


def opening(house: House, *words: str) -> list[str]:
    return ["play", GAME, "--server", house.url, "--name", "Ida", "--seats", "2", "--bots", "0", *words]


async def invited(ida: Typist) -> list[str]:
    """The command that a host passes on, as words."""
    await ida.sees("--table")
    (command,) = re.findall(r"palatine (play --table .*)", ida.screen)[-1:]
    return shlex.split(command)


async def joined(ida: Typist, otto: Client) -> Table:
    """Otto sits down at Ida's table."""
    words = await invited(ida)
    name, _, code = words[words.index("--table") + 1].partition("#")
    table = await otto.join(name, invitation=code)
    await table.sit()
    await ida.sees("Otto sits down.")
    return table


async def starts(ida: Typist) -> None:
    """Ida starts the game with everybody who sits there."""
    await ida.sees("1 Start the game")
    await ida.prompted(START)
    ida.type("1")
    await ida.sees("The game begins.")


# Invitations


async def test_a_private_table_waits_for_friends_who_come_with_the_command_that_is_shown(
    house: House, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "friend").mkdir()
    words = ["play", GAME, "--server", house.url, "--name", "Ida", "--seats", "2", "--private"]
    async with typing(*words, home=home, columns=200) as ida:
        command = await invited(ida)
        await ida.sees("Private: only who has the invitation comes in.")
        assert re.fullmatch(r"\w{16}#[a-z2-9]{12}", command[2])
        async with typing(*command, "--name", "Otto", home=tmp_path / "friend", columns=200) as friend:
            await ida.sees("Otto sits down.")
            await friend.prompted("Ida starts the game.")
        table, _, code = command[2].partition("#")
        refused = await piped("play", "--table", table, "--server", house.url, home=tmp_path)
        assert (refused[0], "not open to you" in refused[2]) == (1, True)
        for named in ([f"{table}#{code}"], [table, "--invitation", code]):
            full = await piped("play", "--server", house.url, "--table", *named, home=tmp_path)
            assert "The table is full." in full[2]


async def test_the_host_shows_the_invitation_again_and_makes_a_new_one(house: House, home: Path, otto: Client) -> None:
    async with typing(*opening(house, "--private"), home=home, columns=200) as ida:
        table = await joined(ida, otto)
        code = await table.invite()
        ida.type("/invite")
        await ida.sees(f"{table.id}#{code}")
        ida.type("/einladen neu")
        await ida.sees("This leads to the table:")
        await ida.sees(f"{table.id}#")
        assert await table.invite() != code


async def test_a_private_table_is_watched_with_its_invitation(house: House, home: Path, otto: Client) -> None:
    table = await otto.create(GAME, 2, visibility="private")
    await table.fill()
    await table.start()
    code = await table.invite()
    for named in ([f"{table.id}#{code}"], [table.id, "--invitation", code]):
        status, out, err = await piped("watch", *named, "--server", house.url, home=home, said=None)
        assert (status, err) == (0, "")
        assert "The game is over." in out
    assert (await piped("watch", table.id, "--server", house.url, home=home))[0] == 1


async def test_a_bot_comes_to_a_private_table_with_its_invitation(house: House, home: Path, otto: Client) -> None:
    table = await otto.create(GAME, 2, visibility="private")
    await table.add_bot("random")
    words = ["bot", f"{table.id}#{await table.invite()}", "--server", house.url]
    coming = asyncio.create_task(piped(*words, home=home))
    await table.until(lambda: None not in table.info.seats)
    await table.start()
    code, out, err = await coming
    assert (code, err) == (0, "")
    assert "The game is over." in out


async def test_who_leaves_a_private_table_is_told_how_to_come_back_to_it(
    house: House, home: Path, otto: Client
) -> None:
    table = await otto.create(GAME, 2, visibility="private")
    name = f"{table.id}#{await table.invite()}"
    words = ["play", "--table", name, "--server", house.url, "--name", "Ida"]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.prompted(PLAYERS)
        ida.type("leave")
        await ida.sees(f"--table '{name}'")


# Terms


async def test_terms_are_told_in_words_before_the_game(house: House, home: Path, otto: Client) -> None:
    terms = ["--clock", "30s,10m+5s", "--grace", "60s", "--overdue", "greedy", "--delay", "20", "--ready-check"]
    async with typing(*opening(house, *terms, "--lang", "de"), home=home, columns=200) as ida:
        await ida.sees(
            "30 Sekunden je Entscheidung; 10 Minuten fürs ganze Spiel; 5 Sekunden mehr mit jeder Entscheidung"
        )
        await ida.sees("auf Abwesende wird 1 Minute gewartet; dann übernimmt ein Bot des Hauses (greedy).")
        await ida.sees("Das Spiel beginnt, wenn alle /bereit gesagt haben.")
        await ida.sees("Wer zusieht, ist 20 Einträge zurück.")
        (summary,) = await otto.list_tables()
        info = (await otto.join(summary.table)).info
    assert info.clock == Clock(move=30, bank=600, increment=5, grace=60, overdue="greedy")
    assert (info.delay, info.ready_check) == (20, True)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["--clock", "soon"], "“soon” is no clock. Write 60s (for each decision)"),
        (["--grace", "a while"], "“a while” is no time. Write e.g. 90s"),
        (["--overdue", "wise"], "“wise” cannot decide when time is up. Write rules, random, greedy"),
        (["--reserve", "a", "--reserve", "b", "--seats", "2"], "At 2 seats, at most 1 can be kept for others."),
        (["--reserve", "a", "--bots", "2", "--seats", "3"], "At 3 seats there is room for at most this many bots: 1."),
        (["--clock", "soon", "--lang", "de"], "„soon“ ist keine Uhr. Schreibe 60s (je Entscheidung)"),
    ],
)
async def test_terms_that_cannot_be_say_what_to_type(house: House, home: Path, words: list[str], advice: str) -> None:
    status, out, err = await piped("play", GAME, "--server", house.url, *words, home=home)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert advice in err


async def test_a_seat_is_kept_for_whoever_was_named(house: House, home: Path, otto: Client) -> None:
    words = opening(house, "--reserve", otto.welcome.user)
    async with typing(*words, home=home, columns=200) as ida, connect(house.url, name="Carla") as carla:
        await ida.has_seen("kept for somebody")
        assert (await carla.list_tables())[0].reserved == [1]
        await joined(ida, otto)


async def test_the_host_changes_the_terms_and_everybody_sees_them(house: House, home: Path, otto: Client) -> None:
    async with typing(*opening(house), home=home, columns=200) as ida:
        table = await joined(ida, otto)
        await ida.prompted(START)
        for typed, seen in {
            "/change clock=60s": "The host changed the clock.",
            "/change clock=61s": "Clock: 1 minute 1 second for each decision; then the rules decide.",
            "/change grace=5m": "who is gone is waited for 5 minutes",
            "/change overdue=random": "then a house bot takes over (random)",
            "/change clock=10m+5s": "10 minutes for the whole game; 5 seconds more with each decision; who is gone is "
            "waited for 5 minutes; then a house bot takes over (random).",
            "/change delay=7": "Spectators are 7 entries behind.",
            "/change private=yes": "Private: only who has the invitation comes in.",
            "/change ready-check=yes": "not ready yet",
            "/change clock=soon": "“soon” is no clock.",
            "/change delay=1000": "Write a number from 0 to 256.",
            "/change private=perhaps": "Write yes or no.",
            "/change hats=3": "with one of these names: clock, grace, overdue, delay, private, ready-check",
            "/change": "Write /change NAME=VALUE",
        }.items():
            ida.type(typed)
            await ida.sees(seen)
        await table.catch_up()
        assert table.info.clock == Clock(bank=600, increment=5, grace=300, overdue="random")
        ida.type("/change clock=none")
        await table.until(lambda: table.info.clock is None)


async def test_the_game_starts_when_all_are_ready(house: House, home: Path, tmp_path: Path) -> None:
    (tmp_path / "friend").mkdir()
    async with typing(*opening(house, "--ready-check"), home=home, columns=200) as ida:
        command = await invited(ida)
        async with typing(*command, "--name", "Otto", "--lang", "de", home=tmp_path / "friend", columns=200) as otto:
            await otto.sees("noch nicht bereit")
            await otto.prompted("Alle warten auf dich: tippe /bereit")
            await ida.sees("1 Start the game")
            ida.type("1")
            await ida.sees("That was not possible: Somebody is not ready yet.")
            otto.type("/bereit")
            await ida.sees("Otto is ready.")
            await ida.sees("Otto  ready")  # which is shown when the table is at rest
            await otto.prompted("Ida beginnt das Spiel.")
            otto.type("/nicht-bereit")
            await ida.sees("Otto is not ready any more.")
            await ida.sees("Otto  not ready yet")
            otto.type("/ready")
            await ida.sees("Otto is ready.")
            await starts(ida)
            await otto.sees("Das Spiel beginnt.")


# Seats


async def test_the_host_sends_people_and_bots_away_keeps_seats_and_hands_over(
    house: House, home: Path, otto: Client
) -> None:
    async with typing(*opening(house), home=home, columns=200) as ida:
        table = await joined(ida, otto)
        ida.type("/kick 2")
        await ida.sees("Otto leaves.")
        ida.type(f"/reserve 2 {otto.welcome.user}")
        await ida.sees("kept for somebody")
        await table.sit()
        await ida.sees("Otto sits down.")
        ida.type("/kick 2", "/reserve 2 nobody", "/bot random")
        await ida.sees("Bot 2 sits down.")
        await ida.sees("bot, random")
        ida.type("/kick 2")
        await ida.sees("Bot 2 leaves.")
        await table.sit()
        await ida.sees("Otto sits down.")
        for typed, seen in {
            "/kick": "Say which seat, from 1 to 2.",
            "/kick 3": "Say which seat, from 1 to 2.",
            "/reserve 1": "Say for whom: /reserve SEAT USER.",
            "/bot wise": "Try random, greedy",
            "/bot": "That was not possible: No seat is free.",
            "/sit": "You sit here already.",
        }.items():
            ida.type(typed)
            await ida.sees(seen)
        ida.type("/host 2")
        await ida.sees("Otto is the host now.")
        await ida.prompted("Otto starts the game.")
        ida.type("/kick 2")
        await ida.sees("Only the host of the table may do this")
        await table.until(lambda: table.info.host == "Otto")


async def test_the_host_pauses_the_game_and_goes_on(house: House, home: Path, otto: Client) -> None:
    async with typing(*opening(house), home=home, columns=200) as ida:
        table = await joined(ida, otto)
        await starts(ida)
        ida.type("/change clock=60s")
        await ida.sees("That was not possible: The game has begun already.")
        assert "palatine watch" not in ida.screen
        ida.type("/pause")
        await ida.sees("The game is paused.")
        await table.until(lambda: table.info.paused)
        ida.type("/resume")
        await ida.sees("The game goes on.")
        await table.until(lambda: not table.info.paused)


async def test_a_bot_is_no_host(house: House, home: Path) -> None:
    words = ["play", GAME, "--server", house.url, "--name", "Ida", "--seats", "2"]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.sees("Your turn")
        ida.type("/host 2")
        await ida.sees("Only a player who sits at the table can be its host.")


async def test_who_sits_where_can_be_seen_at_any_time(house: House, home: Path) -> None:
    words = ["play", GAME, "--server", house.url, "--name", "Ida", "--seats", "2", "--clock", "5m"]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.sees("Your turn")
        ida.type("/table")
        await ida.sees("Seat 1  Ida")
        await ida.sees("you · host")
        await ida.sees("Clock: 5 minutes for each decision")
        ida.type("?")
        await ida.sees("/invite [new]")
        await ida.sees("/pause")
        assert "/kick" not in ida.screen  # the game has begun


async def test_who_was_sent_away_is_told_and_may_sit_down_again(house: House, home: Path, otto: Client) -> None:
    table = await otto.create(GAME, 2)
    await table.sit()
    words = ["play", "--table", table.id, "--server", house.url, "--name", "Ida", "--lang", "de"]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.prompted("Otto beginnt das Spiel.")
        await table.kick(1)
        await ida.prompted("Du sitzt hier nicht mehr; /setz nimmt einen freien Platz")
        ida.type("/setz")
        await table.until(lambda: table.info.seats[1])
        await ida.prompted("Otto beginnt das Spiel.")


# Going away


async def test_leaving_an_open_table_says_first_what_follows(house: House, home: Path, otto: Client) -> None:
    table = await otto.create(GAME, 3)
    await table.sit()
    words = ["play", "--table", table.id, "--server", house.url, "--name", "Ida"]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.prompted(PLAYERS)
        ida.type("leave")
        await ida.sees("your seat is free for others")
        ida.type("/table", "leave")  # he thought of something else: ask again
        await ida.sees("your seat is free for others")
        assert table.info.seats[1]
        ida.type("leave")
        await ida.sees("You have left the table.")
        assert await ida.ends() == 0
    await table.until(lambda: table.info.seats[1] is None)


async def test_a_table_is_left_with_a_german_word_too(house: House, home: Path, otto: Client) -> None:
    table = await otto.create(GAME, 3)
    await table.sit()
    words = ["play", "--table", table.id, "--server", house.url, "--name", "Ida", "--lang", "de"]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.prompted("Es fehlen noch Mitspieler")
        ida.type("verlassen")
        await ida.sees("Tippe noch einmal „verlassen“, um zu gehen.")
        assert table.info.seats[1]
        ida.type("verlassen")
        await ida.sees("Du hast den Tisch verlassen.")
        assert await ida.ends() == 0
    await table.until(lambda: table.info.seats[1] is None)


async def test_a_seat_with_a_house_bot_on_it_is_taken_back(house: House, home: Path, otto: Client) -> None:
    async with typing(*opening(house), home=home, columns=200) as ida:
        table = await joined(ida, otto)
        await starts(ida)
        ida.type("leave")
        await ida.sees("a house bot plays on for you")
        command = await invited(ida)
        ida.type("leave")
        assert await ida.ends() == 0
    await table.until(lambda: substitutes(table) == [0])
    async with typing(*command, home=home) as ida:
        await table.until(lambda: substitutes(table) == [])


def substitutes(table: Table) -> list[int]:
    return [seat for seat, sitting in enumerate(table.info.seats) if sitting and sitting.substitute]


async def test_who_sees_a_bot_on_his_seat_takes_it_back(house: House, home: Path, otto: Client) -> None:
    async with typing(*opening(house, "--clock", "60s", "--overdue", "random"), home=home, columns=200) as ida:
        table = await joined(ida, otto)
        await starts(ida)
        async with connect(house.url, token_of(home)) as elsewhere:
            await (await elsewhere.join(table.id)).leave()  # as when time is up
        await ida.prompted("A house bot plays for you; /sit takes your seat back")
        assert substitutes(table) == [0]
        ida.type("/sit")
        await table.until(lambda: substitutes(table) == [])


# Once more


async def test_a_rematch_from_the_command_line(house: House, home: Path) -> None:
    words = ["play", GAME, "--server", house.url, "--seats", "2", "--name", "Ida", "--json"]
    async with connect(house.url, name="Otto") as otto:
        running = await otto.create(GAME, 2)
        await running.sit()
        code, _, err = await piped("play", "--again", running.id, "--server", house.url, home=home)
        assert (code, f"play --table {running.id}" in err) == (1, True)
    code, out, _ = await piped(*words, home=home, said='{"quit": true}\n')
    (table,) = re.findall(r'"event":"table","table":"(\w+)"', out)
    async with connect(house.url, token_of(home)) as ida:
        played = await ida.join(table)
        await played.leave()  # house bots play on to the end
        await played.until(lambda: played.is_over)
        async with typing("play", "--again", table, "--server", house.url, home=home, columns=200) as again:
            await again.sees("1 Start the game")
            assert re.search(r"Seat 2\s+Ida", again.screen)
        await played.until(lambda: played.info.next)


def token_of(home: Path) -> str:
    (kept,) = (home / "palatine").glob("*.guest.json")
    return str(re.findall(r'"token":"([^"]+)"', kept.read_text())[0])


# For programs


async def test_a_program_hosts_a_table(house: House, home: Path, otto: Client) -> None:
    words = [GAME, "--server", house.url, "--name", "Robo", "--seats", "2", "--private"]
    async with script(*words, home=home) as robo:
        name = (await robo.hears("table"))["table"]
        told = await robo.says({"invite": True})
        assert (told["event"], told["table"]) == ("invitation", name)
        table = await otto.join(name, invitation=told["invitation"])
        await table.sit()
        for command in (
            {"change": {"clock": {"move": 60}, "ready_check": True}},
            {"kick": 1},
            {"reserve": 1, "user": otto.welcome.user},
            {"reserve": 1, "user": None},
            {"bot": "random"},
            {"kick": 1},
            {"invite": "new"},
        ):
            assert (await robo.says(command))["event"] in {"done", "invitation"}
        await table.until(lambda: table.info.clock == Clock(move=60) and table.info.seats[1] is None)
        await table.sit()
        for command in ({"change": {"delay": -1}}, {"kick": 7}, {"kick": True}, {"host": "Otto"}):
            assert (await robo.says(command))["event"] == "refused"
        assert (await robo.says({"host": 1}))["event"] == "done"
        assert (await robo.says({"leave": True}))["event"] == "done"
        await table.until(lambda: table.info.host == "Otto" and table.info.seats[0] is None)
        assert (await robo.says({"sit": True}))["event"] == "done"
