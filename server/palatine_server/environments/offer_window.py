"""Windows on an offer: its actions by number, or groups of them if there are more than an agent can tell apart.

An offer describes sets, so it may hold more actions than a mask has places. Then the places stand for groups of
consecutive actions, and the agent chooses a group, then a group in it, until it has chosen one action. Every action can
be reached, and no offer needs more than `log(actions) / log(width)` choices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import comb
from typing import Any

from palatine_protocol.offers import Choice, Field, Offer, Pick, Range, count, drawn, permits

PlainAction = dict[str, Any]


class OfferWindow:
    """The actions of an offer from `low` to `high` (excluded), seen as at most `width` entries."""

    def __init__(self, offer: Offer, width: int, low: int = 0, high: int | None = None) -> None:
        if width < 2:
            raise ValueError(f"a window has at least 2 entries, not {width}")
        self.offer, self.width, self.low = offer, width, low
        self.high, self._is_whole = count(offer) if high is None else high, high is None
        self.step = 1  # actions in each entry; the last one may have fewer
        while self.step * width < self.high - low:
            self.step *= width

    def __len__(self) -> int:
        return -(-(self.high - self.low) // self.step)

    @cached_property
    def actions(self) -> list[PlainAction]:
        """The action of each entry, or the first one of each group."""
        if self.step == 1 and self._is_whole:
            return [action for choice in self.offer for action in choice]
        return [select_action(self.offer, self.low + number * self.step) for number in range(len(self))]

    @property
    def last(self) -> PlainAction:
        """The last action."""
        return select_action(self.offer, self.high - 1)

    def count_actions(self, number: int) -> int:
        """Return how many actions an entry stands for."""
        return min(self.step, self.high - self.low - number * self.step)

    def open_group(self, number: int) -> OfferWindow:
        """Return the window on the actions of an entry."""
        low = self.low + number * self.step
        return OfferWindow(self.offer, self.width, low, low + self.count_actions(number))


def select_action(offer: Offer, index: int) -> PlainAction:
    """Return the action with this number, in the order in which the offer is listed."""
    return drawn(offer, lambda _: index)


def find_index(offer: Offer, action: Mapping[str, Any]) -> int:
    """Return the number of an action in the offer; raise ValueError if it is not offered."""
    before = 0
    for choice in offer:
        if permits([choice], action):
            return before + _find_in_choice(choice, action)
        before += choice.count()
    raise ValueError(f"{dict(action)} is not offered")


def _find_in_choice(choice: Choice, action: Mapping[str, Any]) -> int:
    index = 0
    for name, field in choice.fields.items():
        size = len(field) if isinstance(field, list) else field.count()
        index = index * size + _find_value(field, action[name])
    return index


def _find_value(field: Field, value: Any) -> int:
    if isinstance(field, Range):
        return int(value) - field.low
    return _rank_pick(field, value) if isinstance(field, Pick) else _find_item(field, value)


def _find_item(items: Sequence[Any], value: Any, taken: Sequence[int] = ()) -> int:
    """Return the place of a value; unlike `list.index`, tell true from 1."""
    alike = (at for at, item in enumerate(items) if item == value and isinstance(item, bool) == isinstance(value, bool))
    return next(at for at in alike if at not in taken)


def _rank_pick(pick: Pick, values: Sequence[Any]) -> int:
    """Return the number of a pick, in the order of `Pick.__iter__`: by size, then as `itertools.combinations`."""
    places: list[int] = []
    for value in values:
        places.append(_find_item(pick.of, value, places))
    smaller = sum(comb(len(pick.of), size) for size in range(pick.least, len(places)))
    return smaller + _rank_combination(sorted(places), len(pick.of))


def _rank_combination(places: Sequence[int], items: int) -> int:
    rank, begin = 0, 0
    for taken, place in enumerate(places):
        rank += sum(comb(items - 1 - skipped, len(places) - taken - 1) for skipped in range(begin, place))
        begin = place + 1
    return rank
