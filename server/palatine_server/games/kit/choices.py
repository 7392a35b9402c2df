"""Choices: actions in the form of offers. Rules build them for every seat after every action."""

from __future__ import annotations

from typing import Any, Final

from palatine_protocol.offers import Choice, Pick, Range

from .decisions import Action, verb_of
from .game_error import GameError

_FIELDS: Final = {list, Range, Pick}
_verbs: Final[dict[Any, str]] = {}  # by type of action


def choice(verb: type[Action], **fields: Any) -> Choice:
    """Offer all actions of one verb whose fields take these values: a range, a pick, or an iterable."""
    for name, values in fields.items():
        if type(values) not in _FIELDS:
            fields[name] = _list_values(verb, name, values)
    return Choice(_verb(verb), fields)


def _list_values(verb: type[Action], name: str, values: Any) -> list[Any]:
    """Return values as a list; raise a GameError for a single value, above all for a string."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise GameError(f"choice({verb.__name__}, {name}={values!r}): this is one value; write [{values!r}]")
    return list(values)


def as_mapping(action: Action) -> dict[str, Any]:
    """Return an action in the form of offers: its verb and its fields by name."""
    mapping: dict[str, Any] = {"do": _verb(type(action))}
    for name in action.__struct_fields__:
        mapping[name] = getattr(action, name)
    return mapping


def _verb(kind: Any) -> str:
    verb = _verbs.get(kind)
    if verb is None:
        verb = _verbs[kind] = verb_of(kind)
    return verb
