"""The codec: frames to typed messages and back, as msgpack in binary frames or as JSON in text frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Generic, TypeVar

import msgspec

from .errors import Code
from .messages import AnyFromServer, AnyRequest, AtTable
from .mistakes import EncodedForm, describe, find_mistake

MSGPACK, JSON = "palatine.v1.msgpack", "palatine.v1.json"
SUBPROTOCOLS = (JSON, MSGPACK)
DEFAULT = JSON  # for a client that asks for no subprotocol
SMALL_MAP: Final = 0x80  # the first byte of a msgpack map, plus the number of its keys, if they are fewer than 16
SMALL_MAPS: Final = [bytes([SMALL_MAP + keys]) for keys in range(16)]
WRONG_FORM: Final = describe("Expected `str` matching regex ")
T = TypeVar("T")


class Unreadable(Exception):  # noqa: N818 (a mistake of the sender)
    """A frame that is not a message; `id` is its request id, if that was readable.

    Without a path, the frame is not even a map in the encoding of the connection.
    """

    def __init__(self, code: Code, path: str = "", request_id: str = "", sentence: str = "") -> None:
        super().__init__(code)
        self.code, self.path, self.id, self.sentence = code, path, request_id, sentence or code.sentence


# The request id alone, so that the server can answer a malformed request.
Envelope = msgspec.defstruct("Envelope", [("id", msgspec.Raw, msgspec.Raw())])


class Codec(Generic[T]):
    """An encoder and a decoder for one subprotocol and one direction."""

    def __init__(self, subprotocol: str, incoming: Any, check: Callable[[T], None] | None = None) -> None:
        kind: Any = msgspec.json if subprotocol == JSON else msgspec.msgpack
        self.subprotocol, self.is_text = subprotocol, subprotocol == JSON
        self._decoder, self._envelope, self._id = kind.Decoder(incoming), kind.Decoder(Envelope), kind.Decoder(str)
        self._form, self._check = EncodedForm(kind), check
        self.encode = kind.Encoder().encode

    def join(self, first: bytes, second: bytes) -> bytes:
        """Return the encoded map that holds the keys of two encoded maps: each has some, none is in both.

        So a part of many messages is encoded once. Messages are small maps: each has fewer than 16 keys.
        """
        if self.is_text:
            return b"%b,%b" % (first[:-1], second[1:])
        return b"".join((SMALL_MAPS[first[0] + second[0] - 2 * SMALL_MAP], first[1:], second[1:]))

    def decode(self, frame: bytes | str) -> T:
        """Return the message in a frame, or raise Unreadable."""
        try:
            message: T = self._decoder.decode(frame)
        except msgspec.ValidationError as error:
            raise self._invalid(frame, error) from None
        except (msgspec.DecodeError, UnicodeError, RecursionError, TypeError):
            raise Unreadable(Code.MALFORMED) from None
        if self._check is not None:
            self._check(message)
        return message

    def _invalid(self, frame: bytes | str, error: msgspec.ValidationError) -> Unreadable:
        mistake = find_mistake(error, frame, self._form, self._decoder.decode)
        if not mistake.path:
            return Unreadable(Code.MALFORMED)
        if mistake.path == "$.type" and str(error).startswith("Invalid value"):
            return Unreadable(Code.UNKNOWN_REQUEST, mistake.path, self._id_of(frame))
        return Unreadable(Code.MALFORMED, mistake.path, self._id_of(frame), mistake.sentence)

    def _id_of(self, frame: bytes | str) -> str:
        try:
            found: str = self._id.decode(self._envelope.decode(frame).id)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return ""
        return found if len(found) <= 64 else ""


def check_ids(request: AnyRequest) -> None:
    """Raise Unreadable if the id of a request, or that of its table, has a character that ids do not have."""
    request_id = request.id
    if not (request_id.isascii() and request_id.isprintable() and " " not in request_id):
        raise Unreadable(Code.MALFORMED, "$.id", request_id, WRONG_FORM)
    if isinstance(request, AtTable):
        table = request.table
        if not (table.isascii() and table.replace("_", "0").replace("-", "0").isalnum()):
            raise Unreadable(Code.MALFORMED, "$.table", request_id, WRONG_FORM)


@cache
def for_server(subprotocol: str) -> Codec[AnyRequest]:
    """Return the codec of a server: it reads requests and writes replies and pushes."""
    return Codec(subprotocol, AnyRequest, check_ids)


@cache
def for_client(subprotocol: str) -> Codec[AnyFromServer]:
    """Return the codec of a client: it reads replies and pushes and writes requests."""
    return Codec(subprotocol, AnyFromServer)
