"""Tile placement: the worth of each tile in each cell, and the trades that get a bot the right tiles."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...kit import Action, Seat
from ..actions import Drop, Give, Lay, Want
from ..board import Noblemen
from ..catalog import BUILDINGS, REWARD
from ..estate import Building, Estate, Tile, Vertex
from ..expand import has_corner, tile_of
from ..masquerade import base_prestige
from ..pieces import Kinds
from ..screen import GIVEN, how_many_tiles, kinds_left
from ..seats import estate_of
from ..survey import AREA_OF, CORNERS, openings_beside, quarters, surrounding_cells
from .weights import Style, balls_left, decades_left

Option = tuple[float, Action]


def expansion(game: Noblemen, seat: Seat, style: Style) -> Iterator[Option]:
    if style.thorough:
        lays = list(next_lays(game, seat, style))
        yield from [(sum(worth for worth, _ in lays), lays[0][1])] if lays else []
        return
    tiles = min(REWARD.expand.max_tiles, how_many_tiles(game, seat))
    for worth, lay in best_lay(game, seat, [], style):
        yield tiles * style.next_tiles * (worth - style.per_tile(game)), lay


def next_lays(game: Noblemen, seat: Seat, style: Style, tiles: Kinds | None = None) -> Iterator[tuple[float, Lay]]:
    """Yield the tiles to lay, one after the other, each with its worth there minus its worth in the hand."""
    laid: list[Tile] = []
    while best := next(best_lay(game, seat, laid, style, tiles), None):
        worth, lay = best
        if laid and worth < style.per_tile(game):
            return
        laid.append(tile_of(lay))
        yield worth - style.per_tile(game), lay


def best_lay(
    game: Noblemen, seat: Seat, laid: list[Tile], style: Style, tiles: Kinds | None = None
) -> Iterator[tuple[float, Lay]]:
    """Yield the best lay of another tile with its worth, if the action allows another tile."""
    if len(laid) == REWARD.expand.max_tiles:
        return
    judge = Judge(game, seat, laid, style)
    yield from rated(judge, possible_lays(game, seat, laid, tiles or game.hands[seat].tiles))


def rated(judge: Judge, lays: Iterator[Lay]) -> Iterator[tuple[float, Lay]]:
    """Yield the best of these lays with its worth, if there is any."""
    best = max(((judge.worth(lay), place, lay) for place, lay in enumerate(lays)), default=None)
    if best is not None:
        yield best[0], best[2]


def possible_lays(game: Noblemen, seat: Seat, laid: list[Tile], tiles: Kinds) -> Iterator[Lay]:
    cells = openings_beside(estate_of(game, seat), laid)
    for kind in kinds_left(tiles, [tile.kind for tile in laid]):
        turned = has_corner(kind, game.board.options.area_model)
        corners: list[str | None] = [*CORNERS] if turned else [None]
        yield from (Lay(kind, cell, corner) for cell in cells for corner in corners)


class Judge:
    """An estimate of the worth of one more tile in an estate."""

    def __init__(self, game: Noblemen, seat: Seat, laid: list[Tile], style: Style) -> None:
        nobleman, decades = game.board.noblemen[seat], decades_left(game)
        estate = nobleman.estate
        fountains = sum(tile.kind == "fountain" for tile in laid)
        prestige = style.per_prestige(base_prestige(game, seat) + fountains) * balls_left(game)
        pound, tile = style.per_pound(game), style.per_tile(game)
        manor, forest, garden = style.areas
        self.style = style
        self.cells = {**estate.survey.cells, **{tile.cell: tile for tile in laid}}
        self.by_kind = {
            "field": pound * (1 + style.levied * (decades - (style.thorough and nobleman.taxed))),
            "grove": tile * (1 + style.levied * (decades - (style.thorough and nobleman.landed))),
            "fountain": prestige,
            "meadow": style.meadow if estate.empty_meadows() else style.first_meadow,
        }
        self.by_area = {
            "manor": 2 * pound * (1 + decades) + manor,
            "forest": 2 * tile * (1 + decades) + forest,
            "garden": style.queen + 2 * prestige + garden,
        }
        self.enclosing = dict.fromkeys(self.cells, 0.0)
        for building in estate.buildings:
            if building.kind in ("castle", "palace"):
                self.enclose(estate, building, decades)
        self.promises: dict[tuple[str, Vertex], float] = {}

    def enclose(self, estate: Estate, building: Building, decades: int) -> None:
        """Record the worth of filling a gap around a castle or palace."""
        around = surrounding_cells(building.cell)
        gaps = around - self.cells.keys()
        worth = decades * self.style.per_gap(len(gaps), points_of(estate, building))
        self.enclosing |= {cell: self.enclosing.get(cell, 0) + worth for cell in gaps}

    def worth(self, lay: Lay) -> float:
        return self.by_kind[lay.kind] + self.enclosing.get(lay.cell, 0) + self.symbols(lay)

    def symbols(self, lay: Lay) -> float:
        """Return what the tile adds to areas, where it shows a quarter of one."""
        if lay.corner is None:
            return sum(self.promise(lay.kind, vertex) for vertex in quarters(tile_of(lay)))
        dx, dy = CORNERS[lay.corner]
        return self.promise(lay.kind, (lay.cell[0] + dx, lay.cell[1] + dy))

    def promise(self, kind: str, vertex: Vertex) -> float:
        if (kind, vertex) not in self.promises:
            fitting = self.fitting(kind, vertex)
            part = 0.0 if fitting is None else self.style.quarters[fitting]
            self.promises[kind, vertex] = self.by_area[AREA_OF[kind]] * part
        return self.promises[kind, vertex]

    def fitting(self, kind: str, vertex: Vertex) -> int | None:
        """Return how many of the other quarters are there; None if another tile is in the way."""
        x, y = vertex
        around = ((x - dx, y - dy) for dx, dy in CORNERS.values())
        lying = [self.cells[cell] for cell in around if cell in self.cells]
        fits = all(tile.kind == kind and vertex in quarters(tile) for tile in lying)
        return len(lying) if fits else None


def points_of(estate: Estate, building: Building) -> int:
    """Return what a castle or palace scores once it is enclosed."""
    terms = BUILDINGS[building.kind]
    chapels = sum(cell in surrounding_cells(building.cell) for cell in estate.sites_of("chapel"))
    return terms.enclosed + terms.per_chapel * chapels


# Trading: two tiles of which there are plenty for one that an expansion lacks


class Bargain(Struct, frozen=True):
    """A trade of two tiles for one: the worth of the expansion after it, and the improvement."""

    worth: float
    gain: float
    give: tuple[str, str]
    want: str


def good_trade(game: Noblemen, seat: Seat, style: Style) -> Iterator[Bargain]:
    hand = game.hands[seat]
    if game.board.action_done or how_many_tiles(game, seat) < 2 * GIVEN or not any(hand.bag_has.values()):
        return
    before = sum(worth for worth, _ in next_lays(game, seat, style)) + style.per_tile(game)
    best = max(bargains(game, seat, style, before), key=lambda bargain: bargain.gain, default=None)
    if best is not None and best.gain > style.bargain:
        yield best


def bargains(game: Noblemen, seat: Seat, style: Style, before: float) -> Iterator[Bargain]:
    hand = game.hands[seat]
    one = most_held(game, seat, kinds_left(hand.tiles, []), [])
    other = most_held(game, seat, kinds_left(hand.tiles, [one]), [one])
    for want in (kind for kind, there in hand.bag_has.items() if there and kind not in (one, other)):
        tiles = {kind: count - (one, other).count(kind) + (kind == want) for kind, count in hand.tiles.items()}
        worth = sum(worth for worth, _ in next_lays(game, seat, style, tiles))
        yield Bargain(worth, worth - before, (one, other), want)


def next_of_trade(game: Noblemen, seat: Seat, given: list[str], style: Style) -> Iterator[Action]:
    for trade in good_trade(game, seat, style):
        if given == list(trade.give[: len(given)]):
            yield Want(trade.want) if len(given) == GIVEN else Give(trade.give[len(given)])
    yield Drop()


def most_held(game: Noblemen, seat: Seat, kinds: list[str], given: list[str]) -> str:
    tiles = game.hands[seat].tiles
    return max(kinds, key=lambda kind: tiles[kind] - given.count(kind))
