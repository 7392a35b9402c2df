"""The limits of the commands of an app, and of the suggestions while a person types an option."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .payload_checks import Plain, check_distinct, check_length, refuse_malformed, require

MOST_CHOICES = 25
COMMAND_NAME = re.compile(r"[-_'\w]{1,32}\Z")
SUBCOMMAND, GROUP, STRING, INTEGER, NUMBER = 1, 2, 3, 4, 10
BELOW = {0: (SUBCOMMAND, GROUP), GROUP: (SUBCOMMAND,), SUBCOMMAND: ()}  # which of both may be inside
LOCALES = {
    *"id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th".split(),  # noqa: SIM905
    *("zh-CN", "ja", "zh-TW", "ko"),
}


@refuse_malformed
def check_commands(commands: list[Plain]) -> None:
    """Check the commands of an app."""
    require(len(commands) <= 100, "commands: at most 100")
    check_distinct([command.get("name") for command in commands], "commands: names must be unique")
    for command in commands:
        check_command(command, 0)
        require(count_command(command) <= 8000, "commands: at most 8000 characters in all")


def check_command(command: Plain, kind: int) -> None:
    """Check a command, or an option of this kind."""
    for name in list_texts(command, "name"):
        is_good = isinstance(name, str) and COMMAND_NAME.match(name) and name == name.lower()
        require(is_good, f"name: {name!r} is not a name of a command")
    for text in list_texts(command, "description"):
        check_length(text, 1, 100, "description")
    check_options(command.get("options") or [], kind)


def list_texts(command: Plain, key: str) -> Iterator[object]:
    """Yield a text in all its languages."""
    yield command.get(key)
    for locale, text in (command.get(f"{key}_localizations") or {}).items():
        require(locale in LOCALES, f"{key}_localizations: Discord has no locale {locale!r}")
        yield text


def check_options(options: list[Plain], kind: int) -> None:
    require(len(options) <= 25, "options: at most 25")
    check_distinct([option.get("name") for option in options], "options: names must be unique")
    wanted = [bool(option.get("required")) for option in options]
    require(wanted == sorted(wanted, reverse=True), "options: required ones come first")
    kinds = [option.get("type") for option in options]
    nested = [each for each in kinds if each in (SUBCOMMAND, GROUP)]
    require(nested in ([], kinds), "options: subcommands and other options exclude each other")
    require(kind != GROUP or nested, "options: a group has subcommands")
    for option in options:
        require(option.get("type") in range(1, 12), "options.type: unknown")
        require(option["type"] not in (SUBCOMMAND, GROUP) or option["type"] in BELOW.get(kind, ()), "options: too deep")
        check_command(option, option["type"])
        check_given_choices(option)


def check_given_choices(option: Plain) -> None:
    choices = option.get("choices") or []
    require(not choices or option["type"] in (STRING, INTEGER, NUMBER), "choices: not for this type of option")
    require(not (choices and option.get("autocomplete")), "choices: not with autocomplete")
    check_choices(choices)


def check_choices(choices: list[Plain]) -> None:
    """Check choices of an option, or suggestions for it."""
    require(len(choices) <= MOST_CHOICES, f"choices: at most {MOST_CHOICES}")
    for choice in choices:
        for name in list_texts(choice, "name"):
            check_length(name, 1, 100, "choices.name")
        value = choice.get("value")
        require(isinstance(value, int | float) or (isinstance(value, str) and len(value) <= 100), "choices.value")


def count_command(command: Plain) -> int:
    """Return the characters that count against the limit of a command: the longest of each text."""

    def longest(key: str) -> int:
        return max(map(len, [command.get(key, ""), *(command.get(f"{key}_localizations") or {}).values()]))

    values = sum(
        len(str(choice.get("name", ""))) + len(str(choice.get("value", ""))) for choice in command.get("choices") or []
    )
    return longest("name") + longest("description") + values + sum(map(count_command, command.get("options") or []))
