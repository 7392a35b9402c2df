"""Colours and signs of Noblemen."""

from __future__ import annotations

from dataclasses import dataclass

from ...palette import GOLD as GOLD

FAINT = "#8a8a8a"
LINE = "#8a6d1f"
NUMBER = "bold #241a00 on #ffd75f"  # a number that the player may type
SPACE = "#c9a94a"  # a place that the player may choose
NEW = "bold #fff3b0"  # the frame of a new tile or building


@dataclass(frozen=True)
class LandLook:
    """The look of a kind of land, alone and as part of a completed area."""

    sign: str
    ink: str
    paper: str
    whole: str  # the background of a completed area
    area: str = ""  # the sign of the area

    @property
    def style(self) -> str:
        return f"{self.ink} on {self.paper}"


KINDS = {
    "field": LandLook("≡", "#ffdc7d", "#6e4d12", "#a8791b", "⌂"),
    "fountain": LandLook("≈", "#a6dcff", "#173a66", "#1f65b8", "❀"),
    "grove": LandLook("♣", "#86dba0", "#0f3a26", "#19693f", "♠"),
    "meadow": LandLook("·", "#c4e58a", "#4c6d1f", "#4c6d1f"),
}
AREAS = {"manor": "field", "garden": "fountain", "forest": "grove"}

# The signs of a quarter symbol by its corner; four quarters that meet form one symbol.
QUARTERS = {"NW": "▛", "NE": "▜", "SW": "▙", "SE": "▟"}


@dataclass(frozen=True)
class BuildingLook:
    """The look of a building."""

    sign: str
    style: str


BUILDINGS = {
    "castle": BuildingLook("♜", "bold #1d1d22 on #b9bcc6"),
    "chapel": BuildingLook("†", "bold #40306b on #f3efe2"),
    "palace": BuildingLook("♚", "bold #4a2c00 on #efc95a"),
    "folly": BuildingLook("∩", "bold #ffe3fb on #7a2f86"),
}
FOLLIES = {"forests": "♠♠", "manors": "⌂⌂", "gardens": "❀❀", "mixed": "♠⌂❀"}

QUEEN, KNIGHT, BRIBE, CARD, TILE = "♛", "♞", "◉", "▤", "▦"
FULL, EMPTY = "●", "○"
FIELDS = {"start": "➤", "plain": "·", "ball": "∞", "lock": "⊗", "scoring": "♜"}
FIELD_STYLES = {
    "start": "#d8d8d8 on #33353d",
    "plain": "#9a9ca5 on #33353d",
    "ball": "#ffd2f1 on #5d2358",
    "lock": "#ffc9a8 on #6b2d16",
    "scoring": "#fff0b8 on #5f4a12",
}
MARKER = "bold #1c1400 on #ffd75f"

# The colours of the seats: blue, brown, yellow, red, black
SEATS = (
    ("#ffffff", "#2a6ae0"),
    ("#fff1e0", "#8a5228"),
    ("#2b2200", "#f0c534"),
    ("#ffffff", "#cf2f34"),
    ("#ffffff", "#08080a"),
)
INKS = ("#6ba0ff", "#d39566", "#f0c534", "#ff6f72", "#d9d9df")  # the same colours on the background of the terminal


def find_seat_style(seat: int) -> str:
    """Return the style of a player's badge."""
    ink, paper = SEATS[seat]
    return f"bold {ink} on {paper}"
