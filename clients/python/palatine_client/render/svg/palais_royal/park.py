"""The park: nobles with their prices, free spaces, servants on the border, ornaments, and the strength in the rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...games.palais_royal import derived_values
from ...games.palais_royal.names import Plain
from ..blocks import Block, arrange, stack
from ..elements import Markup, Number, circle, group, path, rectangle
from ..fonts import BOLD, SANS, measure_text
from ..shapes import card
from ..text_block import draw_block_around, draw_text, fit_text
from . import pieces
from .scene import PalaisRoyalScene


@dataclass(frozen=True)
class Grid:
    """The measures of the park: a space with its gap, the lawn around all spaces, and the letters beside it."""

    width: int
    height: int
    gap: int = 6
    lawn: int = 22
    letters: int = 16

    def find_place(self, space: str) -> tuple[int, int]:
        """Return the upper left corner of a space."""
        column, row = ord(space[0]) - ord("A"), int(space[1:]) - 1
        left = self.letters + self.lawn
        return left + column * (self.width + self.gap), left + row * (self.height + self.gap)


WIDE, TALL = Grid(106, 98), Grid(70, 86, gap=3, lawn=13, letters=12)


def draw_park(scene: PalaisRoyalScene) -> Block:
    """Return the park with the four rows of its border below."""
    return stack([ParkDrawing(scene, TALL if scene.is_tall else WIDE).draw(), draw_border_rows(scene)], 10)


@dataclass(frozen=True)
class ParkDrawing:
    """The park on a grid."""

    scene: PalaisRoyalScene
    grid: Grid

    def draw(self) -> Block:
        """Return the lawn, the letters beside it, and all spaces."""
        grid, park = self.grid, self.scene.names.park
        right, bottom = (grid.letters + grid.lawn * 2 + self.measure(park[axis], axis) for axis in ("cols", "rows"))
        spaces = [self.draw_space(space) for space in derived_values.list_spaces(self.scene.names)]
        content = [*self.draw_lawn(right, bottom), *self.draw_letters(), *spaces, *self.draw_doubles()]
        return Block("".join([*content, *self.draw_ornaments()]), right, bottom)

    def measure(self, count: int, axis: str) -> int:
        each = self.grid.width if axis == "cols" else self.grid.height
        return count * each + (count - 1) * self.grid.gap

    def draw_lawn(self, right: Number, bottom: Number) -> list[Markup]:
        """Return the lawn; its inner part is brighter."""
        grid, style = self.grid, self.scene.style
        outer = rectangle(grid.letters, grid.letters, right - grid.letters, bottom - grid.letters,
                          rx=14, fill=style.fill("lawn"))  # fmt: skip
        x, y = grid.find_place("B2")
        half = grid.gap / 2
        inner = rectangle(x - half, y - half, 4 * (grid.width + grid.gap), 4 * (grid.height + grid.gap),
                          rx=10, fill=style.fill("inner_lawn"))  # fmt: skip
        return [outer, inner]

    def draw_letters(self) -> Iterator[Markup]:
        """Return the letters of the columns and the numbers of the rows."""
        grid, names, fill = self.grid, self.scene.names, self.scene.style.paper.muted
        for letter in derived_values.list_columns(names):
            x, _ = grid.find_place(f"{letter}1")
            yield draw_text(letter, x + grid.width / 2, grid.letters - 4, 11, fill, SANS, "middle")
        for row in range(1, names.park["rows"] + 1):
            _, y = grid.find_place(f"A{row}")
            yield draw_text(str(row), grid.letters - 5, y + grid.height / 2 + 4, 11, fill, SANS, "end")

    # One space

    def draw_space(self, space: str) -> Markup:
        """Return a space with its noble or servant, or free."""
        x, y = self.grid.find_place(space)
        if space in self.scene.board["park"]:
            return group(self.draw_noble(space), x=x, y=y, fact=f"park/{space}")
        seat = self.scene.board["border"].get(space)
        if seat is None:
            return group([self.draw_free()], x=x, y=y, fact=f"free/{space}")
        return group(self.draw_border_servant(seat), x=x, y=y, fact=f"border/{space}")

    def draw_free(self) -> Markup:
        inset = 6
        return rectangle(inset, inset, self.grid.width - 2 * inset, self.grid.height - 2 * inset, rx=8, fill="none",
                         stroke=self.scene.style.fill("free"), stroke_width=1.8, stroke_dasharray="5 4")  # fmt: skip

    def draw_border_servant(self, seat: int) -> list[Markup]:
        """Return the servant of a player on a disc, with the name below."""
        style, middle = self.scene.style, self.grid.width / 2
        radius = min(middle, self.grid.height / 2) * 0.62
        disc = circle(middle, self.grid.height * 0.4, radius, fill=style.fill("inner_lawn"))
        servant = pieces.draw_servant(style, self.scene.colour_of(seat), middle, self.grid.height * 0.4, radius * 1.35)
        name = fit_text(self.scene.names.name_player(seat), self.grid.width - 4, SANS, 11, smallest=8)
        return [
            disc,
            servant,
            draw_block_around(name, middle, self.grid.height * 0.84, style.ink("lawn"), "middle"),
        ]

    def draw_noble(self, space: str) -> list[Markup]:
        """Return a noble: price, points, benefit, name and seals."""
        noble = self.scene.names.pieces[self.scene.board["park"][space]]
        has_benefit = noble["benefit"] != "none"
        style = self.scene.style
        fill, line = ("benefit", "benefit_line") if has_benefit else ("tile", "tile_line")
        edge = card(1, 1, self.grid.width - 2, self.grid.height - 2, style.fill(fill), style.fill(line), radius=8,
                    stroke_width=2.2 if has_benefit else 1.4)  # fmt: skip
        details = self.draw_small_details if self.scene.is_tall else self.draw_large_details
        return [edge, *details(space, noble), *self.draw_offer(space)]

    def draw_offer(self, space: str) -> Iterator[Markup]:
        """Return a dashed frame around a noble that the viewer may recruit now."""
        if self.scene.is_offered("space", space):
            width, height, accent = self.grid.width - 2, self.grid.height - 2, self.scene.style.paper.accent
            frame = rectangle(1, 1, width, height, rx=8, fill="none", stroke=accent, stroke_width=3.5,
                              stroke_dasharray="8 4")  # fmt: skip
            yield group([frame], fact=f"park/{space}/offered")

    def draw_large_details(self, space: str, noble: Plain) -> Iterator[Markup]:
        style, names = self.scene.style, self.scene.names
        middle = self.grid.width / 2
        yield from self.draw_price(space, noble, 21, 21, 15)
        yield pieces.draw_pennant(style, noble["points"], self.grid.width - 22, 6, 27)
        if noble["benefit"] == "none":
            yield style.draw_glyph("noble", middle, 41, 36, style.fill("bust"))
        else:
            yield pieces.draw_benefit(style, noble, middle + 5, 51, 25)
        yield draw_text(names.name_entry(noble), middle, 74, 10, self.name_ink(noble), SANS, "middle")
        yield pieces.draw_seals(style, noble, 8, 85.5, 13.5)

    def draw_small_details(self, space: str, noble: Plain) -> Iterator[Markup]:
        style, names = self.scene.style, self.scene.names
        middle = self.grid.width / 2
        yield from self.draw_price(space, noble, 16.5, 16.5, 13)
        yield pieces.draw_pennant(style, noble["points"], self.grid.width - 17, 4, 23)
        if noble["benefit"] != "none":
            yield pieces.draw_benefit(style, noble, middle + 6, 47, 21)
        yield draw_text(names.name_entry(noble), middle, 66, 8.5, self.name_ink(noble), SANS, "middle")
        yield pieces.draw_seals(style, noble, 3.5, 76, 9.4)

    def name_ink(self, noble: Plain) -> str:
        style = self.scene.style
        return style.paper.muted if noble["benefit"] == "none" else style.ink("benefit")

    def draw_price(self, space: str, noble: Plain, x: Number, y: Number, radius: Number) -> Iterator[Markup]:
        """Return the price in a coin; below it the printed price, struck through, if free spaces have lowered it."""
        price = derived_values.find_price(self.scene.board, space, self.scene.names)
        yield pieces.draw_coin(self.scene.style, price, x, y, radius)
        if price != noble["gold"]:
            printed, size, ink = str(noble["gold"]), radius * 0.86, self.name_ink(noble)
            below = y + radius + size
            half = measure_text(printed, SANS, size) / 2 + 3
            yield draw_text(printed, x, below, size, ink, SANS, "middle")
            strike = f"M{x - half:g} {below - size * 0.36:g}h{2 * half:g}"
            yield path(strike, stroke=ink, stroke_width=1.4)

    # Between and beside the spaces

    def draw_doubles(self) -> Iterator[Markup]:
        """Return a sign at the edge of each space whose servant counts twice."""
        size, ink = self.grid.lawn * 0.62, self.scene.style.ink("lawn")
        for row in self.scene.names.park["border_rows"]:
            for space in row["double_spaces"]:
                figure = pieces.draw_figure("×2", *self.find_edge(space, row["side"]), size, ink)
                yield group([figure], fact=f"doubles/{space}")

    def find_edge(self, space: str, side: str) -> tuple[float, float]:
        """Find the middle of the lawn outside of a space."""
        dx, dy = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}[side]
        x, y = self.grid.find_place(space)
        half_width, half_height = self.grid.width / 2, self.grid.height / 2
        away = self.grid.lawn / 2
        return x + half_width + dx * (half_width + away), y + half_height + dy * (half_height + away)

    def draw_ornaments(self) -> Iterator[Markup]:
        """Return the ornaments: a wall between two spaces with its figure in the middle."""
        for obstacle in self.scene.names.park["obstacles"]:
            one, other = obstacle["between"]
            yield self.draw_ornament(self.grid.find_place(one), self.grid.find_place(other), obstacle["kind"])

    def draw_ornament(self, one: tuple[int, int], other: tuple[int, int], kind: str) -> Markup:
        grid, style = self.grid, self.scene.style
        x, y = (one[0] + other[0] + grid.width) / 2, (one[1] + other[1] + grid.height) / 2
        is_above = one[0] == other[0]
        length = (grid.width if is_above else grid.height) * 0.22
        wall = f"M{x - length:g} {y:g}h{2 * length:g}" if is_above else f"M{x:g} {y - length:g}v{2 * length:g}"
        radius = 7 if self.scene.is_tall else 9.5
        return (
            path(wall, stroke=style.fill("stone"), stroke_width=4, stroke_linecap="round")
            + circle(x, y, radius, fill=style.fill("stone"), stroke=style.fill("lawn"), stroke_width=1.5)
            + style.draw_glyph(kind, x, y, radius * 1.4, style.ink("stone"))
        )


# The rows of the border


def draw_border_rows(scene: PalaisRoyalScene) -> Block:
    """Return the strength of the players in each row of the border, with the points for the first two."""
    rows = scene.names.park["border_rows"]
    across, width = (2, 234) if scene.is_tall else (4, 168)
    boxes = [draw_border_row(scene, row, width) for row in rows]
    words = scene.names.label("row points", rows[0]["first"], rows[0]["second"])
    size = 11 if scene.is_tall else 12
    block = fit_text(words, across * (width + 8) - 8, SANS, size, smallest=8)
    caption = Block(draw_block_around(block, 4, 7, scene.style.paper.muted), width, 14)
    return stack([caption, arrange(boxes, across, 8)], 4)


def draw_border_row(scene: PalaisRoyalScene, row: Plain, width: int) -> Block:
    """Return one row: the ornament that names it, its side, and the players in it, the strongest first."""
    style, paper, height = scene.style, scene.style.paper, 54
    name = fit_text(scene.names.name_entry(row), width - 56, BOLD, 12.5, smallest=9)
    content = [
        card(1, 1, width - 2, height - 2, paper.card, paper.line, stroke_width=1.3),
        style.draw_glyph(row["id"], 17, 15, 17, paper.muted),
        draw_block_around(name, 30, 15, paper.ink),
        draw_side(row["side"], width - 15, 15, paper.muted),
        *draw_strengths(scene, derived_values.count_strengths(scene.board, row), width),
    ]
    return Block(group(content, fact=f"rows/{row['id']}"), width, height)


def draw_side(side: str, x: Number, y: Number, fill: str) -> Markup:
    """Return a small square whose bold side is that of a row."""
    half = 6
    frame = rectangle(x - half, y - half, 2 * half, 2 * half, fill="none", stroke=fill, stroke_width=1)
    bold = {"left": (-half, -half, 4, 12), "right": (half - 4, -half, 4, 12), "top": (-half, -half, 12, 4),
            "bottom": (-half, half - 4, 12, 4)}[side]  # fmt: skip
    return frame + rectangle(x + bold[0], y + bold[1], bold[2], bold[3], fill=fill)


def draw_strengths(scene: PalaisRoyalScene, strengths: list[int], width: Number) -> Iterator[Markup]:
    there = sorted(((strength, seat) for seat, strength in enumerate(strengths) if strength), key=lambda it: -it[0])
    step = (width - 16) / 4
    for at, (strength, seat) in enumerate(there):
        x = 17 + at * step
        yield pieces.draw_servant(scene.style, scene.colour_of(seat), x, 37, 20)
        yield draw_text(str(strength), x + 13, 43, 15, scene.style.paper.ink, BOLD)
