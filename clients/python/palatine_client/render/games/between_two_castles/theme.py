"""Colours and signs of Between Two Castles."""

from __future__ import annotations

from dataclasses import dataclass

from ...palette import GOLD as GOLD


@dataclass(frozen=True)
class RoomLook:
    """The colours and the sign of one kind of room."""

    sign: str
    ink: str
    paper: str
    corners: tuple[str, str, str, str] = ("╭", "╮", "╰", "╯")
    edge: str = "─"
    wall: str = "│"

    @property
    def style(self) -> str:
        return f"{self.ink} on {self.paper}"


def build_special_look(sign: str, ink: str, paper: str) -> RoomLook:
    """Build the look of a special room."""
    return RoomLook(sign, ink, paper, corners=("╔", "╗", "╚", "╝"), edge="═", wall="║")


LOOKS = {
    "food": RoomLook("♨", "#ffd76a", "#7a1f1f"),
    "living": RoomLook("♥", "#dcb3ff", "#3d2159"),
    "utility": RoomLook("⚒", "#e0cfb8", "#54473a"),
    "outdoor": RoomLook("♣", "#a6e88a", "#173f1f"),
    "sleeping": RoomLook("☾", "#a9cbff", "#172f5e"),
    "corridor": RoomLook("↔", "#ffd0a0", "#8a4a0c"),
    "downstairs": RoomLook("▼", "#c3c5cc", "#2b2d33"),
    "fountain": build_special_look("≋", "#3b2a00", "#e3bd4f"),
    "tower": build_special_look("♜", "#3b2a00", "#e3bd4f"),
    "foyer": build_special_look("❖", "#3b2a00", "#e3bd4f"),
    "throne": build_special_look("♛", "#5c1030", "#fff6da"),
}
DECORATIONS = {"painting": "▣", "torch": "☼", "swords": "⚔", "mirror": "◎"}
OTHER_SIGNS = {"bonus_card": "▤", "attendant": "☺"}
POSITIONS = {"left": "←", "right": "→", "above_left": "↖", "above_right": "↗", "below_left": "↙", "below_right": "↘"}
SKY, SKY_EDGE = "bold #e4f6ff on #1d7cc4", "┄"
NEW = "✦"  # a room that is new to the viewer
GRASS, EARTH = "#6fae4e", "#5a4636"
