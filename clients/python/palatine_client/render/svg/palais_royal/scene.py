"""The scene: the document of a viewer with the names and the style that all parts of the picture use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ...games.palais_royal.derived_values import add_own_nobles
from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ...look import Scheme, load_look
from ..elements import clean_name
from ..style import Style
from ..view import PictureView


@dataclass(frozen=True)
class PalaisRoyalScene:
    """What the parts of a picture of Palais Royal read."""

    board: Plain
    names: PalaisRoyalNames
    style: Style
    seat: int | None  # of the viewer
    hand: Plain | None
    waiting: Sequence[int]  # seats that the table waits for
    offer: Sequence[Plain]  # what the viewer may do
    is_tall: bool

    def colour_of(self, seat: int) -> str:
        """Return the colour of a player's servants, as the document names it."""
        return str(self.board["players"][seat]["colour"])

    @property
    def seats(self) -> range:
        return range(len(self.board["players"]))

    def is_offered(self, field: str, name: str) -> bool:
        """Return whether the viewer may name this space or room in an action now."""
        return any(name in choice.get("fields", {}).get(field, ()) for choice in self.offer)

    @property
    def active(self) -> int | None:
        """The seat whose turn it is; None when the game is over."""
        return None if self.board["final"] else int(self.board["turn"]["seat"])


@cache
def find_style(scheme: Scheme) -> Style:
    """Return the style of the game on this paper."""
    return Style(load_look("palatine_client.render.games.palais_royal"), scheme)


def build_scene(view: PictureView) -> PalaisRoyalScene:
    """Build the scene of a view; the viewer's secret nobles lie with the face-down ones."""
    seats = [clean_name(name) for name in view.names] or None
    board = add_own_nobles(view.board, view.seat, view.hand)
    names = PalaisRoyalNames(view.catalog, view.lang, seats, len(board["players"]))
    style = find_style(view.scheme)
    return PalaisRoyalScene(board, names, style, view.seat, view.hand, view.waiting, view.offer, view.layout == "tall")
