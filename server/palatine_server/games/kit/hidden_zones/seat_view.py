"""What a seat sees of a game, encoded: the board, its own hand and the agenda. The other zones are not in it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from ..document import Document, Seat, Step
from ..engine import Play

if TYPE_CHECKING:
    from ..game import Game

SeatView = tuple[Any, list[Any], list[Step]]  # the board, only the seat's own hand, the agenda

_encode = msgspec.msgpack.Encoder().encode


def encode_view(play: Play[Any, Any, Any], seat: Seat) -> bytes:
    """Return what a seat sees; no other part of the play is read."""
    document = play.document
    return _encode((document.board, [document.hands[seat]], document.agenda))


def read_view(game: Game, seat: Seat, seats: int, view: bytes | msgspec.Raw) -> Play[Any, Any, Any]:
    """Return a new play with what a seat sees; there are no other hands, no box and no chance in it."""
    board, (hand,), agenda = _view_decoder(game.document).decode(view)
    hands = [hand if other == seat else None for other in range(seats)]
    return Play(game, Document(board, hands, None, None, agenda))  # type: ignore[arg-type]


@cache
def _view_decoder(document: type[Document[Any, Any, Any]]) -> msgspec.msgpack.Decoder[SeatView]:
    types = {field.name: field.type for field in msgspec.structs.fields(document)}
    view: Any = tuple.__class_getitem__(tuple(types[name] for name in ("board", "hands", "agenda")))
    return msgspec.msgpack.Decoder(view)
