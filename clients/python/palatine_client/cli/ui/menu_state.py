"""What somebody is choosing from, and how far he has come.

A menu is made of an offer. When the offer changes, the menu may still stand: the part of which he is thinking may be as
it was. If not, a new one is made, and of what he has chosen as much is kept as is still possible.
"""

from __future__ import annotations

from msgspec import Struct

from palatine_protocol.offers import Choice, permits

from ...menu import Mistake, Partial, Question, apply_answer, build_question, narrow_choices
from ...render.text import GameText
from ...render.text.render_context import RenderContext
from .terminal import NOTHING


class Offered(Struct, frozen=True):
    """What a menu is made of."""

    choices: list[Choice] = []
    is_awaited: bool = False  # by the others
    id: int = 0  # what an action quotes
    people: list[str] = []  # who has come, before the game


class Choosing:
    """A menu on the screen, and the answers given to it so far."""

    def __init__(self, words: GameText) -> None:
        self.words = words
        self.offered = Offered()
        self.generation = NOTHING  # counts the menus
        self.asked: Question | None = None
        self.steps: list[Partial] = []  # what is chosen, and what was chosen before that

    @property
    def chosen(self) -> Partial:
        return self.steps[-1] if self.steps else {}

    @property
    def is_whole(self) -> bool:
        """Whether an action is chosen with all its fields."""
        return permits(self.offered.choices, self.chosen)

    def stands(self, now: Offered, scene: RenderContext) -> bool:
        """Whether the menu is good for this offer too."""
        if self.asked is None or not narrow_choices(now.choices, self.chosen):
            return (now.choices, now.people) == (self.offered.choices, self.offered.people)
        is_same = (now.is_awaited, now.people) == (self.offered.is_awaited, self.offered.people)
        return is_same and self.question(now, scene) == self.asked

    def renew(self, now: Offered) -> None:
        """Make a new menu, keeping what is chosen already as far as it is still possible."""
        self.offered, self.generation = now, self.generation + 1
        self.steps = [step for step in self.steps if narrow_choices(now.choices, step)]

    def ask(self, scene: RenderContext) -> Question | None:
        """What is to be answered next."""
        self.asked = self.question(self.offered, scene)
        return self.asked

    def question(self, offered: Offered, scene: RenderContext) -> Question | None:
        if not offered.choices:
            return None
        asked = build_question(offered.choices, self.chosen, self.words.picture_fields)
        return (
            self.words.arrange_question(asked, scene) if asked and scene.board else asked
        )  # before the game there is none

    def answer(self, typed: str) -> None:
        """Take the next step; what is no answer raises a Mistake."""
        assert self.asked
        self.steps.append(apply_answer(self.asked, typed))

    def meant(self, typed: str) -> Partial:
        """The whole action that these numbers would choose now."""
        if self.asked is None:
            raise Mistake("nothing to choose")
        action = apply_answer(self.asked, typed)
        if not permits(self.offered.choices, action):
            raise Mistake("not whole")
        return action

    def back(self) -> None:
        """Take the last step back."""
        self.steps = self.steps[:-1]

    def pause(self) -> None:
        """Ask nothing while an action is under way."""
        self.asked = None

    def close(self) -> None:
        """Begin anew, whatever comes."""
        self.offered, self.asked, self.steps = Offered(), None, []
