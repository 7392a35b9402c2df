"""JSON commands for seats, settings and invitations; seats count from zero."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

import msgspec

from palatine_protocol.messages import Change

from ...exceptions import RequestRefused
from ...table import Table

TERMS = ("options", "visibility", "clock", "ready_check", "delay")


def find_host_request(table: Table, command: dict[str, Any]) -> Coroutine[Any, Any, Any] | None:
    """Return the request that a command makes; None if this module does not know the command."""
    match command:
        case {"invite": True | "new" as which}:
            return invite(table, renew=which == "new")
        case {"leave": True}:
            return table.leave()
        case {"sit": True}:
            return table.sit()
        case {"bot": str(policy)}:
            return table.add_bot(policy)
        case {"change": dict(terms)}:
            return change(table, terms)
        case {"reserve": seat, "user": str() | None as user} if type(seat) is int:
            return table.reserve(seat, user)
        case {"kick": seat} if type(seat) is int:
            return kick(table, seat)
        case {"host": seat} if type(seat) is int:
            return table.hand_over(seat)
    return None


async def invite(table: Table, renew: bool) -> tuple[str, dict[str, Any]]:
    return "invitation", {"table": table.id, "invitation": await table.invite(renew=renew)}


async def kick(table: Table, seat: int) -> None:
    """Remove a player or a bot from a seat."""
    sitting = table.info.seats[seat] if 0 <= seat < len(table.info.seats) else None
    await (table.remove_bot(seat) if sitting and sitting.bot else table.kick(seat))


async def change(table: Table, terms: dict[str, Any]) -> None:
    """Change settings of the table; they have the same form as in `create`."""
    try:
        wished = msgspec.convert({**terms, "id": "-", "table": table.id}, Change)
    except msgspec.ValidationError as wrong:
        raise RequestRefused("malformed", str(wrong)) from None
    await table.change(**{name: getattr(wished, name) for name in TERMS})
