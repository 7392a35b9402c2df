"""The common board: heading, round track, buildings with their prices, follies, church, bribes and titles."""

from __future__ import annotations

from collections.abc import Iterator

from ...games.noblemen.moment_words import list_done, list_heading
from ...games.noblemen.names import ROMAN, Plain
from ..blocks import Block, align, stack
from ..elements import Markup, Number, circle, group, rectangle
from ..fonts import BOLD, SANS, TITLE
from ..shapes import card
from ..text_block import draw_block, draw_block_around, draw_text, fit_text
from . import pieces
from .players import name_title
from .scene import NoblemenScene

NAME = "Noblemen"
REWARDS = {"knight": "knight", "card": "card", "queen": "queen"}


def draw_heading(scene: NoblemenScene, width: Number) -> Block:
    """Return the title of the game, and below it decade and phase in words."""
    paper = scene.style.paper
    words = " · ".join([*list_heading(scene.board, scene.names), *list_done(scene.board, scene.names)])
    block = fit_text(words, width, SANS, 15, smallest=11.5, lines=2)
    content = [
        draw_text(NAME, 0, 28, 32, paper.ink, TITLE),
        group([draw_block(block, 0, 52, paper.muted)], fact="moment"),
    ]
    return Block("".join(content), width, 42 + block.height + 4)


# The round track


def draw_track(scene: NoblemenScene, width: Number, across: int) -> Block:
    """Return the decades, and every field from the arrow to the scoring."""
    fields = scene.names.catalog["round_track"]["fields"]
    gap, decades = 5, draw_decades(scene)
    each = (width - decades.width - gap * (across + 1)) / across
    blocks = [draw_field(scene, number, field["type"], each) for number, field in enumerate(fields)]
    rows = stack([align(blocks[at : at + across], gap) for at in range(0, len(blocks), across)], gap)
    return align([decades, rows], gap * 2)


def draw_decades(scene: NoblemenScene) -> Block:
    """Return the three decades; the current one is filled."""
    paper, parts = scene.style.paper, []
    for number, roman in enumerate(ROMAN, 1):
        is_now, y = number == scene.board["decade"], 11 + (number - 1) * 22
        disc = circle(11, y, 10, fill=paper.badge if is_now else "none", stroke=paper.badge, stroke_width=1.3)
        figure = pieces.draw_figure(roman, 11, y, 11, paper.badge_ink if is_now else paper.ink)
        parts.append(group([disc, figure], fact=f"decades/{number}"))
    return Block("".join(parts), 22, 66)


def draw_field(scene: NoblemenScene, number: int, kind: str, width: Number) -> Block:
    """Return a field: its glyph or number, its name, and the round marker if it is there."""
    style, height = scene.style, 66
    colour = kind if kind in style.look.colours else "track"
    is_here = number == scene.board["round"]
    middle = width / 2
    face = rectangle(1.5, 1.5, width - 3, height - 3, rx=8, fill=style.fill(colour))
    ink = style.ink(colour)
    sign = (
        pieces.draw_figure(str(number), middle, 26, 19, ink)
        if kind == "plain"
        else style.draw_glyph(kind, middle, 26, 26, ink)
    )
    words = {"plain": "", "ball": scene.names.label("ball field")}
    name = fit_text(words.get(kind) if kind in words else scene.names.label(kind), width - 6, SANS, 11, smallest=7.5)
    label = draw_block_around(name, middle, 54, ink, "middle")
    marker = [draw_marker(scene, number, width, height)] if is_here else []
    return Block(group([face, sign, label, *marker], fact=f"track/{number}"), width, height)


def draw_marker(scene: NoblemenScene, number: int, width: Number, height: Number) -> Markup:
    """Return the round marker: a bold frame with a golden disc."""
    style = scene.style
    frame = rectangle(1.5, 1.5, width - 3, height - 3, rx=8, fill="none", stroke=style.paper.accent, stroke_width=3.5)
    disc = circle(width - 8, 8, 7.5, fill=style.fill("gold"), stroke=style.fill("gold_line"), stroke_width=1.5)
    return group([frame, disc], fact=f"round/{number}")


# Buildings, follies, church, bribes


def draw_common_board(scene: NoblemenScene, width: Number) -> Block:
    """Return the panel with everything that players can buy, give and become."""
    rows = [
        *(draw_building_row(scene, building, width) for building in scene.names.catalog["building"]),
        draw_follies(scene, width),
        draw_church(scene, width),
        draw_bribes(scene, width),
        draw_titles(scene, width),
    ]
    content = stack(rows, 2)
    paper, height = scene.style.paper, content.height + 14
    edge = card(1, 1, width - 2, height - 2, paper.card, scene.style.fill("panel_line"), stroke_width=1.4)
    return Block(edge + group([content.markup], y=7), width, height)


ROW = 48
SLOT = 33


def draw_row_heading(scene: NoblemenScene, icon: Markup, name: str, note: str, room: Number) -> list[Markup]:
    """Return the icon of a row, its name, and a note below."""
    paper = scene.style.paper
    return [
        icon,
        draw_block_around(fit_text(name, room, BOLD, 14, smallest=9), 54, 16, paper.ink),
        draw_block_around(fit_text(note, room, SANS, 11, smallest=8), 54, 33, paper.muted),
    ]


def draw_building_row(scene: NoblemenScene, building: Plain, width: Number) -> Block:
    """Return the prices of a kind of building; the cheapest that is left is on a coin."""
    kind, style, left = building["id"], scene.style, scene.board["buildings"][building["id"]]
    prices, slots = building["prices"], 5
    first = width - 10 - SLOT * slots
    note = scene.names.label("reserve", scene.board["reserve"][kind])
    icon = pieces.draw_plate(style, kind, 29, 24, 38)
    heading = draw_row_heading(scene, icon, scene.names.name_piece(kind), note, first - 54 - 24)
    reward = style.draw_glyph(REWARDS[building["reward"]], first - 13, 17, 16, style.paper.muted)
    tags = [
        draw_price(scene, price, at - (len(prices) - left), first + SLOT * (at + slots - len(prices) + 0.5))
        for at, price in enumerate(prices)
    ]
    return Block(group([*heading, reward, *tags], fact=f"buildings/{kind}"), width, ROW)


def draw_price(scene: NoblemenScene, price: int, behind: int, x: Number) -> Markup:
    """Return a price slot that lies `behind` places after the building on sale; an empty slot is a dashed ring."""
    style, paper = scene.style, scene.style.paper
    if behind < 0:
        return circle(x, 24, 9, fill="none", stroke=paper.line, stroke_width=1.4, stroke_dasharray="3 3")
    if behind == 0:
        return pieces.draw_coin(style, price, x, 24, 15)
    ring = circle(x, 24, 12, fill="none", stroke=paper.line, stroke_width=1.6)
    return ring + pieces.draw_figure(str(price), x, 24, 14, paper.ink)


def draw_follies(scene: NoblemenScene, width: Number) -> Block:
    """Return the price of a folly, the points for the next one, and what each that is left asks for."""
    folly, left, style = scene.names.catalog["folly"], scene.board["follies"], scene.style
    first = width - 10 - 58 * 4 + (58 if width < 340 else 0)
    chip = (width - 10 - first) / 4
    points = folly["vp"][len(folly["piece"]) - len(left)] if left else 0
    note = f"{points} {scene.names.label('points')}" if left else scene.names.label("all follies")
    heading = draw_row_heading(
        scene, pieces.draw_plate(style, "folly", 29, 24, 38), scene.names.name_entry(folly), note, first - 92
    )
    coin = [pieces.draw_coin(style, folly["price"], first - 18, 24, 15)] if left else []
    chips = [
        group([draw_folly(scene, piece, chip)], x=first + chip * at, fact=f"follies/{piece}")
        for at, piece in enumerate(left)
    ]
    return Block(group([*heading, *coin, *chips], fact="follies"), width, ROW)


def draw_folly(scene: NoblemenScene, piece: str, width: Number) -> Markup:
    style = scene.style
    plate = rectangle(2, 8, width - 4, 32, rx=7, fill=style.fill("building"), stroke=style.fill("panel_line"),
                      stroke_width=1)  # fmt: skip
    return plate + pieces.draw_needs(style, piece, width / 2, 24, min(17, width * 0.27))


def draw_church(scene: NoblemenScene, width: Number) -> Block:
    """Return how many tiles of each kind the church has taken in this decade, of how many."""
    style, church = scene.style, scene.board["church"]
    most = scene.names.catalog["reward"]["church"]["max_per_kind"]
    first = 136
    step = (width - first - 6) / len(church)
    gifts = [
        group(
            [
                pieces.draw_small_tile(style, kind, 12, 22, 24),
                draw_text(f"{given}/{most}", 27, 27, 13, style.paper.ink, BOLD),
            ],
            x=first + step * at,
            fact=f"church/{kind}",
        )
        for at, (kind, given) in enumerate(church.items())
    ]
    icon = style.draw_glyph("church", 29, 22, 26, style.paper.ink)
    name = draw_block_around(
        fit_text(scene.names.label("church"), first - 58, BOLD, 14, smallest=9), 54, 22, style.paper.ink
    )
    return Block("".join([icon, name, *gifts]), width, 44)


def draw_bribes(scene: NoblemenScene, width: Number) -> Block:
    style, price = scene.style, scene.names.catalog["bribe"]["price"]
    note = fit_text(scene.names.label("bribes left", scene.board["bribes"], price), width - 160, BOLD, 13, smallest=9)
    content = [
        style.draw_glyph("bribe", 29, 18, 24, style.paper.ink),
        draw_block_around(fit_text(scene.names.label("bribes"), 90, BOLD, 14, smallest=9), 54, 18, style.paper.ink),
        draw_block_around(note, 150, 18, style.paper.ink),
    ]
    return Block(group(content, fact="bribes"), width, 38)


# Titles


def draw_titles(scene: NoblemenScene, width: Number) -> Block:
    """Return the titles with the prestige that they need, their points and discount, the stock and the holders."""
    paper = scene.style.paper
    columns = [width * part for part in (0.46, 0.57, 0.67, 0.77)]
    icons = ("prestige", "scoring", "pound", "card")
    signs = "".join([
        scene.style.draw_glyph(icon, x, 12, 14, paper.muted) for icon, x in zip(icons[:3], columns, strict=False)
    ])  # fmt: skip
    heading = draw_block_around(
        fit_text(scene.names.label("titles"), width * 0.35, BOLD, 14, smallest=9), 14, 12, paper.ink
    )
    rows = [draw_title(scene, title, width, columns) for title in scene.names.catalog["title"]]
    return stack([Block(heading + signs, width, 24), *rows])


def draw_title(scene: NoblemenScene, title: Plain, width: Number, columns: list[float]) -> Block:
    style, paper = scene.style, scene.style.paper
    left = scene.board["titles"].get(title["id"], 0)
    name = fit_text(name_title(scene, title["id"]), columns[0] - 62, SANS, 13, smallest=9)
    figures = (f"{title['prestige']}+", str(title["vp"]), f"−{title['discount']}" if title["discount"] else "–")
    content = [
        style.draw_glyph(title["id"], 26, 12, 18, style.paper.ink if left else paper.muted),
        draw_block_around(name, 44, 12, paper.ink),
        *(draw_text(figure, x, 17, 13, paper.ink, SANS, "middle") for figure, x in zip(figures, columns, strict=False)),
        draw_text(f"×{left}", columns[3], 17, 14, paper.ink, BOLD, "middle"),
        *draw_holders(scene, title["id"], width),
    ]
    return Block(group(content, fact=f"titles/{title['id']}"), width, 25)


def draw_holders(scene: NoblemenScene, title: str, width: Number) -> Iterator[Markup]:
    """Return the marks of the players who hold a title."""
    holders = [seat for seat in scene.seats if scene.board["noblemen"][seat]["title"] == title]
    first = width * 0.86
    step = min(19.0, (width - first - 8) / max(1, len(holders)))
    for at, seat in enumerate(holders):
        yield pieces.draw_player_mark(scene.style, seat, first + at * step, 12, 17)
