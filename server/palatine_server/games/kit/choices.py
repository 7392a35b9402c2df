"""Verbs: actions as offers speak of them. Rules do this for every seat after every action."""

from __future__ import annotations

from typing import Any, Final

from palatine_protocol.offers import Choice, Pick, Range

from .decisions import Action, verb_of

_FIELDS: Final = {list, Range, Pick}
_verbs: Final[dict[Any, str]] = {}  # by kind of action


def choice(verb: type[Action], **fields: Any) -> Choice:
    """All actions of one verb whose fields take these values: a range, a pick, or some one after the other."""
    for name, values in fields.items():
        if type(values) not in _FIELDS:
            fields[name] = list(values)
    return Choice(_verb(verb), fields)


def as_mapping(action: Action) -> dict[str, Any]:
    """The action as offers speak of it: its verb and its fields by name."""
    mapping: dict[str, Any] = {"do": _verb(type(action))}
    for name in action.__struct_fields__:
        mapping[name] = getattr(action, name)
    return mapping


def _verb(kind: Any) -> str:
    verb = _verbs.get(kind)
    if verb is None:
        verb = _verbs[kind] = verb_of(kind)
    return verb
