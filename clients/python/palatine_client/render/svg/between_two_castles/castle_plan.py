"""The geometry of a castle: its columns and floors, and the scale at which it fits its panel."""

from __future__ import annotations

from dataclasses import dataclass

from .scene import CastleScene

Cell = tuple[int, int]
FEWEST_COLUMNS = 6
SIDE = 18  # left and right of the castle
HEADING = 92  # from the top of the panel to the first floor
GROUND = 22  # earth under the lowest floor


@dataclass(frozen=True)
class CastlePlan:
    """The place of each cell in a panel, before the ground of neighbouring castles is put at the same height."""

    left: int  # the first column
    columns: int
    top: int  # the highest floor
    bottom: int  # the lowest floor
    width: float  # of the panel
    tile_width: float
    tile_height: float
    is_tall: bool

    @property
    def scale(self) -> float:
        return min(1, (self.width - 2 * SIDE) / (self.columns * self.tile_width))

    @property
    def is_small(self) -> bool:
        """Whether words on the tiles would be too small: a phone, 360 pixels wide, shows the names with 6 pixels."""
        return self.is_tall

    @property
    def above(self) -> float:
        """The height from the top of the panel to the ground."""
        return HEADING + (max(self.top, 1) + 1) * self.tile_height * self.scale

    @property
    def below(self) -> float:
        """The height from the ground to the bottom of the earth."""
        return GROUND - min(self.bottom, 0) * self.tile_height * self.scale

    def find_corner(self, cell: Cell, ground: float) -> tuple[float, float]:
        """Return the upper left corner of a cell; `ground` is the height of the ground in the panel."""
        x, y = cell
        start = (self.width - self.columns * self.tile_width * self.scale) / 2
        return start + (x - self.left) * self.tile_width * self.scale, ground - (y + 1) * self.tile_height * self.scale


def plan_castle(scene: CastleScene, number: int, width: float) -> CastlePlan:
    """Plan a castle with all cells that the picture shows: rooms, free cells and proposals."""
    cells = list_cells(scene, number)
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    columns = max(FEWEST_COLUMNS, max(xs) - min(xs) + 1)
    size = scene.size("tile_width"), scene.size("tile_height")
    return CastlePlan(center_columns(xs, columns), columns, max(ys), min(ys), width, *size, scene.is_tall)


def center_columns(xs: list[int], columns: int) -> int:
    """Return the first column, with the castle in the middle."""
    return min(xs) - (columns - (max(xs) - min(xs) + 1)) // 2


def list_cells(scene: CastleScene, number: int) -> list[Cell]:
    rooms = [(x, y) for _, x, y in scene.board["castles"][number]["rooms"]]
    return [(0, 0), (1, 0), *rooms, *scene.legal_cells.get(number, []), *find_proposed_cells(scene, number)]


def find_proposed_cells(scene: CastleScene, number: int) -> dict[Cell, list[tuple[str, int]]]:
    """Return the cells that partners propose for a new room, each with the facts and seats of the proposals."""
    cells: dict[Cell, list[tuple[str, int]]] = {}
    for path, decision in scene.list_decisions(number):
        for proposal in decision.get("proposals", []) if decision["about"] == "cell" else ():
            x, y = proposal["choice"]
            cells.setdefault((x, y), []).append((f"{path}/proposals/{proposal['seat']}", proposal["seat"]))
    return cells
