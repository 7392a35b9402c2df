"""What the people at a table settle among themselves: going back, showing hands, playing once more."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.text import Text

from ...menu import InputError
from ...table import Change
from .explain import has_begun
from .registry import SlashCommand, number

if TYPE_CHECKING:
    from ..ui.table_screen import TableScreen


# Going back


async def back(at: TableScreen, typed: str) -> None:
    """Propose to go back: to a version, or to before our last action."""
    to = number(typed.removeprefix("#"))
    if to is None and not at.acted:
        raise InputError("back to what")
    await at.table.take_back(at.acted[-1] - 1 if to is None else to)


async def agree(at: TableScreen, _: str) -> None:
    await at.table.agree()


async def disagree(at: TableScreen, _: str) -> None:
    await at.table.disagree()


def is_asked(at: TableScreen) -> bool:
    """Whether somebody proposes to go back and waits for our answer."""
    proposal, seat = at.table.info.taking_back, at.table.seat
    return proposal is not None and seat is not None and seat not in proposal.agreed


def is_proposed(change: Change) -> bool:
    return any(news["news"] == "take_back_proposed" for news in change.news)


def forget(acted: deque[int], news: dict[str, Any], seat: int | None) -> None:
    """Of our own actions, forget what was undone or taken back."""
    match news:
        case {"news": "action_undone", "seat": who} if who == seat and acted:
            acted.pop()
        case {"news": "taken_back", "to": int(to)}:
            while acted and acted[-1] > to:
                acted.pop()


# Hands


async def show(at: TableScreen, _: str) -> None:
    await at.table.show_hand()


async def cover(at: TableScreen, _: str) -> None:
    await at.table.cover_hand()


# Once more


async def again(at: TableScreen, _: str) -> RenderableType | None:
    """Go on at the table of the next game: now, or when this one is over."""
    if not at.table.is_over:
        at.wants_more = True
        return Text(at.label("again later"), "green")
    at.wants_more = False
    await at.play_again()
    return None


def is_playing(at: TableScreen) -> bool:
    return at.table.seat is not None and at.table.info.status == "playing"


def may_show(at: TableScreen) -> bool:
    return is_playing(at) and not is_shown(at)


def is_shown(at: TableScreen) -> bool:
    sitting = None if at.table.seat is None else at.table.info.seats[at.table.seat]
    return sitting is not None and sitting.shown


AGREEING = (
    SlashCommand("back", "zurück", "playing", back, is_playing, takes="maybe a number"),
    SlashCommand("agree", "ja", "playing", agree, is_asked),
    SlashCommand("disagree", "nein", "playing", disagree, is_asked),
    SlashCommand("show", "offen", "playing", show, may_show),
    SlashCommand("cover", "verdeckt", "playing", cover, is_shown),
    SlashCommand("again", "nochmal", "going", again, has_begun),
)
