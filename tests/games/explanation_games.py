"""Whole games in which everything is asked and much is refused: what the tests of explanations look at."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

from games import laws

from palatine_protocol.offers import Offer, drawn, listed
from palatine_server.games.kit import Entry, Game, Reason, Recorder, explain_topic, plain, questions, why_refused


class Imitator:
    """Puts actions together from what is and was on offer; most of them are against the rules."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.verbs = dict[str, list[str]]()  # with their fields
        self.seen = dict[str, list[Any]]()  # values by field

    def watch(self, offer: Offer) -> None:
        for choice in offer:
            self.verbs[choice.do] = list(choice.fields)
            for name, field in choice.fields.items():
                some = list(islice(field, 50))
                remembered = [*self.seen.get(name, []), *self.rng.sample(some, min(3, len(some)))]
                self.seen[name] = remembered[-60:]

    def of_earlier(self) -> dict[str, Any]:
        """Any verb, each field as it was some time."""
        verb = self.rng.choice([*self.verbs])
        return {"do": verb, **{name: self.rng.choice(self.seen[name]) for name in self.verbs[verb]}}

    def of_now(self, offer: Offer) -> dict[str, Any]:
        """An action on offer with one field as it was some time."""
        action = drawn(offer, self.rng.randrange)
        changed = self.rng.choice([*action])
        return action if changed == "do" else {**action, changed: self.rng.choice(self.seen[changed])}


def refusals_hold(game: Game, players: int, seed: int, each: Callable[[Reason], None]) -> int:
    """Whatever is refused to somebody is handed to `each` with its reasons; returns how often something was."""
    rng, refused = Random(seed), 0
    imitator = Imitator(rng)

    def imitate(recorder: Recorder, _: Entry) -> None:
        nonlocal refused
        for seat in recorder.play.waiting_for():
            imitator.watch(offer := recorder.play.offer(seat))
            for action in [
                imitator.of_earlier(),
                imitator.of_earlier(),
                imitator.of_now(offer),
                imitator.of_now(offer),
            ]:
                if reason := why_refused(recorder.play, seat, game.read_action(plain(action))):
                    each(reason)
                    refused += 1

    laws.played(game, players, seed, imitate)
    return refused


def reasons_hold(
    game: Game, players: int, seed: int, each: Callable[[Recorder, Reason], None], often: float = 1
) -> int:
    """Whatever is explained to somebody is handed to `each`, and explaining changes nothing; returns how much it was.

    With `often` below 1 only some moments of the game are looked at.
    """
    rng, asked = Random(seed), 0

    def ask(recorder: Recorder, _: Entry) -> None:
        nonlocal asked
        if rng.random() > often and not recorder.play.is_over:
            return
        before, viewer = game.pack(recorder.play), rng.choice([*range(players), None])
        for question in listed(questions(recorder.play, viewer)):
            each(recorder, explain_topic(recorder.play, viewer, question))
            asked += 1
        assert game.pack(recorder.play) == before

    laws.played(game, players, seed, ask)
    return asked
