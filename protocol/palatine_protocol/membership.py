"""Membership in an offer: the one test of legality, which every action passes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .offers import Choice, Field, Offer

_NUMBERS: Final = {bool, int, float}  # true and 1 are equal, as are 1 and 1.0


def permits(offer: Offer, action: Mapping[str, Any]) -> bool:
    """Return whether the action is a member of the offer."""
    for choice in offer:  # noqa: SIM110 (compiled, a loop takes half as long as a generator)
        if permits_one(choice, action):
            return True
    return False


def permits_one(choice: Choice, action: Mapping[str, Any]) -> bool:
    """Return whether the action, given as its verb and fields, is a member of this choice."""
    if action.get("do") != choice.do:
        return False
    fields = choice.fields
    if len(action) != len(fields) + 1:
        return False
    for name, field in fields.items():  # noqa: SIM110 (as above)
        if name not in action or not permitted(field, action[name]):
            return False
    return True


def permitted(field: Field, value: Any) -> bool:
    """Return whether a field of an offer allows this value."""
    return one_of(field, value) if isinstance(field, list) else value in field


def one_of(items: list[Any], value: Any) -> bool:
    """Return whether a value is in a list; unlike Python, this distinguishes true from 1."""
    if value not in items:
        return False
    return type(value) not in _NUMBERS or any(_is_alike(item, value) for item in items)


def _is_alike(item: Any, value: Any) -> bool:
    return bool(item == value) and (type(item) is bool) == (type(value) is bool)
