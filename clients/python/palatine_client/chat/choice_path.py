"""Paths: the answers that lead from an offer to an action, short enough for the id of a button.

A step answers one question of the menu: the number of an entry, the set of picked items as the bits of a number, or a
number. The questions follow from the offer, so a path means something only together with it. An offer may change while
its number stays; so an id also holds a digest of the question that it answers, and a click on an older question is
recognised.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec

from ..menu import Number, OneOf, Partial, Question, SomeOf
from .custom_ids import UnknownId, decode_number, encode_number
from .steps import ChatView

SEPARATOR = "."
DIGEST_BYTES = 4
Ask = Callable[[Partial], Question | None]  # the next question for a partial action; None if it is complete


class StaleClick(Exception):  # noqa: N818 (a state of the world, not a mistake)
    """The click answers a question that is not asked any more."""


def encode_path(steps: Sequence[int]) -> str:
    return SEPARATOR.join(map(encode_number, steps))


def decode_path(text: str) -> list[int]:
    """Return the steps of a path; raise UnknownId."""
    return [decode_number(step) for step in text.split(SEPARATOR)] if text else []


def digest_question(asked: Question) -> str:
    """Return a short digest of everything that a question offers."""
    content = msgspec.json.encode([type(asked).__name__, asked])
    return encode_number(int.from_bytes(hashlib.sha256(content).digest()[:DIGEST_BYTES]))


def digest_moment(view: ChatView) -> str:
    """Return a short digest of what a seat may do and holds, which changes with each action of the seat."""
    content = msgspec.json.encode([view.offer.id if view.offer else None, view.hand])
    return encode_number(int.from_bytes(hashlib.sha256(content).digest()[:DIGEST_BYTES]))


def follow_path(ask: Ask, steps: Sequence[int]) -> Partial:
    """Return the partial action after these answers; raise StaleClick if one of them is not possible."""
    chosen: Partial = {}
    for step in steps:
        asked = ask(chosen)
        if asked is None:
            raise StaleClick
        chosen = apply_step(asked, step)
    return chosen


def apply_step(asked: Question, step: int) -> Partial:
    """Return the partial action after one answer; raise StaleClick if it is not possible."""
    match asked:
        case OneOf(entries) if 0 <= step < len(entries):
            return entries[step]
        case Number(chosen, field, low, high) if low <= step <= high:
            return {**chosen, field: step}
        case SomeOf(chosen, field, least, most, of) if 0 <= step < 1 << len(of) and least <= step.bit_count() <= most:
            return {**chosen, field: [item for at, item in enumerate(of) if step >> at & 1]}
    raise StaleClick


def encode_picks(indices: Sequence[int]) -> int:
    """Return the step that picks these items."""
    return sum(1 << index for index in {*indices})


def decode_picks(step: int) -> list[int]:
    """Return the items that a step picks."""
    return [at for at in range(step.bit_length()) if step >> at & 1]


def read_indices(values: Sequence[str], count: int) -> list[int]:
    """Return the chosen options of a selection as numbers; raise UnknownId if there is no such option."""
    indices = [decode_number(value) for value in values]
    if not all(0 <= index < count for index in indices):
        raise UnknownId(",".join(values)[:100])
    return indices
