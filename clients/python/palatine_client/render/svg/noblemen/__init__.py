"""Noblemen as a picture: round track, common board, players with their estates, and at the end the score sheet."""

from __future__ import annotations

from ..blocks import Block, align, pad, stack
from ..elements import Number, document, rectangle
from ..view import PictureView
from .common_board import NAME, draw_common_board, draw_heading, draw_track
from .estate import EstateDrawing
from .final_scores import draw_final_scores
from .legend import draw_legend
from .players import HEAD, draw_player
from .players import MARGIN as BELOW
from .scene import NoblemenScene, build_scene
from .screen import draw_screen

MARGIN, GAP = 20, 12
BOARD, ESTATES, PHONE = 380, 980, 476  # the widths of the common board, of all estates, and of a tall picture
LARGE, SMALL = 58, 48  # the largest tiles of the first and of other estates


def draw(view: PictureView) -> str:
    """Return the picture of a view as SVG."""
    scene = build_scene(view)
    whole = pad(arrange_tall(scene) if scene.is_tall else arrange_wide(scene), 10 if scene.is_tall else MARGIN)
    paper = rectangle(0, 0, whole.width, whole.height, fill=scene.style.paper.page)
    return document(whole.width, whole.height, [paper, whole.markup], title=NAME, lang=view.lang)


def arrange_wide(scene: NoblemenScene) -> Block:
    """Arrange the common board at the left, the estates at the right, the round track above them."""
    left = [
        draw_heading(scene, BOARD),
        draw_common_board(scene, BOARD),
        draw_screen(scene, BOARD),
        draw_legend(scene, BOARD),
    ]
    right = [draw_track(scene, ESTATES, 12), draw_final_scores(scene, ESTATES), arrange_estates(scene)]
    return align([stack(left, GAP), stack(right, GAP)], GAP * 2)


def arrange_tall(scene: NoblemenScene) -> Block:
    """Arrange all parts one below the other, for a phone held upright."""
    return stack(
        [
            draw_heading(scene, PHONE),
            draw_track(scene, PHONE, 6),
            draw_final_scores(scene, PHONE),
            draw_screen(scene, PHONE),
            *(draw_row(scene, [seat], PHONE, SMALL) for seat in list_seats(scene)),
            draw_common_board(scene, PHONE),
            draw_legend(scene, PHONE),
        ],
        GAP,
    )


# Estates


def list_seats(scene: NoblemenScene) -> list[int]:
    """List the seats in turn order, the viewer first; at the end by rank."""
    if scene.board["final"] and scene.seat is None:
        return [row["seat"] for row in sorted(scene.board["final"], key=lambda row: (row["rank"], row["seat"]))]
    first = scene.seat if scene.seat is not None else scene.board["start"]
    return [*range(first, len(scene.seats)), *range(first)]


def arrange_estates(scene: NoblemenScene) -> Block:
    """Arrange the estates two by two; the viewer's own, or one of an odd number, is large and alone in its row."""
    seats = list_seats(scene)
    alone = len(seats) % 2 if scene.seat is None else 1
    rows = [seats[:1]] if alone else []
    others = seats[alone:]
    rows += [others[at : at + 2] for at in range(0, len(others), 2)]
    return stack([draw_row(scene, row, ESTATES, LARGE if row == seats[:1] else SMALL) for row in rows], GAP)


def draw_row(scene: NoblemenScene, seats: list[int], width: Number, largest: Number) -> Block:
    """Return estates side by side, in tiles of the same size and panels of the same height."""
    each = (width - GAP * (len(seats) - 1)) / len(seats)
    pictures = [EstateDrawing(scene, seat) for seat in seats]
    size = min(picture.choose_size(each - 12, 640, largest) for picture in pictures)
    estates = [picture.draw(size) for picture in pictures]
    height = HEAD + max(estate.height for estate in estates) + BELOW
    panels = [draw_player(scene, seat, each, height, estate) for seat, estate in zip(seats, estates, strict=True)]
    return align(panels, GAP)
