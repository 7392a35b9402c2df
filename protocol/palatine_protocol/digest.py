"""Digests: four bytes by which a client checks that its document equals the server's."""

from typing import Any, Final
from zlib import crc32

import msgspec

_encode: Final = msgspec.json.Encoder(order="sorted").encode


def canonical(value: Any) -> bytes:
    """Return the one JSON text of a document, or of the structs it is made from."""
    return _encode(value)


def of_board(board: Any) -> int:
    """Return the digest of the board, which is computed once for all viewers."""
    return crc32(canonical(board))


def of_info(info: Any) -> int:
    """Return the digest of the info of a table."""
    return crc32(canonical(info))


def of_viewer(board_digest: int, hand: Any | None) -> int:
    """Return the digest of a viewer's whole document, continued from the digest of the board."""
    return board_digest if hand is None else crc32(canonical(hand), board_digest)
