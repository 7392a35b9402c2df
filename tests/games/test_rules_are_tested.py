"""Every rule id of every RULES.md is named by at least one test, and no test names a rule that does not exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from palatine_server.games.registry import GAMES

HERE = Path(__file__).parent
ID = re.compile(r"(?m)^\s*(?:-|\|)\s*\**((?:B2C|PR|NM)-[A-Z]+(?:-[A-Z]+)*-\d+)\b")
INLINE_ID = re.compile(r"(?m)(?<=\. )(NM-AUTO-\d+)\b")
every_game = pytest.mark.parametrize("name", GAMES)


def rule_ids(name: str) -> set[str]:
    text = (GAMES[name].folder / "RULES.md").read_text()
    return {rule for rule in [*ID.findall(text), *INLINE_ID.findall(text)] if "-AMB-" not in rule}


def named_ids(name: str) -> Iterator[str]:
    """The arguments of every @rule(...) on a test."""
    for path in (HERE / name).rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule":
                yield from (argument.value for argument in node.args if isinstance(argument, ast.Constant))


@every_game
def test_every_rule_is_named_by_a_test(name: str) -> None:
    assert len(rule_ids(name)) > 100
    assert sorted(rule_ids(name) - set(named_ids(name))) == []


@every_game
def test_every_named_rule_exists(name: str) -> None:
    assert sorted(set(named_ids(name)) - rule_ids(name)) == []
