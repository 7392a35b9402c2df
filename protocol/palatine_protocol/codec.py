"""Bytes to messages and back: msgpack in binary frames, or its JSON twin in text frames. The border of the system."""

from __future__ import annotations

import re
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct, UnsetType

from .errors import Code
from .messages import AnyFromServer, AnyRequest
from .patch import LARGEST

DEEPEST = 16  # lists and maps within each other in what a client sends
MSGPACK, JSON = "palatine.v1.msgpack", "palatine.v1.json"
SUBPROTOCOLS = (MSGPACK, JSON)
T = TypeVar("T")


class Unreadable(Exception):  # noqa: N818 (it is refused, not an error of ours)
    """A frame that is no message; `id` is its request id, if that could be read."""

    def __init__(self, code: Code, path: str, request_id: str) -> None:
        super().__init__(code)
        self.code, self.path, self.id = code, path, request_id


class Envelope(Struct):
    """What every request has, to answer even those that are wrong."""

    id: Any = ""
    type: Any = ""


class Codec(Generic[T]):
    """One way to write messages on the wire, for one direction."""

    def __init__(self, subprotocol: str, incoming: Any) -> None:
        kind: Any = msgspec.json if subprotocol == JSON else msgspec.msgpack
        self.subprotocol, self.is_text = subprotocol, subprotocol == JSON
        self._decoder, self._envelope = kind.Decoder(incoming), kind.Decoder(Envelope)
        self.encode = kind.Encoder().encode

    def raw(self, value: Any) -> msgspec.Raw:
        """A part of a message that is encoded once and used in many."""
        return msgspec.Raw(self.encode(value))

    def decode(self, frame: bytes | str) -> T:
        """A message, or Unreadable; never anything else."""
        try:
            message: T = self._decoder.decode(frame)
        except msgspec.ValidationError as error:
            raise self._invalid(frame, str(error)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, TypeError):
            raise Unreadable(Code.MALFORMED, "", "") from None
        if not is_plain(message, DEEPEST):
            raise Unreadable(Code.MALFORMED, "$", self._id_of(frame))
        return message

    def _invalid(self, frame: bytes | str, complaint: str) -> Unreadable:
        path = re.search(r"at `(\$[^`]*)`", complaint)
        unknown = complaint.startswith("Invalid value") and path is not None and path[1] == "$.type"
        code = Code.UNKNOWN_REQUEST if unknown else Code.MALFORMED
        return Unreadable(code, path[1] if path else "$", self._id_of(frame))

    def _id_of(self, frame: bytes | str) -> str:
        try:
            found = self._envelope.decode(frame).id
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return ""
        return found if isinstance(found, str) and len(found) <= 64 else ""


# What is free in form, an action or options, is stored, hashed and told to others in both encodings: it must be data
# that both can write and every language can read.
def is_plain(value: object, levels: int) -> bool:
    """Whether this is null, a boolean, an integer of 53 bits, a string, or lists and maps of these, so deep at most."""
    match value:
        case bool() | str() | None | UnsetType():
            return True
        case int():
            return -LARGEST <= value <= LARGEST
        case list():
            return levels > 0 and all(is_plain(item, levels - 1) for item in value)
        case dict():
            return levels > 0 and all(type(key) is str and is_plain(item, levels - 1) for key, item in value.items())
    return isinstance(value, Struct) and _has_plain_fields(value, levels)


def _has_plain_fields(message: Struct, levels: int) -> bool:
    return all(is_plain(getattr(message, name), levels) for name in message.__struct_fields__)


def for_server(subprotocol: str) -> Codec[AnyRequest]:
    """What a server reads and writes."""
    return Codec(subprotocol, AnyRequest)


def for_client(subprotocol: str) -> Codec[AnyFromServer]:
    """What a client reads and writes."""
    return Codec(subprotocol, AnyFromServer)
