"""The players: name, title, points, queen, knights and yields of each, above the estate."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.noblemen.derived_values import count_land_yield
from ..blocks import Block
from ..elements import Markup, Number, group, path
from ..fonts import BOLD, SANS, measure_text
from ..shapes import card
from ..text_block import draw_block_around, draw_text, fit_text
from . import pieces
from .scene import NoblemenScene

HEAD, MARGIN = 84, 10  # units above and below the estate
TOTALS = {"money": "pound", "tiles": "tile", "bribes": "bribe", "cards": "card"}  # behind a screen, and their glyphs


def draw_player(scene: NoblemenScene, seat: int, width: Number, height: Number, estate: Block) -> Block:
    """Return the panel of a player with the estate in its middle."""
    paper, is_waited = scene.style.paper, seat in scene.waiting
    line = paper.accent if is_waited else scene.style.fill("panel_line")
    content = [
        card(1.5, 1.5, width - 3, height - 3, paper.card, line, stroke_width=3.2 if is_waited else 1.4),
        group(draw_head(scene, seat, width), fact=f"players/{seat}"),
        group([estate.markup], x=(width - estate.width) / 2, y=HEAD + (height - HEAD - MARGIN - estate.height) / 2),
    ]
    return Block("".join(content), width, height)


def draw_head(scene: NoblemenScene, seat: int, width: Number) -> list[Markup]:
    """Return the lines above an estate: mark, name, queen, title and points; below them the figures."""
    right, markup = draw_honours(scene, seat, width)
    return [*draw_name(scene, seat, right), *markup, *draw_figures(scene, seat, width)]


def draw_name(scene: NoblemenScene, seat: int, right: Number) -> Iterator[Markup]:
    """Return mark and name, an arrow for a player whom the table waits for, and the queen."""
    style, x = scene.style, 44.0
    yield pieces.draw_player_mark(style, seat, 24, 24, 26)
    if seat in scene.waiting:
        yield group([path("M43 17l11 7-11 7z", fill=style.paper.accent)], fact=f"players/{seat}/waiting")
        x += 17
    has_queen = scene.board["queen"] == seat
    name = fit_text(scene.names.seats[seat], right - x - (34 if has_queen else 6), BOLD, 17, smallest=10)
    yield draw_block_around(name, x, 24, style.paper.ink)
    if has_queen:
        yield draw_queen(scene, seat, x + name.width + 19)


def draw_queen(scene: NoblemenScene, seat: int, x: Number) -> Markup:
    glyph = scene.style.draw_glyph("queen", x, 23, 23, scene.style.fill("queen"))
    return group([glyph], fact=f"players/{seat}/queen")


def draw_honours(scene: NoblemenScene, seat: int, width: Number) -> tuple[float, list[Markup]]:
    """Return the title and the points at the right, and where they begin."""
    style, nobleman = scene.style, scene.board["noblemen"][seat]
    points = str(nobleman["vp"])
    badge = max(44.0, measure_text(points, BOLD, 20) + 24)
    x = width - 12 - badge
    score = path(draw_round(x, 10, badge, 28), fill=style.paper.badge)
    figure = pieces.draw_figure(points, x + badge / 2, 24, 20, style.paper.badge_ink)
    if not nobleman["title"]:
        return x, [score, figure]
    name = name_title(scene, nobleman["title"])
    pill = measure_text(name, BOLD, 13) + 42
    left = x - pill - 8
    title = [
        path(draw_round(left, 11, pill, 26), fill=style.fill("title")),
        style.draw_glyph(nobleman["title"], left + 17, 23, 18, style.ink("title")),
        draw_text(name, left + 30, 28.5, 13, style.ink("title"), BOLD),
    ]
    return left, [score, figure, group(title, fact=f"players/{seat}/title")]


def draw_round(x: Number, y: Number, width: Number, height: Number) -> str:
    """Return the outline of a pill."""
    half = height / 2
    return f"M{x + half:g} {y}h{width - height:g}a{half:g} {half:g} 0 0 1 0 {height}h-{width - height:g}a{half:g} {half:g} 0 0 1 0 -{height}z"  # noqa: E501


def name_title(scene: NoblemenScene, title: str) -> str:
    """Return the first form of a title, which has one for men and one for women."""
    return scene.names.name_piece(title).split("/")[0]


# The figures of a player


def draw_figures(scene: NoblemenScene, seat: int, width: Number) -> Iterator[Markup]:
    """Return the knights, what taxes, land and a ball would bring, and the totals behind the screen."""
    paper, columns = scene.style.paper, [*list_figures(scene, seat)]
    step = min(92.0, (width - 24) / (len(columns) + 1))
    yield from draw_knights(scene, seat, 12 + step / 2)
    yield draw_word(scene, "knights", 12 + step / 2, step)
    for at, (key, figure, is_used) in enumerate(columns, 1):
        x = 12 + step * (at + 0.5)
        yield draw_text(figure, x, 62, 17, paper.muted if is_used else paper.ink, BOLD, "middle")
        if is_used:
            tick = x + measure_text(figure, BOLD, 17) / 2 + 9
            yield scene.style.draw_glyph("tick", tick, 56, 15, paper.muted)
        yield draw_word(scene, key, x, step)


def draw_word(scene: NoblemenScene, key: str, x: Number, step: Number) -> Markup:
    """Return the word for a figure, or the glyph of a total."""
    paper = scene.style.paper
    if key in TOTALS:
        return scene.style.draw_glyph(TOTALS[key], x, 74, 14, paper.muted)
    word = fit_text(scene.names.label(key), step - 4, SANS, 11, smallest=8)
    return draw_block_around(word, x, 74, paper.muted, "middle")


def draw_knights(scene: NoblemenScene, seat: int, x: Number) -> Iterator[Markup]:
    """Return all knights of a player; those that stand in estates are outlines."""
    in_stock, all_knights = scene.board["noblemen"][seat]["knights"], scene.names.catalog["knight"]["per_player"]
    for at in range(all_knights):
        place = x + (at - (all_knights - 1) / 2) * 21
        yield pieces.draw_knight(scene.style, seat, place, 56, 20, is_away=at >= in_stock)


def list_figures(scene: NoblemenScene, seat: int) -> Iterator[tuple[str, str, bool]]:
    """List the words, the figures, and whether the player has used them in this decade."""
    board, names, nobleman = scene.board, scene.names, scene.board["noblemen"][seat]
    yield "taxes", f"£{count_land_yield(scene.lands, seat, 'tax', names)}", nobleman["taxed"]
    yield "of land", str(count_land_yield(scene.lands, seat, "land", names)), nobleman["landed"]
    if board["phase"] in {"ball", "title"}:
        yield "prestige", str(nobleman["prestige"]), False
    else:
        yield "of prestige", str(count_land_yield(scene.lands, seat, "prestige", names)), False
    for key in TOTALS if board["totals"] else ():
        yield key, str(board["totals"][seat][key]), False
