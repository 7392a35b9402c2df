"""The fields of the server's messages that the load tool reads: of updates and snapshots, only offers and waits."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from palatine_protocol.messages import AnyReply, Bye, Lost, Waiting
from palatine_protocol.offers import Choice


class PartialOffer(Struct):
    """An offer whose choices are decoded when it is answered."""

    id: int
    choices: Raw


class PartialUpdate(Struct, tag_field="type", tag="update"):
    """An update of a table, without its news and patches."""

    version: int
    offer: PartialOffer | UnsetType | None = UNSET
    waiting: list[Waiting] | UnsetType = UNSET


class PartialSnapshot(Struct, tag_field="type", tag="snapshot"):
    """A snapshot of a table, without its documents."""

    version: int
    seat: int | None
    offer: PartialOffer | None
    waiting: list[Waiting]


decode_message = msgspec.msgpack.Decoder(AnyReply | PartialUpdate | PartialSnapshot | Lost | Bye).decode
decode_choices = msgspec.msgpack.Decoder(list[Choice]).decode
encode_request = msgspec.msgpack.Encoder().encode
