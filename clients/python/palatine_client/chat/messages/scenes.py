"""Scenes: a view with the words and the names of its game, from which every message is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from palatine_protocol.offers import Choice

from ...menu import OneOf, Partial, Question, build_question, narrow_choices
from ...render.svg.view import PictureView
from ...render.text import GameText, load_game_text
from ...render.text.narration import build_context
from ...render.text.render_context import RenderContext
from ...render.translations import Lang
from ..steps import ChatView, GameFacts
from .phrases import phrase


@dataclass(frozen=True)
class Scene:
    """What one viewer sees, in one language."""

    view: ChatView
    facts: GameFacts
    lang: Lang

    @cached_property
    def words(self) -> GameText:
        return load_game_text(self.view.info.game)

    @cached_property
    def context(self) -> RenderContext:
        facts = self.facts
        return build_context(facts.game, self.view, facts.catalog, self.lang, None, facts.description)

    @cached_property
    def choices(self) -> list[Choice]:
        """The choices of the offer that are useful for a person."""
        offered = self.view.offer.choices if self.view.offer else []
        return self.words.filter_choices(offered, self.context) or offered if offered else []

    @property
    def must_decide(self) -> bool:
        return any(waiting.seat == self.view.seat for waiting in self.view.waiting)

    def ask(self, chosen: Partial) -> Question | None:
        """Return the next question for a partial action, as every message shows it; None if it is complete."""
        asked = build_question(self.choices, chosen, self.words.numbered_fields)
        return None if asked is None else self.words.arrange_question(asked, self.context)

    def say(self, key: str, **values: object) -> str:
        return phrase(self.lang, key, **values)

    def list_numbered(self, asked: Question | None) -> list[Any]:
        """Return the places that a question is about, which the picture and the options number from 1."""
        if not isinstance(asked, OneOf) or asked.field not in self.words.numbered_fields:
            return []
        return [entry[asked.field] for entry in asked.entries]

    def list_offered(self, chosen: Partial) -> list[dict[str, Any]]:
        """Return what is still possible after some answers, as a picture takes it."""
        settled = {name: [value] for name, value in chosen.items() if name != "do"}
        fitting = narrow_choices(self.choices, chosen)
        return [msgspec.to_builtins(replace(each, fields={**each.fields, **settled})) for each in fitting]

    def build_picture(self, asked: Question | None = None, chosen: Partial | None = None) -> PictureView | None:
        """Return the order to draw what this viewer sees and may choose; nothing before the game."""
        view, facts = self.view, self.facts
        if view.board is None:
            return None
        return PictureView(
            game=facts.game,
            title=facts.title,
            board=view.board,
            hand=view.hand,
            seat=view.seat,
            names=[sitting.name if sitting else "" for sitting in view.info.seats],
            waiting=sorted(waiting.seat for waiting in view.waiting),
            offer=self.list_offered(chosen or {}),
            numbered=self.list_numbered(asked),
            catalog=facts.catalog,
            description=facts.description,
            lang=self.lang,
        )
