"""The palace: nine rooms in their layout, with the servants of all players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...games.palais_royal import derived_values, theme
from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ...hyphenation import wrap_name

ACROSS = 3  # rooms side by side
TALL = 7  # lines of a room beside the park: two for the name, one for the action, four for the players
NARROWEST, WIDEST = 11, 20  # columns of a tall room


@dataclass(frozen=True)
class Palace:
    """The palace below or without the park; if rooms are wide enough, they are low, with all servants in one line."""

    board: Plain
    names: PalaisRoyalNames
    numbers: Mapping[str, int] = field(default_factory=dict)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = (min(options.max_width, 100) - ACROSS + 1) // ACROSS
        names = chain.from_iterable(self.board["layout"])
        is_wide = width >= max(line.cell_len for name in names for line in self.render_room(name))
        for at, row in enumerate(self.board["layout"]):
            yield from [Text()] if at else []
            yield from join_rooms(
                [list((self.render_low_room if is_wide else self.render_tall_room)(name, width)) for name in row]
            )

    def render_low_room(self, name: str, width: int) -> Iterator[Text]:
        return (fill_line(line, width, name, self.names) for line in self.render_room(name))

    def render_room(self, name: str) -> Iterator[Text]:
        yield Text.assemble(render_number(name, self.numbers), " ", render_room_title(name, self.names))
        yield Text(" ").join([Text(), *self.list_servants(name)])

    def render_tall_room(self, name: str, width: int) -> Iterator[Text]:
        return render_tall_room(self.board, name, width, self.names, render_number(name, self.numbers))

    def list_servants(self, name: str) -> Iterator[Text]:
        for seat, count in enumerate(self.board["rooms"][name]):
            yield render_servants(self.board, seat, name, count, self.names)


def render_servants(board: Plain, seat: int, room: str, count: int, names: PalaisRoyalNames) -> Text:
    """Render the servants of one player in a room, with a crown if the active player has the majority."""
    look = theme.find_livery(board, seat)
    if not count:
        return Text(f" {look.sign}· ", theme.ROOM_DIM)
    return Text(f" {look.sign}{count}{find_crown(board, seat, room, names) or ' '}", look.style)


def find_crown(board: Plain, seat: int, room: str, names: PalaisRoyalNames) -> str:
    is_crowned = seat == board["turn"]["seat"] and derived_values.has_majority(board, seat, room, names)
    return theme.MAJORITY if is_crowned and not board["final"] else ""


# Beside the park


def render_tall_palace(board: Plain, names: PalaisRoyalNames, width: int) -> Iterator[Text]:
    """Render the palace as high as the park, with one line per player in every room."""
    yield Text(" " * (ACROSS * width + ACROSS - 1))
    for at, row in enumerate(board["layout"]):
        yield from [Text(" " * (ACROSS * width + ACROSS - 1))] if at else []
        yield from join_rooms([list(render_tall_room(board, name, width, names)) for name in row])


def render_tall_room(
    board: Plain, name: str, width: int, names: PalaisRoyalNames, number: Text | None = None
) -> Iterator[Text]:
    title = wrap_name(names.name_piece(name), width - 1)[:2]
    bars = [render_bar(board, seat, name, width, names) for seat in range(len(board["players"]))]
    does = Text.assemble(number or "", (f" {find_action_sign(name, names)}", theme.ROOM_DIM))
    lines = [*(Text(f" {line}", "bold") for line in title), does]
    lines = [*lines, *[Text()] * (TALL - len(lines) - len(bars)), *bars]
    for line in lines:
        yield fill_line(line, width, name, names)


def render_bar(board: Plain, seat: int, room: str, width: int, names: PalaisRoyalNames) -> Text:
    """Render the number of a player's servants on a bar, which is longer for more servants."""
    look, count = theme.find_livery(board, seat), board["rooms"][room][seat]
    if not count:
        return Text(f" {look.sign} ·", theme.ROOM_DIM)
    words = f"{look.sign} {count} {find_crown(board, seat, room, names)}"
    return Text.assemble(" ", (f"{words:<{min(count + 4, width - 2)}}", look.style))


# Rooms


def render_number(name: str, numbers: Mapping[str, int]) -> Text:
    """Render the number to type for a room, if there is one."""
    return Text(f"{numbers[name]:>2} ", theme.NUMBER) if name in numbers else Text()


def render_room_title(name: str, names: PalaisRoyalNames) -> Text:
    return Text.assemble((names.name_piece(name), "bold"), (f"  {find_action_sign(name, names)}", theme.ROOM_DIM))


def find_action_sign(name: str, names: PalaisRoyalNames) -> str:
    """Return the sign of the action that a room serves."""
    return {
        "parade_ground": "1 ⌂",
        "stairway": "2 ⇄",
        "mint": f"3 {theme.COIN}",
        "king": "3 ◆",
        "madame": "3 ♥",
        "office": f"4 {theme.NOBLE}",
        "back_entrance": "5 ▤",
    }.get(name, "")


def fill_line(text: Text, width: int, room: str, names: PalaisRoyalNames) -> Text:
    """Render a line of a room; rooms with a bonus for the majority have a warmer background."""
    paper = theme.BONUS_ROOM if names.pieces[room]["majority_bonus"] else theme.ROOM
    return Text.assemble(text, " " * (width - text.cell_len), style=f"{theme.ROOM_INK} on {paper}")


def join_rooms(rooms: list[list[Text]]) -> Iterator[Text]:
    for parts in zip(*rooms, strict=True):
        yield Text(" ", no_wrap=True).join(parts)
