"""The turn: the title of the picture, the moment in words, and the five actions with what they still allow."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.palais_royal import derived_values
from ...games.palais_royal.turn_words import list_moment
from ..blocks import Block, align
from ..elements import Markup, Number, group
from ..fonts import BOLD, SANS, TITLE
from ..shapes import card
from ..text_block import draw_block, draw_block_around, draw_text, fit_text
from . import pieces
from .scene import PalaisRoyalScene

ACTIONS = {"a1": "gate", "a2": "stairway", "a3": "mint", "a4": "noble", "a5": "card"}


def name_game(scene: PalaisRoyalScene) -> str:
    """Return the name of the game in the language of the picture."""
    meta = scene.names.catalog["meta"]
    return str(meta.get(f"title_{scene.names.lang}") or meta["title_en"])


def draw_heading(scene: PalaisRoyalScene, width: Number) -> Block:
    """Return the title of the game, and below it round, player, action and allowances in words."""
    paper = scene.style.paper
    words = fit_text(" · ".join(list_moment(scene.board, scene.names)), width, SANS, 15, smallest=12, lines=2)
    content = [
        draw_text(name_game(scene), 0, 28, 32, paper.ink, TITLE),
        group([draw_block(words, 0, 52, paper.muted)], fact="moment"),
    ]
    return Block("".join(content), width, 42 + words.height + 4)


def draw_actions(scene: PalaisRoyalScene, width: Number) -> Block:
    """Return the five actions of the turn; the current one is framed, closed ones have a tick."""
    if scene.board["final"]:
        return Block("", 0, 0)
    gap = 6
    each = (width - gap * (len(ACTIONS) - 1)) / len(ACTIONS)
    return align([draw_action(scene, phase, each) for phase in ACTIONS], gap)


def draw_action(scene: PalaisRoyalScene, phase: str, width: Number) -> Block:
    """Return an action: number, icon, name, and its allowance in large figures."""
    paper, height = scene.style.paper, 56
    is_now, is_past = scene.board["turn"]["phase"] == phase, derived_values.is_past(scene.board, phase)
    ink = paper.muted if is_past else paper.ink
    fill, line = (paper.card, paper.accent) if is_now else (paper.card, paper.line)
    name = fit_text(f"{phase[1]} {scene.names.label(phase)}", width - 12, BOLD if is_now else SANS, 12, smallest=8)
    content = [
        card(1.5, 1.5, width - 3, height - 3, fill, line, stroke_width=3 if is_now else 1.3),
        draw_block_around(name, width / 2, 14, ink, "middle"),
        *draw_allowance(scene, phase, width, ink, is_past),
    ]
    return Block(group(content, fact=f"actions/{phase}"), width, height)


def draw_allowance(scene: PalaisRoyalScene, phase: str, width: Number, ink: str, is_past: bool) -> Iterator[Markup]:
    """Return the icon and what is left of an action."""
    style, middle = scene.style, width / 2
    if is_past:
        yield style.draw_glyph("tick", middle, 38, 20, ink)
        return
    figures = [*list_figures(scene, phase)]
    step = width / (len(figures) + 0.2)
    size = min(19, step * 0.5)
    first = middle - step * (len(figures) - 1) / 2
    for at, (icon, figure) in enumerate(figures):
        x = first + at * step
        yield draw_icon(scene, icon, x - size * 0.58, size * 0.95, ink)
        yield draw_text(figure, x + size * 0.05, 38 + size * 0.36, size, ink, BOLD)


def draw_icon(scene: PalaisRoyalScene, icon: str, x: Number, size: Number, ink: str) -> Markup:
    if icon in pieces.SEALS:
        return pieces.draw_seal(scene.style, icon, x, 38, size * 0.8)
    return scene.style.draw_glyph(icon, x, 38, size, ink)


def list_figures(scene: PalaisRoyalScene, phase: str) -> Iterator[tuple[str, str]]:
    """List icons and numbers: what the action still allows, or would allow if it began now."""
    board, names = scene.board, scene.names
    match phase:
        case "a1":
            left = derived_values.count_gate_left(board, names)
            yield ACTIONS[phase], "∞" if board["turn"]["gate_unlimited"] else str(left)
        case "a2":
            yield ACTIONS[phase], str(derived_values.count_moves_left(board, names))
        case "a3":
            yield (
                ACTIONS[phase],
                "–" if board["turn"]["gold_taken"] else str(derived_values.count_gold_left(board, names)),
            )
            for room, number in derived_values.count_seals_left(board, names).items():
                if number:
                    yield pieces.ROOM_SEALS[room], str(number)
        case "a4":
            yield ACTIONS[phase], str(derived_values.count_recruitments_left(board))
        case _:
            yield ACTIONS[phase], str(derived_values.count_cards_left(board, names))
