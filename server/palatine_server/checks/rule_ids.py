"""Rule ids: RULES.md defines them, and refusals, explanations and tests name them.

Ids with the group AMB are rulings on unclear rules; they need no test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ..games.kit import Game
from ..games.kit.rule_ids import ID, find_prefix, list_defined
from .source_files import walk_sources

WHOLE = re.compile(ID)
RULING = "-AMB-"


def list_rule_ids(game: Game) -> set[str]:
    """Return the ids of all rules in RULES.md, without rulings."""
    text = (game.folder / "RULES.md").read_text(encoding="utf-8")
    return {rule for rule in list_defined(text) if RULING not in rule}


def list_named_in_source(game: Game) -> Iterator[str]:
    """Yield the rule ids in the modules of a game that are strings of their own."""
    prefix = find_prefix((game.folder / "RULES.md").read_text(encoding="utf-8"))
    for node in walk_sources(game):
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if WHOLE.fullmatch(text) and text.partition("-")[0] == prefix:
            yield text


def list_named_by_tests(folder: Path) -> Iterator[str]:
    """Yield the arguments of every @rule(...) in the tests of a folder."""
    for path in sorted(folder.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) == "rule":
                yield from (str(argument.value) for argument in node.args if isinstance(argument, ast.Constant))


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def find_wrong_rule_ids(game: Game) -> Iterator[str]:
    """Yield rule ids that the game names although RULES.md does not have them."""
    known = list_rule_ids(game)
    text = (game.folder / "RULES.md").read_text(encoding="utf-8")
    rulings = {rule for rule in re.findall(rf"\b({ID})\b", text) if RULING in rule}
    for rule in sorted({*list_named_in_source(game), *filter(None, game.moments.values())} - known - rulings):
        yield f"the game names the rule {rule}, which RULES.md does not have; write it there, or correct the id"


def find_untested_rules(game: Game, tests: Path) -> Iterator[str]:
    """Yield the rules that no test in this folder names, and named rules that do not exist."""
    known, named = list_rule_ids(game), set(list_named_by_tests(tests))
    for rule in sorted(known - named):
        yield f"no test names the rule {rule}; mark one with @rule({rule!r})"
    for rule in sorted(named - known):
        yield f"a test names the rule {rule}, which RULES.md does not have"
