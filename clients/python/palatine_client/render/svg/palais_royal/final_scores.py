"""The score sheet of Palais Royal."""

from __future__ import annotations

from functools import partial

from ...games.palais_royal.names import Plain
from ..blocks import NOTHING, Block
from ..elements import Number
from ..score_sheet import Column, ScoreSheet
from . import pieces
from .scene import PalaisRoyalScene

LINES = {"nobles": "nobles", "played": "played", "unplayed": "unplayed", "park": "rows"}  # and their labels


def draw_final_scores(scene: PalaisRoyalScene, width: Number) -> Block:
    """Return the score sheet with the ranks; nothing while the game goes on."""
    final, names = scene.board["final"], scene.names
    if not final:
        return NOTHING
    return ScoreSheet(
        title=names.label("ranking"),
        lines={line: names.label(label) for line, label in LINES.items()},
        total=names.label("total"),
        tie_break=names.label("cardinal"),
        columns=[build_column(scene, row) for row in sorted(final, key=lambda row: (row["rank"], row["seat"]))],
        paper=scene.style.paper,
    ).draw(width)


def build_column(scene: PalaisRoyalScene, row: Plain) -> Column:
    sheet = scene.board["sheets"][row["seat"]]
    return Column(
        name=scene.names.name_player(row["seat"]),
        rank=row["rank"],
        points=[sheet[line] for line in LINES],
        total=row["score"],
        tie_break=str(row["cardinal"]),
        fact=f"final/{row['seat']}",
        draw_mark=partial(pieces.draw_servant, scene.style, scene.colour_of(row["seat"])),
    )
