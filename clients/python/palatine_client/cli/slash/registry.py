"""Asides: what somebody types at a table beside the numbers of his choice.

An aside is a word behind a slash and what follows it: `/say hello`, `/preview 2`, `/agree`. Each has a name in every
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

# In which help lists what can be typed; what is no aside is done at once.
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

Deed = Callable[["TableScreen", str], Coroutine[Any, Any, RenderableType | None]]
Sense = Callable[["TableScreen"], bool]


def always(at: TableScreen) -> bool:
    return True


class SlashCommand(Struct, frozen=True):
    """Something to type: its names, what it does, and when it makes sense. Its label is `help /<en>`."""

    en: str
    de: str
    group: str
    does: Deed  # with the rest of the line; what it returns is shown
    makes_sense: Sense = always  # or else help does not mention it
    takes: str = ""  # the label of what is to be typed behind it
    letter: str = ""  # that does the same without a slash

    @property
    def words(self) -> set[str]:
        return {f"/{self.en}", f"/{self.de}"} | ({self.letter} if self.letter else set())

    def usage(self, lang: str) -> str:
        """What to type."""
        word = f"/{self.de if lang == 'de' else self.en}"
        return f"{word} {label(lang, self.takes)}" if self.takes else word

    def meaning(self, lang: str) -> str:
        return label(lang, f"help /{self.en}")


def split(line: str) -> tuple[str, str]:
    """The word of a line and what follows it; behind a quotation mark everything is to be said."""
    if line.startswith(TALK):
        return "/say", line.removeprefix(TALK).removesuffix(TALK).strip()
    word, _, rest = line.partition(" ")
    return word.lower(), rest.strip()


def understood(asides: Sequence[SlashCommand], line: str) -> tuple[SlashCommand, str] | None:
    """The aside that a line is, with the rest of the line; none if it is something else."""
    word, rest = split(line)
    for aside in asides:
        if word in aside.words:
            return aside, rest
    if word.startswith("/"):
        raise unknown(asides, word)
    return None


def unknown(asides: Iterable[SlashCommand], word: str) -> InputError:
    known = [known for aside in asides for known in aside.words if known.startswith("/")]
    close = get_close_matches(word, known, n=1)
    return (
        InputError("no such word, but", typed=word, word=close[0]) if close else InputError("no such word", typed=word)
    )


def number(text: str) -> int | None:
    """The number that somebody typed behind an aside; none if he typed nothing."""
    if not text:
        return None
    if not text.isdecimal():
        raise InputError("number needed", typed=text)
    return int(text)


def helped(keys: Sequence[str], asides: Sequence[SlashCommand], lang: str) -> dict[str, dict[str, str]]:
    """What can be typed and what it means, by the title of its group."""
    groups = {label(lang, f"group {group}"): helped_with(group, keys, asides, lang) for group in GROUPS}
    return {title: rows for title, rows in groups.items() if rows}


def helped_with(group: str, keys: Sequence[str], asides: Sequence[SlashCommand], lang: str) -> dict[str, str]:
    at_once = {worded(key, lang): label(lang, f"help {key}") for key in GROUPS[group] if key in keys}
    return at_once | {aside.usage(lang): aside.meaning(lang) for aside in asides if aside.group == group}


def worded(key: str, lang: str) -> str:
    """What is to be typed for something that is done at once."""
    return LEAVE[lang] if key == LEAVE["en"] else key
