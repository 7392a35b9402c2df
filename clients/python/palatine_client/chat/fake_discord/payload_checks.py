"""What all checks of payloads share: how a limit is required, and what a broken one raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec

Plain = Mapping[str, Any]
P = ParamSpec("P")


class BadPayload(Exception):  # noqa: N818 (Discord answers 400)
    """A payload that Discord refuses; the sentence says where and why."""


def require(holds: object, sentence: str) -> None:
    if not holds:
        raise BadPayload(sentence)


def refuse_malformed(check: Callable[P, None]) -> Callable[P, None]:
    """Return a check that also refuses a payload whose values are of other types than Discord expects."""

    @wraps(check)
    def checked(*args: P.args, **given: P.kwargs) -> None:
        try:
            check(*args, **given)
        except (TypeError, AttributeError, KeyError, ValueError) as error:
            raise BadPayload(f"malformed: {type(error).__name__}") from None

    return checked


def check_length(value: object, low: int, high: int, where: str) -> None:
    """Check that a value is a text of this many characters."""
    require(isinstance(value, str) and low <= len(value) <= high, f"{where}: must have {low} to {high} characters")


def check_distinct(values: list[object], sentence: str) -> None:
    require(len({*values}) == len(values), sentence)
