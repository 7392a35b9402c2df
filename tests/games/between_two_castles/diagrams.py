"""Castles drawn as text. The row with the throne `T T` is the ground floor.

    . O .          F food     L living     U utility    O outdoor    . empty
    F T T L        S sleeping C corridor   D downstairs T throne     + empty, and pointed at
    . D            f fountain t tower      y foyer

A letter stands for some room of its type. A keyword says for which one, or which ones in reading order,
and may bring in letters of its own: drawn("X T T", X="bakery"), drawn("F T T F", F=["bakery", "kitchen"]).
"""

from collections.abc import Iterator, Sequence

from palatine_server.games.between_two_castles.castle import Building, legal_cells, placement_error
from palatine_server.games.between_two_castles.catalog import ROOMS, Cell
from palatine_server.games.between_two_castles.scoring import Line, score_sheet

TYPES = {
    "F": "food",
    "L": "living",
    "U": "utility",
    "O": "outdoor",
    "S": "sleeping",
    "C": "corridor",
    "D": "downstairs",
}
SPECIALS = {"f": "fountain", "t": "tower", "y": "foyer"}
EMPTY = {".", "+"}

# Some room of each type.
FOOD, LIVING, UTILITY, OUTDOOR = "bakery", "parlor", "tool_room", "sty"
SLEEPING, CORRIDOR, DOWNSTAIRS = "nap_room", "dead_end", "crypt"
SOME_ROOMS = (FOOD, LIVING, UTILITY, OUTDOOR, SLEEPING, CORRIDOR, DOWNSTAIRS)


def drawn(
    picture: str,
    *,
    throne: str = "throne_utility_food",
    attendants: Sequence[str] = (),
    cards: Sequence[str] = (),
    **names: str | list[str],
) -> Building:
    """The castle in the picture, built in a legal order."""
    castle = Building(throne=throne, attendants=list(attendants), cards=list(cards))
    rooms = dict(_rooms(picture, names))
    while rooms:
        _lay_one(castle, rooms)
    return castle


def marked(picture: str, mark: str = "+") -> set[Cell]:
    """The cells of a picture that hold this mark."""
    return {cell for cell, letter in _letters(picture) if letter == mark}


def places(castle: Building, name: str) -> set[Cell]:
    """Where a tile may be put."""
    return set(legal_cells(castle, name))


def line(castle: Building, name: str) -> Line:
    """The entry of a component on the score sheet."""
    return next(line for line in score_sheet(castle).lines if line.name == name)


def points(castle: Building, name: str) -> int:
    """What a component of the castle scores."""
    return line(castle, name).points


def _lay_one(castle: Building, rooms: dict[Cell, str]) -> None:
    for cell, name in rooms.items():
        if placement_error(castle, name, cell) is None:
            castle.lay(rooms.pop(cell), cell)
            return
    raise ValueError(f"nobody can build this castle: {rooms} cannot be reached")


def _rooms(picture: str, names: dict[str, str | list[str]]) -> Iterator[tuple[Cell, str]]:
    named = {letter: [name] if isinstance(name, str) else list(name) for letter, name in names.items()}
    taken = {name for list_of_names in named.values() for name in list_of_names}
    for cell, letter in _letters(picture):
        if letter != "T" and letter not in EMPTY:
            name = named[letter].pop(0) if named.get(letter) else _some_room(letter, taken)
            taken.add(name)
            yield cell, name
    if any(named.values()):
        raise ValueError(f"the picture has no room for {named}")


def _some_room(letter: str, taken: set[str]) -> str:
    if letter in SPECIALS:
        return SPECIALS[letter]
    return next(room.id for room in ROOMS.values() if room.type == TYPES[letter] and room.id not in taken)


def _letters(picture: str) -> Iterator[tuple[Cell, str]]:
    rows = [row.split() for row in picture.strip().splitlines()]
    ground = next(number for number, row in enumerate(rows) if "T" in row)
    left = rows[ground].index("T")
    for number, row in enumerate(rows):
        for column, letter in enumerate(row):
            yield (column - left, ground - number), letter
