"""Clocks in words that people type and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palatine_client.cli.format.clocks import (
    LONGEST,
    describe_clock,
    format_clock,
    parse_clock,
    parse_clock_options,
    parse_grace,
    parse_overdue,
)
from palatine_client.menu import InputError
from palatine_protocol.messages import Clock

LENGTHS = st.integers(min_value=1, max_value=LONGEST)


# What is typed


@pytest.mark.parametrize(
    ("typed", "clock"),
    [
        ("60s", Clock(move=60)),
        ("2d", Clock(move=172_800)),
        ("1h30m", Clock(move=5_400)),
        ("10m+5s", Clock(bank=600, increment=5)),
        ("10m+0s", Clock(bank=600)),
        ("30s,10m+5s", Clock(move=30, bank=600, increment=5)),
        (" 10M+5S,30s ", Clock(move=30, bank=600, increment=5)),
        ("60d", Clock(move=LONGEST)),
        ("none", None),
        ("keine", None),
    ],
)
def test_a_clock_is_typed_in_a_word(typed: str, clock: Clock | None) -> None:
    assert parse_clock(typed) == clock


@pytest.mark.parametrize(
    "typed",
    [
        *("", "60", "60x", "s", "-5s", "1.5m", "10m+", "+5s", "10m+5s+5s", "30s,20s", "1m+1s,2m+2s", "30s,"),
        *("0s", "0s+5s", "61d", "60d1s", "9999999d", "5s10m", "10 m", "٣s"),
    ],
)
def test_anything_else_says_what_to_type(typed: str) -> None:
    with pytest.raises(InputError) as mistake:
        parse_clock(typed)
    assert (mistake.value.label, mistake.value.values) == ("bad clock", {"typed": typed})


def test_who_is_gone_is_waited_for_as_long_as_it_was_typed() -> None:
    assert (parse_grace("90s"), parse_grace("0s"), parse_grace("none")) == (90, 0, None)
    with pytest.raises(InputError, match="bad grace"):
        parse_grace("soon")


def test_the_rules_decide_or_a_policy_of_the_game() -> None:
    assert parse_overdue("rules", ["greedy"]) == "rules"
    assert parse_overdue("greedy", ["greedy"]) == "greedy"
    with pytest.raises(InputError) as mistake:
        parse_overdue("wise", ["random", "greedy"])
    assert mistake.value.values["names"] == "rules, random, greedy"


def test_a_clock_is_wound_from_what_was_said_about_it() -> None:
    assert parse_clock_options(None, None, None, []) is None
    assert parse_clock_options("none", None, None, []) is None
    assert parse_clock_options(None, "60s", None, []) == Clock(grace=60)
    assert parse_clock_options("30s", "60s", "greedy", ["greedy"]) == Clock(move=30, grace=60, overdue="greedy")


# What is read


@given(st.builds(Clock, move=LENGTHS), LENGTHS, st.integers(min_value=0, max_value=LONGEST))
def test_a_clock_in_short_can_be_typed_again(clock: Clock, bank: int, increment: int) -> None:
    both = Clock(move=clock.move, bank=bank, increment=increment)
    for each in (clock, both, Clock(bank=bank, increment=increment)):
        assert parse_clock(format_clock(each)) == each


@pytest.mark.parametrize(
    ("clock", "english", "german"),
    [
        (None, "There is no clock.", "Es gibt keine Uhr."),
        (Clock(overdue="greedy"), "There is no clock.", "Es gibt keine Uhr."),
        (
            Clock(move=61),
            "1 minute 1 second for each decision; then the rules decide",
            "1 Minute 1 Sekunde je Entscheidung; dann entscheiden die Regeln",
        ),
        (
            Clock(bank=600, increment=5, overdue="greedy"),
            "10 minutes for the whole game; 5 seconds more with each decision; then a house bot takes over (greedy)",
            "10 Minuten fürs ganze Spiel; 5 Sekunden mehr mit jeder Entscheidung; "
            "dann übernimmt ein Bot des Hauses (greedy)",
        ),
        (
            Clock(move=172_800, grace=0),
            "2 days for each decision; who is gone is waited for 0 seconds; then the rules decide",
            "2 Tage je Entscheidung; auf Abwesende wird 0 Sekunden gewartet; dann entscheiden die Regeln",
        ),
    ],
)
def test_a_clock_is_told_in_words(clock: Clock | None, english: str, german: str) -> None:
    assert (describe_clock(clock, "en"), describe_clock(clock, "de")) == (english, german)
