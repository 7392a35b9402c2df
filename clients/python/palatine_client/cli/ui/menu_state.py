"""The menu that a player chooses from, and their answers so far.

A menu is built from an offer. When the offer changes, the menu stays valid if the current question is still the same.
Otherwise the screen builds a new menu, and keeps those answers that are still possible.
"""

from __future__ import annotations

from msgspec import Struct

from palatine_protocol.offers import Choice, permits

from ...menu import InputError, Partial, Question, apply_answer, build_question, narrow_choices
from ...render.text import GameText
from ...render.text.render_context import RenderContext
from .terminal import NOTHING


class MenuOffer(Struct, frozen=True):
    """The offer and the state of the table from which a menu is built."""

    choices: list[Choice] = []
    is_awaited: bool = False  # the table waits for this player
    id: int = 0  # the offer that an action answers
    people: list[str] = []  # the seats before the game, in words


class MenuState:
    """A menu on the screen, and the answers given to it so far."""

    def __init__(self, words: GameText) -> None:
        self.words = words
        self.offered = MenuOffer()
        self.generation = NOTHING  # the number of this menu
        self.asked: Question | None = None
        self.steps: list[Partial] = []  # the partial action after each answer

    @property
    def chosen(self) -> Partial:
        return self.steps[-1] if self.steps else {}

    @property
    def is_complete(self) -> bool:
        """Whether the chosen action has all its fields."""
        return permits(self.offered.choices, self.chosen)

    def is_valid_for(self, now: MenuOffer, scene: RenderContext) -> bool:
        """Return whether the menu stays valid for this offer."""
        if self.asked is None or not narrow_choices(now.choices, self.chosen):
            return (now.choices, now.people) == (self.offered.choices, self.offered.people)
        is_same = (now.is_awaited, now.people) == (self.offered.is_awaited, self.offered.people)
        return is_same and self.find_question(now, scene) == self.asked

    def renew(self, now: MenuOffer) -> None:
        """Replace the offer, and keep the answers that are still possible."""
        self.offered, self.generation = now, self.generation + 1
        self.steps = [step for step in self.steps if narrow_choices(now.choices, step)]

    def ask(self, scene: RenderContext) -> Question | None:
        """Return the next question, and remember it."""
        self.asked = self.find_question(self.offered, scene)
        return self.asked

    def find_question(self, offered: MenuOffer, scene: RenderContext) -> Question | None:
        if not offered.choices:
            return None
        asked = build_question(offered.choices, self.chosen, self.words.find_picture_fields(scene))
        return self.words.arrange_question(asked, scene) if asked and scene.board else asked  # no board before the game

    def answer(self, typed: str) -> None:
        """Add an answer; raise an InputError if the line does not answer the question."""
        assert self.asked
        self.steps.append(apply_answer(self.asked, typed))

    def parse_action(self, typed: str) -> Partial:
        """Return the complete action that these numbers would choose now."""
        if self.asked is None:
            raise InputError("nothing to choose")
        action = apply_answer(self.asked, typed)
        if not permits(self.offered.choices, action):
            raise InputError("not whole")
        return action

    def back(self) -> None:
        """Drop the last answer."""
        self.steps = self.steps[:-1]

    def pause(self) -> None:
        """Ask nothing while a request is pending."""
        self.asked = None

    def close(self) -> None:
        """Drop the offer and all answers."""
        self.offered, self.asked, self.steps = MenuOffer(), None, []
