"""Contenders: policies, bots of the kit, processes, and processes over the wire."""

from __future__ import annotations

import sys

import pytest

from palatine_server.arena.contenders import BadContender, read_contender, read_lineup
from palatine_server.games.registry import GAMES

GAME = GAMES["palais_royal"]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("greedy", "policy", "greedy"),
        ("arena.arena_bots:first", "bot", "first"),
        (f"{sys.executable} -m my_bot", "process", "my_bot"),
        ("mine=greedy", "policy", "mine"),
        (f"{sys.executable} bots/rat.py {{url}} {{token}} {{table}}", "wire", "rat.py"),
    ],
)
def test_an_argument_names_a_contender(text: str, kind: str, name: str) -> None:
    ((contender,), arguments) = read_lineup([text], GAME)
    assert (contender.kind, contender.name, arguments) == (kind, name, [0])


def test_names_are_unique_and_repetitions_are_seats() -> None:
    contenders, arguments = read_lineup(["greedy", "arena.arena_bots:first", "greedy", "greedy=random"], GAME)
    assert [each.name for each in contenders] == ["greedy", "first", "greedy 2"]
    assert arguments == [0, 1, 0, 2]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("gredy", "Name a policy"),
        ("no_module_here:Bot", "cannot be imported"),
        (f"{sys.executable} {{url}}", r"also needs \{token\} and \{table\}"),
        ("'", "is no command"),
        ("", "names no contender"),
    ],
)
def test_a_mistake_says_what_to_do(text: str, why: str) -> None:
    with pytest.raises(BadContender, match=why):
        read_contender(text, GAME)
