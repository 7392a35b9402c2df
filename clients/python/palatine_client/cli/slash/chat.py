"""Talking at a table: saying something, hearing what was said, silencing somebody, complaining, pointing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from palatine_protocol.messages import Line

from ...menu import Mistake
from ...render.text.render_context import RenderContext
from ..format.chat_lines import shown
from .registry import Aside, always

if TYPE_CHECKING:
    from ..ui.table_screen import Presence


# Lines


def line_of(at: Presence, typed: str) -> int:
    """The number of a line that somebody means: the number itself, or the name of who spoke last."""
    number = typed.removeprefix("#")
    if number.isdecimal():
        return int(number)
    spoken = [line.line for line in at.table.talk if line.name.lower() == typed.lower()]
    if not spoken:
        raise Mistake("which line")
    return spoken[-1]


# What can be typed


async def say(at: Presence, text: str) -> None:
    if not text:
        raise Mistake("say what")
    await at.table.say(text)


async def talk(at: Presence, _: str) -> RenderableType:
    scene = at.sight.scene()
    lines = [numbered(line, scene) for line in at.table.talk]
    return Text("\n").join(lines) if lines else Text(at.label("no talk"))


def numbered(line: Line, scene: RenderContext) -> Text:
    return Text(f"{line.line}. ").append_text(shown(line, scene)) if scene.plain else shown(line, scene)


async def mute(at: Presence, typed: str) -> None:
    await at.table.mute(line_of(at, typed))


async def unmute(at: Presence, typed: str) -> None:
    await at.table.unmute(line_of(at, typed))


async def report(at: Presence, typed: str) -> RenderableType:
    which, _, why = typed.partition(" ")
    await at.table.report(line_of(at, which), why.strip())
    return Text(at.label("reported"), "green")


async def point(at: Presence, typed: str) -> RenderableType:
    """Show the partners what we might do; without a number, nothing any more."""
    action = at.meant(typed) if typed else None
    if action and not may_point(at):
        raise Mistake("point when" if has_partners(at) else "no partners")
    await at.table.point(action)
    key = "you point" if action else "you point no longer"
    return Text(at.label(key, action=at.sight.action(action or {})), "dim")


# When it makes sense


def has_heard(at: Presence) -> bool:
    return bool(at.table.talk)


def may_silence(at: Presence) -> bool:
    return bool(at.table.talk) and at.is_host


# The help for /mute mentions what undoes it.
def never(at: Presence) -> bool:
    return False


def has_partners(at: Presence) -> bool:
    return at.table.info.game == "between_two_castles"


# While rooms are chosen nobody may know anything of it (B2C-DRAFT-1).
def may_point(at: Presence) -> bool:
    return has_partners(at) and at.may_choose and at.table.view.board["phase"] == "place"


TALKING = (
    Aside("say", "sag", "talking", say, always, takes="a text"),
    Aside("talk", "gesagt", "talking", talk, has_heard),
    Aside("point", "zeig", "choosing", point, may_point, takes="maybe a number"),
    Aside("report", "melde", "talking", report, has_heard, takes="a line and why"),
    Aside("mute", "still", "hosting", mute, may_silence, takes="a line"),
    Aside("unmute", "laut", "hosting", unmute, never, takes="a line"),
)
