"""A line for every player: rank, points, queen, knights, and the yields of the estate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.derived_values import count_yield
from ...games.noblemen.names import NoblemenNames
from ..inline_list import InlineList
from .badges import render_player_badge

Plain = dict[str, Any]

WIDEST = 200  # columns; wide enough to measure the width that the table needs
FIGURES = ("points", "knights", "taxes", "of land", "of prestige")
TOTALS = {"money": "£", "tiles": theme.TILE, "bribes": theme.BRIBE, "cards": theme.CARD}


@dataclass(frozen=True)
class NoblemenPlayers:
    """All players, one below the other: in columns, or in lines where the terminal is narrow."""

    board: Plain
    names: NoblemenNames

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = build_table(self.board, self.names)
        if console.measure(columns, options=options.update(width=WIDEST)).maximum <= options.max_width:
            yield columns
        else:
            yield from (part for seat in range(len(self.board["noblemen"])) for part in self.render_lines(seat))

    def render_lines(self, seat: int) -> Iterator[RenderableType]:
        who, title, *figures = render_line(self.board, seat, self.names)
        keys = [*map(self.names.label, FIGURES), *(TOTALS.values() if self.board["totals"] else ())]
        for figure in figures:
            figure.rstrip()
        named = [Text.assemble(f"{key} ", figure) for key, figure in zip(keys, figures, strict=True)]
        yield Text.assemble(who, "  ", title)
        yield Padding(InlineList(named), (0, 0, 0, 4))


def build_table(board: Plain, names: NoblemenNames) -> Table:
    """Build a table with a row for each player."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="dim")
    for key in ("player", "title of"):
        table.add_column(f"{'  ' if key == 'player' else ''}{names.label(key)}")
    for key in FIGURES:
        table.add_column(names.label(key), justify="right", no_wrap=True)
    for sign in TOTALS.values() if board["totals"] else ():
        table.add_column(Text(sign, theme.GOLD), justify="right", no_wrap=True)
    for seat in range(len(board["noblemen"])):
        table.add_row(*render_line(board, seat, names))
    return table


def render_line(board: Plain, seat: int, names: NoblemenNames) -> Iterator[Text]:
    nobleman = board["noblemen"][seat]
    yield render_player(board, seat, names)
    yield Text(names.name_title(nobleman["title"]).replace("/", " / "), "" if nobleman["title"] else theme.FAINT)
    yield Text(str(nobleman["vp"]), theme.GOLD)
    yield render_knights(nobleman["knights"], seat, names)
    yield render_levy(board, seat, "tax", names, used=nobleman["taxed"])
    yield render_levy(board, seat, "land", names, used=nobleman["landed"])
    yield Text(str(count_yield(board, seat, "prestige", names)), theme.KINDS["fountain"].ink)
    for key in TOTALS if board["totals"] else ():
        yield Text(str(board["totals"][seat][key]))


def render_player(board: Plain, seat: int, names: NoblemenNames) -> Text:
    """Render a player, with an arrow during the player's turn and a crown if the player holds the queen."""
    is_active = board["active"] == seat and board["phase"] in {"turn", "card_offer", "gift"}
    queen = f" {theme.QUEEN}" if board["queen"] == seat else ""
    return Text.assemble(
        ("▶ " if is_active else "  ", theme.GOLD), render_player_badge(seat, names), (queen, theme.GOLD)
    )


def render_knights(count: int, seat: int, names: NoblemenNames) -> Text:
    """Render all knights of a player; those that are not in stock are faint."""
    away = names.catalog["knight"]["per_player"] - count
    return Text.assemble((theme.KNIGHT * count, theme.INKS[seat]), ("·" * away, theme.FAINT))


# The yields of an estate


def render_levy(board: Plain, seat: int, levy: str, names: NoblemenNames, *, used: bool) -> Text:
    """Render the yield of taxes or land, with a tick if the player has used the marker in this decade."""
    amount = count_yield(board, seat, levy, names)
    ink = theme.KINDS[names.catalog["reward"][levy]["tile"]].ink
    return Text.assemble(
        (f"{'£' if levy == 'tax' else ''}{amount}", theme.FAINT if used else ink), " ✓" if used else "  "
    )
