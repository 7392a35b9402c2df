"""Decisions: the values that a rule yields to ask a seat and returns after the answer.

A rule that asks is a generator: it looks at the document, yields an offer, receives the answer, changes the document.
A rule changes nothing before the yield, because the engine starts it again whenever it needs the offer.
The return value says which seats are still asked.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from enum import Enum
from typing import Any

from msgspec import Struct

from palatine_protocol.offers import Choice, Offer

from .document import Seat
from .game_error import GameError


def snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Action(Struct, tag_field="do", tag=snake_case, forbid_unknown_fields=True):
    """An action of a seat; its name is an imperative."""


class News(Struct, tag_field="news", tag=snake_case):
    """An event of the game; its name is in the past tense."""


class After(Enum):
    """The return values with which a rule asks the seat again, or stops asking all seats of the step."""

    AGAIN = "the seat must decide once more"
    FREE = "the seat may decide once more, but holds nobody up"
    SETTLED = "nobody needs to decide any more"


class WaitFor(Struct, frozen=True):
    """These seats of the step must decide now; its other seats may."""

    seats: list[Seat]


class AtLeisure(list[Choice]):
    """An offer to a seat that must decide later: another decision comes first, and the table does not wait."""


class Lapsing(list[Choice]):
    """An offer that lapses: after `seconds` the rules choose for the seat (`overdue`)."""

    def __init__(self, choices: Iterable[Choice], seconds: float) -> None:
        super().__init__(choices)
        self.seconds = seconds


AGAIN, FREE, SETTLED = After.AGAIN, After.FREE, After.SETTLED
Asking = Generator[Offer, Any, After | WaitFor | None]


def verb_of(action: type[Action] | Action) -> str:
    return str(action.__struct_config__.tag)


def give_answer(rule: Asking, action: Action) -> After | WaitFor | None:
    """Give a rule the answer to its question; return what it returns. In compiled code the exception takes longer."""
    try:
        rule.send(action)
    except StopIteration as end:
        after: After | WaitFor | None = end.value
        return after
    raise GameError("a rule asks once; what comes after the first answer is another step: plan it with game.plan")
