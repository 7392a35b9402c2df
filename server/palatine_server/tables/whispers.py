"""Whispers: what a seat shows to its partners, on this node and on others. Nobody keeps them."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from ..games.kit import Seat


class Whisper(Struct, frozen=True, array_like=True):
    """What a seat shows to its partners."""

    seat: Seat
    to: list[Seat]
    action: dict[str, Any] | None


as_whisper = msgspec.msgpack.Decoder(Whisper).decode
