"""Pointers: the actions that seats point at. They reach viewers on all nodes, and are not stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from palatine_protocol.errors import Code
from palatine_protocol.messages import Noted, Point

from ...games.kit import Seat, plain, refuse
from ..requests import TableRequest
from ..storage.persistence import encode

if TYPE_CHECKING:
    from ..table import Table

POINT_EVERY = 100  # milliseconds


class Pointer(Struct, frozen=True, array_like=True):
    """An action that a seat points at, and the seats that see it; no action: the seat no longer points."""

    seat: Seat
    to: list[Seat]
    action: dict[str, Any] | None


decode_pointer = msgspec.msgpack.Decoder(Pointer).decode


def point(table: Table, request: TableRequest, message: Point) -> None:
    """Show an action to the seats that may see it; nothing is stored."""
    state, broadcaster, now = table.state, table.broadcaster, table.services.clock()
    seat, play = state.own_seat(request.user), state.require_running().play
    if (wait := broadcaster.pointed_at.get(seat, 0) + POINT_EVERY - now) > 0:
        raise refuse(Code.TOO_FAST, retry_after_ms=wait)
    action = None if message.action is None else table.game.read_action(message.action)
    if action is not None and (why := play.refusal(seat, action)):
        raise why
    broadcaster.pointed_at[seat] = now
    to = broadcaster.pointed_to(seat) if action is None else table.game.pointing_audience(play, seat, action)
    shown = Pointer(seat, list(to), None if action is None else plain(action))
    table.services.store.send_ephemeral(table.id, encode(shown))
    table.reply(request, Noted(re=message.id, table=table.id))
