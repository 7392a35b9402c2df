"""Palaces and parks drawn as text.

A palace is drawn in the recommended layout, with the servants of each room; a dot is an empty room:

    back_entrance  office  cardinal         .     r    rb
    mint           gate    madame           rr    .    .          r red (seat 0)    b black (seat 1)
    stairway       king    parade_ground    rrr   b    rrbb       g green (seat 2)  y yellow (seat 3)

A park has six rows of six spaces: `o` some noble, `.` a free inner space, a colour's letter a border servant on a
vacated space. Other capital letters are nobles named by a keyword: park_of("...", X="N01").
"""

from collections.abc import Iterator

from palatine_server.games.palais_royal.catalog import BORDER, LAYOUTS, NOBLES, SPACES

SEATS = "rbgy"
LAYOUT = LAYOUTS["recommended"].grid
FULL_PARK = """
    o o o o o o
    o o o o o o
    o o o o o o
    o o o o o o
    o o o o o o
    o o o o o o
"""


def palace_of(picture: str, players: int) -> dict[str, list[int]]:
    """The servants of each room, by seat."""
    rows = [line.split() for line in picture.strip().splitlines()]
    rooms = {room: servants for row, cells in zip(LAYOUT, rows, strict=True) for room, servants in zip(row, cells, strict=True)}
    return {room: [servants.count(letter) for letter in SEATS[:players]] for room, servants in rooms.items()}


def park_of(picture: str, **named: str) -> tuple[dict[str, str], dict[str, int]]:
    """The nobles of a park, and whose servants stand on its border."""
    spaces = dict(zip(SPACES, picture.split(), strict=True))
    others = some_nobles(set(named.values()))
    park = {space: named.get(letter) or next(others) for space, letter in spaces.items() if letter not in f".{SEATS}"}
    border = {space: SEATS.index(letter) for space, letter in spaces.items() if letter in SEATS}
    assert set(border) <= BORDER <= set(park) | set(border), "the border holds nobles or servants"
    return park, border


def some_nobles(but: set[str]) -> Iterator[str]:
    """Nobles, those that cost most first, without the ones named."""
    return iter(sorted(NOBLES.keys() - but, key=lambda noble: -NOBLES[noble].gold))


def drawn_palace(rooms: dict[str, list[int]]) -> str:
    """The picture of a palace, for comparing."""
    cells = ["".join(letter * count for letter, count in zip(SEATS, rooms[room], strict=False)) or "." for row in LAYOUT for room in row]
    return "\n".join(" ".join(cells[at : at + 3]) for at in (0, 3, 6))


def same_palace(picture: str, rooms: dict[str, list[int]]) -> bool:
    return picture.split() == drawn_palace(rooms).split()
