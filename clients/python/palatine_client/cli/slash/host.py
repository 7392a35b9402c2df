"""What somebody settles at a table before the game: readiness, invitations, seats and terms; and what a host may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.text import Text

from palatine_protocol.messages import Clock

from ...menu import InputError
from ..format import clocks
from ..shell_hints import add_invitation, build_play_command
from ..table_setup import parse_value
from .registry import SlashCommand

if TYPE_CHECKING:
    from ..ui.table_screen import TableScreen

NOBODY = {"nobody", "niemand"}
NEW = {"new", "neu"}
YES = dict.fromkeys(("yes", "ja", "true", "on"), True) | dict.fromkeys(("no", "nein", "false", "off"), False)
MOST_BEHIND = 256  # entries


# Everybody


async def show(at: TableScreen, rest: str) -> RenderableType:
    return Group(*at.view.render_room())


async def ready(at: TableScreen, rest: str) -> None:
    await at.table.ready()


async def not_ready(at: TableScreen, rest: str) -> None:
    await at.table.ready(False)


async def sit(at: TableScreen, rest: str) -> None:
    if at.table.seat is not None and not is_replaced(at):
        raise InputError("sit already")
    await at.table.sit()


async def invite(at: TableScreen, rest: str) -> None:
    code = await at.table.invite(renew=rest.lower() in NEW)
    at.say(Text(at.label("your invitation"), "dim"))
    at.terminal.dictate(build_play_command(add_invitation(at.table.id, code), at.guest_arguments))


# The host


async def add_bot(at: TableScreen, rest: str) -> None:
    policies = at.view.game.policies
    if rest and rest not in policies:
        raise InputError("try one of", names=", ".join(policies))
    await at.table.add_bot(rest or "greedy")


async def kick(at: TableScreen, rest: str) -> None:
    seat = seat_in(at, rest)
    sitting = at.table.info.seats[seat]
    await (at.table.remove_bot(seat) if sitting and sitting.bot else at.table.kick(seat))


async def reserve(at: TableScreen, rest: str) -> None:
    number, _, user = rest.partition(" ")
    seat = seat_in(at, number)
    if not user.strip():
        raise InputError("which user")
    await at.table.reserve(seat, None if user.strip().lower() in NOBODY else user.strip())


async def hand_over(at: TableScreen, rest: str) -> None:
    sitting = at.table.info.seats[seat := seat_in(at, rest)]
    if sitting is None or (sitting.bot and not sitting.substitute):
        raise InputError("which host")
    await at.table.hand_over(seat)


async def pause(at: TableScreen, rest: str) -> None:
    await at.table.pause()


async def resume(at: TableScreen, rest: str) -> None:
    await at.table.resume()


def seat_in(at: TableScreen, text: str) -> int:
    """The seat that somebody named, counted from one as people do."""
    count = len(at.table.info.seats)
    if not (text.isdecimal() and 1 <= int(text) <= count):
        raise InputError("which seat", count=count)
    return int(text) - 1


# Terms


async def change(at: TableScreen, rest: str) -> None:
    name, sign, value = (part.strip() for part in rest.partition("="))
    known = [*TERMS, *at.view.game.option_names]
    if not sign or name not in known:
        raise InputError("change what", names=", ".join(known))
    await at.table.change(**(TERMS[name](at, value) if name in TERMS else option(at, name, value)))


def option(at: TableScreen, name: str, value: str) -> dict[str, Any]:
    return {"options": {**at.table.info.options, name: parse_value(value)}}


# Another clock leaves what is said about those who are gone and about whose time is up.
def clock(at: TableScreen, value: str) -> dict[str, Any]:
    wished, now = clocks.parse_clock(value), at.table.info.clock or Clock()
    return {"clock": wished and replace(wished, grace=now.grace, overdue=now.overdue)}


def grace(at: TableScreen, value: str) -> dict[str, Any]:
    return {"clock": clocks.replace_fields(at.table.info.clock, grace=clocks.parse_grace(value))}


def overdue(at: TableScreen, value: str) -> dict[str, Any]:
    return {
        "clock": clocks.replace_fields(at.table.info.clock, overdue=clocks.parse_overdue(value, at.view.game.policies))
    }


def delay(at: TableScreen, value: str) -> dict[str, Any]:
    if not (value.isdecimal() and int(value) <= MOST_BEHIND):
        raise InputError("so many entries")
    return {"delay": int(value)}


def private(at: TableScreen, value: str) -> dict[str, Any]:
    return {"visibility": "private" if yes_or_no(value) else "public"}


def ready_check(at: TableScreen, value: str) -> dict[str, Any]:
    return {"ready_check": yes_or_no(value)}


def yes_or_no(value: str) -> bool:
    if value.lower() not in YES:
        raise InputError("yes or no")
    return YES[value.lower()]


TERMS: dict[str, Callable[[TableScreen, str], dict[str, Any]]] = {
    "clock": clock,
    "grace": grace,
    "overdue": overdue,
    "delay": delay,
    "private": private,
    "ready-check": ready_check,
}


# When it makes sense


def is_open(at: TableScreen) -> bool:
    return at.table.info.status == "open"


def hosts(at: TableScreen) -> bool:
    return at.is_host and not at.table.is_over


def hosts_open(at: TableScreen) -> bool:
    return at.is_host and is_open(at)


def waits_for_ready(at: TableScreen) -> bool:
    return is_open(at) and at.table.info.ready_check and at.table.seat is not None


def may_invite(at: TableScreen) -> bool:
    return at.is_host or at.table.seat is not None


def may_pause(at: TableScreen) -> bool:
    return at.is_host and at.table.info.status == "playing" and not at.table.info.paused


def may_resume(at: TableScreen) -> bool:
    return at.is_host and at.table.info.paused


def may_sit(at: TableScreen) -> bool:
    return is_replaced(at) or (is_open(at) and at.table.seat is None)


def is_replaced(at: TableScreen) -> bool:
    """Whether a house bot plays on our seat."""
    sitting = None if at.table.seat is None else at.table.info.seats[at.table.seat]
    return sitting is not None and sitting.substitute


HOSTING = (
    SlashCommand("table", "tisch", "looking", show),
    SlashCommand("ready", "bereit", "playing", ready, waits_for_ready),
    SlashCommand("not-ready", "nicht-bereit", "playing", not_ready, waits_for_ready),
    SlashCommand("sit", "setz", "playing", sit, may_sit),
    SlashCommand("invite", "einladen", "hosting", invite, may_invite, "new or nothing"),
    SlashCommand("bot", "bot", "hosting", add_bot, hosts_open, "a policy"),
    SlashCommand("kick", "hinaus", "hosting", kick, hosts_open, "a seat"),
    SlashCommand("reserve", "freihalten", "hosting", reserve, hosts_open, "a seat and a user"),
    SlashCommand("change", "ändern", "hosting", change, hosts_open, "a change"),
    SlashCommand("host", "gastgeber", "hosting", hand_over, hosts, "a seat"),
    SlashCommand("pause", "pause", "hosting", pause, may_pause),
    SlashCommand("resume", "weiter", "hosting", resume, may_resume),
)
