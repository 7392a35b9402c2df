"""Slash commands for going back, showing hands and playing a rematch."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from ...menu import InputError
from ...table import Change
from .explain import has_begun
from .registry import SlashCommand, parse_number

if TYPE_CHECKING:
    from ..ui.table_screen import TableScreen


# Going back


async def propose_rollback(screen: TableScreen, typed: str) -> None:
    """Propose to return to the typed version, or to the version before the player's last action."""
    to = parse_number(typed.removeprefix("#"))
    if to is None and not screen.acted:
        raise InputError("back to what")
    await screen.table.rollback(screen.acted[-1] - 1 if to is None else to)


async def agree(screen: TableScreen, _: str) -> None:
    await screen.table.agree()


async def disagree(screen: TableScreen, _: str) -> None:
    await screen.table.disagree()


def is_asked(screen: TableScreen) -> bool:
    """Return whether a player proposes to go back and waits for this player's answer."""
    info, seat = screen.table.info, screen.table.seat
    proposal = info.rollback or info.taking_back  # the name in tables of version 0.1
    return proposal is not None and seat is not None and seat not in proposal.agreed


def is_proposed(change: Change) -> bool:
    return any(news["news"] == "rollback_proposed" for news in change.news)


def forget_undone(acted: deque[int], news: dict[str, Any], seat: int | None) -> None:
    """Remove the versions of the player's actions that were undone or taken back."""
    match news:
        case {"news": "action_undone", "seat": who} if who == seat and acted:
            acted.pop()
        case {"news": "rolled_back", "to": int(to)}:
            while acted and acted[-1] > to:
                acted.pop()


# Hands


async def show_hand(screen: TableScreen, _: str) -> None:
    await screen.table.show_hand()


async def cover_hand(screen: TableScreen, _: str) -> None:
    await screen.table.cover_hand()


# Rematch


async def start_rematch(screen: TableScreen, _: str) -> RenderableType | None:
    """Join the rematch now, or as soon as this game is over."""
    if not screen.table.is_over:
        screen.wants_rematch = True
        return Text(screen.label("again later"), "green")
    screen.wants_rematch = False
    await screen.join_rematch()
    return None


def is_playing(screen: TableScreen) -> bool:
    return screen.table.seat is not None and screen.table.info.status == "playing"


def may_show(screen: TableScreen) -> bool:
    return is_playing(screen) and not is_shown(screen)


def is_shown(screen: TableScreen) -> bool:
    sitting = None if screen.table.seat is None else screen.table.info.seats[screen.table.seat]
    return sitting is not None and sitting.shown


AGREEMENT_COMMANDS = (
    SlashCommand("back", "zurück", "playing", propose_rollback, is_playing, takes="maybe a number"),
    SlashCommand("agree", "ja", "playing", agree, is_asked),
    SlashCommand("disagree", "nein", "playing", disagree, is_asked),
    SlashCommand("show", "offen", "playing", show_hand, may_show),
    SlashCommand("cover", "verdeckt", "playing", cover_hand, is_shown),
    SlashCommand("again", "nochmal", "going", start_rematch, has_begun),
)
