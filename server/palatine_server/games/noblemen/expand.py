"""7. Action A: expand the estate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..kit import AGAIN, Asking, Choice, Seat, choice, step
from .actions import Done, Lay
from .bag import draw
from .board import Expansion, Noblemen
from .catalog import REWARD, AreaModel, Reward
from .drafts import announce, begin, close, conclude, draft_of, finishing
from .estate import Cell, Tile
from .news import AreaCompleted, EstateExpanded
from .queen import take_queen
from .screen import kinds_left, receive, remove_tiles
from .seats import estate_of
from .survey import AREA_OF, CORNERS, openings_beside

TERMS = REWARD.expand


# NM-EXPAND-1 One to three tiles, NM-EXPAND-2 all from the own hand, NM-EXPAND-3 each along an edge of the estate.
def expansions(game: Noblemen, seat: Seat, laid: Sequence[Tile] = ()) -> list[Choice]:
    if len(laid) >= TERMS.max_tiles:
        return []
    kinds = kinds_left(game.hands[seat].tiles, [tile.kind for tile in laid])
    return lays(kinds, openings_beside(estate_of(game, seat), laid), game.board.options.area_model)


# NM-AREA-2 The player says which corner carries the quarter symbol; meadows have none.
def lays(kinds: list[str], cells: list[Cell], model: AreaModel) -> list[Choice]:
    turned = [kind for kind in kinds if has_corner(kind, model)]
    offered = [choice(Lay, kind=turned, cell=cells, corner=list(CORNERS))] if turned else []
    if plain := [kind for kind in kinds if kind not in turned]:
        offered.append(choice(Lay, kind=plain, cell=cells, corner=[None]))
    return offered


# NM-AREA-9 Option overlap: quarters in all corners, so no corner is named.
def has_corner(kind: str, model: AreaModel) -> bool:
    return model == "corner" and bool(AREA_OF[kind])


def begin_expansion(game: Noblemen, seat: Seat, first: Lay) -> None:
    begin(game, seat, Expansion("expand", [tile_of(first)]))
    game.plan(step(expand, seat))


def tile_of(lay: Lay) -> Tile:
    return Tile(lay.kind, *lay.cell, lay.corner)


def expand(game: Noblemen, seat: Seat) -> Asking:
    draft = draft_of(game, seat, Expansion)
    answer = yield [*expansions(game, seat, draft.tiles), *finishing(draft.of, enough=bool(draft.tiles))]
    if isinstance(answer, Lay):
        draft.tiles.append(tile_of(answer))
        return AGAIN
    close(game, seat)
    if isinstance(answer, Done):
        lay_out(game, seat, draft)
    return None


# NM-EXPAND-9, NM-STEP-5 All tiles are laid before anything is drawn or paid.
def lay_out(game: Noblemen, seat: Seat, draft: Expansion) -> None:
    announce(game, seat, draft.of)
    kinds = [tile.kind for tile in draft.tiles]
    remove_tiles(game, seat, kinds)
    completed = estate_of(game, seat).lay(draft.tiles)
    game.tell(EstateExpanded(seat, draft.tiles))
    for vertex, area in completed.items():
        game.tell(AreaCompleted(seat, area, vertex))
    reap(game, seat, [*rewards(kinds, TERMS.laid), *rewards(completed.values(), TERMS.completed)])
    conclude(game, seat, draft.of)


# NM-EXPAND-5, NM-EXPAND-7, NM-EXPAND-10 A field gives a pound, a grove a tile, fountains and meadows nothing at once.
# NM-EXPAND-6, NM-EXPAND-7, NM-EXPAND-8 A manor gives 2 pounds more, a forest 2 tiles more, a garden the queen.
def rewards(pieces: Iterable[str], terms: dict[str, Reward]) -> list[Reward]:
    return [terms[piece] for piece in pieces if piece in terms]


# NM-EXPAND-12 First the money, then the queen (once, NM-AMB-22), then the draws.
def reap(game: Noblemen, seat: Seat, gained: list[Reward]) -> None:
    receive(game, seat, sum(reward.money for reward in gained))
    if any(reward.queen for reward in gained):
        take_queen(game, seat)
    draw(game, seat, sum(reward.tiles for reward in gained))
