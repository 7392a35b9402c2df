"""Entries: the record of an action by zone, and the part of it that each viewer may see."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from palatine_protocol import patch

from .chance import Drawing
from .decisions import News
from .document import Seat


class AddressedNews(Struct, frozen=True):
    """A piece of news and its recipients: the seats in `to`, or all viewers."""

    news: News
    to: list[Seat] | None = None

    def is_for(self, viewer: Seat | None) -> bool:
        return self.to is None or viewer in self.to


class ActionUndone(News):
    """A seat took its last action back."""

    seat: Seat


class Zones(Struct, frozen=True):
    """The document as plain data, divided by the viewers who may see it. It is never changed."""

    board: Any
    hands: list[Any]
    hidden: dict[str, Any]

    def document(self) -> dict[str, Any]:
        return {"board": self.board, "hands": self.hands, **self.hidden}


class Entry(Struct, frozen=True, kw_only=True):
    """One action and all its effects."""

    seat: Seat
    action: Any
    board: patch.Patch
    hands: list[patch.Patch]
    hidden: patch.Patch
    news: list[AddressedNews]
    digests: list[int]  # of each seat's view; the last one is the spectators'
    drawings: list[Drawing] = []  # the random drawings of this entry


class EntryView(Struct, frozen=True, kw_only=True):
    """The part of an entry that one viewer may see."""

    board: patch.Patch
    hand: patch.Patch
    news: list[News]
    digest: int


def view_entry(entry: Entry, viewer: Seat | None) -> EntryView:
    """Return the part of an entry that a seat, or a spectator, may see."""
    return EntryView(
        board=entry.board,
        hand=[] if viewer is None else entry.hands[viewer],
        news=[each.news for each in entry.news if each.is_for(viewer)],
        digest=entry.digests[-1 if viewer is None else viewer],
    )


def apply_entries(first: Zones, entries: Iterable[Entry]) -> Zones:
    """Return the zones after these entries, without running a rule."""
    zones = msgspec.msgpack.decode(msgspec.msgpack.encode(first), type=Zones)
    board, hands, hidden = zones.board, zones.hands, zones.hidden
    for entry in entries:
        board = patch.apply(board, entry.board)
        hands = [patch.apply(hand, ops) for hand, ops in zip(hands, entry.hands, strict=True)]
        hidden = patch.apply(hidden, entry.hidden)
    return Zones(board, hands, hidden)
