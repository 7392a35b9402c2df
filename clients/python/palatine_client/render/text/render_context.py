"""What one viewer sees of a table at a moment, in his language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..translations import label

Plain = dict[str, Any]


@dataclass(frozen=True)
class RenderContext:
    """A table as it is shown to somebody."""

    game: str
    catalog: Plain
    lang: str
    people: list[str]  # by seat
    seat: int | None = None  # the viewer's own
    board: Any = None
    hand: Any = None
    waiting: list[int] = field(default_factory=list)
    pointed: Mapping[int, Plain] = field(default_factory=dict)  # what partners show that they might do, by seat
    plain: bool = False  # in nothing but words: for those who hear it

    def label(self, key: str, **values: object) -> str:
        """A phrase that belongs to no game."""
        return label(self.lang, key, **values)

    def name_subject(self, seat: int) -> str:
        """A player at the beginning of a sentence."""
        return self.label("You") if seat == self.seat else self.name_player(seat)

    def name_player(self, seat: int) -> str:
        return self.people[seat] if 0 <= seat < len(self.people) else str(seat)

    @property
    def names(self) -> list[str]:
        """Everybody by seat; the viewer himself is `you`."""
        return [self.label("you") if seat == self.seat else name for seat, name in enumerate(self.people)]

    def join_words(self, words: Iterable[str]) -> str:
        """Words joined as in a sentence."""
        *most, last = words
        return f"{', '.join(most)} {self.label('and')} {last}" if most else last
