"""Asides: what somebody types at a table beside the numbers of his choice.

An command is a word behind a slash and what follows it: `/say hello`, `/preview 2`, `/agree`. Each has a name in every
language, and all of them are understood. It is carried out beside the game: the menu stays, and what comes back is
shown when it comes. What is refused is shown in the player's language; a `InputError` says what to type instead.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from rich.console import RenderableType

from ...menu import InputError
from ...render.translations import label

if TYPE_CHECKING:
    from ..ui.table_screen import TableScreen

# In which help lists what can be typed; what is no command is done at once.
GROUPS: dict[str, tuple[str, ...]] = {
    "choosing": ("1 2 …", "0", "u"),
    "looking": ("b", "h", "s", "?"),
    "talking": (),
    "playing": (),
    "hosting": (),
    "going": ("q", "leave"),
}
LEAVE = {"en": "leave", "de": "verlassen"}  # the one word without a slash; both are understood
TALK = '"'  # before a line that is to be said as it is

Handler = Callable[["TableScreen", str], Coroutine[Any, Any, RenderableType | None]]
Condition = Callable[["TableScreen"], bool]


def always(screen: TableScreen) -> bool:
    return True


class SlashCommand(Struct, frozen=True):
    """Something to type: its names, what it run, and when it makes sense. Its label is `help /<en>`."""

    en: str
    de: str
    group: str
    run: Handler  # with the rest of the line; what it returns is shown
    is_available: Condition = always  # or else help run not mention it
    takes: str = ""  # the label of what is to be typed behind it
    letter: str = ""  # that run the same without a slash

    @property
    def words(self) -> set[str]:
        return {f"/{self.en}", f"/{self.de}"} | ({self.letter} if self.letter else set())

    def usage(self, lang: str) -> str:
        """What to type."""
        word = f"/{self.de if lang == 'de' else self.en}"
        return f"{word} {label(lang, self.takes)}" if self.takes else word

    def meaning(self, lang: str) -> str:
        return label(lang, f"help /{self.en}")


def split_line(line: str) -> tuple[str, str]:
    """The word of a line and what follows it; behind a quotation mark everything is to be said."""
    if line.startswith(TALK):
        return "/say", line.removeprefix(TALK).removesuffix(TALK).strip()
    word, _, rest = line.partition(" ")
    return word.lower(), rest.strip()


def find_command(commands: Sequence[SlashCommand], line: str) -> tuple[SlashCommand, str] | None:
    """The command that a line is, with the rest of the line; none if it is something else."""
    word, rest = split_line(line)
    for command in commands:
        if word in command.words:
            return command, rest
    if word.startswith("/"):
        raise build_unknown_error(commands, word)
    return None


def build_unknown_error(commands: Iterable[SlashCommand], word: str) -> InputError:
    known = [known for command in commands for known in command.words if known.startswith("/")]
    close = get_close_matches(word, known, n=1)
    return (
        InputError("no such word, but", typed=word, word=close[0]) if close else InputError("no such word", typed=word)
    )


def parse_number(text: str) -> int | None:
    """The number that somebody typed behind an command; none if he typed nothing."""
    if not text:
        return None
    if not text.isdecimal():
        raise InputError("number needed", typed=text)
    return int(text)


def build_help(keys: Sequence[str], commands: Sequence[SlashCommand], lang: str) -> dict[str, dict[str, str]]:
    """What can be typed and what it means, by the title of its group."""
    groups = {label(lang, f"group {group}"): build_group_help(group, keys, commands, lang) for group in GROUPS}
    return {title: rows for title, rows in groups.items() if rows}


def build_group_help(group: str, keys: Sequence[str], commands: Sequence[SlashCommand], lang: str) -> dict[str, str]:
    at_once = {translate_key(key, lang): label(lang, f"help {key}") for key in GROUPS[group] if key in keys}
    return at_once | {command.usage(lang): command.meaning(lang) for command in commands if command.group == group}


def translate_key(key: str, lang: str) -> str:
    """What is to be typed for something that is done at once."""
    return LEAVE[lang] if key == LEAVE["en"] else key
