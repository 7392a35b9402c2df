"""The scene: the document of a viewer with the names and the style that all parts of the picture use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from ...games.noblemen.estate_model import Cell, Land, Vertex, read_land
from ...games.noblemen.names import NoblemenNames, Plain
from ...look import Scheme, load_look
from ..elements import clean_name
from ..style import Style
from ..view import PictureView


@dataclass(frozen=True)
class NoblemenScene:
    """What the parts of a picture of Noblemen read."""

    board: Plain
    names: NoblemenNames
    style: Style
    seat: int | None  # of the viewer
    hand: Plain | None
    waiting: Sequence[int]  # seats that the table waits for
    offer: Sequence[Plain]  # what the viewer may do
    is_tall: bool
    find_number: Callable[[int, int], str]  # of a place among the options of a question; empty if it is none

    @property
    def seats(self) -> range:
        return range(len(self.board["noblemen"]))

    @cached_property
    def lands(self) -> list[Land]:
        """The estates, by seat."""
        return [read_land(each["estate"]) for each in self.board["noblemen"]]

    @property
    def draft(self) -> Plain:
        """The parts of an action that the viewer has chosen but not carried out; empty if there are none."""
        return (self.hand or {}).get("draft") or {}

    def list_open_cells(self) -> list[Cell]:
        """List the cells of the viewer's estate that an action may name."""
        named = [choice["fields"]["cell"] for choice in self.offer if "cell" in choice.get("fields", {})]
        return sorted({(x, y) for cells in named for x, y in cells})

    def list_open_areas(self, seat: int) -> list[Vertex]:
        """List the areas of an estate that a question names by numbers."""
        fields = [choice.get("fields", {}) for choice in self.offer]
        named = [each["vertex"] for each in fields if "vertex" in each and each.get("player") == [seat]]
        return sorted({(x, y) for areas in named for x, y in areas if self.find_number(x, y)})


@cache
def find_style(scheme: Scheme) -> Style:
    """Return the style of the game on this paper."""
    return Style(load_look("palatine_client.render.games.noblemen"), scheme)


def build_scene(view: PictureView) -> NoblemenScene:
    """Build the scene of a view."""
    seats = [clean_name(name) for name in view.names] or None
    names = NoblemenNames(view.catalog, view.lang, seats, len(view.board["noblemen"]))
    style = find_style(view.scheme)
    return NoblemenScene(
        view.board,
        names,
        style,
        view.seat,
        view.hand,
        view.waiting,
        view.offer,
        view.layout == "tall",
        view.find_number,
    )
