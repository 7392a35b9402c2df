"""How one viewer hears of Noblemen: players, pieces and numbers as coloured text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.derived_values import yielded
from ...games.noblemen.estate_model import Land, land_of
from ...games.noblemen.names import NoblemenNames
from ...terminal.noblemen.badges import area_badge, building_badge, kind_badge
from ..phrase_format import Part, fill_phrase
from ..render_context import Plain, Scene


class Speech:
    """The words of the game for one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.board = scene, scene.board
        self.names = NoblemenNames(scene.catalog, scene.lang, scene.names, players=len(scene.people))
        self.language = self.names.language

    def spoken(self, key: str, **parts: Part) -> Text:
        """A phrase whose parts keep their colours."""
        return fill_phrase(self.language.PHRASES[key], parts)

    def marked(self, mark: str, style: str, words: Text) -> Text:
        """Words behind a mark that catches the eye."""
        return words if self.scene.plain else Text.assemble((f"{mark} ", style), words)

    def knows(self, key: str) -> bool:
        return key in self.language.PHRASES

    def counted(self, what: str, count: int) -> str:
        """A number of things."""
        one, several = self.language.COUNTED[what]
        return str((one if count == 1 else several).format(count))

    # Who

    def who(self, seat: int) -> Text:
        """A player at the beginning of a sentence."""
        return Text(self.scene.who(seat), f"bold {theme.INKS[seat]}")

    def whom(self, seat: int) -> Text:
        """A player who is given something."""
        name = self.language.PHRASES["to you"] if seat == self.scene.seat else self.scene.name(seat)
        return Text(name, f"bold {theme.INKS[seat]}")

    def estate(self, seat: int) -> Text:
        """In whose estate."""
        if seat == self.scene.seat:
            return self.spoken("your estate")
        return self.spoken("estate of", name=Text(self.scene.name(seat), f"bold {theme.INKS[seat]}"))

    def each(self, numbers: Iterable[int]) -> Text:
        """A number for every player."""
        return Text(", ").join(Text.assemble(self.who(seat), f" {number}") for seat, number in enumerate(numbers))

    # Pieces

    def tile(self, kind: str) -> Text:
        return Text(self.names.piece(kind)) if self.scene.plain else kind_badge(kind, self.names)

    def tiles(self, kinds: Iterable[str]) -> Text:
        """Tiles, those of a kind together."""
        between = Text(", " if self.scene.plain else " ")
        return between.join(self.several(kind, count) for kind, count in Counter(kinds).items())

    def several(self, kind: str, count: int) -> Text:
        return Text.assemble(f"{count} " if count > 1 else "", self.tile(kind))

    def area(self, area: str) -> Text:
        return Text(self.names.piece(area)) if self.scene.plain else area_badge(area, self.names)

    def building(self, kind: str, folly: str | None = "") -> Text:
        if self.scene.plain:
            return Text(self.names.of(self.names.follies[folly]) if folly else self.names.piece(kind))
        return building_badge(kind, self.names, folly or "")

    def card(self, card: str, *, full: bool = False) -> Text:
        """A scandal card, in full with what it does."""
        if self.scene.plain:
            return Text(f"{self.names.piece(card)}: {self.effect(card)}" if full else self.names.piece(card))
        named = Text(f"{theme.CARD} {self.names.piece(card)}", "bold #ffb3a7")
        return named.append_text(Text(f"  {self.effect(card)}", "dim not bold")) if full else named

    def effect(self, card: str) -> str:
        """What a scandal card says."""
        return self.names.text(card)

    # Numbers

    def land(self, seat: int) -> Land:
        return land_of(self.board["noblemen"][seat]["estate"])

    def amount(self, levy: str, more: int = 0) -> str:
        """What the viewer's estate gives in taxes, land or prestige."""
        units = {"tax": "pound", "land": "tile", "prestige": "prestige"}
        return self.counted(units[levy], yielded(self.board, self.seat, levy, self.names) + more)

    def price(self, kind: str) -> str:
        """What a building costs the viewer, with the discount of his title."""
        catalog, title = self.scene.catalog, self.board["noblemen"][self.seat]["title"]
        discount = self.names.pieces[title]["discount"] if title else 0
        on_sale = self.board["buildings"].get(kind, 0)
        full = catalog["folly"]["price"] if kind == "folly" else self.names.pieces[kind]["prices"][-on_sale]
        return self.counted("pound", max(0, full - discount))

    def folly_points(self) -> str:
        """What the next folly is worth."""
        folly = self.scene.catalog["folly"]
        return self.counted("point", folly["vp"][len(folly["piece"]) - len(self.board["follies"])])

    # Behind the screen

    @property
    def seat(self) -> int:
        """The viewer's own seat, where he must have one."""
        assert self.scene.seat is not None
        return self.scene.seat

    @cached_property
    def draft(self) -> Plain:
        """What the viewer is putting together, if anything."""
        return (self.scene.hand or {}).get("draft") or {}
