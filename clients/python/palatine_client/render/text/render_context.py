"""The input of a rendering: the document of one viewer, the names of the players and the language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..description.outline import Outline, Part
from ..description.values import ValueNames
from ..translations import label

Plain = dict[str, Any]


@dataclass(frozen=True)
class RenderContext:
    """The document of one viewer, with names and language."""

    game: str
    catalog: Plain
    lang: str
    people: list[str]  # by seat
    seat: int | None = None  # the viewer's own seat
    board: Any = None
    hand: Any = None
    waiting: list[int] = field(default_factory=list)
    pointed: Mapping[int, Plain] = field(default_factory=dict)  # the actions that partners point at, by seat
    description: Plain = field(default_factory=dict)  # the game's description of itself: schemas, labels, coordinates
    plain: bool = False  # words only, for screen readers and pipes

    @cached_property
    def values(self) -> ValueNames:
        """The names of everything in the document, from the game's description of itself."""
        return ValueNames(self.description, self.catalog, self.lang, self.people, self.board, self.hand)

    @cached_property
    def board_parts(self) -> list[Part]:
        """The outline of the board."""
        return Outline(self.values).build(self.board, "board")

    def label(self, key: str, **values: object) -> str:
        """Return a phrase of the platform."""
        return label(self.lang, key, **values)

    def name_subject(self, seat: int) -> str:
        """Return the name of a player at the beginning of a sentence."""
        return self.label("You") if seat == self.seat else self.name_player(seat)

    def name_player(self, seat: int) -> str:
        return self.people[seat] if 0 <= seat < len(self.people) else str(seat)

    @property
    def names(self) -> list[str]:
        """The names of all players by seat; the viewer is `you`."""
        return [self.label("you") if seat == self.seat else name for seat, name in enumerate(self.people)]

    def join_words(self, words: Iterable[str]) -> str:
        """Join words as in a sentence."""
        *most, last = words
        return f"{', '.join(most)} {self.label('and')} {last}" if most else last
