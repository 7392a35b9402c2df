"""The common board: round track, buildings, church, bribes, titles, and the prestige track of a ball."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.moment_words import list_done, list_heading
from ...games.noblemen.names import NoblemenNames
from .badges import render_building_badge

Plain = dict[str, Any]


# The current moment of the game


def render_moment(board: Plain, names: NoblemenNames) -> Text:
    """Render the decade, the phase, and the finished parts of the turn."""
    return Text(" · ".join([*list_heading(board, names), *list_done(board, names)]), "bold")


def render_heading(board: Plain, names: NoblemenNames) -> Text:
    """Render the decade and the phase."""
    return Text(" · ".join(list_heading(board, names)), "bold")


# The round track


def render_round_track(board: Plain, names: NoblemenNames) -> Text:
    """Render every field from the arrow to the scoring, and mark the one with the round marker."""
    fields = names.catalog["round_track"]["fields"]
    shown = (render_field(number, each["type"], number == board["round"], names) for number, each in enumerate(fields))
    return Text(" ").join(shown)


def render_field(number: int, kind: str, is_marked: bool, names: NoblemenNames) -> Text:
    sign = theme.FULL if is_marked else str(number) if kind == "plain" else theme.FIELDS[kind]
    words = {"plain": "", "ball": names.label("ball field")}
    name = words[kind] if kind in words else names.label(kind)
    return Text(f" {f'{sign} {name}'.strip()} ", theme.MARKER if is_marked else theme.FIELD_STYLES[kind])


# The common board


def render_common_board(board: Plain, names: NoblemenNames) -> Table:
    """Render the buildings, the church and the bribes with their prices, and the titles in stock."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for building in names.catalog["building"]:
        table.add_row(render_building_badge(building["id"], names), render_prices(building, board, names))
    table.add_row(render_building_badge("folly", names), render_follies(board, names))
    table.add_row(Text(f" {names.label('church')}", "bold"), render_church(board, names))
    table.add_row(Text(f" {names.label('bribes')}", "bold"), render_bribes(board, names))
    table.add_row(Text(f" {names.label('titles')}", "bold"), render_titles(board, names))
    return table


def render_prices(building: Plain, board: Plain, names: NoblemenNames) -> Text:
    """Render the prices of one kind of building: empty slots, the building on sale, and the dearer ones behind it."""
    prices, left = building["prices"], board["buildings"][building["id"]]
    empty = len(prices) - left
    slots = [render_price_tag(price, at - empty, building["id"]) for at, price in enumerate(prices)]
    note = ", ".join([names.label(f"reward {building['reward']}"), format_reserve(board, building["id"], names)])
    return Text.assemble(*slots, " " * (3 * (5 - len(prices)) + 2), (note, theme.FAINT))


def render_price_tag(price: int, behind: int, kind: str) -> tuple[str, str]:
    """Render a price slot that lies `behind` places after the building on sale."""
    if behind < 0:
        return " · ", theme.FAINT
    return f" {price} ", theme.BUILDINGS[kind].style if behind == 0 else "#c8c8cc on #3a3b42"


def format_reserve(board: Plain, kind: str, names: NoblemenNames) -> str:
    return names.label("reserve", board["reserve"][kind])


def render_follies(board: Plain, names: NoblemenNames) -> Text:
    """Render the remaining follies with the areas they require, their price, and the points for the next one."""
    folly, left = names.catalog["folly"], board["follies"]
    if not left:
        return Text(names.label("all follies"), theme.FAINT)
    signs = Text(" ").join(Text(f" {theme.FOLLIES[piece]} ", theme.BUILDINGS["folly"].style) for piece in left)
    points = folly["vp"][len(folly["piece"]) - len(left)]
    return Text.assemble(f" {folly['price']}  ", signs, "  ", (names.label("next folly", points), theme.FAINT))


def render_church(board: Plain, names: NoblemenNames) -> Text:
    """Render the tiles given in this decade, and the number that the church still takes."""
    most = names.catalog["reward"]["church"]["max_per_kind"]
    return Text("  ").join(render_offering(kind, board["church"][kind], most) for kind in theme.KINDS)


def render_offering(kind: str, given: int, most: int) -> Text:
    look = theme.KINDS[kind]
    return Text.assemble((f" {look.sign} ", look.style), " ", render_dots(given, most, look.ink))


def render_bribes(board: Plain, names: NoblemenNames) -> Text:
    price = names.catalog["bribe"]["price"]
    return Text.assemble((f" {theme.BRIBE} ", theme.GOLD), names.label("bribes left", board["bribes"], price))


def render_titles(board: Plain, names: NoblemenNames) -> Text:
    """Render the titles in stock, each with the prestige that it needs; the baron needs none and is left out."""
    stock, wanted = board["titles"], [title for title in names.catalog["title"] if title["prestige"]]
    return Text("   ").join(render_title_stock(title, stock[title["id"]], names) for title in wanted)


def render_title_stock(title: Plain, count: int, names: NoblemenNames) -> Text:
    name, style = names.name_entry(title).split("/")[0], "" if count else theme.FAINT
    return Text.assemble((f"{name} {title['prestige']}+ ", style), (theme.FULL * count or theme.EMPTY, theme.GOLD))


def render_dots(count: int, of: int, ink: str) -> Text:
    return Text.assemble((theme.FULL * count, ink), (theme.EMPTY * (of - count), theme.FAINT))


# The prestige track

LEAST_SHOWN = 20  # fields


class PrestigeTrack:
    """The players' counters during a ball, under the titles that they reach."""

    def __init__(self, board: Plain, names: NoblemenNames) -> None:
        self.counters = [nobleman["prestige"] for nobleman in board["noblemen"]]
        self.titles = {title["prestige"]: names.name_entry(title).split("/")[0] for title in names.catalog["title"]}
        self.label = names.label("prestige")
        self.fields = max(LEAST_SHOWN, *self.counters)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width - len(self.label) - 1 - len(self.render_start())
        width = 3 if 3 * self.fields <= room else 2
        yield Text.assemble(" " * (len(self.label) + 1), self.render_titles(width), no_wrap=True, overflow="crop")
        yield Text.assemble(
            self.label, " ", self.render_start(), *self.render_fields(width), no_wrap=True, overflow="crop"
        )

    def render_start(self) -> Text:
        """Render field 0, which has room for all players."""
        here = [render_counter(seat, 3) for seat, at in enumerate(self.counters) if at == 0]
        return Text.assemble(("  0 ", theme.FIELD_STYLES["start"]), *here)

    def render_fields(self, width: int) -> Iterator[Text]:
        for number in range(1, self.fields + 1):
            seats = [seat for seat, at in enumerate(self.counters) if at == number]
            style = theme.FIELD_STYLES["scoring" if number in self.titles else "plain"]
            yield (
                render_counter(seats[0], width)
                if seats
                else Text(f"{number:^3}" if width == 3 else f"{number:2}", style)
            )

    def render_titles(self, width: int) -> Text:
        """Render the title names, each above the first field that is enough for it."""
        line = ""
        for prestige, name in sorted(self.titles.items()):
            at = len(self.render_start()) + width * (prestige - 1) if prestige else 0
            line = f"{line:{at}}" + (name if len(line) <= at else f" {name}")
        return Text(line, theme.GOLD)


def render_counter(seat: int, width: int) -> Text:
    return Text(str(seat + 1).center(width), theme.find_seat_style(seat))


def list_prestige_track(board: Plain, names: NoblemenNames) -> list[RenderableType]:
    """Return the prestige track during a ball; otherwise an empty list."""
    return [Group(PrestigeTrack(board, names), Text())] if board["phase"] in {"ball", "title"} else []
