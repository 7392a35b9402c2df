"""Privilege cards: deck and discard pile, cards in force, the bank, and the viewer's own hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ...games.palais_royal.names import Plain
from ..blocks import NOTHING, Block, flow, stack
from ..elements import Markup, Number, group
from ..fonts import BOLD, SANS, TITLE, measure_text
from ..shapes import card
from ..text_block import draw_block, draw_block_around, draw_text, fit_text
from . import pieces
from .scene import PalaisRoyalScene

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


def draw_piles(scene: PalaisRoyalScene, width: Number) -> Block:
    """Return the deck, the discarded cards, the cards in force and the bank."""
    paper, title = scene.style.paper, scene.names.label("deck")
    heading = Block(draw_text(title, 0, 15, 15, paper.ink, BOLD), measure_text(title, BOLD, 15), 22)
    return flow([heading, *list_piles(scene)], width, 10)


def list_piles(scene: PalaisRoyalScene) -> Iterator[Block]:
    """List the piles as lines of words."""
    board, names = scene.board, scene.names
    yield draw_note(scene, "deck", names.label("in deck", board["deck"]), "deck")
    yield from list_cards(scene, "discard", "discarded", board["discard"])
    yield from list_cards(scene, "active", "active", board["turn"]["active"])
    if board["bank"] is not None:
        yield draw_note(scene, "coin", names.label("bank", board["bank"]), "bank")


def list_cards(scene: PalaisRoyalScene, place: str, label: str, kinds: Sequence[str]) -> Iterator[Block]:
    """List cards by kind, each with the icon of its effect and their number."""
    for number, (kind, count) in enumerate(Counter(kinds).items()):
        name = scene.names.name_piece(kind) + (f" ×{count}" if count > 1 else "")
        icon = ICONS[scene.names.pieces[kind]["effect"]["kind"]][0][0]
        text = name if number else scene.names.label(label, name)
        yield draw_note(scene, icon, text, f"{place}/{kind}")


def draw_note(scene: PalaisRoyalScene, icon: str, text: str, fact: str) -> Block:
    paper = scene.style.paper
    glyph = scene.style.draw_glyph(icon, 8, 10, 15, paper.muted)
    return Block(
        group([glyph, draw_text(text, 20, 15, 13, paper.muted)], fact=fact), 20 + measure_text(text, SANS, 13), 22
    )


# The viewer's own hand


def draw_hand(scene: PalaisRoyalScene, width: Number) -> Block:
    """Return the cards of the viewer, those to choose from, and the secret nobles; nothing in the public view."""
    return NOTHING if scene.hand is None else stack(list_parts(scene, scene.hand, width), 10)


def list_parts(scene: PalaisRoyalScene, hand: Plain, width: Number) -> Iterator[Block]:
    parts = {
        "own cards": [draw_card(scene, kind, f"hand/cards/{at}") for at, kind in enumerate(hand["cards"])],
        "own choice": [draw_card(scene, kind, f"hand/pending/{at}") for at, kind in enumerate(hand["pending"])],
        "own nobles": [draw_own_noble(scene, noble) for noble in hand.get("nobles", [])],
    }
    for key, blocks in parts.items():
        if blocks:
            yield stack([draw_caption(scene, key, width), flow(blocks, width, 8)], 4)


def draw_caption(scene: PalaisRoyalScene, key: str, width: Number) -> Block:
    text = fit_text(scene.names.label(key), width, TITLE, 20, smallest=12)
    return Block(draw_block(text, 0, 18, scene.style.paper.ink), width, 24)


CARD_WIDTH, CARD_HEIGHT = 148, 92


def draw_card(scene: PalaisRoyalScene, kind: str, place: str) -> Block:
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
    return Block(group(content, fact=place), CARD_WIDTH, CARD_HEIGHT)


def draw_effect(scene: PalaisRoyalScene, effect: Plain) -> Iterator[Markup]:
    """Return the icons of an effect with their numbers, from the right."""
    x = CARD_WIDTH - 18
    for icon, key in reversed(ICONS[effect["kind"]]):
        if key:
            yield pieces.draw_figure(str(effect[key]), x, 21, 17, scene.style.paper.ink)
            x -= 21
        yield scene.style.draw_glyph(icon, x, 21, 20, scene.style.ink("benefit"))
        x -= 26


def draw_own_noble(scene: PalaisRoyalScene, noble: str) -> Block:
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
