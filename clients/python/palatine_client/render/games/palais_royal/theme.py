"""Colours and signs of Palais Royal."""

from __future__ import annotations

from dataclasses import dataclass

from .names import Plain

GOLD, TURQUOISE, VIOLET = "#ffd75f", "#4fe3d3", "#d79bff"
TITLE = f"bold {GOLD}"
RULE = "#8a6d1f"
NUMBER = "bold #241a00 on #ffd75f"

# The park: tiles on a lawn
LAWN, GRASS, STONE = "#17351c", "#4f8f4f", "#c9c6b8"
TILE, TILE_INK, TILE_AWAY, AWAY_INK = "#43315c", "#f4ecd8", "#2a2736", "#8d879c"
REDUCED = "#9df08a"
POINTS = "bold #2b1d0a on #efe0b9"
POINTS_AWAY = "#2b1d0a on #8d8675"

# The palace
ROOM, ROOM_INK, ROOM_DIM, BONUS_ROOM = "#4f3f33", "#f6e9d2", "#a8937d", "#64463a"
MAJORITY = "♛"

SEALS = {"turquoise": ("◆", TURQUOISE), "violet": ("♥", VIOLET)}
SEAL_OF = {"king": "turquoise", "madame": "violet"}
COIN, NOBLE = "◉", "⚜"
ORNAMENTS = {"lion": "♞", "vase": "⚱", "statue": "♙", "fountain": "≋"}
SIDES = {"left": "←", "right": "→", "top": "↑", "bottom": "↓"}
BENEFITS = {
    "gate": ("⌂", "#ffb98a"),
    "moves": ("⇄", "#9fd0ff"),
    "diagonal": ("↗", "#9fd0ff"),
    "gold": (COIN, GOLD),
    "seal_turquoise": SEALS["turquoise"],
    "seal_violet": SEALS["violet"],
    "cards": ("▤", "#ffffff"),
    "servants": ("☺", "#ffa0a0"),
}


@dataclass(frozen=True)
class Livery:
    """The look of one player's servants; the sign distinguishes them without colours."""

    sign: str
    ink: str
    paper: str

    @property
    def style(self) -> str:
        return f"bold {self.ink} on {self.paper}"


LIVERIES = {
    "red": Livery("●", "#ffffff", "#c2272d"),
    "black": Livery("■", "#e6e6ea", "#101014"),
    "green": Livery("▲", "#ffffff", "#1f8a3b"),
    "yellow": Livery("✚", "#2b2100", "#f2c82e"),
}


def find_livery(board: Plain, seat: int) -> Livery:
    return LIVERIES[board["players"][seat]["colour"]]
