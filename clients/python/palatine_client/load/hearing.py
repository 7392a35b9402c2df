"""What the load tool reads of what it is sent: of updates and snapshots only who may decide, and nothing twice."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from palatine_protocol.messages import AnyReply, Bye, Lost, Waiting
from palatine_protocol.offers import Choice


class Offer(Struct):
    """An offer that is read when it is answered."""

    id: int
    choices: Raw


class Update(Struct, tag_field="type", tag="update"):
    """An entry of a table, without what it changed."""

    version: int
    offer: Offer | UnsetType | None = UNSET
    waiting: list[Waiting] | UnsetType = UNSET


class Snapshot(Struct, tag_field="type", tag="snapshot"):
    """A table, without what is on it."""

    version: int
    seat: int | None
    offer: Offer | None
    waiting: list[Waiting]


read = msgspec.msgpack.Decoder(AnyReply | Update | Snapshot | Lost | Bye).decode
read_choices = msgspec.msgpack.Decoder(list[Choice]).decode
write = msgspec.msgpack.Encoder().encode
