"""Privilege cards: deck and discard pile, cards in force, the bank, and the viewer's own hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...games.palais_royal.names import Plain
from ..blocks import NOTHING, Block, flow, stack
from ..elements import Markup, Number, group
from ..fonts import BOLD, SANS, TITLE
from ..shapes import card
from ..text_block import draw_block, draw_block_around, fit_text, wrap_text
from . import pieces
from .scene import Scene

ICONS = {
    "majority_all": (("crown", ""),),
    "gate_unlimited": (("gate", ""), ("infinity", "")),
    "gate_and_moves": (("gate", "gate"), ("moves", "moves")),
    "moves": (("moves", "moves"),),
    "wild_seals": (("seals", "seals"),),
    "gold": (("coin", "gold"),),
    "points": (("laurel", "points"),),
}  # the glyphs of an effect, each with the key of its number


# Deck, discard pile, bank


def draw_piles(scene: Scene, width: Number) -> Block:
    """Return a line with the deck, the discard pile, the cards in force and the bank."""
    paper = scene.style.paper
    text = wrap_text(" · ".join(list_piles(scene)), width - 50, SANS, 13)
    title = fit_text(scene.names.label("deck"), width - 50, BOLD, 14)
    content = [
        scene.style.draw_glyph("deck", 17, 20, 26, paper.muted),
        draw_block(title, 40, 15, paper.ink),
        draw_block(text, 40, 33, paper.muted),
    ]
    return Block(group(content, fact="deck"), width, 28 + text.height)


def list_piles(scene: Scene) -> Iterator[str]:
    board, names = scene.board, scene.names
    yield names.label("in deck", board["deck"])
    if board["discard"]:
        yield names.label("discarded", count_kinds(scene, board["discard"]))
    else:
        yield names.label("none discarded")
    if board["turn"]["active"]:
        yield names.label("active", count_kinds(scene, board["turn"]["active"]))
    if board["bank"] is not None:
        yield names.label("bank", board["bank"])


def count_kinds(scene: Scene, kinds: Sequence[str]) -> str:
    """Return the names of cards with their numbers."""
    counted = Counter(kinds).items()
    return ", ".join(scene.names.name_piece(kind) + (f" ×{number}" if number > 1 else "") for kind, number in counted)


# The viewer's own hand


def draw_hand(scene: Scene, width: Number) -> Block:
    """Return the cards of the viewer, those to choose from, and the secret nobles; nothing in the public view."""
    return NOTHING if scene.hand is None else stack(list_parts(scene, scene.hand, width), 10)


def list_parts(scene: Scene, hand: Plain, width: Number) -> Iterator[Block]:
    parts = {
        "own cards": [draw_card(scene, kind, "hand/cards") for kind in hand["cards"]],
        "own choice": [draw_card(scene, kind, "hand/pending") for kind in hand["pending"]],
        "own nobles": [draw_own_noble(scene, noble) for noble in hand.get("nobles", [])],
    }
    for key, blocks in parts.items():
        if blocks:
            yield stack([draw_caption(scene, key, width), flow(blocks, width, 8)], 4)


def draw_caption(scene: Scene, key: str, width: Number) -> Block:
    text = fit_text(scene.names.label(key), width, TITLE, 20, smallest=12)
    return Block(draw_block(text, 0, 18, scene.style.paper.ink), width, 24)


CARD_WIDTH, CARD_HEIGHT = 148, 92


def draw_card(scene: Scene, kind: str, place: str) -> Block:
    """Return a privilege card: price, effect as icons and figures, name, and when it may be played."""
    style, paper, piece = scene.style, scene.style.paper, scene.names.pieces[kind]
    name = fit_text(scene.names.name_piece(kind), CARD_WIDTH - 14, BOLD, 12, smallest=9.5, lines=2)
    timing = fit_text(scene.names.language.TIMING[piece["timing"]], CARD_WIDTH - 14, SANS, 10.5, smallest=8)
    content = [
        card(1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2, paper.card, style.fill("benefit_line"), stroke_width=1.8),
        pieces.draw_coin(style, piece["price"], 20, 20, 13),
        *draw_effect(scene, piece["effect"]),
        draw_block_around(name, CARD_WIDTH / 2, 57, paper.ink, "middle"),
        draw_block_around(timing, CARD_WIDTH / 2, 81, paper.muted, "middle"),
    ]
    return Block(group(content, fact=f"{place}/{kind}"), CARD_WIDTH, CARD_HEIGHT)


def draw_effect(scene: Scene, effect: Plain) -> Iterator[Markup]:
    """Return the icons of an effect with their numbers, from the right."""
    x = CARD_WIDTH - 18
    for icon, key in reversed(ICONS[effect["kind"]]):
        if key:
            yield pieces.draw_figure(str(effect[key]), x, 21, 17, scene.style.paper.ink)
            x -= 21
        yield scene.style.draw_glyph(icon, x, 21, 20, scene.style.ink("benefit"))
        x -= 26


def draw_own_noble(scene: Scene, noble: str) -> Block:
    """Return a secret noble of the viewer: name and points."""
    paper = scene.style.paper
    piece = scene.names.pieces[noble]
    name = fit_text(scene.names.name_piece(noble), 78, SANS, 12, smallest=9)
    content = [
        card(1, 1, 124, 36, paper.card, scene.style.fill("tile_line"), stroke_width=1.4),
        pieces.draw_pennant(scene.style, piece["points"], 20, 6, 22),
        draw_block_around(name, 40, 19, paper.ink),
    ]
    return Block(group(content, fact=f"hand/nobles/{noble}"), 126, 38)
