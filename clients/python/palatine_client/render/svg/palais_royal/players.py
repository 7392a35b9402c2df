"""The players: name, seals, gold, points, nobles, cards, supply and reserve, and the nobles in front of each."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.palais_royal.derived_values import count_hidden_nobles
from ...games.palais_royal.names import PalaisRoyalNames, Plain
from ..blocks import Block, arrange
from ..elements import Markup, Number, group, path
from ..fonts import BOLD, SANS
from ..shapes import card
from ..text_block import draw_block_around, draw_text, fit_text
from . import pieces
from .scene import PalaisRoyalScene

HEIGHT = 116


def draw_players(scene: PalaisRoyalScene, width: Number, across: int) -> Block:
    """Return a panel for each player, in turn order."""
    gap = 8
    each = (width - gap * (across - 1)) / across
    return arrange([draw_player(scene, seat, each) for seat in scene.board["order"]], across, gap)


def draw_player(scene: PalaisRoyalScene, seat: int, width: Number) -> Block:
    """Return the panel of a player; a player whom the table waits for has a bold frame and an arrow."""
    style, paper = scene.style, scene.style.paper
    is_active = seat in scene.waiting
    line = paper.accent if is_active else style.fill("panel_line")
    content = [
        card(1.5, 1.5, width - 3, HEIGHT - 3, paper.card, line, stroke_width=3.2 if is_active else 1.4),
        pieces.draw_servant(style, scene.colour_of(seat), 22, 22, 26),
        *draw_name(scene, seat, width, is_active),
        *draw_figures(scene, seat, width),
        *draw_nobles(scene, seat, width),
    ]
    return Block(group(content, fact=f"players/{seat}"), width, HEIGHT)


def draw_name(scene: PalaisRoyalScene, seat: int, width: Number, is_active: bool) -> Iterator[Markup]:
    """Return the name, and at the right the servants that are seals."""
    paper, x = scene.style.paper, 40
    if is_active:
        yield group([path(f"M{x} 15l11 7-11 7z", fill=paper.accent)], fact=f"players/{seat}/waiting")
        x += 17
    block = fit_text(scene.names.name_player(seat), width - x - 96, BOLD, 17, smallest=10)
    yield draw_block_around(block, x, 22, paper.ink)
    for at, (room, colour) in enumerate(pieces.ROOM_SEALS.items()):
        right = width - 80 + 40 * at
        yield pieces.draw_seal(scene.style, colour, right, 22, 14)
        yield draw_text(str(scene.board["rooms"][room][seat]), right + 10, 27.5, 15, paper.ink, BOLD)


def draw_figures(scene: PalaisRoyalScene, seat: int, width: Number) -> Iterator[Markup]:
    """Return the figures of a player, each above the word for it."""
    paper, figures = scene.style.paper, [*list_figures(scene, seat)]
    step = (width - 12) / len(figures)
    for at, (key, figure) in enumerate(figures):
        x = 6 + step * (at + 0.5)
        word = fit_text(scene.names.label(key), step - 4, SANS, 11, smallest=8)
        yield draw_text(figure, x, 58, 18, paper.ink, BOLD, "middle")
        yield draw_block_around(word, x, 70, paper.muted, "middle")


def list_figures(scene: PalaisRoyalScene, seat: int) -> Iterator[tuple[str, str]]:
    own = scene.board["players"][seat]
    hidden = count_hidden_nobles(own)
    yield "gold column", str(own["gold"])
    yield "points column", f"{count_points(own, scene.names)}{'+?' if hidden else ''}"
    yield "nobles column", str(len(own["face_up"]) + len(own["face_down"]) + hidden)
    yield "cards column", str(own["cards"])
    yield "supply", str(own["supply"])
    yield "reserve", str(own["reserve"])


def count_points(own: Plain, names: PalaisRoyalNames) -> int:
    """Return the points of the nobles and cards that the viewer sees."""
    nobles = sum(int(names.pieces[noble]["points"]) for noble in [*own["face_up"], *own["face_down"]])
    return nobles + sum(int(names.pieces[card]["effect"]["points"]) for card in own["front"])


# The nobles and cards in front of a player


def draw_nobles(scene: PalaisRoyalScene, seat: int, width: Number) -> Iterator[Markup]:
    """Return the benefits of a player, the points of the other nobles, and the points cards; they may overlap."""
    items = [*list_items(scene, seat)]
    room = width - 20
    full = sum(size for _, _, size in items)
    squeeze = min(1, room / full) if full else 1
    x = 10.0
    for place, markup, size in items:
        yield group([markup], x=x, y=84, fact=f"players/{seat}/{place}")
        x += size * squeeze


def list_items(scene: PalaisRoyalScene, seat: int) -> Iterator[tuple[str, Markup, float]]:
    """List the drawn things in front of a player with their ids and widths."""
    pieces_of, own = scene.names.pieces, scene.board["players"][seat]
    for noble in own["face_up"]:
        yield f"face_up/{noble}", draw_benefit_chip(scene, pieces_of[noble]), 48
    for noble in sorted(own["face_down"], key=lambda each: -int(pieces_of[each]["points"])):
        yield f"face_down/{noble}", pieces.draw_pennant(scene.style, pieces_of[noble]["points"], 10, 1, 20), 23
    for number in range(count_hidden_nobles(own)):
        yield f"hidden_nobles/{number}", pieces.draw_pennant(scene.style, "?", 10, 1, 20), 23
    for number, kind in enumerate(own["front"]):
        yield f"front/{number}", draw_points_card(scene, pieces_of[kind]["effect"]["points"]), 25


def draw_benefit_chip(scene: PalaisRoyalScene, noble: Plain) -> Markup:
    style = scene.style
    edge = card(0, 0, 45, 25, style.fill("benefit"), style.fill("benefit_line"), radius=6, stroke_width=1.6)
    return edge + pieces.draw_benefit(style, noble, 21.5, 12.5, 17)


def draw_points_card(scene: PalaisRoyalScene, points: int) -> Markup:
    paper = scene.style.paper
    edge = card(1, 0, 20, 25, paper.page, paper.ink, radius=3, stroke_width=1.5)
    return edge + pieces.draw_figure(str(points), 11, 12.5, 13, paper.ink)
