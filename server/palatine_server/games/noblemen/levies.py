"""12. Actions D and E: taxes and land."""

from __future__ import annotations

from ..kit import AGAIN, Asking, Choice, Reason, Seat, choice, step, sum_of
from .actions import Done, Land, Spend, Tax
from .bag import draw
from .board import Levy, Noblemen
from .catalog import REWARD, Yield
from .drafts import begin, close, conclude, draft_of, finishing
from .knights import knights_on
from .news import LandGained, TaxesCollected
from .screen import receive, spend_bribes
from .seats import estate_of
from .survey import AREA_OF


# NM-TAX-1, NM-LAND-1 Each at most once per decade and player.
def levies(game: Noblemen, seat: Seat) -> list[Choice]:
    nobleman = game.board.noblemen[seat]
    taxes = [] if nobleman.taxed else [choice(Tax)]
    return taxes if nobleman.landed else [*taxes, choice(Land)]


def begin_taxes(game: Noblemen, seat: Seat, _: Tax) -> None:
    begin(game, seat, Levy("tax"))
    game.plan(step(levy, seat))


def begin_land(game: Noblemen, seat: Seat, _: Land) -> None:
    begin(game, seat, Levy("land"))
    game.plan(step(levy, seat))


# NM-BRIBE-4 The player may add any number of markers, NM-BRIBE-6 of those they own.
def levy(game: Noblemen, seat: Seat) -> Asking:
    hand = game.hands[seat]
    draft = draft_of(game, seat, Levy)
    spending = [choice(Spend)] if draft.bribes < hand.bribes else []
    answer = yield [*spending, *finishing(draft.of, enough=True)]
    if isinstance(answer, Spend):
        draft.bribes += 1
        return AGAIN
    close(game, seat)
    if isinstance(answer, Done):
        LEVIES[draft.of](game, seat, draft.bribes)
    return None


# NM-TAX-2 D: the tax marker is laid open. NM-TAX-6 A pound for each marker spent besides.
def collect_taxes(game: Noblemen, seat: Seat, bribes: int) -> None:
    game.board.noblemen[seat].taxed = True
    game.tell(TaxesCollected(seat))
    spend_bribes(game, seat, bribes)
    receive(game, seat, yield_of(game, seat, REWARD.tax) + bribes * REWARD.tax.bribe)
    conclude(game, seat, "tax")


# NM-LAND-2 E: the land marker is laid open. NM-LAND-6 A tile for each marker, which is spent even if the bag runs dry.
def gain_land(game: Noblemen, seat: Seat, bribes: int) -> None:
    game.board.noblemen[seat].landed = True
    game.tell(LandGained(seat))
    spend_bribes(game, seat, bribes)
    draw(game, seat, yield_of(game, seat, REWARD.land) + bribes * REWARD.land.bribe)
    conclude(game, seat, "land")


# NM-TAX-3, NM-LAND-3 One for each tile of the kind. NM-TAX-4, NM-LAND-4 Two for each own area without a knight.
# NM-TAX-5, NM-LAND-5, NM-KNIGHT-10 Two for each own knight on an opponent's area.
def yields(game: Noblemen, seat: Seat, terms: Yield) -> list[Reason]:
    """Return the reasons for what an estate gives, in pounds, tiles or prestige."""
    estate, area = estate_of(game, seat), AREA_OF[terms.tile]
    tiles, free, knights = estate.count(terms.tile), len(estate.free_areas(area)), knights_on(game, seat, area)
    occupied = len(estate.areas(area)) - free
    by_tiles, by_areas, by_knights = COUNTED_BY[terms.tile]
    return [
        Reason("tiles", by_tiles, terms.per_tile * tiles, {"kind": terms.tile, "count": tiles}),
        Reason("areas", by_areas, terms.free_area * free, {"area": area, "count": free, "occupied": occupied}),
        Reason("knights", by_knights, terms.knight * knights, {"area": area, "count": knights}),
    ]


COUNTED_BY = {
    "field": ("NM-TAX-3", "NM-TAX-4", "NM-TAX-5"),
    "grove": ("NM-LAND-3", "NM-LAND-4", "NM-LAND-5"),
    "fountain": ("NM-BALL-5", "NM-BALL-5", "NM-BALL-5"),
}


def yield_of(game: Noblemen, seat: Seat, terms: Yield) -> int:
    return sum_of(yields(game, seat, terms))


LEVIES = {"tax": collect_taxes, "land": gain_land}
