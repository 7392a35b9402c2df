"""Stored types across versions: the format number, and the fields that another version of the code has added.

STORED_TYPES.md, beside this module, has the rules for changing a stored type.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from palatine_protocol.errors import Code

from ...games.kit import Refused

FORMAT = 2  # of snapshots and entries; increased when older code must not use a table
RETRY_AFTER: Final = 1000  # milliseconds; by then the request may reach a newer node
_encode: Final = msgspec.msgpack.Encoder().encode


class NewerTable(Refused):
    """A newer version of the code has written this table; this node does not use it."""

    def __init__(self, reason: str) -> None:
        sentence = "A newer version of the server has this table; send the same request again."
        super().__init__(Code.TRY_AGAIN.value, sentence, retry_after_ms=RETRY_AFTER)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class UnreadableTable(Refused):
    """This node cannot read the stored table; the reason is for the operator."""

    def __init__(self, reason: str) -> None:
        super().__init__(Code.TABLE_UNREADABLE.value, Code.TABLE_UNREADABLE.sentence)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


class Stamp(Struct):
    """The format number of a snapshot or an entry that cannot be read otherwise."""

    format: int = 1


_stamps: Final = msgspec.msgpack.Decoder(Stamp)


def require_known_format(number: int, what: str) -> None:
    """Raise NewerTable if a snapshot or an entry has a higher format number than ours."""
    if number > FORMAT:
        raise NewerTable(f"{what} has format {number}, this version reads {FORMAT}")


def explain_failure(stored: bytes, what: str, error: Exception) -> Refused:
    """Return the refusal for stored bytes that cannot be decoded: their format is newer, or they are damaged."""
    try:
        require_known_format(_stamps.decode(stored).format, what)
    except NewerTable as newer:
        return newer
    except msgspec.DecodeError:
        pass
    return UnreadableTable(f"{what} cannot be decoded ({type(error).__name__})")


# Fields that our types do not know


def has_unknown(stored: Any, known: Any) -> bool:
    """Return whether a stored value has fields, at any depth, that are lost when our types read and write it."""
    if type(stored) is dict and type(known) is dict:
        return any(key not in known or has_unknown(value, known[key]) for key, value in stored.items())
    if type(stored) is list and type(known) is list:
        return any(has_unknown(*pair) for pair in zip(stored, known, strict=False))
    return False


def restore_unknown(stored: Any, known: Any, new: Any) -> Any:
    """Return the new value with the fields of the stored one that our types do not know.

    `known` is the stored value as our types read it, so that fields which we removed ourselves are not restored.
    """
    if type(stored) is dict and type(known) is dict and type(new) is dict:
        kept = {key: value for key, value in stored.items() if key not in known and key not in new}
        return {key: restore_unknown(stored.get(key), known.get(key), value) for key, value in new.items()} | kept
    if type(stored) is list and type(known) is list and type(new) is list:
        return _restore_items(stored, known, new)
    return new


# An unchanged item in its old place is the same item. An unchanged item in another place has moved. A changed item is
# the item that was in its place, unless that one has moved.
def _restore_items(stored: list[Any], known: list[Any], new: list[Any]) -> list[Any]:
    before, after = list(map(_encode, known)), list(map(_encode, new))
    is_paired = len(before) == len(after)
    here = {at for at in range(len(after)) if is_paired and before[at] == after[at]}
    moved = {before[at]: stored[at] for at in range(len(before)) if at not in here}
    elsewhere = {after[at] for at in range(len(after)) if at not in here}
    items: list[Any] = []
    for at, item in enumerate(new):
        if at in here:
            items.append(stored[at])
        elif after[at] in moved:
            items.append(moved[after[at]])
        elif is_paired and before[at] not in elsewhere:
            items.append(restore_unknown(stored[at], known[at], item))
        else:
            items.append(item)
    return items
