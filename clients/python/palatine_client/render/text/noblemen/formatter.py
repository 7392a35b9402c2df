"""Players, pieces and numbers of Noblemen as coloured text for one viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.derived_values import count_yield
from ...games.noblemen.estate_model import Land, read_land
from ...games.noblemen.names import NoblemenNames
from ...terminal.noblemen.badges import render_area_badge, render_building_badge, render_kind_badge
from ..phrase_format import Part, fill_phrase
from ..render_context import Plain, RenderContext


class NoblemenFormatter:
    """Formats the phrases of the game for one viewer."""

    def __init__(self, context: RenderContext) -> None:
        self.context, self.board = context, context.board
        self.names = NoblemenNames(context.catalog, context.lang, context.names, players=len(context.people))
        self.language = self.names.language

    def render_phrase(self, key: str, **parts: Part) -> Text:
        """Render a phrase whose parts keep their colours."""
        return fill_phrase(self.language.PHRASES[key], parts)

    def add_mark(self, mark: str, style: str, words: Text) -> Text:
        """Put a coloured mark before words."""
        return words if self.context.plain else Text.assemble((f"{mark} ", style), words)

    def has_phrase(self, key: str) -> bool:
        return key in self.language.PHRASES

    def format_count(self, what: str, count: int) -> str:
        """Return a number with its noun."""
        one, several = self.language.COUNTED[what]
        return str((one if count == 1 else several).format(count))

    # Players

    def render_subject(self, seat: int) -> Text:
        """Render a player at the beginning of a sentence."""
        return Text(self.context.name_subject(seat), f"bold {theme.INKS[seat]}")

    def render_recipient(self, seat: int) -> Text:
        """Render a player as the recipient in a sentence."""
        name = self.language.PHRASES["to you"] if seat == self.context.seat else self.context.name_player(seat)
        return Text(name, f"bold {theme.INKS[seat]}")

    def render_estate(self, seat: int) -> Text:
        """Render the phrase that names the owner of an estate."""
        if seat == self.context.seat:
            return self.render_phrase("your estate")
        return self.render_phrase("estate of", name=Text(self.context.name_player(seat), f"bold {theme.INKS[seat]}"))

    def render_each(self, numbers: Iterable[int]) -> Text:
        """Render a number for every player."""
        return Text(", ").join(
            Text.assemble(self.render_subject(seat), f" {number}") for seat, number in enumerate(numbers)
        )

    # Pieces

    def render_tile(self, kind: str) -> Text:
        return Text(self.names.name_piece(kind)) if self.context.plain else render_kind_badge(kind, self.names)

    def render_tiles(self, kinds: Iterable[str]) -> Text:
        """Render tiles, grouped by kind."""
        between = Text(", " if self.context.plain else " ")
        return between.join(self.render_several(kind, count) for kind, count in Counter(kinds).items())

    def render_several(self, kind: str, count: int) -> Text:
        return Text.assemble(f"{count} " if count > 1 else "", self.render_tile(kind))

    def render_area(self, area: str) -> Text:
        return Text(self.names.name_piece(area)) if self.context.plain else render_area_badge(area, self.names)

    def render_building(self, kind: str, folly: str | None = "") -> Text:
        if self.context.plain:
            return Text(self.names.name_entry(self.names.follies[folly]) if folly else self.names.name_piece(kind))
        return render_building_badge(kind, self.names, folly or "")

    def render_card(self, card: str, *, full: bool = False) -> Text:
        """Render a scandal card; with `full`, also its effect."""
        if self.context.plain:
            return Text(
                f"{self.names.name_piece(card)}: {self.describe_card(card)}" if full else self.names.name_piece(card)
            )
        named = Text(f"{theme.CARD} {self.names.name_piece(card)}", "bold #ffb3a7")
        return named.append_text(Text(f"  {self.describe_card(card)}", "dim not bold")) if full else named

    def describe_card(self, card: str) -> str:
        """Return the text of a scandal card."""
        return self.names.describe_piece(card)

    # Numbers

    def read_land(self, seat: int) -> Land:
        return read_land(self.board["noblemen"][seat]["estate"])

    def format_yield(self, levy: str, more: int = 0) -> str:
        """Return the yield of the viewer's estate in taxes, land or prestige."""
        units = {"tax": "pound", "land": "tile", "prestige": "prestige"}
        return self.format_count(units[levy], count_yield(self.board, self.seat, levy, self.names) + more)

    def format_price(self, kind: str) -> str:
        """Return the price of a building for the viewer, with the discount of their title."""
        catalog, title = self.context.catalog, self.board["noblemen"][self.seat]["title"]
        discount = self.names.pieces[title]["discount"] if title else 0
        on_sale = self.board["buildings"].get(kind, 0)
        full = catalog["folly"]["price"] if kind == "folly" else self.names.pieces[kind]["prices"][-on_sale]
        return self.format_count("pound", max(0, full - discount))

    def format_folly_points(self) -> str:
        """Return the points of the next folly."""
        folly = self.context.catalog["folly"]
        return self.format_count("point", folly["vp"][len(folly["piece"]) - len(self.board["follies"])])

    # Behind the screen

    @property
    def seat(self) -> int:
        """The seat of the viewer, who must have one here."""
        assert self.context.seat is not None
        return self.context.seat

    @cached_property
    def draft(self) -> Plain:
        """The viewer's draft; empty if there is none."""
        return (self.context.hand or {}).get("draft") or {}
