"""Bytes to messages and back: msgpack in binary frames, or its JSON twin in text frames. The border of the system."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Generic, TypeVar

import msgspec

from .errors import Code
from .messages import AnyFromServer, AnyRequest

MSGPACK, JSON = "palatine.v1.msgpack", "palatine.v1.json"
SUBPROTOCOLS = (MSGPACK, JSON)
T = TypeVar("T")


class Unreadable(Exception):  # noqa: N818 (it is refused, not an error of ours)
    """A frame that is no message; `id` is its request id, if that could be read."""

    def __init__(self, code: Code, path: str, request_id: str) -> None:
        super().__init__(code)
        self.code, self.path, self.id = code, path, request_id


# What every request has, to answer even those that are wrong; not read any further than needed.
Envelope = msgspec.defstruct("Envelope", [("id", msgspec.Raw, msgspec.Raw())])


class Codec(Generic[T]):
    """One way to write messages on the wire, for one direction."""

    def __init__(self, subprotocol: str, incoming: Any) -> None:
        kind: Any = msgspec.json if subprotocol == JSON else msgspec.msgpack
        self.subprotocol, self.is_text = subprotocol, subprotocol == JSON
        self._decoder, self._envelope, self._id = kind.Decoder(incoming), kind.Decoder(Envelope), kind.Decoder(str)
        self.encode = kind.Encoder().encode

    def raw(self, value: Any) -> msgspec.Raw:
        """A part of a message that is encoded once and used in many."""
        return msgspec.Raw(self.encode(value))

    def decode(self, frame: bytes | str) -> T:
        """A message, or Unreadable; never anything else."""
        try:
            return self._decoder.decode(frame)  # type: ignore[no-any-return]
        except msgspec.ValidationError as error:
            raise self._invalid(frame, str(error)) from None
        except (msgspec.DecodeError, UnicodeError, RecursionError, TypeError):
            raise Unreadable(Code.MALFORMED, "", "") from None

    def _invalid(self, frame: bytes | str, complaint: str) -> Unreadable:
        path = re.search(r"at `(\$[^`]*)`", complaint)
        unknown = complaint.startswith("Invalid value") and path is not None and path[1] == "$.type"
        code = Code.UNKNOWN_REQUEST if unknown else Code.MALFORMED
        return Unreadable(code, path[1] if path else "$", self._id_of(frame))

    def _id_of(self, frame: bytes | str) -> str:
        try:
            found: str = self._id.decode(self._envelope.decode(frame).id)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return ""
        return found if len(found) <= 64 else ""


@cache
def for_server(subprotocol: str) -> Codec[AnyRequest]:
    """What a server reads and writes."""
    return Codec(subprotocol, AnyRequest)


@cache
def for_client(subprotocol: str) -> Codec[AnyFromServer]:
    """What a client reads and writes."""
    return Codec(subprotocol, AnyFromServer)
