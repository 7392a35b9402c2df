"""Slash commands for seats, invitations and settings, including the commands that only the host may use."""

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
MAX_DELAY = 256  # entries


# All players


async def show_table(screen: TableScreen, rest: str) -> RenderableType:
    return Group(*screen.view.render_room())


async def ready(screen: TableScreen, rest: str) -> None:
    await screen.table.ready()


async def not_ready(screen: TableScreen, rest: str) -> None:
    await screen.table.ready(False)


async def sit(screen: TableScreen, rest: str) -> None:
    if screen.table.seat is not None and not is_replaced(screen):
        raise InputError("sit already")
    await screen.table.sit()


async def invite(screen: TableScreen, rest: str) -> None:
    code = await screen.table.invite(renew=rest.lower() in NEW)
    screen.say(Text(screen.label("your invitation"), "dim"))
    screen.terminal.dictate(build_play_command(add_invitation(screen.table.id, code), screen.guest_arguments))


# The host only


async def add_bot(screen: TableScreen, rest: str) -> None:
    policies = screen.view.game.policies
    if rest and rest not in policies:
        raise InputError("try one of", names=", ".join(policies))
    await screen.table.add_bot(rest or "greedy")


async def kick(screen: TableScreen, rest: str) -> None:
    seat = parse_seat(screen, rest)
    sitting = screen.table.info.seats[seat]
    await (screen.table.remove_bot(seat) if sitting and sitting.bot else screen.table.kick(seat))


async def reserve(screen: TableScreen, rest: str) -> None:
    number, _, user = rest.partition(" ")
    seat = parse_seat(screen, number)
    if not user.strip():
        raise InputError("which user")
    await screen.table.reserve(seat, None if user.strip().lower() in NOBODY else user.strip())


async def hand_over(screen: TableScreen, rest: str) -> None:
    sitting = screen.table.info.seats[seat := parse_seat(screen, rest)]
    if sitting is None or (sitting.bot and not sitting.substitute):
        raise InputError("which host")
    await screen.table.hand_over(seat)


async def pause(screen: TableScreen, rest: str) -> None:
    await screen.table.pause()


async def resume(screen: TableScreen, rest: str) -> None:
    await screen.table.resume()


def parse_seat(screen: TableScreen, text: str) -> int:
    """Return the index of a seat that the player typed, counted from one."""
    count = len(screen.table.info.seats)
    if not (text.isdecimal() and 1 <= int(text) <= count):
        raise InputError("which seat", count=count)
    return int(text) - 1


# Settings


async def change(screen: TableScreen, rest: str) -> None:
    name, sign, value = (part.strip() for part in rest.partition("="))
    known = [*SETTINGS, *screen.view.game.option_names]
    if not sign or name not in known:
        raise InputError("change what", names=", ".join(known))
    await screen.table.change(**(SETTINGS[name](screen, value) if name in SETTINGS else option(screen, name, value)))


def option(screen: TableScreen, name: str, value: str) -> dict[str, Any]:
    return {"options": {**screen.table.info.options, name: parse_value(value)}}


# A new clock keeps the grace period and the decider of the old one.
def clock(screen: TableScreen, value: str) -> dict[str, Any]:
    wished, now = clocks.parse_clock(value), screen.table.info.clock or Clock()
    return {"clock": wished and replace(wished, grace=now.grace, overdue=now.overdue)}


def grace(screen: TableScreen, value: str) -> dict[str, Any]:
    return {"clock": clocks.replace_fields(screen.table.info.clock, grace=clocks.parse_grace(value))}


def overdue(screen: TableScreen, value: str) -> dict[str, Any]:
    return {
        "clock": clocks.replace_fields(
            screen.table.info.clock, overdue=clocks.parse_overdue(value, screen.view.game.policies)
        )
    }


def delay(screen: TableScreen, value: str) -> dict[str, Any]:
    if not (value.isdecimal() and int(value) <= MAX_DELAY):
        raise InputError("so many entries")
    return {"delay": int(value)}


def private(screen: TableScreen, value: str) -> dict[str, Any]:
    return {"visibility": "private" if parse_yes_or_no(value) else "public"}


def ready_check(screen: TableScreen, value: str) -> dict[str, Any]:
    return {"ready_check": parse_yes_or_no(value)}


def parse_yes_or_no(value: str) -> bool:
    if value.lower() not in YES:
        raise InputError("yes or no")
    return YES[value.lower()]


SETTINGS: dict[str, Callable[[TableScreen, str], dict[str, Any]]] = {
    "clock": clock,
    "grace": grace,
    "overdue": overdue,
    "delay": delay,
    "private": private,
    "ready-check": ready_check,
}


# Conditions


def is_open(screen: TableScreen) -> bool:
    return screen.table.info.status == "open"


def is_hosting(screen: TableScreen) -> bool:
    return screen.is_host and not screen.table.is_over


def is_hosting_open_table(screen: TableScreen) -> bool:
    return screen.is_host and is_open(screen)


def waits_for_ready(screen: TableScreen) -> bool:
    return is_open(screen) and screen.table.info.ready_check and screen.table.seat is not None


def may_invite(screen: TableScreen) -> bool:
    return screen.is_host or screen.table.seat is not None


def may_pause(screen: TableScreen) -> bool:
    return screen.is_host and screen.table.info.status == "playing" and not screen.table.info.paused


def may_resume(screen: TableScreen) -> bool:
    return screen.is_host and screen.table.info.paused


def may_sit(screen: TableScreen) -> bool:
    return is_replaced(screen) or (is_open(screen) and screen.table.seat is None)


def is_replaced(screen: TableScreen) -> bool:
    """Return whether a house bot plays on this player's seat."""
    sitting = None if screen.table.seat is None else screen.table.info.seats[screen.table.seat]
    return sitting is not None and sitting.substitute


HOST_COMMANDS = (
    SlashCommand("table", "tisch", "looking", show_table),
    SlashCommand("ready", "bereit", "playing", ready, waits_for_ready),
    SlashCommand("not-ready", "nicht-bereit", "playing", not_ready, waits_for_ready),
    SlashCommand("sit", "setz", "playing", sit, may_sit),
    SlashCommand("invite", "einladen", "hosting", invite, may_invite, "new or nothing"),
    SlashCommand("bot", "bot", "hosting", add_bot, is_hosting_open_table, "a policy"),
    SlashCommand("kick", "hinaus", "hosting", kick, is_hosting_open_table, "a seat"),
    SlashCommand("reserve", "freihalten", "hosting", reserve, is_hosting_open_table, "a seat and a user"),
    SlashCommand("change", "ändern", "hosting", change, is_hosting_open_table, "a change"),
    SlashCommand("host", "gastgeber", "hosting", hand_over, is_hosting, "a seat"),
    SlashCommand("pause", "pause", "hosting", pause, may_pause),
    SlashCommand("resume", "weiter", "hosting", resume, may_resume),
)
