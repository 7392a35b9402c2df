"""The possessions of each player, and the privilege cards in deck and discard pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...games.palais_royal import theme
from ...games.palais_royal.derived_values import count_hidden_nobles
from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ..inline_list import InlineList
from . import badges

NARROW, ROOMY = 72, 100  # columns of a terminal
COLUMNS: dict[str, JustifyMethod] = {
    "player": "left",
    "gold column": "right",
    "supply": "right",
    "reserve": "right",
    "seals column": "left",
    "points column": "right",
    "cards column": "right",
    "nobles column": "left",
}
COUNTS = [key for key in COLUMNS if key not in {"player", "nobles column"}]


@dataclass(frozen=True)
class PalaisRoyalPlayers:
    """A line for each player."""

    board: Plain
    names: PalaisRoyalNames

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < NARROW:
            yield from (part for seat in self.board["order"] for part in self.render_lines(seat))
            return
        gap = 1 if options.max_width >= ROOMY else 0
        table = Table(box=box.SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False, header_style="dim")
        for key in COLUMNS:
            table.add_column(self.names.label(key), justify=COLUMNS[key], no_wrap=key != "nobles column")
        for seat in self.board["order"]:
            table.add_row(*render_player(self.board, seat, self.names))
        yield table

    def render_lines(self, seat: int) -> Iterator[RenderableType]:
        """Render one player in lines, for a narrow terminal."""
        who, *counts = render_figures(self.board, seat, self.names)
        named = [Text.assemble(f"{self.names.label(key)} ", count) for key, count in zip(COUNTS, counts, strict=True)]
        yield who
        yield Padding(InlineList(named), (0, 0, 0, 4))
        yield Padding(list_nobles(self.board, seat, self.names), (0, 0, 0, 4))


def render_player(board: Plain, seat: int, names: PalaisRoyalNames) -> Iterator[RenderableType]:
    """Render name, gold, supply, reserve, seals, points, cards and nobles."""
    yield from render_figures(board, seat, names)
    yield list_nobles(board, seat, names)


def render_figures(board: Plain, seat: int, names: PalaisRoyalNames) -> Iterator[Text]:
    """Render name, gold, supply, reserve, seals, points and cards."""
    own = board["players"][seat]
    is_to_move = seat == board["turn"]["seat"] and not board["final"]
    yield Text.assemble(
        ("▸" if is_to_move else " ", theme.TITLE), badges.render_chip(board, seat, names.name_player(seat))
    )
    yield Text(str(own["gold"]), f"bold {theme.GOLD}")
    yield Text(str(own["supply"]), "bold")
    yield Text(str(own["reserve"]))
    yield render_seals(board, seat)
    yield Text(f"{count_points(own, names)}{'+?' if count_hidden_nobles(own) else ''}", "bold")
    yield Text(str(own["cards"]))


def list_nobles(board: Plain, seat: int, names: PalaisRoyalNames) -> InlineList:
    return InlineList([*render_nobles(board["players"][seat], names)] or [Text("–", "dim")])


def render_purse(board: Plain, seat: int, names: PalaisRoyalNames) -> Text:
    """Render the gold, servants and seals that a player can spend, in a line."""
    own = board["players"][seat]
    gold = Text(f"{own['gold']} {names.label('gold column')}", f"bold {theme.GOLD}")
    supply = Text(f"{names.label('supply')} {own['supply']}")
    return Text("  ").join(
        [badges.render_chip(board, seat, names.name_player(seat)), gold, render_seals(board, seat), supply]
    )


def render_seals(board: Plain, seat: int) -> Text:
    """Render the servants that are seals."""
    return Text(" ").join(
        Text(f"{theme.SEALS[colour][0]}{board['rooms'][room][seat]}", theme.SEALS[colour][1])
        for room, colour in theme.SEAL_OF.items()
    )


def count_points(own: Plain, names: PalaisRoyalNames) -> int:
    """Return the points of the nobles and cards that the viewer sees."""
    nobles = sum(int(names.pieces[noble]["points"]) for noble in [*own["face_up"], *own["face_down"]])
    return nobles + sum(int(names.pieces[card]["effect"]["points"]) for card in own["front"])


def render_nobles(own: Plain, names: PalaisRoyalNames) -> Iterator[Text]:
    """Render the nobles with lasting benefits, the number of other nobles, and the points cards."""
    yield from (badges.render_noble_name(noble, names) for noble in own["face_up"])
    yield from render_others(own, names)
    yield from (Text(f"▤ {card}") for card in count_kinds(own["front"], names))


def render_others(own: Plain, names: PalaisRoyalNames) -> Iterator[Text]:
    count = len(own["face_down"]) + count_hidden_nobles(own)
    if count and own["face_up"]:
        yield Text(names.label("other") if count == 1 else names.label("others", count), "dim")
    elif count:
        yield Text(names.label_count("only", count), "dim")


# Cards


def render_cards(board: Plain, names: PalaisRoyalNames) -> Text:
    """Render the deck, the discard pile, and the cards that are in force in this turn."""
    piles = [names.label("in deck", board["deck"]), format_discarded(board, names)]
    text = Text.assemble((f"▤ {names.label('deck')}: ", "bold"), " · ".join(piles))
    if board["turn"]["active"]:
        text.append("\n" + names.label("active", ", ".join(count_kinds(board["turn"]["active"], names))), theme.TITLE)
    if board["bank"] is not None:
        text.append("\n" + names.label("bank", board["bank"]), theme.GOLD)
    return text


def format_discarded(board: Plain, names: PalaisRoyalNames) -> str:
    pile = board["discard"]
    return names.label("discarded", ", ".join(count_kinds(pile, names))) if pile else names.label("none discarded")


def count_kinds(kinds: list[str], names: PalaisRoyalNames) -> Iterator[str]:
    """Count cards by their kinds."""
    for kind, number in Counter(kinds).items():
        yield names.name_piece(kind) + (f" ×{number}" if number > 1 else "")
