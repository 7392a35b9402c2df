"""The score sheet of Noblemen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...games.noblemen.names import RULES, Plain
from ..blocks import NOTHING, Block
from ..elements import Number
from ..score_sheet import Column, ScoreSheet
from . import pieces
from .scene import NoblemenScene


def draw_final_scores(scene: NoblemenScene, width: Number) -> Block:
    """Return the score sheet with the ranks; nothing while the game goes on."""
    final, names = scene.board["final"], scene.names
    if not final:
        return NOTHING
    rules = [rule for rule in RULES if any(rule in each["lines"] for each in scene.board["noblemen"])]
    return ScoreSheet(
        title=names.label("ranking"),
        lines={rule: names.label(rule) for rule in rules},
        total=names.label("total"),
        tie_break=names.label("money"),
        columns=[build_column(scene, row, rules) for row in sorted(final, key=lambda row: (row["rank"], row["seat"]))],
        paper=scene.style.paper,
    ).draw(width)


def build_column(scene: NoblemenScene, row: Plain, rules: Sequence[str]) -> Column:
    lines = scene.board["noblemen"][row["seat"]]["lines"]
    return Column(
        name=scene.names.seats[row["seat"]],
        rank=row["rank"],
        points=[lines.get(rule, 0) for rule in rules],
        total=row["score"],
        tie_break=f"£{row['money']}",
        fact=f"final/{row['seat']}",
        draw_mark=partial(pieces.draw_player_mark, scene.style, row["seat"]),
    )
