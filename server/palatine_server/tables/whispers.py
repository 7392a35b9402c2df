"""Whispers: what a seat points at, on this node and on others. Nobody stores them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from ..games.kit import Seat


class Whisper(Struct, frozen=True, array_like=True):
    """An action that a seat points at, and the seats that are shown it; no action: the seat points no longer."""

    seat: Seat
    to: list[Seat]
    action: dict[str, Any] | None


as_whisper = msgspec.msgpack.Decoder(Whisper).decode
