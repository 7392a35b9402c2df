"""The registry of slash commands, and the lookup of the command for a typed line.

A slash command is a word after a slash, and its argument: `/say hello`, `/preview 2`, `/agree`. It has a name in every
language, and the client accepts all of them. It runs beside the game: the menu stays, and the answer is shown when it
arrives. A refusal is shown in the player's language; an `InputError` says what to type instead.
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

# The groups of the help, with the keys that work without a slash.
GROUPS: dict[str, tuple[str, ...]] = {
    "choosing": ("1 2 …", "0", "u"),
    "looking": ("b", "h", "s", "?"),
    "talking": (),
    "playing": (),
    "hosting": (),
    "going": ("q", "leave"),
}
LEAVE = {"en": "leave", "de": "verlassen"}  # the only word that works without a slash, accepted in both languages
TALK = '"'  # the first character of a line that is sent to the chat unchanged

Handler = Callable[["TableScreen", str], Coroutine[Any, Any, RenderableType | None]]
Condition = Callable[["TableScreen"], bool]


def always(screen: TableScreen) -> bool:
    return True


class SlashCommand(Struct, frozen=True):
    """A slash command: its names, its handler, and when it is available. Its help label is `help /<en>`."""

    en: str
    de: str
    group: str
    run: Handler  # takes the rest of the line; the screen shows its result
    is_available: Condition = always  # whether the command is available now; the help lists only available commands
    takes: str = ""  # the label of its argument
    letter: str = ""  # a key that does the same without a slash

    @property
    def words(self) -> set[str]:
        return {f"/{self.en}", f"/{self.de}"} | ({self.letter} if self.letter else set())

    def usage(self, lang: str) -> str:
        """Return the text to type, with the label of the argument."""
        word = f"/{self.de if lang == 'de' else self.en}"
        return f"{word} {label(lang, self.takes)}" if self.takes else word

    def meaning(self, lang: str) -> str:
        return label(lang, f"help /{self.en}")


def split_line(line: str) -> tuple[str, str]:
    """Split a line into its first word and the rest; after a quotation mark, the whole line is chat."""
    if line.startswith(TALK):
        return "/say", line.removeprefix(TALK).removesuffix(TALK).strip()
    word, _, rest = line.partition(" ")
    return word.lower(), rest.strip()


def find_command(commands: Sequence[SlashCommand], line: str) -> tuple[SlashCommand, str] | None:
    """Return the command of a line and its argument; None if the line is not a command."""
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
    """Return the number that follows a command; None if nothing was typed."""
    if not text:
        return None
    if not text.isdecimal():
        raise InputError("number needed", typed=text)
    return int(text)


def build_help(keys: Sequence[str], commands: Sequence[SlashCommand], lang: str) -> dict[str, dict[str, str]]:
    """Return each command that the user can type, with its description, by the title of its group."""
    groups = {label(lang, f"group {group}"): build_group_help(group, keys, commands, lang) for group in GROUPS}
    return {title: rows for title, rows in groups.items() if rows}


def build_group_help(group: str, keys: Sequence[str], commands: Sequence[SlashCommand], lang: str) -> dict[str, str]:
    at_once = {translate_key(key, lang): label(lang, f"help {key}") for key in GROUPS[group] if key in keys}
    return at_once | {command.usage(lang): command.meaning(lang) for command in commands if command.group == group}


def translate_key(key: str, lang: str) -> str:
    """Return the word to type for a key, in this language."""
    return LEAVE[lang] if key == LEAVE["en"] else key
