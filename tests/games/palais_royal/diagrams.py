"""Palaces and parks drawn as text.

A palace is drawn in the recommended layout, with the servants of each room; a dot is an empty room. Small ones may
stand on one line:

    back_entrance  office  cardinal         .     r    rb
    mint           gate    madame           rr    .    .          r red (seat 0)    b black (seat 1)
    stairway       king    parade_ground    rrr   b    rrbb       g green (seat 2)  y yellow (seat 3)

A park has six rows of six spaces: `o` some noble, `.` a free inner space, a colour's letter a border servant on a
vacated space. Other capital letters are nobles named by a keyword: park_of("...", X="N01").
"""

from collections.abc import Iterator

from palatine_server.games.palais_royal.catalog import BORDER, LAYOUTS, NOBLES, SPACES

SEATS = "rbgy"
PALACE = [room for row in LAYOUTS["recommended"].grid for room in row]
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
    rooms = zip(PALACE, picture.split(), strict=True)
    return {room: [servants.count(letter) for letter in SEATS[:players]] for room, servants in rooms}


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


def same_palace(picture: str, rooms: dict[str, list[int]]) -> bool:
    """Whether the servants stand as in the picture."""
    return picture.split() == [drawn(rooms[room]) for room in PALACE]


def drawn(servants: list[int]) -> str:
    return "".join(letter * count for letter, count in zip(SEATS, servants, strict=False)) or "."
