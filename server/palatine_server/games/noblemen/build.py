"""9. Action B: build."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit import AGAIN, Asking, Choice, Seat, choice, step
from .actions import Build, Done, LiftKnight, PlaceKnight, Site
from .board import Construction, Noblemen, Symbol
from .card_offer import deal_offer
from .catalog import BUILDINGS, FOLLIES, FOLLY, TITLES
from .drafts import announce, begin, close, conclude, draft_of, finishing
from .estate import Building, Cell, Estate
from .knights import knight_steps, place_knight
from .news import BuildingBuilt
from .queen import take_queen
from .screen import pay
from .seats import estate_of, score
from .survey import surrounding_cells

# Buildings in general


# NM-BUILD-2, NM-BUILD-5, NM-BUILD-7 It must stand on the board, be affordable, and there must be a site.
def constructions(game: Noblemen, seat: Seat) -> list[Choice]:
    kinds = [kind for kind in BUILDINGS if can_build(game, seat, kind)]
    offered = [choice(Build, kind=kinds, folly=[None])] if kinds else []
    if follies := possible_follies(game, seat):
        offered.append(choice(Build, kind=["folly"], folly=follies))
    return offered


def can_build(game: Noblemen, seat: Seat, kind: str) -> bool:
    return (
        game.board.buildings[kind] > 0
        and game.hands[seat].money >= price(game, seat, kind)
        and bool(sites(estate_of(game, seat), kind))
    )


# NM-BUILD-3 Each building stands on a slot with its price. The dearest slots are filled, and the cheapest of these
# buildings goes first: with three of four slots filled, the second price of the list is asked.
# NM-BUILD-4, NM-BUILD-6 The title gives a discount on every building; nothing costs less than 0.
def price(game: Noblemen, seat: Seat, kind: str) -> int:
    title = game.board.noblemen[seat].title
    return max(0, full_price(game, kind) - TITLES[title].discount)


def full_price(game: Noblemen, kind: str) -> int:
    if kind == "folly":
        return FOLLY.price
    slots, filled = BUILDINGS[kind].prices, game.board.buildings[kind]
    if not 0 < filled <= len(slots):
        raise ValueError(f"{filled} of {len(slots)} slots are filled: no {kind} has a price")
    return slots[len(slots) - filled]


def sites(estate: Estate, kind: str) -> list[Cell]:
    """Return the cells of the estate where a building of this kind may stand."""
    match kind:
        case "castle":
            return castle_sites(estate)
        case "chapel":
            return chapel_sites(estate)
        case "palace":
            return palace_sites(estate)
    return estate.empty_meadows()  # NM-FOLLY-3 Any empty meadow; no distance rule.


# NM-CASTLE-1, NM-CASTLE-2 An empty meadow, not adjacent to a castle or palace.
def castle_sites(estate: Estate) -> list[Cell]:
    return [cell for cell in estate.empty_meadows() if not is_near(cell, estate.sites_of("castle", "palace"))]


# NM-CHAPEL-1, NM-CHAPEL-2 An empty meadow, not adjacent to a chapel.
def chapel_sites(estate: Estate) -> list[Cell]:
    return [cell for cell in estate.empty_meadows() if not is_near(cell, estate.sites_of("chapel"))]


# NM-PALACE-2 A palace replaces a castle.
def palace_sites(estate: Estate) -> list[Cell]:
    return estate.sites_of("castle")


def is_near(cell: Cell, others: list[Cell]) -> bool:
    return not surrounding_cells(cell).isdisjoint(others)


def begin_building(game: Noblemen, seat: Seat, answer: Build) -> None:
    begin(game, seat, Construction("build", answer.kind, answer.folly or ""))
    game.plan(step(build, seat))


# NM-BUILD-1 One building, on one site; a castle perhaps with a knight.
def build(game: Noblemen, seat: Seat) -> Asking:
    draft = draft_of(game, seat, Construction)
    answer = yield [*site_steps(game, seat, draft), *knight_steps(game, seat, draft), *finishing(draft.of, fits(draft))]
    match answer:
        case Site(cell=cell):
            draft.cell = cell
        case LiftKnight(player=player, vertex=vertex):
            draft.source = Symbol(player, vertex)
        case PlaceKnight(player=player, vertex=vertex):
            draft.target = Symbol(player, vertex)
        case _:
            close(game, seat)
            if isinstance(answer, Done):
                put_up(game, seat, draft)
            return None
    return AGAIN


def site_steps(game: Noblemen, seat: Seat, draft: Construction) -> Iterator[Choice]:
    if draft.cell is None:
        yield choice(Site, cell=sites(estate_of(game, seat), draft.kind))


def fits(draft: Construction) -> bool:
    """Return whether the draft can be carried out: it has a site, and no lifted knight lacks its new place."""
    return draft.cell is not None and (draft.source is None or draft.target is not None)


# NM-STEP-5 The price is paid, the piece put up, the reward taken, in this order.
def put_up(game: Noblemen, seat: Seat, draft: Construction) -> None:
    announce(game, seat, draft.of)
    if draft.of == "build":
        pay(game, seat, price(game, seat, draft.kind))
    place_building(game, seat, draft)
    conclude(game, seat, draft.of)
    if draft.of == "build":
        REWARDS[draft.kind](game, seat, draft)


def place_building(game: Noblemen, seat: Seat, draft: Construction) -> None:
    assert draft.cell is not None
    estate = estate_of(game, seat)
    if draft.kind == "palace":
        remove_castle(game, estate, draft.cell)
    if draft.kind == "folly":
        game.board.follies.remove(draft.folly)
    else:
        game.board.buildings[draft.kind] -= 1
    estate.buildings.append(Building(draft.kind, *draft.cell, draft.folly))
    game.tell(BuildingBuilt(seat, draft.kind, draft.cell, draft.folly))


# NM-PALACE-3 The castle goes to the reserve, not onto the board.
def remove_castle(game: Noblemen, estate: Estate, cell: Cell) -> None:
    estate.buildings = [building for building in estate.buildings if building.cell != cell]
    game.board.reserve["castle"] += 1


# Rewards


# NM-CASTLE-3 A castle: perhaps a knight.
def castle_reward(game: Noblemen, seat: Seat, draft: Construction) -> None:
    if draft.target:
        place_knight(game, seat, draft.source, draft.target)


# NM-PALACE-1, NM-PALACE-4 A palace: the queen.
def palace_reward(game: Noblemen, seat: Seat, _: Construction) -> None:
    take_queen(game, seat)


# NM-CHAPEL-3 A chapel: a card offer.
def chapel_reward(game: Noblemen, seat: Seat, _: Construction) -> None:
    game.plan(step(deal_offer, to=seat, phase="card_offer"))


# NM-FOLLY-5 A folly: points, fewer for each folly that was built before.
def folly_reward(game: Noblemen, seat: Seat, _: Construction) -> None:
    before = len(FOLLIES) - len(game.board.follies) - 1
    score(game, seat, FOLLY.vp[before], "NM-FOLLY-5")


REWARDS = {"castle": castle_reward, "palace": palace_reward, "chapel": chapel_reward, "folly": folly_reward}


# Follies


# NM-FOLLY-1, NM-FOLLY-4 Those on the board that the estate suits, at one price for all.
def possible_follies(game: Noblemen, seat: Seat) -> list[str]:
    estate = estate_of(game, seat)
    if game.hands[seat].money < price(game, seat, "folly") or not estate.empty_meadows():
        return []
    return [folly for folly in game.board.follies if suits(estate, folly)]


# NM-FOLLY-2, NM-FOLLY-6 The estate holds the areas it asks for, with or without knights; they are not used up.
def suits(estate: Estate, folly: str) -> bool:
    return all(len(estate.areas(area)) >= count for area, count in FOLLIES[folly].needs.items())
