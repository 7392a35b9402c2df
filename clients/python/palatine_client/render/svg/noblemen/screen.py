"""What the viewer's screen hides: money, bribe markers, tiles, cards, cards on offer, and the draft of an action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...games.noblemen.names import Plain
from ..blocks import NOTHING, Block, flow, stack
from ..elements import Markup, Number, group
from ..fonts import BOLD, SANS, TITLE, measure_text
from ..shapes import card
from ..text_block import draw_block, draw_block_around, draw_text, fit_text
from . import pieces
from .scene import NoblemenScene

CARD_WIDTH, CARD_HEIGHT = 174, 84


def draw_screen(scene: NoblemenScene, width: Number) -> Block:
    """Return everything behind the viewer's screen; nothing in the public view."""
    if scene.hand is None:
        return NOTHING
    content = stack(list_parts(scene, scene.hand, width - 24), 8)
    height = content.height + 20
    edge = card(1, 1, width - 2, height - 2, scene.style.fill("screen"), scene.style.fill("title"), stroke_width=1.8)
    return Block(edge + group([content.markup], x=12, y=10), width, height)


def list_parts(scene: NoblemenScene, hand: Plain, width: Number) -> Iterator[Block]:
    """List the title, the purse with the tiles, the draft, and the cards."""
    phrases = scene.names.language.PHRASES
    yield draw_caption(scene, phrases["screen"], 22, width)
    yield flow(list_possessions(scene, hand), width, 16)
    if scene.draft:
        items = [draw_caption(scene, phrases["draft"], 16), *list_draft(scene, scene.draft)]
        yield Block(group([(block := flow(items, width, 10)).markup], fact="hand/draft"), block.width, block.height)
    for key, place in (("cards", "cards"), ("offered", "card_offer")):
        if hand[place]:
            cards = [draw_card(scene, kind, f"hand/{place}/{at}") for at, kind in enumerate(hand[place])]
            yield stack([draw_caption(scene, phrases[key], 16, width), flow(cards, width, 8)], 3)


def draw_caption(scene: NoblemenScene, words: str, size: Number, width: Number = 0) -> Block:
    text = words[:1].upper() + words[1:]
    markup = draw_text(text, 0, size * 0.85, size, scene.style.ink("screen"), TITLE)
    return Block(markup, width or measure_text(text, TITLE, size), size * 1.15)


# Possessions


def list_possessions(scene: NoblemenScene, hand: Plain) -> Iterator[Block]:
    """List money, bribe markers and tiles."""
    style, ink = scene.style, scene.style.ink("screen")
    yield draw_possession(scene, pieces.draw_coin(style, "£", 14, 16, 14), hand["money"], "hand/money")
    yield draw_possession(scene, style.draw_glyph("bribe", 14, 16, 26, ink), hand["bribes"], "hand/bribes")
    for kind, count in hand["tiles"].items():
        tile = pieces.draw_small_tile(style, kind, 15, 16, 30)
        yield draw_possession(scene, tile, count, f"hand/tiles/{kind}", scene.names.name_piece(kind))


def draw_possession(scene: NoblemenScene, icon: Markup, count: int, fact: str, name: str = "") -> Block:
    """Return an icon, how many there are, and what it is."""
    ink = scene.style.ink("screen")
    figure, x = str(count), 36.0
    parts = [icon, draw_text(figure, x, 22.5, 18, ink, BOLD)]
    x += measure_text(figure, BOLD, 18)
    if name:
        parts.append(draw_text(name, x + 6, 21.5, 12.5, ink))
        x += 6 + measure_text(name, SANS, 12.5)
    return Block(group(parts, fact=fact), x, 32)


# The draft


def list_draft(scene: NoblemenScene, draft: Plain) -> Iterator[Block]:
    """List what the viewer has chosen so far: tiles, a building, bribe markers, cards."""
    style = scene.style
    kinds = draft.get("kinds", [kind for kind, *_ in draft.get("tiles", ())])
    for kind, count in Counter(kinds).items():
        name = scene.names.name_piece(kind)
        yield draw_possession(scene, pieces.draw_small_tile(style, kind, 15, 16, 30), count, "", name)
    if draft["draft"] == "construction":
        name = scene.names.name_piece(draft["kind"])
        icon = pieces.draw_plate(style, draft["kind"], 15, 16, 30)
        yield Block(
            icon + draw_text(name, 36, 22, 15, style.ink("screen"), BOLD), 40 + measure_text(name, BOLD, 15), 32
        )
    if "bribes" in draft:
        yield draw_possession(scene, style.draw_glyph("bribe", 14, 16, 26, style.ink("screen")), draft["bribes"], "")
    for kind in draft.get("cards", ()):
        name = scene.names.name_piece(kind)
        icon = style.draw_glyph(kind, 14, 16, 24, style.ink("screen"))
        yield Block(icon + draw_text(name, 34, 22, 14, style.ink("screen")), 36 + measure_text(name, SANS, 14), 32)


# Cards


def draw_card(scene: NoblemenScene, kind: str, fact: str) -> Block:
    """Return a scandal card: its icon, its name and its text."""
    style, paper = scene.style, scene.style.paper
    name = fit_text(scene.names.name_piece(kind), CARD_WIDTH - 50, BOLD, 14, smallest=9)
    text = fit_text(scene.names.describe_piece(kind), CARD_WIDTH - 20, SANS, 12, smallest=9, lines=3)
    content = [
        card(1, 1, CARD_WIDTH - 2, CARD_HEIGHT - 2, paper.card, style.fill("title"), stroke_width=1.6),
        style.draw_glyph(kind, 23, 22, 24, style.fill("queen")),
        draw_block_around(name, 42, 22, paper.ink),
        draw_block(text, 11, 50, paper.ink),
    ]
    return Block(group(content, fact=fact), CARD_WIDTH, CARD_HEIGHT)
