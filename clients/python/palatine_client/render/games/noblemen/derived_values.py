"""PLACEHOLDER"""

from __future__ import annotations

from .estate_model import AREA_OF, Cell, Land, land_of
from .names import NoblemenNames, Plain


def field_type(board: Plain, names: NoblemenNames) -> str:
    """What kind of field the round marker stands on."""
    return str(names.catalog["round_track"]["fields"][board["round"]]["type"])


def yielded(board: Plain, seat: int, levy: str, names: NoblemenNames) -> int:
    """Taxes, land or the prestige of an estate, without markers and cards."""
    terms, lands = names.catalog["reward"][levy], [land_of(each["estate"]) for each in board["noblemen"]]
    own, area = lands[seat], AREA_OF[terms["tile"]]
    palaces = sum(building.kind == "palace" for building in own.buildings.values())
    return int(
        terms["per_tile"] * own.count(terms["tile"])
        + terms["free_area"] * len(own.free_areas(area))
        + terms["knight"] * knights_on(lands, seat, area)
        + terms.get("palace", 0) * palaces
    )


def knights_on(lands: list[Land], seat: int, area: str) -> int:
    """How many knights of a player stand on areas of this kind."""
    return sum(land.areas.get(at) == area for land in lands for at, owner in land.knights.items() if owner == seat)


def building_points(land: Land, cell: Cell, names: NoblemenNames) -> int:
    """What a building scores as it stands: nothing unless it is enclosed."""
    terms = names.pieces.get(land.buildings[cell].kind, {})
    if not terms.get("enclosed") or not land.is_enclosed(cell):
        return 0
    return int(terms["enclosed"] + terms["per_chapel"] * land.chapels_beside(cell))
