"""Explanations: the reasons for scores, majorities, prices and refusals.

A reason names the rule it rests on, the figures, and the reasons behind it. It is computed from the viewer's view of
the game: the board and their own hand. The view holds nothing else, so no explanation can reveal a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from palatine_protocol.errors import Code
from palatine_protocol.offers import Choice, Offer, permits

from ..decisions import Action
from ..document import Document, Seat
from ..engine import Play
from ..refusal import refuse

# A number, a component, several of them, or cells. Figures named `seat` or `seats` hold seats, and no others do.
Figure = int | str | list[Any]


class Reason(Struct, frozen=True, omit_defaults=True):
    """A statement, the rule it rests on, its figures, and the reasons behind it.

    The amounts of the reasons behind it add up to its own amount; some reasons have none.
    """

    what: str  # the key of its text
    rule: str
    amount: int | None = None  # points, gold, moves and the like
    figures: Mapping[str, Figure] = {}
    because: list[Reason] = []


def total(what: str, rule: str, because: Iterable[Reason], **figures: Figure) -> Reason:
    """Return a reason whose amount is the sum of these."""
    parts = list(because)
    return Reason(what, rule, sum_of(parts), figures, parts)


def sum_of(reasons: Iterable[Reason]) -> int:
    """Return the sum of the amounts."""
    return sum(reason.amount or 0 for reason in reasons)


def at_least_nothing(what: str, rule: str, amount: int) -> list[Reason]:
    """Return the reason that raises a negative amount to zero, where a rule says so."""
    return [Reason(what, rule, -amount)] if amount < 0 else []


# Questions


@dataclass(frozen=True)
class Topic:
    """A question about the game: the values that it can name now, and the function that answers it."""

    about: Callable[[Any, Seat | None], Mapping[str, Iterable[Any]] | None]  # None: the question cannot be asked now
    reason: Callable[..., Reason]


def sight(play: Play[Any, Any, Any], viewer: Seat | None) -> Play[Any, Any, Any]:
    """Return the same game with nothing but the board and the viewer's own hand."""
    hands = [hand if seat == viewer else None for seat, hand in enumerate(play.document.hands)]
    return Play(play.game, Document(play.board, hands, None, None, []))  # type: ignore[arg-type]


def questions(play: Play[Any, Any, Any], viewer: Seat | None) -> Offer:
    """Return all questions that a viewer can ask now, in the form of an offer."""
    seen = sight(play, viewer)
    return [asked for name, topic in play.game.topics.items() for asked in _choices(name, topic, seen, viewer)]


def explain_topic(play: Play[Any, Any, Any], viewer: Seat | None, question: Mapping[str, Any]) -> Reason:
    """Return the answer to one of these questions; refuse any other."""
    seen, name = sight(play, viewer), question.get("do")
    topic = play.game.topics.get(name) if isinstance(name, str) else None
    choices = [] if topic is None else list(_choices(name, topic, seen, viewer))
    known = {"do", *(field for choice in choices for field in choice.fields)}
    question = {field: value for field, value in question.items() if field in known}
    if topic is None or not permits(choices, question):
        raise refuse(Code.NOT_EXPLAINED)
    return topic.reason(seen, viewer, **{field: value for field, value in question.items() if field != "do"})


def _choices(name: Any, topic: Topic, seen: Play[Any, Any, Any], viewer: Seat | None) -> Iterator[Choice]:
    about = topic.about(seen, viewer)
    if about is not None:
        yield Choice(name, {field: list(values) for field, values in about.items()})


# Refusals


def why_refused(play: Play[Any, Any, Any], seat: Seat, action: Action) -> Reason | None:
    """Return why a seat may not take this action now, with figures if the game has them; None if it may."""
    seen = sight(play, seat)
    seen.document.agenda = play.document.agenda
    refused = seen.refusal(seat, action)
    if refused is None:
        return None
    grounds = play.game.grounds.get(refused.code)
    because = list(grounds(seen, seat, action)) if grounds else []
    return Reason("refused", refused.rule, None, {"code": refused.code, "sentence": refused.sentence}, because)


# The end


def places(rows: Iterable[Any], seat: Seat, *steps: tuple[str, str], shared: str) -> Iterator[Reason]:
    """Yield the comparisons that gave a seat its place, with their rules, until no other seat shares it."""
    tied = list(rows)
    mine = next(row for row in tied if row.seat == seat)
    for figure, rule in steps:
        value = getattr(mine, figure)
        others = [getattr(row, figure) for row in tied if row is not mine]
        yield Reason(f"place_by_{figure}", rule, None, {figure: value, "others": others})
        tied = [row for row in tied if getattr(row, figure) == value]
        if len(tied) == 1:
            return
    yield Reason("place_shared", shared, None, {"seats": [row.seat for row in tied if row is not mine]})
