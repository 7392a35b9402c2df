"""Bot processes: what they write is decoded, bounded and timed, and no process outlives its end."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from time import monotonic

import pytest

from palatine_client.bots.bot_process import LONGEST_WORDS, MOST_LATE, BotFailure, BotProcess
from palatine_client.bots.line_protocol import BotAsked, BotHello, BotStart
from palatine_protocol.messages import Offer
from palatine_protocol.offers import Choice, Pick, Range

HELLO = BotHello(protocol=1, game="any")
CHOICE = Choice("play", {"card": ["ace"], "many": Pick(1, 2, ["a", "b"]), "on": Range(3, 5)})
FIRST = {"do": "play", "card": "ace", "many": ["a"], "on": 3}


def command(mode: str) -> list[str]:
    return [sys.executable, str(Path(__file__).parent / "hostile_bot.py"), mode]


def question(number: int = 0) -> BotAsked:
    return BotAsked(version=number + 1, board={}, hand={}, offer=Offer(id=number, choices=[CHOICE]))


@pytest.fixture
def started(request: pytest.FixtureRequest):
    process = BotProcess(command(request.param), HELLO)
    process.start(BotStart(seat=0, players=2, seed="1"))
    yield process
    process.end()


def fail(process: BotProcess, number: int = 0, seconds: float = 20.0) -> BotFailure:
    with pytest.raises(BotFailure) as raised:
        process.ask(question(number), seconds)
    return raised.value


@pytest.mark.parametrize("started", ["good"], indirect=True)
def test_a_good_bot_answers_every_question(started: BotProcess) -> None:
    assert [started.ask(question(number), 20.0).action for number in range(3)] == [FIRST] * 3


@pytest.mark.parametrize("started", ["crash"], indirect=True)
def test_a_crash_names_the_exit_code_and_keeps_the_last_words(started: BotProcess) -> None:
    failure = fail(started)
    assert (failure.kind, str(failure)) == ("crashed", "the process ended with exit code 3: I fell over")
    assert "I fell over" in started.last_words
    assert fail(started, 1).kind == "crashed"


@pytest.mark.parametrize("started", ["silent"], indirect=True)
def test_a_silent_bot_is_late_and_ended_when_it_is_late_too_often(started: BotProcess) -> None:
    kinds = [fail(started, number, 0.05).kind for number in range(MOST_LATE)]
    assert kinds == ["late"] * MOST_LATE
    assert not started.is_running


@pytest.mark.parametrize("started", ["late_once"], indirect=True)
def test_an_answer_that_comes_too_late_is_not_taken_for_the_next_one(started: BotProcess) -> None:
    assert fail(started, 0, 0.2).kind == "late"
    answer = started.ask(question(1), 20.0)
    assert answer.offer == 1


@pytest.mark.parametrize("started", ["garbage", "wrong_type", "future"], indirect=True)
def test_nonsense_forfeits_the_move_and_the_process_goes_on(started: BotProcess) -> None:
    assert fail(started).kind == "nonsense"
    assert started.is_running


@pytest.mark.parametrize("started", ["long_line", "flood"], indirect=True)
def test_what_has_no_end_ends_the_process(started: BotProcess) -> None:
    assert fail(started).kind == "nonsense"
    assert not started.is_running


@pytest.mark.parametrize("started", ["loud"], indirect=True)
def test_standard_error_is_read_and_only_its_end_is_kept(started: BotProcess) -> None:
    assert started.ask(question(), 20.0).action == FIRST
    assert 0 < len(started.last_words) <= LONGEST_WORDS


@pytest.mark.parametrize("started", ["stops_reading"], indirect=True)
def test_a_bot_that_does_not_read_delays_nobody_for_longer_than_its_time(started: BotProcess) -> None:
    asked = question()
    asked.board = "x" * 1_000_000  # more than a pipe holds
    began = monotonic()
    with pytest.raises(BotFailure) as raised:
        started.ask(asked, 0.3)
    assert (raised.value.kind, monotonic() - began < 5) == ("late", True)


def test_a_bot_that_does_not_get_ready_has_crashed() -> None:
    with pytest.raises(BotFailure, match="did not get ready") as raised:
        BotProcess(command("never_ready"), HELLO, start_within=0.3)
    assert raised.value.kind == "crashed"


def test_a_command_that_does_not_exist_has_crashed() -> None:
    with pytest.raises(BotFailure, match="cannot be started"):
        BotProcess(["/no/such/bot"], HELLO)


@pytest.mark.parametrize("started", ["good"], indirect=True)
def test_the_end_leaves_no_process_and_no_file_open(started: BotProcess) -> None:
    pid, before = started._process.pid, len(os.listdir("/proc/self/fd"))
    started.end()
    assert not Path(f"/proc/{pid}").exists()
    assert len(os.listdir("/proc/self/fd")) == before - 3
