"""Discord's limits, checked as Discord checks them (discord/discord-api-docs, August 2026)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, ParamSpec

Plain = Mapping[str, Any]
P = ParamSpec("P")
EPHEMERAL, COMPONENTS_V2 = 64, 1 << 15
MOST_ROWS, MOST_V2_COMPONENTS = 5, 40
MOST_BUTTONS, MOST_OPTIONS = 5, 25
LONGEST_CONTENT, MOST_EMBEDS, LONGEST_EMBEDS = 2000, 10, 6000
MOST_FILES, LARGEST_FILE = 10, 10 * 2**20  # bytes
COMMAND_NAME = re.compile(r"[-_'\w]{1,32}\Z")
ROW, BUTTON, SELECT, TEXT_INPUT, LABEL = 1, 2, 3, 4, 18


class BadPayload(Exception):  # noqa: N818 (Discord answers 400)
    """A payload that Discord refuses; the sentence says where and why."""


def require(holds: object, sentence: str) -> None:
    if not holds:
        raise BadPayload(sentence)


def refuse_malformed(check: Callable[P, None]) -> Callable[P, None]:
    """Return a check that also refuses a payload whose values are of other types than Discord expects."""

    @wraps(check)
    def checked(*args: P.args, **given: P.kwargs) -> None:
        try:
            check(*args, **given)
        except (TypeError, AttributeError, KeyError, ValueError) as error:
            raise BadPayload(f"malformed: {type(error).__name__}") from None

    return checked


def check_length(value: object, low: int, high: int, where: str) -> None:
    """Check that a value is a text of this many characters."""
    require(isinstance(value, str) and low <= len(value) <= high, f"{where}: must have {low} to {high} characters")


# Messages


@refuse_malformed
def check_message(body: Plain, files: Mapping[str, bytes] | None = None, *, is_edit: bool = False) -> None:
    """Check the body of a message, and its files by their field names (`files[0]`)."""
    files = files or {}
    content, embeds = body.get("content") or "", body.get("embeds") or []
    components, attachments = body.get("components") or [], body.get("attachments") or []
    is_v2 = bool(body.get("flags", 0) & COMPONENTS_V2)
    check_length(content, 0, LONGEST_CONTENT, "content")
    check_embeds(embeds)
    require(not (is_v2 and (content or embeds)), "flags: components v2 allow neither content nor embeds")
    check_components(components, is_v2=is_v2)
    check_files(attachments, files, embeds)
    nonce = body.get("nonce")
    require(nonce is None or len(str(nonce)) <= 25, "nonce: must have at most 25 characters")
    check_mentions(body.get("allowed_mentions") or {})
    something = content or embeds or attachments or files or (is_v2 and components)
    require(something or is_edit, "50006: Cannot send an empty message")


def check_embeds(embeds: list[Plain]) -> None:
    require(len(embeds) <= MOST_EMBEDS, f"embeds: at most {MOST_EMBEDS}")
    require(sum(map(count_embed, embeds)) <= LONGEST_EMBEDS, f"embeds: at most {LONGEST_EMBEDS} characters in all")
    for embed in embeds:
        check_length(embed.get("title", ""), 0, 256, "embeds.title")
        check_length(embed.get("description", ""), 0, 4096, "embeds.description")
        check_length((embed.get("footer") or {}).get("text", ""), 0, 2048, "embeds.footer")
        check_length((embed.get("author") or {}).get("name", ""), 0, 256, "embeds.author")
        fields = embed.get("fields") or []
        require(len(fields) <= 25, "embeds.fields: at most 25")
        for field in fields:
            check_length(field.get("name"), 1, 256, "embeds.fields.name")
            check_length(field.get("value"), 1, 1024, "embeds.fields.value")
        require(0 <= embed.get("color", 0) <= 0xFFFFFF, "embeds.color: from 0 to 16777215")


def count_embed(embed: Plain) -> int:
    fields = embed.get("fields") or []
    texts = [embed.get("title", ""), embed.get("description", ""), *(f["name"] + f["value"] for f in fields)]
    more = [(embed.get("footer") or {}).get("text", ""), (embed.get("author") or {}).get("name", "")]
    return sum(map(len, [*texts, *more]))


def check_mentions(allowed: Plain) -> None:
    require({*allowed.get("parse", [])} <= {"roles", "users", "everyone"}, "allowed_mentions.parse: unknown kind")
    require(len(allowed.get("users", [])) <= 100, "allowed_mentions.users: at most 100")
    both = "users" in allowed.get("parse", []) and allowed.get("users")
    require(not both, "allowed_mentions: parse and users exclude each other")


def check_files(attachments: list[Plain], files: Mapping[str, bytes], embeds: list[Plain]) -> None:
    """Check that files and attachments belong together, and that embeds name only files that are there."""
    require(len(files) <= MOST_FILES and len(attachments) <= MOST_FILES, f"attachments: at most {MOST_FILES}")
    for name, content in files.items():
        require(re.fullmatch(r"files\[\d\]", name), f"{name}: files are sent as files[n]")
        require(0 < len(content) <= LARGEST_FILE, f"40005: {name} is too large or empty")
    for attachment in attachments:
        check_length(attachment.get("description") or "", 0, 1024, "attachments.description")
        known = str(attachment.get("id")).isdecimal()
        require(known, "attachments.id: must be a number")
        if int(attachment["id"]) < MOST_FILES:
            require(f"files[{attachment['id']}]" in files, f"attachments: there is no file {attachment['id']}")
    names = {attachment.get("filename") for attachment in attachments}
    for url in (embed["image"]["url"] for embed in embeds if "image" in embed):
        if url.startswith("attachment://"):
            require(url.removeprefix("attachment://") in names, f"embeds.image: there is no attachment {url}")
        else:
            require(url.startswith(("http://", "https://")), "embeds.image.url: not a well formed URL")


# Components


def check_components(components: list[Plain], *, is_v2: bool = False) -> None:
    everything = [*walk_components(components)]
    if is_v2:
        require(len(everything) <= MOST_V2_COMPONENTS, f"components: at most {MOST_V2_COMPONENTS}")
    else:
        require(len(components) <= MOST_ROWS, f"components: at most {MOST_ROWS} rows")
        require(all(row.get("type") == ROW for row in components), "components: only action rows")
    ids = [each["custom_id"] for each in everything if "custom_id" in each]
    require(len({*ids}) == len(ids), "components: custom ids must be unique")
    for row in (each for each in everything if each.get("type") == ROW):
        check_row(row)


def walk_components(components: list[Plain]) -> Iterator[Plain]:
    for component in components:
        yield component
        yield from walk_components(component.get("components") or [])
        yield from walk_components([component["component"]] if "component" in component else [])


def check_row(row: Plain) -> None:
    inside = row.get("components") or []
    kinds = {each.get("type") for each in inside}
    require(1 <= len(inside) <= MOST_BUTTONS, "components: a row has 1 to 5 components")
    require(kinds == {BUTTON} or len(inside) == 1, "components: a selection needs a row of its own")
    for component in inside:
        check = CHECKS.get(component.get("type", 0))
        require(check, f"components: unknown type {component.get('type')}")
        assert check
        check(component)


def check_button(button: Plain) -> None:
    style = button.get("style")
    require(style in range(1, 7), "components: unknown style of a button")
    require(button.get("label") or button.get("emoji"), "components: a button needs a label or an emoji")
    check_length(button.get("label", ""), 0, 80, "components.label")
    if style == 5:
        check_length(button.get("url"), 1, 512, "components.url")
    else:
        check_length(button.get("custom_id"), 1, 100, "components.custom_id")


def check_select(select: Plain) -> None:
    check_length(select.get("custom_id"), 1, 100, "components.custom_id")
    check_length(select.get("placeholder", ""), 0, 150, "components.placeholder")
    options = select.get("options") or []
    require(1 <= len(options) <= MOST_OPTIONS, f"components.options: 1 to {MOST_OPTIONS}")
    values = [option.get("value") for option in options]
    require(len({*values}) == len(values), "components.options: values must be unique")
    for option in options:
        check_length(option.get("label"), 1, 100, "components.options.label")
        check_length(option.get("value"), 1, 100, "components.options.value")
        check_length(option.get("description", "-"), 1, 100, "components.options.description")
    low, high = select.get("min_values", 1), select.get("max_values", 1)
    require(0 <= low <= 25 and 1 <= high <= 25 and low <= high, "components: bad min_values or max_values")
    require(high <= len(options), "components.max_values: more than there are options")
    require(low <= len(options), "components.min_values: more than there are options")
    require(sum(bool(option.get("default")) for option in options) <= high, "components: too many defaults")


def check_text_input(field: Plain) -> None:
    check_length(field.get("custom_id"), 1, 100, "components.custom_id")
    check_length(field.get("label", "-"), 1, 45, "components.label")
    check_length(field.get("placeholder", ""), 0, 100, "components.placeholder")
    require(field.get("style") in (1, 2), "components.style: 1 or 2")
    low, high = field.get("min_length", 0), field.get("max_length", 4000)
    require(0 <= low <= 4000 and 1 <= high <= 4000 and low <= high, "components: bad min_length or max_length")


CHECKS: dict[int, Callable[[Plain], None]] = {BUTTON: check_button, SELECT: check_select, TEXT_INPUT: check_text_input}


@refuse_malformed
def check_modal(modal: Plain) -> None:
    """Check the body of a modal."""
    check_length(modal.get("custom_id"), 1, 100, "custom_id")
    check_length(modal.get("title"), 1, 45, "title")
    rows = modal.get("components") or []
    require(1 <= len(rows) <= 5, "components: a modal has 1 to 5")
    require({row.get("type") for row in rows} <= {ROW, LABEL}, "components: only rows or labels")
    for field in (each for each in walk_components(rows) if each.get("type") not in (ROW, LABEL)):
        kinds = (TEXT_INPUT, SELECT)
        require(field.get("type") in kinds, "components: a modal has text inputs and selections")
        CHECKS[field["type"]](field)
    ids = [each["custom_id"] for each in walk_components(rows) if "custom_id" in each]
    require(len({*ids}) == len(ids), "components: custom ids must be unique")


# Responses to interactions


@refuse_malformed
def check_response(response: Plain, kind: int, files: Mapping[str, bytes] | None = None) -> None:
    """Check the first answer to an interaction of this kind."""
    answer, data = response.get("type"), response.get("data") or {}
    allowed = {1: {1}, 2: {4, 5, 9}, 3: {4, 5, 6, 7, 9}, 4: {8}, 5: {4, 5, 6, 7}}[kind]
    require(answer in allowed, f"type: an interaction of type {kind} cannot be answered with {answer}")
    if answer in (4, 7):
        check_message(data, files, is_edit=answer == 7)
    if answer == 9:
        check_modal(data)


# Commands


@refuse_malformed
def check_commands(commands: list[Plain]) -> None:
    """Check the commands of an app."""
    require(len(commands) <= 100, "commands: at most 100")
    names = [command.get("name") for command in commands]
    require(len({*names}) == len(names), "commands: names must be unique")
    for command in commands:
        check_command(command, depth=0)
        require(count_command(command) <= 8000, "commands: at most 8000 characters in all")


def check_command(command: Plain, depth: int) -> None:
    names = [command.get("name"), *(command.get("name_localizations") or {}).values()]
    for name in names:
        is_good = isinstance(name, str) and COMMAND_NAME.match(name) and name == name.lower()
        require(is_good, f"name: {name!r} is not a name of a command")
    for text in [command.get("description"), *(command.get("description_localizations") or {}).values()]:
        check_length(text, 1, 100, "description")
    options = command.get("options") or []
    require(len(options) <= 25, "options: at most 25")
    require(len({option.get("name") for option in options}) == len(options), "options: names must be unique")
    wanted = [bool(option.get("required")) for option in options]
    require(wanted == sorted(wanted, reverse=True), "options: required ones come first")
    for option in options:
        require(option.get("type") in range(1, 12), "options.type: unknown")
        require(option["type"] not in (1, 2) or depth < 2, "options: subcommands too deep")
        check_command(option, depth + 1)
        check_choices(option.get("choices") or [])


def check_choices(choices: list[Plain]) -> None:
    require(len(choices) <= 25, "choices: at most 25")
    for choice in choices:
        for name in [choice.get("name"), *(choice.get("name_localizations") or {}).values()]:
            check_length(name, 1, 100, "choices.name")


def count_command(command: Plain) -> int:
    """Return the characters that count against the limit of a command: the longest of each text."""

    def longest(key: str) -> int:
        return max(map(len, [command.get(key, ""), *(command.get(f"{key}_localizations") or {}).values()]))

    values = sum(
        len(str(choice.get("name", ""))) + len(str(choice.get("value", ""))) for choice in command.get("choices") or []
    )
    return longest("name") + longest("description") + values + sum(map(count_command, command.get("options") or []))
