"""Wished moves: bots prefer some moves, so that a game comes to what they seldom reach by themselves.

A wish is a verb, and for some of its fields the values that bots prefer: `{"do": "place", "room": ["gate"]}`. Of a
field that picks several values, bots pick as many of the wished ones as they may; `[]` means as few as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from palatine_protocol.offers import Choice, Field, Pick
from palatine_server.games.kit import Action, Recorder, Seat

from .random_games import random_moves

Wish = Mapping[str, Any]


def wished_moves(recorder: Recorder, rng: Random, policy: str, wishes: Sequence[Wish]) -> Iterator[tuple[Seat, Action]]:
    """Yield legal moves until the game is over: the first wish that a seat can fulfil, or else a move of the policy."""
    for usual in random_moves(recorder, rng, (policy,)):
        yield find_wished(recorder, rng, wishes) or usual


def find_wished(recorder: Recorder, rng: Random, wishes: Sequence[Wish]) -> tuple[Seat, Action] | None:
    """Return a move that fulfils the first wish that any seat can fulfil."""
    seats = rng.sample(waiting := recorder.play.waiting_for(), len(waiting)) if wishes else []
    choices = [(seat, choice) for seat in seats for choice in recorder.play.offer(seat)]
    for wish in wishes:
        for seat, choice in choices:
            if action := fulfil(choice, wish, rng):
                return seat, recorder.game.read_action(action)
    return None


def fulfil(choice: Choice, wish: Wish, rng: Random) -> dict[str, Any] | None:
    """Return an action of a choice that fulfils a wish, if there is one."""
    fields = {name: list_wished(field, wish.get(name)) for name, field in choice.fields.items()}
    if choice.do != wish["do"] or not all(fields.values()):
        return None
    return {"do": choice.do, **{name: rng.choice(values) for name, values in fields.items()}}


def list_wished(field: Field, wished: list[Any] | None) -> list[Any]:
    """Return the values of a field that fulfil a wish; without a wish, all of them, but only one of a pick."""
    if isinstance(field, Pick):
        return _pick_wished(field, wished)
    return [value for value in field if wished is None or value in wished]


def _pick_wished(field: Pick, wished: list[Any] | None) -> list[Any]:
    preferred = [item for item in field.of if item in (wished or [])]
    if wished and not preferred:
        return []
    others = [item for item in field.of if item not in preferred]
    return [[*preferred, *others][: max(field.least, min(field.most, len(preferred)))]]
