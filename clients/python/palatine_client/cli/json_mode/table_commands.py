"""JSON commands at a table: each is an object whose key names the request."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, cast

from msgspec import to_builtins

from palatine_protocol.messages import Channel, Explained, Language

from ...offer import Action
from ...table import Table
from .host_commands import find_host_request

Command = dict[str, Any]
Answer = tuple[str, dict[str, Any]]  # an event and its values; other requests are answered with `done`
TableRequest = Coroutine[Any, Any, Any]


def find_request(table: Table, command: Command, policy: str, lang: str) -> TableRequest | None:
    """Return the request of a command, or None if it is unknown."""
    return (
        find_game_request(table, command)
        or find_table_request(table, command, policy)
        or find_host_request(table, command)
        or find_chat_request(table, command)
        or find_question(table, command, cast("Language", command.get("lang", lang)))
    )


def find_game_request(table: Table, command: Command) -> TableRequest | None:
    """Return the request of a command about the game."""
    match command:
        case {"do": str()} as action:
            return act(table, action)
        case {"undo": True}:
            return table.undo()
        case {"rollback": int(version)}:
            return table.rollback(version)
        case {"agree": bool(agrees)}:
            return table.agree() if agrees else table.disagree()
    return None


def find_table_request(table: Table, command: Command, policy: str) -> TableRequest | None:
    """Return the request of a command about the table."""
    match command:
        case {"start": True}:
            return start(table, policy)
        case {"ready": bool(is_ready)}:
            return table.ready(is_ready)
        case {"pause": bool(is_paused)}:
            return table.pause() if is_paused else table.resume()
        case {"show": bool(is_shown)}:
            return table.show_hand() if is_shown else table.cover_hand()
    return None


def find_chat_request(table: Table, command: Command) -> TableRequest | None:
    """Return the request of a chat command."""
    match command:
        case {"say": str(text)}:
            return table.say(text, cast("Channel", command.get("to", "table")))
        case {"point": dict() | None as action}:
            return table.point(action)
        case {"mute": int(line)}:
            return table.mute(line)
        case {"unmute": int(line)}:
            return table.unmute(line)
        case {"report": int(line)}:
            return table.report(line, command.get("why", ""))
    return None


def find_question(table: Table, command: Command, lang: Language) -> TableRequest | None:
    """Return the request of a command that only asks a question and changes nothing."""
    match command:
        case {"preview": dict(action)}:
            return preview(table, action)
        case {"explain": True}:
            return build_explanation(table.list_topics(lang))
        case {"explain": dict(question)}:
            return build_explanation(table.explain(question, lang))
        case {"why_not": dict(action)}:
            return build_explanation(table.why_not(action, lang))
        case {"describe": True}:
            return describe(table, lang)
    return None


async def act(table: Table, action: Action) -> None:
    offer = table.view.offer
    await table.act(offer.id if offer else 0, action)


async def start(table: Table, policy: str) -> None:
    await table.fill(policy)
    await table.start()


async def preview(table: Table, action: Action) -> Answer:
    previewed = await table.preview(action)
    return "previewed", {"board": previewed.board, "hand": previewed.hand, "scores": previewed.scores}


async def build_explanation(asking: Coroutine[Any, Any, Explained]) -> Answer:
    explained = await asking
    return "explained", {
        "reason": to_builtins(explained.reason),
        "text": explained.text,
        "questions": explained.questions,
    }


async def describe(table: Table, lang: Language) -> Answer:
    return "described", {"text": await table.describe(lang)}
