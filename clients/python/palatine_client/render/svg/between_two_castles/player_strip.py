"""The players: whose choice is awaited, who has chosen, what is still to be placed, and at the end the ranking."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.between_two_castles.names import Plain
from ..blocks import Block, align, stack
from ..elements import Markup, circle, group, rectangle
from ..fonts import BOLD, SANS, measure_text
from ..shapes import glyph
from ..text_block import TextBlock, draw_block_around, fit_text
from .chips import build_piece_chip
from .scene import CastleScene

EDGE = 12


def build_players(scene: CastleScene, width: float, gap: float) -> Block:
    """Return all players, in the order of the circle or of the ranking."""
    rows = {row["seat"]: row for row in sorted(scene.board["final"], key=lambda row: int(row["rank"]))}
    seats = list(rows) or list(scene.board["circle"])
    columns = 2 if scene.is_tall else min(len(seats), 4)
    lines = [seats[at : at + columns] for at in range(0, len(seats), columns)]
    return stack((build_line(scene, line, rows, (width + gap) / columns - gap, gap) for line in lines), gap)


def build_line(scene: CastleScene, seats: list[int], rows: dict[int, Plain], width: float, gap: float) -> Block:
    """Return players beside each other, with the same height."""
    chips = {seat: stack(list_tiles(scene, seat), 6) for seat in seats}
    highest = max(block.height for block in chips.values())
    height = scene.scale(46) + (highest + EDGE if highest else 0)
    return align((build_player(scene, seat, rows.get(seat), chips[seat], width, height) for seat in seats), gap)


def build_player(scene: CastleScene, seat: int, row: Plain | None, chips: Block, width: float, height: float) -> Block:
    """Return one player; those whom the table waits for are framed."""
    edge, line = (scene.paper.accent, 3) if seat in scene.view.waiting else (scene.paper.line, 1.5)
    plate = rectangle(1.5, 1.5, width - 3, height - 3, rx=12, fill=scene.paper.card, stroke=edge, stroke_width=line)
    top = scene.scale(46)
    parts = [plate, *draw_name(scene, seat, row, width, top), chips.place(EDGE, top - 2)]
    return Block(group(parts, fact=f"players/{seat}"), width, height)


def list_tiles(scene: CastleScene, seat: int) -> Iterator[Block]:
    """Yield the open rooms that a player still has to place."""
    tiles = scene.board["tiles"]
    for tile in tiles[seat] if seat < len(tiles) else ():
        yield build_piece_chip(scene, tile).mark(f"players/{seat}/tiles/{tile}")


def draw_name(scene: CastleScene, seat: int, row: Plain | None, width: float, height: float) -> Iterator[Markup]:
    middle, x, size = height / 2, float(EDGE), scene.scale(18)
    if row:
        yield draw_rank(scene, row["rank"], x + middle * 0.7, middle)
        x += middle * 1.4 + 8
    radius = scene.scale(13)
    yield scene.draw_mark(seat, x + radius, middle, radius)
    x += 2 * radius + 9
    right = find_right_side(scene, seat, row)
    name = fit_text(scene.names.name_player(seat), width - x - right - EDGE, BOLD, size, smallest=scene.scale(10))
    yield draw_block_around(name, x, middle, scene.paper.ink)
    yield draw_result(scene, row, width, middle) if row else draw_state(scene, seat, width, middle)


def find_right_side(scene: CastleScene, seat: int, row: Plain | None) -> float:
    """Return the room that the right side needs."""
    return scene.scale(150) if row else scene.scale(30)


def draw_rank(scene: CastleScene, rank: int, x: float, y: float) -> Markup:
    colour = "gold" if rank == 1 else "any"
    text = TextBlock((str(rank),), BOLD, y * 0.8)
    return circle(x, y, y * 0.7, fill=scene.fill(colour)) + draw_block_around(text, x, y, scene.ink(colour), "middle")


def draw_result(scene: CastleScene, row: Plain, width: float, middle: float) -> Markup:
    """Return the points of a player, and their better castle in small words."""
    score, size = str(row["score"]), scene.scale(26)
    right = width - EDGE - 2
    words = fit_text(scene.word("better", points=row["better"]), scene.scale(105), SANS, scene.scale(13), lines=2)
    left = right - measure_text(score, BOLD, size) - 10
    points = draw_block_around(TextBlock((score,), BOLD, size), right, middle, scene.paper.ink, "end")
    return points + draw_block_around(words, left, middle, scene.paper.muted, "end")


def draw_state(scene: CastleScene, seat: int, width: float, middle: float) -> Markup:
    """Return whether the table waits for a player, or whether they have chosen."""
    size, x = scene.scale(24), width - EDGE - scene.scale(12)
    if seat in scene.view.waiting:
        icon = glyph(scene.glyph("waiting"), x, middle, size, scene.paper.accent)
        return group([icon], fact=f"players/{seat}/waiting")
    chosen = scene.board["chosen"]
    is_chosen = scene.board["phase"] == "choose" and seat < len(chosen) and chosen[seat]
    return glyph(scene.glyph("check"), x, middle, size, scene.paper.muted) if is_chosen else ""
