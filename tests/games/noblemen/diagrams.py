"""Estates drawn as text, north at the top.

    . G↘ G↙ .       F field   W fountain   G grove   M meadow   . nothing
    C G↗ G↖ M       on a meadow: C castle  P palace  H chapel  Y folly

An arrow points at the corner with the quarter symbol; a tile without one points at its NE corner, so that such tiles
never form an area by accident. The origin (0, 0) is the first C or P in the lowest row that has one, or else the lower
left cell.
"""

from collections.abc import Iterator

from palatine_server.games.noblemen.estate import Building, Cell, Estate, Tile

KINDS = {"F": "field", "W": "fountain", "G": "grove", "M": "meadow"}
BUILDINGS = {"C": "castle", "P": "palace", "H": "chapel", "Y": "folly"}
ARROWS = {"↗": "NE", "↖": "NW", "↘": "SE", "↙": "SW"}


def drawn(picture: str, *, overlap: bool = False, follies: str = "forests manors gardens mixed") -> Estate:
    """The estate in the picture; option overlap leaves the corners out."""
    names = iter(follies.split())
    tiles, buildings = [], []
    for (x, y), letter, arrow in _signs(picture):
        if letter in BUILDINGS:
            folly = next(names) if letter == "Y" else ""
            buildings.append(Building(BUILDINGS[letter], x, y, folly))
        kind = KINDS.get(letter, "meadow")
        tiles.append(Tile(kind, x, y, None if kind == "meadow" or overlap else ARROWS[arrow]))
    return Estate(tiles=tiles, buildings=buildings)


def marked(picture: str, mark: str = "+") -> set[Cell]:
    """The cells of a picture that hold this mark."""
    return {cell for cell, sign in _grid(picture) if sign[0] == mark}


def tiles(text: str) -> list[str]:
    """Kinds by their letters: tiles("F F G")."""
    return [KINDS[letter] for letter in text.split()]


def _signs(picture: str) -> Iterator[tuple[Cell, str, str]]:
    for cell, sign in _grid(picture):
        if sign[0] not in ".+":
            yield cell, sign[0], sign[1:] or "↗"


def _grid(picture: str) -> Iterator[tuple[Cell, str]]:
    rows = [row.split() for row in picture.strip().splitlines()][::-1]
    ox, oy = next(
        ((x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign[0] in "CP"),
        (0, 0),
    )
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            yield (x - ox, y - oy), sign
