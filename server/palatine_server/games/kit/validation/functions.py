"""The functions of a game: rules with names of their own, and functions that take what the kit gives them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..explanations.explanation_text import ExplanationText
from ..explanations.reasons import Topic

if TYPE_CHECKING:
    from ..game import Game

# What the kit gives to each function.
GIVEN = {
    "setup": ("players", "options", "chance"),
    "why_not": ("game", "seat", "action"),
    "overdue": ("game", "late"),
    "standings": ("game",),
    "check": ("game",),
    "is_silent": ("game",),
    "pointing_audience": ("game", "seat", "action"),
}


def find_wrong_functions(game: Game) -> Iterator[str]:
    """Yield the mistakes in the functions of a game."""
    for field, given in GIVEN.items():
        yield from _find_wrong_function(field, getattr(game, field), given)
    if game.redraw is not None:
        yield from _find_wrong_function("redraw", game.redraw, ("game", "seat", "deal"))
    yield from _find_wrong_rules(game.rules)
    yield from _find_wrong_policies(game.policies)
    for name, topic in game.topics.items():
        if not isinstance(topic, Topic):
            yield f"topics[{name!r}] is of type {type(topic).__name__}; write Topic(about, reason)"
    for field in ("grounds", "offers_read"):
        for name, function in getattr(game, field).items():
            if not callable(function):
                yield f"{field}[{name!r}]={function!r} is no function; name one"
    if not isinstance(game.words, ExplanationText):
        yield f"words is of type {type(game.words).__name__}; write words=read_explanation_text(text, names)"


def _find_wrong_function(field: str, function: Any, given: tuple[str, ...]) -> Iterator[str]:
    if not callable(function):
        yield f"{field}={function!r} is no function; write def {field}({', '.join(given)})"
    elif not takes(function, len(given)):
        yield f"{field} cannot be called with {len(given)} arguments; write def {field}({', '.join(given)})"


def _find_wrong_rules(rules: tuple[Any, ...]) -> Iterator[str]:
    names = dict[str, Any]()
    for rule in rules:
        name = getattr(rule, "__name__", None)
        if not callable(rule) or not isinstance(name, str):
            yield f"rules has {rule!r}, which is no function; name the functions themselves, without calling them"
        elif not name.isidentifier():
            yield f"rules has {name}, which has no name; write def, because the agenda stores the names of rules"
        elif names.setdefault(name, rule) is not rule:
            yield f"two rules are named {name!r}; rename one of them, because the agenda stores the names of rules"
        elif is_generator(rule) and not takes_at_least(rule, 2):
            yield f"the rule {name!r} asks, so the kit calls it with the game and a seat; write def {name}(game, seat)"
        elif not takes_at_least(rule, 1):
            yield f"the rule {name!r} takes no argument; write def {name}(game)"


def _find_wrong_policies(policies: Mapping[Any, Any]) -> Iterator[str]:
    if "random" not in policies:
        yield 'policies has no "random", which every game has; write policies={"random": at_random, ...}'
    for name, policy in policies.items():
        if not isinstance(name, str) or not name.isidentifier():
            yield f"policies has {name!r}, which is no identifier; use lower-case letters, digits and underscores"
        yield from _find_wrong_function(f"policies[{name!r}]", policy, ("game", "seat", "below"))


def is_generator(function: Any) -> bool:
    return inspect.isgeneratorfunction(function)


def takes(function: Callable[..., Any], count: int) -> bool:
    """Return whether a function can be called with so many arguments; a compiled one is believed to."""
    try:
        inspect.signature(function).bind(*range(count))
    except TypeError:
        return False
    except ValueError:  # it has no signature
        return True
    return True


def takes_at_least(function: Callable[..., Any], count: int) -> bool:
    """Return whether a function can be called with so many arguments and maybe more by name."""
    try:
        inspect.signature(function).bind_partial(*range(count))
    except TypeError:
        return False
    except ValueError:
        return True
    return True
