"""A scan of the source of a game for calls of `step` and `choice` that cannot work.

Most mistakes of this kind would only show when somebody plays. The scan first looks for calls with a regular
expression, which is quick, and reads a module as a syntax tree only to confirm a suspicion. Modules without source are
not scanned.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from ..choices import choice
from ..decisions import FREE, Action
from ..engine import step

if TYPE_CHECKING:
    from ..game import Game

CALL = re.compile(r"(?<![\w.])(?:step|choice)\(")
MOST_CHARACTERS = 4_000  # of one call


def find_wrong_calls(game: Game) -> Iterator[str]:
    """Yield the calls of `step` and `choice` in the modules of the rules that cannot work."""
    functions = (game.setup, *game.rules, game.overdue)
    for module in dict.fromkeys(map(_module_of, functions)):
        if module is None or not (text := _read_source(module)):
            continue
        scan = ModuleScan(game, module)
        if any(list(scan.judge(call)) for call in _quick_calls(text)):
            yield from scan.confirm(text)


def _module_of(function: Any) -> ModuleType | None:
    return sys.modules.get(getattr(function, "__module__", None) or "")


def _read_source(module: ModuleType) -> str:
    file = Path(getattr(module, "__file__", None) or "")
    try:
        return file.read_text(encoding="utf-8") if file.suffix == ".py" else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _quick_calls(text: str) -> Iterator[ast.Call]:
    """Yield what looks like calls of `step` and `choice`; a comment or a string may look like one too."""
    for found in CALL.finditer(text):
        end = _find_end(text, found.end())
        try:
            tree = ast.parse(text[found.start() : end], mode="eval").body
        except SyntaxError:
            continue
        if isinstance(tree, ast.Call):
            yield tree


def _find_end(text: str, at: int) -> int:
    """Return the place after the parenthesis that closes a call."""
    depth = 1
    for place in range(at, min(len(text), at + MOST_CHARACTERS)):
        depth += (text[place] == "(") - (text[place] == ")")
        if not depth:
            return place + 1
    return len(text)


class ModuleScan:
    """Judges the calls in one module of a game."""

    def __init__(self, game: Game, module: ModuleType) -> None:
        self.game, self.module = game, module
        self.rules = {rule.__name__: rule for rule in game.rules}

    def confirm(self, text: str) -> Iterator[str]:
        """Yield the mistakes of all real calls, each with its place."""
        try:
            tree = ast.parse(text)
        except SyntaxError:  # the file has changed since it was imported
            return
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                for mistake in self.judge(node):
                    yield f"{mistake} ({self.module.__file__}, line {node.lineno})"

    def judge(self, call: ast.Call) -> Iterator[str]:
        """Yield the mistakes of one call."""
        called = self.resolve(call.func)
        if not call.args or isinstance(call.args[0], ast.Starred):
            return
        if called is step:
            yield from self.judge_step(call, self.resolve(call.args[0]))
        elif called is choice:
            yield from self.judge_choice(call, self.resolve(call.args[0]))

    def resolve(self, node: ast.expr) -> Any:
        """Return what an expression refers to at the top of the module; None if that is not known."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return vars(self.module).get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(owner := self.resolve(node.value), ModuleType):
            return vars(owner).get(node.attr)
        return None

    # Steps

    def judge_step(self, call: ast.Call, rule: Any) -> Iterator[str]:
        if isinstance(rule, str):
            if rule not in self.rules:
                yield f"step({rule!r}) names a rule that is not in rules; add it there"
            rule = self.rules.get(rule)
        if not isinstance(rule, FunctionType):
            return
        if self.rules.get(rule.__name__) is None:
            yield f"step({rule.__name__}) names a rule that is not in rules; add it there"
            return
        if _is_spread(call):
            return
        yield from _judge_seats(rule, has_seats=len(call.args) > 1)
        if not _find_keyword(call, "lane") and _returns_free(rule):
            yield (
                f"the rule {rule.__name__!r} returns FREE, but step({rule.__name__}, ...) has no lane; write"
                f' step({rule.__name__}, seat, lane="free"), or return AGAIN'
            )

    # Choices

    def judge_choice(self, call: ast.Call, verb: Any) -> Iterator[str]:
        if not (isinstance(verb, type) and issubclass(verb, Action)):
            return
        if verb not in self.game.actions:
            yield f"choice({verb.__name__}) names an action that is not in actions; add it there"
        for keyword in call.keywords:
            if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str) and keyword.arg:
                text = keyword.value.value
                yield f"choice({verb.__name__}, {keyword.arg}={text!r}): the values are a string; write [{text!r}]"
        if not _is_spread(call):
            yield from _judge_fields(verb, {keyword.arg for keyword in call.keywords if keyword.arg})


def _is_spread(call: ast.Call) -> bool:
    """Return whether a call has arguments by `**`, which the scan does not know."""
    return any(keyword.arg is None for keyword in call.keywords)


def _find_keyword(call: ast.Call, name: str) -> bool:
    return any(keyword.arg == name for keyword in call.keywords)


def _judge_seats(rule: FunctionType, *, has_seats: bool) -> Iterator[str]:
    name, asks = rule.__name__, bool(rule.__code__.co_flags & 0x20)  # CO_GENERATOR
    if has_seats and not asks and _is_ordinary(rule) and not _returns_value(rule):
        yield (
            f"step({name}, ...) names seats, but the rule {name!r} never asks; let it yield an offer, as in"
            " answer = yield [choice(...)], or leave the seats out"
        )
    elif not has_seats and asks:
        yield f"the rule {name!r} asks, but step({name}) names no seat; write step({name}, seat)"


def _is_ordinary(rule: FunctionType) -> bool:
    """Return whether this is the function as it was written, without a decorator that may ask in its place."""
    return not hasattr(rule, "__wrapped__")


def _returns_value(rule: FunctionType) -> bool:
    """Return whether a function may return something else than None: maybe the generator of another rule."""
    tree = _parse_function(rule)
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)] if tree else [None]
    return tree is None or any(value is not None for value in returned)


def _returns_free(rule: FunctionType) -> bool:
    names = {name for name in rule.__code__.co_names if rule.__globals__.get(name) is FREE}
    if not names or not (tree := _parse_function(rule)):
        return False
    returned = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value]
    return any(isinstance(node, ast.Name) and node.id in names for value in returned for node in ast.walk(value))


def _parse_function(rule: FunctionType) -> ast.FunctionDef | None:
    """Return the syntax tree of a function; None if its source is not known."""
    module = _module_of(rule)
    text = _read_source(module) if module else ""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return None
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == rule.__name__]
    return found[0] if len(found) == 1 else None


def _judge_fields(verb: type[Action], given: set[str]) -> Iterator[str]:
    fields = set(verb.__struct_fields__)
    for name in sorted(given - fields):
        known = ", ".join(sorted(fields)) or "none"
        yield f"choice({verb.__name__}, {name}=...): the action has no field {name!r}; its fields are: {known}"
    for name in sorted(fields - given):
        yield f"choice({verb.__name__}) leaves out the field {name!r}; write {name}=[...] with its possible values"
