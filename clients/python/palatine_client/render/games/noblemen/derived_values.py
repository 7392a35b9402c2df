"""Values that a rendering of Noblemen shows and the board document does not hold.

The document has tiles, buildings and knights, but neither areas nor the yields of an estate. This module and
`estate_model` mirror these rules, and `test_derived_values.py` compares them with the server's rule functions over
random games:

- NM-AREA-1 to NM-AREA-4: areas (`Estate.survey`)
- NM-TAX-3 to NM-TAX-5, NM-LAND-3 to NM-LAND-5: taxes and land (`levies.yield_of`)
- NM-BALL-5: the prestige of an estate (`masquerade.base_prestige`)
- NM-SCORE-1 to NM-SCORE-4: points of castles and palaces (`building_points`)
"""

from __future__ import annotations

from .estate_model import AREA_OF, Cell, Land, read_land
from .names import NoblemenNames, Plain


def find_field_type(board: Plain, names: NoblemenNames) -> str:
    """Find the type of the field under the round marker."""
    return str(names.catalog["round_track"]["fields"][board["round"]]["type"])


def count_yield(board: Plain, seat: int, levy: str, names: NoblemenNames) -> int:
    """Count the taxes, land or prestige of an estate, without bribe markers and cards."""
    return count_land_yield([read_land(each["estate"]) for each in board["noblemen"]], seat, levy, names)


def count_land_yield(lands: list[Land], seat: int, levy: str, names: NoblemenNames) -> int:
    """Count the same, from estates that are read already."""
    terms = names.catalog["reward"][levy]
    own, area = lands[seat], AREA_OF[terms["tile"]]
    palaces = sum(building.kind == "palace" for building in own.buildings.values())
    return int(
        terms["per_tile"] * own.count_tiles(terms["tile"])
        + terms["free_area"] * len(own.list_free_areas(area))
        + terms["knight"] * count_knights(lands, seat, area)
        + terms.get("palace", 0) * palaces
    )


def count_knights(lands: list[Land], seat: int, area: str) -> int:
    """Count the knights of a player that stand on areas of this kind."""
    return sum(land.areas.get(at) == area for land in lands for at, owner in land.knights.items() if owner == seat)


def count_building_points(land: Land, cell: Cell, names: NoblemenNames) -> int:
    """Return the current points of a building: 0 unless it is enclosed."""
    terms = names.pieces.get(land.buildings[cell].kind, {})
    if not terms.get("enclosed") or not land.is_enclosed(cell):
        return 0
    return int(terms["enclosed"] + terms["per_chapel"] * land.count_chapels(cell))
