"""Patches: they turn one document into another with three kinds of operations, without code of the game.

A compiled build has `native_patch` (native_patch.c), which makes the same patches at a tenth of the cost.
"""

from operator import is_
from typing import Any, Final

import msgspec

try:
    from . import native_patch as _native_patch  # type: ignore[attr-defined, unused-ignore]
except ImportError:
    _native_patch = None

Op = list[Any]  # [path] deletes, [path, value] sets, [path, at, count, *items] splices
Patch = list[Op]
Path = list[Any]

DEEPEST = 64  # levels of lists and maps in a document
LARGEST = 2**53 - 1  # the largest integer that every language holds exactly, JavaScript included

_ABSENT: Final = object()  # None is a value
_SCALARS: Final = {str, int, bool, type(None)}
_encoded: Final = msgspec.msgpack.Encoder().encode
_native: Final[Any] = _native_patch  # compiled code finds this at once, and an imported name only in a dict


class PatchError(ValueError):
    """A patch does not fit its document; the message names the place."""

    def __init__(self, path: Path, sentence: str) -> None:
        super().__init__(path, sentence)
        self.path = path
        self.sentence = sentence

    def __str__(self) -> str:
        return f"/{'/'.join(map(str, self.path))}: {self.sentence}"


# Making patches


def make(old: Any, new: Any) -> Patch:
    """Return the patch from one document to another; its values belong to the new one."""
    return _difference([], old, new) if _native is None else _native.make(old, new, _same, _size)


def make_of(old: dict[str, Any], new: dict[str, Any], changed: list[str]) -> Patch:
    """Return the same patch for two maps whose changed keys are known, in the order of the new map."""
    if _native is not None:
        return _native.make_of(old, new, changed, _same, _size)  # type: ignore[no-any-return]
    return _measured([], new, [op for key in changed for op in _difference([key], old[key], new[key])])


def _difference(path: Path, old: Any, new: Any) -> Patch:
    if type(old) is dict and type(new) is dict:
        return _difference_of_maps(path, old, new)
    if type(old) is list and type(new) is list:
        return _difference_of_lists(path, old, new)
    return [] if _same(old, new) else [[path, new]]


def _difference_of_maps(path: Path, old: dict[str, Any], new: dict[str, Any]) -> Patch:
    ops: Patch = []
    added = 0
    for key, value in new.items():
        before = old.get(key, _ABSENT)
        if before is value:
            continue
        if before is _ABSENT:
            added += 1
        if not _same(before, value):
            ops += _difference([*path, key], before, value)
    if len(old) + added > len(new):
        ops = [[[*path, key]] for key in old if key not in new] + ops
    return _measured(path, new, ops)


# A patch of fewer than half the fields is hardly ever longer than the whole: do not measure it.
def _measured(path: Path, new: dict[str, Any], ops: Patch) -> Patch:
    return ops if 2 * len(ops) <= len(new) else _shorter(ops, [path, new])


def _difference_of_lists(path: Path, old: list[Any], new: list[Any]) -> Patch:
    shorter = min(len(old), len(new))
    if len(old) == len(new):
        return _difference_of_pairs(path, old, new)
    if _same(old[:shorter], new[:shorter]):  # most lists only grow at the end
        return [[path, shorter, len(old) - shorter, *new[shorter:]]]
    return _difference_of_items(path, old, new)


def _difference_of_pairs(path: Path, old: list[Any], new: list[Any]) -> Patch:
    changed = [at for at, item in enumerate(new) if not _same(old[at], item)]
    if not changed:
        return []
    head, end = changed[0], changed[-1] + 1
    ops = [op for at in changed for op in _difference([*path, at], old[at], new[at])]
    return ops if len(ops) < 2 else _shorter(ops, [path, head, end - head, *new[head:end]])


def _difference_of_items(path: Path, old: list[Any], new: list[Any]) -> Patch:
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    old_end, new_end = len(old) - tail, len(new) - tail
    paired = min(old_end, new_end)
    changed = [at for at in range(head, paired) if not _same(old[at], new[at])]
    ops = [op for at in changed for op in _difference([*path, at], old[at], new[at])]
    if old_end != new_end:
        ops.append([path, paired, old_end - paired, *new[paired:new_end]])
    return _shorter(ops, [path, head, old_end - head, *new[head:new_end]])


def _alike(old: list[Any], new: list[Any]) -> int:
    """Return the length of the common beginning."""
    shorter = min(len(old), len(new))
    for at in range(shorter):
        if not _same(old[at], new[at]):
            return at
    return shorter


# A single operation is never worth replacing: its path is no longer than the keys around it.
def _shorter(ops: Patch, whole: Op) -> Patch:
    if len(ops) < 2:
        return ops
    size = len(_encoded(ops))
    return ops if _left(size, whole) < 0 or size < len(_encoded([whole])) else [whole]


def _size(value: Any) -> int:
    return len(_encoded(value))


def _left(size: int, value: Any) -> int:
    """Return the size minus the fewest bytes that the value can take; counting stops below zero."""
    size -= 1
    if type(value) is str:
        return size - len(value)
    if type(value) is dict:
        for key, item in value.items():
            size = _left(size - 1 - len(key), item)
            if size < 0:
                break
    elif type(value) is list:
        for item in value:
            size = _left(size, item)
            if size < 0:
                break
    return size


# In Python True equals 1, at any depth, but their bytes differ. Equality is tested first because it fails fast. Maps in
# another order have other bytes too; comparing them then costs time but finds no change. Values that both documents
# share need no comparison.
def _same(old: Any, new: Any) -> bool:
    if old is new:
        return True
    kind = type(old)
    if kind is not type(new) or old != new:
        return False
    return kind in _SCALARS or (kind is list and all(map(is_, old, new))) or bool(_encoded(old) == _encoded(new))


# Applying patches


def apply(document: Any, ops: Patch) -> Any:
    """Apply a patch in place and return the document; a bad operation raises, and earlier operations stay applied."""
    if type(ops) is not list:
        raise PatchError([], "a patch is a list of operations")
    for op in ops:
        document = _carried_out(document, op)
    return document


def _carried_out(document: Any, op: Op) -> Any:
    match op:
        case [[*path, key]]:
            _delete(_place(document, path), path, key)
        case [[], value]:
            return _copied(value, [], 0)
        case [[*path, key], value]:
            _set(_place(document, path), path, key, value)
        case [[*path], at, count, *items]:
            _splice(_place(document, path), path, at, count, items)
        case _:
            raise PatchError([], "an operation is [path], [path, value] or [path, at, count, ...items]")
    return document


def _place(document: Any, path: Path) -> Any:
    for depth, step in enumerate(path):
        if not _has(document, step):
            raise PatchError(path[:depth], "the path goes on to something that is not there")
        document = document[step]
    return document


def _has(place: Any, step: Any) -> bool:
    if type(place) is dict:
        return type(step) is str and step in place
    return type(place) is list and type(step) is int and 0 <= step < len(place)


def _delete(place: Any, path: Path, key: Any) -> None:
    if type(place) is not dict or not _has(place, key):
        raise PatchError(path, "only a key that a map has can be deleted")
    del place[key]


def _set(place: Any, path: Path, key: Any, value: Any) -> None:
    new_key = type(place) is dict and type(key) is str
    if not new_key and not _has(place, key):
        raise PatchError(path, "only a key of a map or an item that a list has can be set")
    place[key] = _copied(value, path, len(path) + 1)


def _splice(place: Any, path: Path, at: Any, count: Any, items: list[Any]) -> None:
    if type(place) is not list:
        raise PatchError(path, "only a list can be spliced")
    if type(at) is not int or type(count) is not int or not 0 <= at <= at + count <= len(place):
        raise PatchError(path, "a splice stays inside its list")
    place[at : at + count] = [_copied(item, path, len(path) + 1) for item in items]


# Copied, because the next patch changes the document in place and must not reach into this one.
def _copied(value: Any, path: Path, depth: int) -> Any:
    kind = type(value)
    if kind is str or kind is bool or value is None or (kind is int and -LARGEST <= value <= LARGEST):
        return value
    if kind is list and depth < DEEPEST:
        return [_copied(item, path, depth + 1) for item in value]
    if kind is dict and depth < DEEPEST and all(type(key) is str for key in value):
        return {key: _copied(item, path, depth + 1) for key, item in value.items()}
    raise PatchError(path, f"a value is null, a boolean, an integer, a string, or a list or map at most {DEEPEST} deep")
