"""Slash commands for chat: say, list, mute and report lines, and point partners at an action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from palatine_protocol.messages import Line

from ...menu import InputError
from ...render.text.render_context import RenderContext
from ..format.chat_lines import render_chat_line
from .registry import SlashCommand, always

if TYPE_CHECKING:
    from ..ui.table_screen import TableScreen


# Lines


def parse_line(screen: TableScreen, typed: str) -> int:
    """Return the number of a chat line, given as this number or as the name of its author."""
    number = typed.removeprefix("#")
    if number.isdecimal():
        return int(number)
    spoken = [line.line for line in screen.table.talk if line.name.lower() == typed.lower()]
    if not spoken:
        raise InputError("which line")
    return spoken[-1]


# Commands


async def say(screen: TableScreen, text: str) -> None:
    if not text:
        raise InputError("say what")
    await screen.table.say(text)


async def list_chat(screen: TableScreen, _: str) -> RenderableType:
    scene = screen.view.scene()
    lines = [add_line_number(line, scene) for line in screen.table.talk]
    return Text("\n").join(lines) if lines else Text(screen.label("no talk"))


def add_line_number(line: Line, scene: RenderContext) -> Text:
    return (
        Text(f"{line.line}. ").append_text(render_chat_line(line, scene))
        if scene.plain
        else render_chat_line(line, scene)
    )


async def mute(screen: TableScreen, typed: str) -> None:
    await screen.table.mute(parse_line(screen, typed))


async def unmute(screen: TableScreen, typed: str) -> None:
    await screen.table.unmute(parse_line(screen, typed))


async def report(screen: TableScreen, typed: str) -> RenderableType:
    which, _, why = typed.partition(" ")
    await screen.table.report(parse_line(screen, which), why.strip())
    return Text(screen.label("reported"), "green")


async def point(screen: TableScreen, typed: str) -> RenderableType:
    """Point partners at an action; without a number, stop pointing."""
    action = screen.parse_action(typed) if typed else None
    if action and not may_point(screen):
        raise InputError("point when" if has_partners(screen) else "no partners")
    await screen.table.point(action)
    key = "you point" if action else "you point no longer"
    return Text(screen.label(key, action=screen.view.describe_action(action or {})), "dim")


# Conditions


def has_chat(screen: TableScreen) -> bool:
    return bool(screen.table.talk)


def may_mute(screen: TableScreen) -> bool:
    return bool(screen.table.talk) and screen.is_host


# The help for /mute also names /unmute, so /unmute is not listed.
def never(screen: TableScreen) -> bool:
    return False


def has_partners(screen: TableScreen) -> bool:
    return screen.table.info.game == "between_two_castles"


# While players choose rooms, their choices are secret (B2C-DRAFT-1).
def may_point(screen: TableScreen) -> bool:
    return has_partners(screen) and screen.may_choose and screen.table.view.board["phase"] == "place"


CHAT_COMMANDS = (
    SlashCommand("say", "sag", "talking", say, always, takes="a text"),
    SlashCommand("talk", "gesagt", "talking", list_chat, has_chat),
    SlashCommand("point", "zeig", "choosing", point, may_point, takes="maybe a number"),
    SlashCommand("report", "melde", "talking", report, has_chat, takes="a line and why"),
    SlashCommand("mute", "still", "hosting", mute, may_mute, takes="a line"),
    SlashCommand("unmute", "laut", "hosting", unmute, never, takes="a line"),
)
