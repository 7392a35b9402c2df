"""Choices: actions in the form of offers. Rules build them for every seat after every action."""

from __future__ import annotations

from typing import Any, Final

from palatine_protocol.offers import Choice, Pick, Range

from .decisions import Action, verb_of

_FIELDS: Final = {list, Range, Pick}
_verbs: Final[dict[Any, str]] = {}  # by type of action


def choice(verb: type[Action], **fields: Any) -> Choice:
    """Offer all actions of one verb whose fields take these values: a range, a pick, or an iterable."""
    for name, values in fields.items():
        if type(values) not in _FIELDS:
            fields[name] = list(values)
    return Choice(_verb(verb), fields)


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
