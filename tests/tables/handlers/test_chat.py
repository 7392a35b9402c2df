"""Talk: who hears what, when it is forbidden, and how much of it there may be."""

from typing import Any

import pytest
from tables.state_fixtures import GAME, T0, TABLE, ask, choose, code_of, copied, opened, place, started

from palatine_protocol import messages
from palatine_server.games.kit import Refused
from palatine_server.tables.handlers import handle_request
from palatine_server.tables.handlers.chat import MOST_LINES, MOST_SPECTATORS, clean_text
from palatine_server.tables.handlers.rollback import go_back
from palatine_server.tables.state import Requester, TableState


def say(text: str, to: Any = "table") -> messages.Say:
    return messages.Say(**TABLE, text=text, to=to)


def placing() -> TableState:
    state = started()
    for seat in range(3):
        choose(state, seat)
    return state


def test_players_are_heard_by_everybody_and_spectators_by_spectators() -> None:
    state = placing()
    player, visitor = ask(state, 0, say("Hello")), ask(state, 6, say("What a castle"))
    assert player.news[0].news == {"news": "said", "name": "Anna", "text": "Hello", "to": "table", "seat": 0}
    assert [player.news[0].is_for(viewer) for viewer in (0, 1, None)] == [True, True, True]
    assert [visitor.news[0].is_for(viewer) for viewer in (0, 1, None)] == [False, False, True]


def test_while_tiles_are_chosen_nobody_talks_at_the_table() -> None:
    state = started()
    with pytest.raises(Exception, match="talk") as refused:
        ask(state, 0, say("Take the garden"))
    assert (refused.value.code, refused.value.rule) == ("hush", "B2C-DRAFT-1")  # type: ignore[attr-defined]
    ask(state, 6, say("Nobody hears us"))
    assert [line.text for line in state.secrets.talk] == ["Nobody hears us"]
    ask(opened(), 0, say("before the game everybody may"))


def test_lines_are_kept_with_the_table_but_not_for_ever() -> None:
    state = placing()
    for number in range(MOST_LINES + 20):
        ask(state, 0, say(f"line {number}"), T0 + 10_000 * number)
    assert len(state.secrets.talk) == MOST_LINES
    assert TableState.read(GAME, copied(state.take_snapshot())).secrets.talk == state.secrets.talk
    assert state.secrets.talk[-1].text == f"line {MOST_LINES + 19}"


def test_nobody_may_say_too_much_at_once() -> None:
    state = placing()
    for second in range(5):
        ask(state, 0, say("again"), T0 + second)
    assert code_of(ask, state, 0, say("and again"), T0 + 9_999) == "too_fast"
    ask(state, 1, say("others may"), T0 + 9_999)
    ask(state, 0, say("later"), T0 + 10_001)


def test_who_says_too_much_is_told_when_there_is_room_again() -> None:
    state = placing()
    for second in range(5):
        ask(state, 0, say("again"), T0 + 100 * second)
    with pytest.raises(Refused) as refused:
        ask(state, 0, say("and again"), T0 + 700)
    assert refused.value.retry_after_ms == 9_300
    ask(state, 0, say("now"), T0 + 700 + 9_300)
    with pytest.raises(Refused) as refused:
        ask(state, 0, say("at once"), T0 + 10_000)
    assert refused.value.retry_after_ms == 100  # the second line is as old then


def test_spectators_together_do_not_fill_the_log() -> None:
    state = placing()
    crowd = [Requester(f"guest {number}", "Guest") for number in range(30)]
    for guest in crowd[:MOST_SPECTATORS]:
        handle_request(state, guest, say("me too"), T0, None)
    assert code_of(handle_request, state, crowd[-1], say("and me"), T0, None) == "too_fast"
    ask(state, 0, say("those who play may speak"))
    handle_request(state, crowd[-1], say("later"), T0 + 10_001, None)


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("  two\n lines\tand tabs ", "two lines and tabs"),
        ("a\u202egnirts\u202c", "agnirts"),
        ("\x1b[31mred", "[31mred"),
        ("zero\u200bwidth", "zerowidth"),
        ("Schloß ♔ 城", "Schloß ♔ 城"),
    ],
)
def test_only_plain_text_is_passed_on(said: str, heard: str) -> None:
    assert clean_text(said) == heard


def test_nothing_is_not_said() -> None:
    assert code_of(ask, placing(), 0, say(" \u200b ")) == "malformed"


def test_the_host_silences_by_line() -> None:
    state = placing()
    line = ask(state, 1, say("rude")).version
    ask(state, 1, say("ruder"))
    assert code_of(ask, state, 2, messages.Mute(**TABLE, line=line)) == "not_the_host"
    ask(state, 0, messages.Mute(**TABLE, line=line))
    assert state.secrets.talk == []
    assert code_of(ask, state, 1, say("hey")) == "muted"
    assert code_of(ask, state, 0, messages.Mute(**TABLE, line=1)) == "no_such_line"


def test_an_administrator_silences_everywhere_and_lets_speak_again() -> None:
    state = placing()
    line = ask(state, 1, say("rude")).version
    ask(state, 6, messages.Mute(**TABLE, line=line), is_admin=True)
    ask(state, 6, messages.Mute(**TABLE, line=line, muted=False), is_admin=True)
    ask(state, 1, say("thank you"))


def test_a_complaint_is_kept_and_nobody_at_the_table_is_told() -> None:
    state = placing()
    line = ask(state, 1, say("rude")).version
    entry = ask(state, 2, messages.Report(**TABLE, line=line, why="rude"))
    assert (entry.news, entry.board, entry.info) == ([], [], [])
    assert entry.did == {"do": "report", "line": line, "why": "rude"}


def test_a_line_is_complained_about_once_by_each_and_not_by_all_the_world() -> None:
    state = placing()
    complaint = messages.Report(**TABLE, line=ask(state, 1, say("rude")).version)
    for number in (0, 2, 3, 4, 5):
        ask(state, number, complaint)
        assert code_of(ask, state, number, complaint) == "not_allowed"
    assert code_of(ask, state, 6, complaint) == "not_allowed"


def test_talk_does_not_end_undo() -> None:
    state = placing()
    place(state, 0)
    ask(state, 1, say("nice"))
    assert state.require_begun().may_undo(0)


# The rule of silence is a public fact


def test_silence_is_told_as_long_as_it_lasts() -> None:
    state = opened()
    assert "silence" not in state.take_snapshot().info
    state = started()
    assert state.take_snapshot().info["silence"] == "B2C-DRAFT-1"
    first, *_, last = [choose(state, seat) for seat in range(3)]
    assert first.info == []
    assert last.info == [[["silence"]]]
    assert "silence" not in state.take_snapshot().info


def test_silence_is_told_by_the_next_entry_of_a_table_that_an_older_version_has_stored() -> None:
    stored = copied(started().take_snapshot())
    del stored.info["silence"]
    state = TableState.read(GAME, stored)
    assert code_of(ask, state, 0, say("Take the garden")) == "hush"
    assert choose(state, 0).info == [[["silence"], "B2C-DRAFT-1"]]


def test_silence_returns_when_the_game_goes_back_to_the_choice() -> None:
    state = started()
    begin = copied(state.take_snapshot())
    for seat in range(3):
        choose(state, seat)
    go_back(state, begin, T0)
    state.entry(T0, "", {"do": "take_back"}, 0, [])
    assert state.take_snapshot().info["silence"] == "B2C-DRAFT-1"
