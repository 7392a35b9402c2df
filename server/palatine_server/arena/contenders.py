"""Contenders: what the arguments of `palatine arena` name.

    random, greedy, strong, expert     a policy of the game
    my_bot.bot:MyBot                   a bot class of the kit, or an instance of one
    "python -m my_bot"                 a command: a bot process that reads and writes JSON lines
    "python bot.py {url} {token} {table}"   a command with {url}: a bot process that plays over the wire

NAME=... gives any of them a name for the report. A contender that is named several times takes several seats.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from palatine_client.bots import BadBot, load_bot

from ..games.kit import Game

Kind = Literal["policy", "bot", "process", "wire"]
LONGEST_NAME = 24  # characters, as the names of players
NAMED = re.compile(rf"(?P<name>[A-Za-z][\w .-]{{0,{LONGEST_NAME - 1}}})=(?P<what>.+)", re.DOTALL)
CLASS = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")


class BadContender(ValueError):  # noqa: N818 (a mistake in the command line)
    """An argument that names no contender; the message says what to do."""


class Contender(Struct, frozen=True, kw_only=True):
    """One contender, as every process of the arena knows it."""

    name: str
    kind: Kind
    what: str  # the policy, the bot, or the command

    @property
    def command(self) -> list[str]:
        return shlex.split(self.what)


def read_lineup(texts: Sequence[str], game: Game) -> tuple[list[Contender], list[int]]:
    """Return the contenders, and the arguments as indices of them: a contender may be named several times."""
    read = [read_contender(text, game) for text in texts]
    contenders = list(dict.fromkeys(read))
    return _give_names(contenders), [contenders.index(each) for each in read]


def read_contender(text: str, game: Game) -> Contender:
    """Return the contender that an argument names; raise BadContender."""
    named = NAMED.fullmatch(text)
    name, what = (named["name"], named["what"]) if named else ("", text)
    kind = _find_kind(what, game)
    return Contender(name=name, kind=kind, what=what)


def _find_kind(what: str, game: Game) -> Kind:
    if what in game.policies:
        return "policy"
    if CLASS.fullmatch(what):
        _check_bot(what)
        return "bot"
    words = _split(what)
    if shutil.which(words[0]) is None:
        policies = ", ".join(game.policies)
        advice = f"Name a policy ({policies}), MODULE:CLASS, or a command in quotes."
        raise BadContender(f"{what!r} is no contender. {advice}")
    if "{url}" not in what:
        return "process"
    if missing := [word for word in ("{token}", "{table}") if word not in what]:
        raise BadContender(f"{what!r} plays over the wire, so it also needs {' and '.join(missing)}.")
    return "wire"


def _check_bot(what: str) -> None:
    try:
        load_bot(what)
    except BadBot as why:
        raise BadContender(f"{why}.") from None


def _split(what: str) -> list[str]:
    try:
        words = shlex.split(what)
    except ValueError as why:
        raise BadContender(f"{what!r} is no command: {why}.") from None
    if not words:
        raise BadContender("An empty argument names no contender.")
    return words


def _give_names(contenders: list[Contender]) -> list[Contender]:
    """Return the contenders with a name each: the given one, or the end of what they are; no two are alike."""
    named: dict[str, Contender] = {}
    for each in contenders:
        wanted = each.name or _shorten(each)
        name, number = wanted, 1
        while name in named:
            number += 1
            name = f"{wanted[: LONGEST_NAME - 3]} {number}"
        named[name] = Contender(name=name, kind=each.kind, what=each.what)
    return list(named.values())


def _shorten(contender: Contender) -> str:
    """Return a short name: the policy, the class, or the last word of a command that is no placeholder."""
    if contender.kind == "bot":
        return contender.what.rpartition(":")[2][:LONGEST_NAME]
    if contender.kind == "policy":
        return contender.what[:LONGEST_NAME]
    words = [word for word in contender.command if "{" not in word and not word.startswith("-")] or ["bot"]
    return words[-1].rpartition("/")[2][-LONGEST_NAME:] or "bot"
