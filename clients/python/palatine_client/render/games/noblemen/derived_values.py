"""PLACEHOLDER"""

from __future__ import annotations

from .estate_model import AREA_OF, Cell, Land, read_land
from .names import NoblemenNames, Plain


def find_field_type(board: Plain, names: NoblemenNames) -> str:
    """What kind of field the round marker stands on."""
    return str(names.catalog["round_track"]["fields"][board["round"]]["type"])


def count_yield(board: Plain, seat: int, levy: str, names: NoblemenNames) -> int:
    """Taxes, land or the prestige of an estate, without markers and cards."""
    terms, lands = names.catalog["reward"][levy], [read_land(each["estate"]) for each in board["noblemen"]]
    own, area = lands[seat], AREA_OF[terms["tile"]]
    palaces = sum(building.kind == "palace" for building in own.buildings.values())
    return int(
        terms["per_tile"] * own.count_tiles(terms["tile"])
        + terms["free_area"] * len(own.list_free_areas(area))
        + terms["knight"] * count_knights(lands, seat, area)
        + terms.get("palace", 0) * palaces
    )


def count_knights(lands: list[Land], seat: int, area: str) -> int:
    """How many knights of a player stand on areas of this kind."""
    return sum(land.areas.get(at) == area for land in lands for at, owner in land.knights.items() if owner == seat)


def count_building_points(land: Land, cell: Cell, names: NoblemenNames) -> int:
    """What a building scores as it stands: nothing unless it is enclosed."""
    terms = names.pieces.get(land.buildings[cell].kind, {})
    if not terms.get("enclosed") or not land.is_enclosed(cell):
        return 0
    return int(terms["enclosed"] + terms["per_chapel"] * land.count_chapels(cell))
