"""Everything a player does at the table besides choosing, at a real terminal with a real server."""

from __future__ import annotations

import re
import signal
from collections import deque
from contextlib import AbstractAsyncContextManager
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from clients.players import GAME, SEED, Friend, played_out, together, waiting_room
from clients.pty_driver import Typist, piped, typing
from rich.console import Console
from server_fixture import House

from palatine_client import RequestRefused, connect
from palatine_client.cli.format import countdown
from palatine_client.cli.http_api import HttpApi
from palatine_client.cli.slash import SLASH_COMMANDS
from palatine_client.cli.slash.agreements import forget_undone
from palatine_client.cli.slash.explain import explain_or_list
from palatine_client.cli.slash.registry import GROUPS, find_command
from palatine_client.cli.ui.plain_view import build_view
from palatine_client.cli.ui.player_screen import PlayerScreen
from palatine_client.cli.ui.terminal import Terminal
from palatine_client.menu import InputError
from palatine_protocol.messages import Clock

PALAIS, DECIDE, CHOOSE = "palais_royal", "Your choice", "2 numbers, e.g. 1 2"
ONCE_MORE = "Another game with the same people? y, or Enter to go"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


# Words


def test_every_command_has_words_of_its_own_and_a_line_of_help_in_every_language() -> None:
    words = [word for command in SLASH_COMMANDS for word in sorted(command.words)]
    assert len({*words}) == len(words)
    for command in SLASH_COMMANDS:
        assert command.group in GROUPS
        for lang in ("en", "de"):
            assert command.usage(lang).startswith("/")
            assert command.meaning(lang)


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        ("/say hello there", "say", "hello there"),
        ("/SAG Hallo", "say", "Hallo"),
        ('"good luck"', "say", "good luck"),
        ("/preview 2", "preview", "2"),
        ("p 2", "preview", "2"),
        ("/zurück", "back", ""),
        ("/warum 3", "why", "3"),
    ],
)
def test_commands_are_understood_in_both_languages(line: str, word: str, rest: str) -> None:
    found = find_command(SLASH_COMMANDS, line)
    assert found
    assert (found[0].en, found[1]) == (word, rest)


def test_what_begins_with_a_slash_and_is_nothing_is_not_a_choice() -> None:
    assert find_command(SLASH_COMMANDS, "1 2") is None
    with pytest.raises(InputError) as raised:
        find_command(SLASH_COMMANDS, "/agre")
    assert raised.value.values == {"typed": "/agre", "word": "/agree"}
    with pytest.raises(InputError) as raised:
        find_command(SLASH_COMMANDS, "/xyzzy")
    assert raised.value.label == "no such word"


async def test_help_lists_what_makes_sense_now(house: House, home: Path) -> None:
    async with together(house, home, seats=3) as (ida, otto):
        await ida.prompted(CHOOSE)
        ida.type("?")
        for shown in ("What you can type", "Choosing", "/preview N", "Talking", "/say TEXT", "/back [N]", "/again"):
            await ida.sees(shown)
        assert "/agree" not in ida.screen
        ida.type("/agreee")
        await ida.sees("did you mean /agree?")


LEAVING = "verlassen: verlässt den Tisch; vorher erfährst du, was daraus folgt"


async def test_in_plain_words_help_is_complete(house: House, home: Path) -> None:
    words = ["play", GAME, "--server", house.url, "--seats", "3", "--plain", "--lang", "de"]
    code, out, err = await piped(*words, home=home, said="?\n/warum 1\n")
    assert (code, err) == (0, "")
    for line in ("Wählen:", "/vorschau N: was sich ändern würde, wenn du N wählst (auch: p N)", "Gehen:", LEAVING):
        assert line in out.splitlines()
    assert "Punkte von" in out
    assert all(line == line.rstrip() for line in out.splitlines())


@pytest.mark.parametrize("game", ["between_two_castles", "palais_royal", "noblemen"])
async def test_in_plain_words_help_has_no_signs(house: House, home: Path, game: str) -> None:
    words = ["play", game, "--server", house.url, "--seats", "3", "--plain"]
    code, out, err = await piped(*words, home=home, said="?\n")
    assert (code, err) == (0, "")
    shown = out.partition("What you can type.")[0].rpartition("Your turn")[2]
    assert " point" in shown
    assert not {*shown} & {*"─♜♛♚♥◆♨⚒♣☾↔▼⌂≡≈❀♠†∩▟♞"}


async def test_in_plain_words_ctrl_c_says_how_to_come_back(house: House, home: Path) -> None:
    words = ["play", GAME, "--server", house.url, "--seats", "3", "--plain", "--name", "Ida"]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.sees("Your turn")
        ida.process.send_signal(signal.SIGINT)
        await ida.sees("Your seat is kept. Come back with:")
        assert await ida.ends() == 0


async def test_in_plain_words_one_hears_who_is_waited_for_and_may_speak_meanwhile(house: House, home: Path) -> None:
    async with together(house, home, "--plain", game=PALAIS, clock=Clock(move=60)) as (ida, otto):
        await ida.sees("Waiting for Otto (")
        ida.type("/say Take your time.")
        await otto.sees(lambda: otto.table.talk)
        assert otto.table.talk[-1].text == "Take your time."


# Talk


async def test_what_is_said_is_heard_with_the_name_of_who_said_it(house: House, home: Path) -> None:
    async with waiting_room(house, home) as (ida, otto):
        ida.type("/say Good evening")
        await otto.sees(lambda: [line.text for line in otto.table.talk] == ["Good evening"])
        await ida.sees("Ida: Good evening")
        ida.type('"Shall we?')
        await otto.sees(lambda: otto.table.talk[-1].text == "Shall we?")
        await otto.table.say("Gladly.")
        await ida.sees(f"Otto: Gladly.  #{otto.table.talk[-1].line}")
        ida.type("/report Otto rude")
        await ida.sees("It is noted.")
        ida.type("/mute Otto")
        await ida.sees("Only the host of the table may do this")
        ida.type("/say")
        await ida.sees("Type what you would like to say")
        await otto.table.mute(next(line.line for line in otto.table.talk if line.name == "Ida"))
        await ida.sees("Ida is silenced.")
        ida.type("/say Why?")
        await ida.sees("You may not speak at this table any more.")


async def test_a_line_may_be_longer_than_the_screen_is_wide(house: House, home: Path) -> None:
    async with waiting_room(house, home) as (ida, otto):
        words = "So many words that they need more room than there is. " * 5
        ida.type(f"/say {words}")
        await otto.sees(lambda: [line.text for line in otto.table.talk] == [words.strip()])


async def test_who_comes_later_is_told_what_was_said_last(house: House, home: Path) -> None:
    async with waiting_room(house, home) as (ida, otto):
        ida.type("/say Line 0")
        await otto.sees(lambda: otto.table.talk)
        for number in range(1, 5):
            await otto.table.say(f"Line {number}")
        await ida.sees("Otto: Line 4")
        ida.type("q")
        assert await ida.ends() == 0
        await otto.table.say("Line 5")
        words = ["play", f"--table={otto.table.id}", "--server", house.url]
        async with typing(*words, home=home, columns=110) as again:
            await again.sees("Otto: Line 1")
            await again.sees("Otto: Line 5")
            assert "Line 0" not in again.screen


async def test_where_silence_is_the_rule_the_refusal_names_it_in_the_players_language(house: House, home: Path) -> None:
    async with together(house, home, "--lang", "de", seats=3) as (ida, _):
        await ida.prompted("2 Zahlen, z. B. 1 2")
        ida.type("/sag Nimm den Turm!")
        await ida.sees("Das ging nicht: Jetzt darf niemand sprechen. [B2C-DRAFT-1]")
        await ida.prompted("2 Zahlen, z. B. 1 2")


# Clocks


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "0:00"), (8.2, "0:09"), (59.9, "1:00"), (725, "12:05"), (3600, "1:00:00"), (183_600, "2 d 3 h")],
)
def test_time_is_shown_as_on_a_clock(seconds: float, shown: str) -> None:
    assert countdown.format_time(seconds) == shown


async def test_everybody_sees_who_is_waited_for_and_how_long(house: House, home: Path) -> None:
    clock = Clock(move=40, bank=600, increment=5)
    async with together(house, home, seats=3, clock=clock) as (ida, otto):
        await ida.sees("Time left: Otto 10:")
        await ida.has_seen("2 numbers, e.g. 1 2 (10:3")  # it runs without a key being pressed
        ida.type("1 2")
        await ida.has_seen("Waiting for Otto (10:")
        await otto.does("choose")
        await ida.sees("Everybody reveals:")


async def test_short_time_is_announced_and_its_end_is_told(house: House, home: Path) -> None:
    async with together(house, home, seats=3, clock=Clock(move=3)) as (ida, _):
        await ida.sees("Your time is nearly up: 0:0")
        await ida.sees("Time is up; the server decides for you.", "Time is up; the server decides for Otto.")


PROMPTS = {"en": (CHOOSE, DECIDE), "de": ("2 Zahlen, z. B. 1 2", "Deine Wahl")}
READY = {
    "en": ("Leave the rooms where they are; otherwise the turn ends in a moment", "Your time is nearly up"),
    "de": ("Die Räume so lassen; sonst endet der Zug gleich von selbst", "Deine Zeit ist fast um"),
}


@pytest.mark.parametrize(("lang", "is_said"), [("en", False), ("de", True)])
async def test_the_last_to_place_may_say_ready_or_wait_a_moment(
    house: House, home: Path, lang: str, is_said: bool
) -> None:
    (choose, decide), (ready, warning) = PROMPTS[lang], READY[lang]
    async with together(house, home, "--lang", lang, seats=3) as (ida, otto):
        await ida.prompted(choose)
        ida.type("1 2")
        await otto.does("choose")
        for _ in range(2):
            await otto.does("place")
        await otto.sees(lambda: otto.table.view.offer is None or not otto.table.must_decide)
        for _ in range(4):  # two rooms, each with its place
            await ida.prompted(decide)
            ida.type("1")
        await ida.sees(f"1 {ready}")
        await ida.has_seen(f"{decide} (0:0")  # the seconds that are left
        if is_said:
            ida.type("1")
        await otto.does("choose")  # the next turn has begun
        assert warning not in ida.screen


async def test_a_pause_is_seen_by_all(house: House, home: Path) -> None:
    async with together(house, home, seats=3, clock=Clock(move=300)) as (ida, otto):
        await ida.has_seen("2 numbers, e.g. 1 2 (")
        await otto.table.pause()
        await ida.prompted("The game is paused")
        ida.type("1 2")
        await ida.sees("There is nothing to choose now.")
        await otto.table.resume()
        await ida.sees("The game goes on.")
        await ida.sees("2 numbers, e.g. 1 2 (")


# Taking back


async def test_a_player_proposes_to_go_back_and_all_must_agree(house: House, home: Path) -> None:
    async with together(house, home, game=PALAIS) as (ida, otto):
        await acts(ida, otto)
        ida.type("/back")
        await otto.sees(lambda: otto.table.info.rollback)
        await ida.sees("You proposed to go back to number")
        await otto.table.agree()
        await ida.sees("The game went back to number")


def test_what_was_undone_or_taken_back_is_not_gone_back_behind_again() -> None:
    acted = deque([3, 5, 8, 9])
    forget_undone(acted, {"news": "action_undone", "seat": 0}, 1)
    forget_undone(acted, {"news": "action_undone", "seat": 1}, 1)
    assert [*acted] == [3, 5, 8]
    forget_undone(acted, {"news": "rolled_back", "to": 4}, 1)
    assert [*acted] == [3]


async def test_who_is_asked_to_go_back_is_told_what_to_type(house: House, home: Path) -> None:
    async with together(house, home, "--lang", "de", game=PALAIS) as (ida, otto):
        begun = await acted(otto)
        await otto.table.rollback(begun)
        await ida.sees("Bist du einverstanden, zurückzugehen? /ja oder /nein")
        ida.type("/nein")
        await ida.sees("Du bist nicht einverstanden, zurückzugehen.")
        ida.type("/ja")
        await ida.sees("Das ging nicht: Niemand hat vorgeschlagen, etwas zurückzunehmen.")
        await otto.table.rollback(begun)
        await ida.sees("/ja oder /nein")
        ida.type("/ja")
        await ida.sees("Das Spiel ist zu Nummer")


async def test_to_go_back_one_names_a_number_of_the_log(house: House, home: Path) -> None:
    async with together(house, home, game=PALAIS) as (ida, otto):
        await acted(otto)
        await ida.sees("The game begins.")
        await ida.prompted(DECIDE, "Waiting for Otto")
        ida.type("s")
        await ida.sees("What happened so far")
        await ida.sees("The game begins.")
        await ida.prompted(DECIDE, "Waiting for Otto")
        (number,) = re.findall(r"(\d+) +The game begins", ida.screen)
        ida.type("/back")
        await ida.sees("Type the number to go back to")
        ida.type(f"/back {number}")
        await otto.sees(lambda: otto.table.info.rollback)
        assert otto.table.info.rollback
        assert otto.table.info.rollback.to == int(number)
        ida.type("/back nowhere")
        await ida.sees("“nowhere” is no number.")


async def acted(otto: Friend) -> int:
    """The version of the game before Otto did the first thing that is offered to him."""
    version, offer = otto.table.version, otto.table.view.offer
    assert version
    assert offer
    await otto.table.act(offer.id, next(iter(offer.choices[0])))
    return version


async def acts(ida: Typist, otto: Friend) -> None:
    """Ida does the first thing that is offered to her, when it is her turn."""
    while not any(waiting.seat == 1 for waiting in otto.table.view.waiting):
        await acted(otto)
    version = otto.table.version or 0
    while (otto.table.version or 0) == version:
        await ida.prompted(DECIDE)
        ida.type("1")
        await ida.sees("Your choice", "You")
    await ida.prompted(DECIDE, "Waiting for Otto")


# What if, and why


async def test_a_preview_shows_what_would_change_and_changes_nothing(house: House, home: Path) -> None:
    async with together(house, home, seats=3) as (ida, otto):
        await placing(ida, otto)
        version = otto.table.version
        ida.type("p 1")
        await ida.sees("That is not a whole choice yet")
        ida.type("1")
        await ida.sees("Where in")
        await ida.prompted(DECIDE)
        ida.type("/preview 1")
        await ida.sees("If you chose this: Place")
        await ida.sees("Castle  you")  # drawn
        await ida.sees("Points:", "No points would change.")
        await ida.prompted(DECIDE)
        assert otto.table.version == version
        ida.type("/preview")
        await ida.sees("Type the number of what you might choose")
        ida.type("/preview 99")
        await ida.sees("Type a number from 1 to")


async def test_what_would_reveal_something_is_not_previewed(house: House, home: Path) -> None:
    async with together(house, home, "--lang", "de", seats=3) as (ida, otto):
        await otto.does("choose")
        await ida.sees("Otto hat")
        await ida.prompted("2 Zahlen, z. B. 1 2")
        ida.type("/vorschau 1 2")
        await ida.sees("Das würde dir etwas Verborgenes zeigen; eine Vorschau gibt es davon nicht.")


async def test_questions_are_listed_and_answered_with_rules(house: House, home: Path) -> None:
    async with together(house, home, "--lang", "de", seats=3) as (ida, _):
        await ida.prompted("2 Zahlen, z. B. 1 2")
        ida.type("/warum")
        await ida.sees("1 Woher kommen die Punkte von Otto?")
        await ida.sees("2 Woher kommen die Punkte von Ida?")
        ida.type("/warum 2")
        await ida.sees("Punkte von Ida, wenn das Spiel jetzt endete")
        await ida.sees("[B2C-FINAL-2]")
        ida.type("/warum wert")
        await ida.sees("4 Was ist dieses Schloss wert:")
        ida.type("/warum 99")
        await ida.sees("Tippe eine Zahl von 1 bis 6.")
        ida.type("/warum xyz")
        await ida.sees("So eine Frage gibt es nicht.")


async def test_where_there_are_many_questions_a_few_of_each_kind_are_listed(house: House, home: Path) -> None:
    async with together(house, home, game=PALAIS) as (ida, _):
        await ida.prompted(DECIDE, "Waiting for Otto")
        ida.type("/why")
        await ida.sees("What does the noble on A1 cost, and why?")
        (first, last) = re.findall(r"and so on, (\d+) to (\d+)", ida.screen)[0]
        assert "noble on F6" not in ida.screen
        ida.type("/why f6")
        await ida.sees("What does the noble on F6 cost, and why?")
        ida.type(f"/why {last}")
        await ida.sees("What does the noble on F6 cost, and why?")
        assert int(first) < int(last)


async def test_a_refusal_of_the_game_comes_in_the_players_language_and_can_be_asked_about(house: House) -> None:
    async with connect(house.url, name="Ida") as client:
        table = await client.create(GAME, 3, seed=SEED)
        await table.sit()
        await table.fill()
        await table.start()
        game = await HttpApi(house.url, "de").fetch_game(GAME)
        screen = StringIO()
        ida = PlayerScreen(build_view(table, game, "de", plain=True), Terminal(Console(file=screen, highlight=False)))
        action = {"do": "choose", "tiles": ["sauna", "sauna"]}
        with pytest.raises(RequestRefused) as refused:
            await ida.act_on_offer(0, action)
        assert refused.value.sentence == "Wähle genau zwei verschiedene Plättchen."
        ida.say(ida.refusal(refused.value), await explain_or_list(ida, ""), await explain_or_list(ida, ""))
        assert screen.getvalue().splitlines()[:4] == [
            "Das ging nicht: Wähle genau zwei verschiedene Plättchen. [B2C-DRAFT-2]",
            "Wähle genau zwei verschiedene Plättchen. [B2C-DRAFT-2]",
            "Was du fragen kannst; /warum N gibt die Antwort, /warum WORT sucht ein Wort",
            "   1 Woher kommen die Punkte von Ida?",
        ]


async def placing(ida: Typist, otto: Friend) -> None:
    """All have chosen, and rooms are to be placed."""
    await ida.prompted(CHOOSE)
    ida.type("1 2")
    await otto.does("choose")
    await ida.sees("Everybody reveals:")
    await ida.prompted(DECIDE)


# Partners


async def test_partners_show_each_other_what_they_might_do(house: House, home: Path) -> None:
    async with together(house, home, seats=3) as (ida, otto):
        await placing(ida, otto)
        await otto.sees(lambda: otto.offered("place", {}))
        castles = otto.table.board["castles"]
        shared = next(number for number, castle in enumerate(castles) if sorted(castle["partners"]) == [0, 1])
        (action, *_) = otto.offered("place", {"castle": shared})
        await otto.table.point(action)
        await ida.sees("Otto would like: Place")
        (number,) = re.findall(rf"(\d) Place .* in {castles[shared]['token'].capitalize()} Castle", ida.screen)[:1]
        ida.type(number)
        await ida.sees("╎     Otto     ╎")  # where he would like to have a room
        await ida.sees("Where in")
        await ida.prompted(DECIDE)
        ida.type("/point 1")
        await ida.sees("The partner of that castle sees what you might do: Place")
        await otto.sees(lambda: otto.table.pointed)
        assert otto.table.pointed[1]["do"] == "place"
        ida.type("/point")
        await ida.sees("You do not point at anything any more.", "The server asks for patience.")


async def test_nobody_is_shown_anything_while_rooms_are_chosen(house: House, home: Path) -> None:
    async with together(house, home, seats=3) as (ida, _):
        await ida.prompted(CHOOSE)
        ida.type("/point 1 2")
        await ida.sees("You can show your partners what you would do while rooms are placed")
        ida.type("?")
        await ida.sees("What you can type")
        await ida.prompted(CHOOSE)
        assert "/point [N]" not in ida.screen


# Those who look on


async def test_a_hand_is_shown_to_those_who_look_over_the_shoulder(house: House, home: Path) -> None:
    async with together(house, home, seats=3) as (ida, otto):
        await ida.prompted(CHOOSE)
        hand = re.findall(r"^ *1 +\S+ (.+?)  ", ida.screen, re.MULTILINE)[-1]
        words = ["watch", "--server", house.url, "--seat", "2", "--", otto.table.id]
        code, _, err = await piped(*words, home=home, said=None, XDG_CONFIG_HOME=str(home / "eva"))
        assert (code, err) == (1, "This seat does not let spectators look over its shoulder.\n")
        ida.type("/show")
        await ida.sees("You let spectators see your hand.")
        async with typing(*words, home=home, XDG_CONFIG_HOME=str(home / "eva"), columns=110) as eva:
            await eva.sees("You look over the shoulder of Ida")
            await eva.sees("Your hand")
            await eva.sees(hand)
            await eva.prompted("Waiting for Otto and Ida")
            ida.type("/cover")
            await eva.sees("Ida does not show the hand any more.")


async def test_spectators_talk_among_themselves(house: House, home: Path) -> None:
    async with together(house, home, seats=3) as (ida, otto), looking_on(house, home, otto, "eva") as eva:
        async with looking_on(house, home, otto, "max") as max_:
            for spectator in (eva, max_):
                await spectator.prompted("Waiting for Otto and Ida")
            eva.type("/say Whom do you trust?")
            await max_.sees("(looking on): Whom do you trust?")
            await max_.prompted("Waiting for Otto and Ida")
            max_.type("1")
            await max_.sees("There is nothing to choose now.")
            max_.type("?")
            await max_.sees("What you can type")
            max_.type("q")
            assert await max_.ends() == 0
        ida.type("/talk")
        await ida.sees("Nobody has said anything.")


async def test_spectators_are_told_how_late_they_are(house: House, home: Path) -> None:
    async with together(house, home, "--lang", "de", seats=3, delay=3) as (ida, otto):
        await ida.prompted("2 Zahlen, z. B. 1 2")
        async with looking_on(house, home, otto, "eva", "--lang", "de") as eva:
            await eva.sees("sehen Zuschauer alles 3 Einträge später.")
            await eva.prompted("Bitte warten")
            eva.type("/sag Schade.")
            await eva.prompted("Bitte warten")
            eva.type("?")
            await eva.sees("Was du tippen kannst")


def looking_on(house: House, home: Path, otto: Friend, name: str, *words: str) -> AbstractAsyncContextManager[Typist]:
    """Somebody looks on at a terminal of his own."""
    watching = ["watch", "--server", house.url, *words, "--", otto.table.id]
    return typing(*watching, home=home, XDG_CONFIG_HOME=str(home / name), columns=110)


# Once more


async def test_after_the_game_everybody_may_go_on_at_a_new_table(house: House, home: Path) -> None:
    async with together(house, home, seats=3) as (ida, otto), looking_on(house, home, otto, "eva") as eva:
        await ida.prompted(CHOOSE)
        await eva.sees("Ida")
        await played_out(house, home, otto)
        await ida.sees("The game is over.")
        await ida.sees("Ida has place")
        await ida.prompted(ONCE_MORE)
        ida.type("/why rank", "/say Well played")
        await ida.sees("There is no such question.")
        await otto.sees(lambda: otto.table.talk)
        await ida.prompted(ONCE_MORE)
        ida.type("y")
        await otto.sees(lambda: otto.table.info.next)
        await eva.sees(f"There is a table for another game: {otto.table.info.next}.")
        await ida.sees(f"Table {otto.table.info.next}")
        await eva.prompted(ONCE_MORE)
        eva.type("/again")
        await eva.sees("At the table:")
        again = await otto.client.join(str(otto.table.info.next))
        assert [sitting and sitting.name for sitting in again.info.seats] == ["Bot 3", "Otto", "Ida"]


async def test_whoever_wants_more_may_say_so_before_the_end_also_in_a_pipe(house: House, home: Path) -> None:
    rng = Random(5)
    said = "/again\n" + "\n".join(rng.choice(["1 2", "1", "2", "3"]) for _ in range(3000))
    code, out, err = await piped("play", GAME, "--server", house.url, "--seats", "3", home=home, said=said)
    assert (code, err) == (0, "")
    assert "When this game is over, it goes on with another one." in out
    assert len(re.findall("^Table ", out, re.MULTILINE)) == 2
