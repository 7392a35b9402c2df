"""Noblemen for the terminal: the common board, a line for every player, the estates, the final ranking."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.estate_model import Cell, read_land
from ...games.noblemen.names import NoblemenNames
from .badges import render_area_badge, render_building_badge, render_kind_badge, render_player_badge
from .common_board import list_prestige_track, render_common_board, render_moment, render_round_track
from .estate import WIDTHS, EstatePicture
from .final_scores import render_final_scores
from .players import NoblemenPlayers

Plain = dict[str, Any]


def render_board(board: Plain, catalog: Plain, lang: str = "en", seats: list[str] | None = None) -> RenderableType:
    """Render the whole board: phase, common board, players and estates, and at the end the ranking."""
    names = NoblemenNames(catalog, lang, seats, players=len(board["noblemen"]))
    estates = Estates([EstatePanel.build(board, seat, names) for seat in range(len(board["noblemen"]))])
    return Group(
        render_moment(board, names),
        Text(),
        render_overview(board, names),
        estates,
        render_legend(names),
        *render_final_scores(board, names),
    )


def render_overview(board: Plain, names: NoblemenNames) -> RenderableType:
    """Render the common board, and a line for each player."""
    parts: list[RenderableType] = []
    if not board["final"]:
        parts += [render_round_track(board, names), Text(), render_common_board(board, names), Rule(style=theme.LINE)]
    return Group(*parts, NoblemenPlayers(board, names), Text(), *list_prestige_track(board, names))


# Estates side by side, as many as fit

GAP = 3
COMFORTABLE = WIDTHS[:2]  # tiles become narrower only if a single estate would not fit


@dataclass(frozen=True)
class EstatePanel:
    """An estate under the name of its owner."""

    caption: Text
    picture: EstatePicture

    @classmethod
    def build(cls, board: Plain, seat: int, names: NoblemenNames, new: Collection[Cell] = ()) -> EstatePanel:
        land = read_land(board["noblemen"][seat]["estate"])
        return cls(render_player_badge(seat, names), EstatePicture(land, names, new=new))

    def measure_width(self, tile: int) -> int:
        return max(len(self.caption), tile * len(self.picture.columns))


@dataclass(frozen=True)
class Estates:
    """Estates in rows; tiles are as wide as possible without adding a row."""

    exhibits: list[EstatePanel]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        available = options.max_width
        tile = min(COMFORTABLE, key=lambda tile: (len([*self.list_rows(tile, available)]), -tile))
        for row in self.list_rows(tile, available):
            yield render_row(row, tile, available)
            yield Text()

    def list_rows(self, tile: int, available: int) -> Iterator[list[EstatePanel]]:
        """List the rows of estates."""
        row: list[EstatePanel] = []
        for exhibit in self.exhibits:
            if row and sum(each.measure_width(tile) + GAP for each in row) + exhibit.measure_width(tile) > available:
                yield row
                row = []
            row.append(exhibit)
        yield row


def render_row(row: list[EstatePanel], tile: int, available: int) -> Table:
    table = Table.grid(padding=(0, GAP, 0, 0))
    for exhibit in row:
        table.add_column(width=min(exhibit.measure_width(tile), available), vertical="top")
    table.add_row(*(Group(exhibit.caption, exhibit.picture) for exhibit in row))
    return table


# The legend


def render_legend(names: NoblemenNames) -> RenderableType:
    """Render the meanings of the colours and signs."""
    areas_of = {kind: render_area_badge(area, names) for area, kind in theme.AREAS.items()}
    areas = [Text.assemble(render_kind_badge(kind, names), areas_of.get(kind, "")) for kind in theme.KINDS]
    castle = theme.BUILDINGS["castle"]
    scored = Text.assemble((f" {castle.sign} 3 ", castle.style), f" {names.label('enclosed')}")
    buildings = [*(render_building_badge(kind, names) for kind in theme.BUILDINGS), scored]
    lines = (areas, buildings, list_signs(names))
    return Group(Rule(style="dim"), *(Text("  ").join(line) for line in lines), Text())


def list_signs(names: NoblemenNames) -> Iterator[Text]:
    yield Text.assemble((f" {theme.KNIGHT}1 ", theme.find_seat_style(0)), f" {names.label('knight')}")
    yield Text.assemble((theme.QUARTERS["SE"], theme.GOLD), f" {names.label('quarter')}")
