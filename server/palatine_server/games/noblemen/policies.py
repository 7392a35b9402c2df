"""How a bot plays that looks one action ahead: it takes what seems worth most, in points, at this stage of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..kit import Action, Seat
from .actions import (
    Build,
    Buy,
    Donate,
    Done,
    Drop,
    EndTurn,
    Give,
    Idle,
    Keep,
    Land,
    Lay,
    LiftKnight,
    PlaceKnight,
    Play,
    Site,
    Spend,
    SpendCard,
    Tax,
    UseIntrigue,
)
from .ball import BLACKMAIL, base_prestige, card_prestige, settled
from .board import (
    Construction,
    Donation,
    Expansion,
    Favour,
    Levy,
    Noblemen,
    Purchase,
    Splendour,
    estate_of,
    kinds_left,
)
from .build import can_build, possible_follies, price, sites
from .card_offer import INTRIGUE
from .cards import playable_cards
from .catalog import BALL, BRIBE, BUILDINGS, CARDS, FOLLIES, FOLLY, META, REWARD, TITLES, TRACK
from .church import room_in_church
from .estate import AREA_OF, CORNERS, Cell, Estate, Tile, Vertex, openings_beside, quarters, surrounding_cells
from .expand import has_corner, tile_of
from .knights import free_symbols, knights_of
from .levies import yield_of
from .overdue import CHOICES
from .queen import is_locked
from .screen import how_many_tiles
from .steps import draft_of

# Which cards are worth keeping, best first.
DEAREST = (
    "inheritance",
    "liaison",
    "secret_wedding",
    "dowry",
    "brilliant_move",
    "tribute",
    "vicars_favour",
    "blackmail",
    "whitehall",
    "intrigue",
)
PER_PRESTIGE, PER_QUEEN, PER_CARD = 0.4, 1.5, 1.5


def greedy(game: Noblemen, seat: Seat, below: Callable[[int], int]) -> Action:
    """The action that seems to be worth most."""
    match game.board.phase:
        case "turn":
            return next(in_turn(game, seat))
        case "ball":
            return at_the_ball(game, seat)
        case "setup_cards" | "card_offer" | "decade_cards":
            return best_card(game, seat)
    return CHOICES[game.board.phase](game, seat)


# How far the game is


def progress(game: Noblemen) -> float:
    """0 at the start, nearly 1 at the end."""
    return ((game.board.decade - 1) * len(TRACK) + game.board.round) / (META.decades * len(TRACK))


def decades_left(game: Noblemen) -> int:
    """How often buildings will still be scored."""
    return META.decades - game.board.decade + 1


def balls_left(game: Noblemen) -> int:
    rest = TRACK[game.board.round + 1 :].count(BALL)
    return rest + (decades_left(game) - 1) * TRACK.count(BALL)


def per_pound(game: Noblemen) -> float:
    return 0.45 - 0.35 * progress(game)


def per_tile(game: Noblemen) -> float:
    return 0.6 - 0.5 * progress(game)


# A turn


def in_turn(game: Noblemen, seat: Seat) -> Iterator[Action]:
    if game.hands[seat].draft is not None:
        yield from next_step(game, seat)
        return
    yield from good_card(game, seat)
    if game.board.action_done:
        yield EndTurn()
    yield best_action(game, seat)


def good_card(game: Noblemen, seat: Seat) -> Iterator[Action]:
    for choice in playable_cards(game, seat):
        cards: list[str] = list(choice.fields["card"])  # type: ignore[arg-type]
        yield from (Play(card) for card in cards if is_timely(game, seat, card))


def is_timely(game: Noblemen, seat: Seat, card: str) -> bool:
    tiles = how_many_tiles(game, seat)
    match card:
        case "whitehall":
            return game.board.queen != seat and not is_locked(game)
        case "brilliant_move":
            return tiles >= REWARD.expand.max_tiles
        case "vicars_favour":
            return tiles >= (10 if progress(game) < 0.8 else 1)
    return True


def best_action(game: Noblemen, seat: Seat) -> Action:
    """The first step of the best of the actions A to G."""
    return max(options(game, seat), key=lambda option: option[0])[1]


Option = tuple[float, Action]


def options(game: Noblemen, seat: Seat) -> Iterator[Option]:
    """What can be done, with what it seems to be worth."""
    yield float(REWARD.idle.vp), Idle()
    yield from expansion(game, seat)
    yield from buildings(game, seat)
    yield from bribes(game, seat)
    nobleman = game.board.noblemen[seat]
    if not nobleman.taxed:
        yield yield_of(game, seat, REWARD.tax) * per_pound(game), Tax()
    if not nobleman.landed:
        yield yield_of(game, seat, REWARD.land) * per_tile(game), Land()
    if spare := all_spare_tiles(game, seat):
        yield len(spare) * (REWARD.church.vp_per_tile - per_tile(game)), Donate(spare[0])


def bribes(game: Noblemen, seat: Seat) -> Iterator[Option]:
    count = min(BRIBE.max_per_action, game.hands[seat].money // BRIBE.price, game.board.bribes)
    later = 0.3 if balls_left(game) else 0
    if count:
        yield count * (BRIBE.vp + later - BRIBE.price * per_pound(game)), Buy()


# Drafts


def next_step(game: Noblemen, seat: Seat) -> Iterator[Action]:
    match game.hands[seat].draft:
        case Expansion(of=of, tiles=tiles):
            yield from (step for _, step in best_lay(game, seat, tiles))
            yield Done(of)
        case Construction() as draft:
            yield from next_of_building(game, seat, draft)
        case Purchase():
            yield from (Buy() for choice in game.offer(seat) if choice.do == "buy")
            yield Done("bribe")
        case Levy(of=of):
            yield from (Spend() for choice in game.offer(seat) if choice.do == "spend" and not balls_left(game))
            yield Done(of)
        case Donation(kinds=kinds):
            yield from (Donate(kind) for kind in spare_tiles(game, seat, kinds))
            yield Done("donate")
        case Favour(kinds=kinds):
            yield from next_for_vicar(game, seat, kinds)
        case _:
            yield Drop()  # a trade that somebody else began


def next_for_vicar(game: Noblemen, seat: Seat, given: list[str]) -> Iterator[Action]:
    kinds = kinds_left(game.hands[seat].tiles, given)
    if kinds and len(given) < CARDS["vicars_favour"].effect.tiles_max:
        yield Give(most_held(game, seat, kinds, given))
    yield Done("vicars_favour")


def most_held(game: Noblemen, seat: Seat, kinds: list[str], given: list[str]) -> str:
    tiles = game.hands[seat].tiles
    return max(kinds, key=lambda kind: tiles[kind] - given.count(kind))


def spare_tiles(game: Noblemen, seat: Seat, given: list[str]) -> list[str]:
    """The kinds that the church would still take."""
    return [kind for kind in kinds_left(game.hands[seat].tiles, given) if room_in_church(game, kind, given)]


def all_spare_tiles(game: Noblemen, seat: Seat) -> list[str]:
    given: list[str] = []
    while kinds := spare_tiles(game, seat, given):
        given.append(kinds[0])
    return given


# Laying tiles


def expansion(game: Noblemen, seat: Seat) -> Iterator[Option]:
    tiles = min(REWARD.expand.max_tiles, how_many_tiles(game, seat))
    for worth, lay in best_lay(game, seat, []):
        yield tiles * 0.9 * (worth - per_tile(game)), lay


def best_lay(game: Noblemen, seat: Seat, laid: list[Tile]) -> Iterator[tuple[float, Lay]]:
    """The best place for another tile, if there may be one and it is better than keeping it."""
    if len(laid) == REWARD.expand.max_tiles:
        return
    judge = Judge(game, estate_of(game, seat), laid)
    yield from rated(judge, possible_lays(game, seat, laid))


def rated(judge: Judge, lays: Iterator[Lay]) -> Iterator[tuple[float, Lay]]:
    """The best of these, with its worth, if there is any."""
    best = max(((judge.worth(lay), place, lay) for place, lay in enumerate(lays)), default=None)
    if best is not None:
        yield best[0], best[2]


def possible_lays(game: Noblemen, seat: Seat, laid: list[Tile]) -> Iterator[Lay]:
    cells = openings_beside(estate_of(game, seat), laid)
    for kind in kinds_left(game.hands[seat].tiles, [tile.kind for tile in laid]):
        turned = has_corner(kind, game.board.options.area_model)
        corners: list[str | None] = [*CORNERS] if turned else [None]
        yield from (Lay(kind, cell, corner) for cell in cells for corner in corners)


class Judge:
    """What a tile more would be worth in an estate."""

    def __init__(self, game: Noblemen, estate: Estate, laid: list[Tile]) -> None:
        decades, balls = decades_left(game), balls_left(game)
        pound, tile = per_pound(game), per_tile(game)
        self.cells = {**estate.survey.cells, **{tile.cell: tile for tile in laid}}
        self.by_kind = {
            "field": pound * (1 + 0.8 * decades),
            "grove": tile * (1 + 0.8 * decades),
            "fountain": PER_PRESTIGE * balls,
            "meadow": 0.5 if estate.empty_meadows() else 1.2,
        }
        self.by_area = {
            "manor": 2 * pound * (1 + decades) + 1,
            "forest": 2 * tile * (1 + decades) + 1,
            "garden": PER_QUEEN + 2 * PER_PRESTIGE * balls + 1,
        }
        self.enclosing = dict.fromkeys(self.cells, 0.0)
        for around in map(surrounding_cells, estate.sites_of("castle", "palace")):
            self.enclosing |= {cell: self.enclosing.get(cell, 0) + 0.5 * decades for cell in around}
        self.promises: dict[tuple[str, Vertex], float] = {}

    def worth(self, lay: Lay) -> float:
        return self.by_kind[lay.kind] + self.enclosing.get(lay.cell, 0) + self.symbols(lay)

    def symbols(self, lay: Lay) -> float:
        """What the tile adds to areas, where it shows a quarter of one."""
        if lay.corner is None:
            return sum(self.promise(lay.kind, vertex) for vertex in quarters(tile_of(lay)))
        dx, dy = CORNERS[lay.corner]
        return self.promise(lay.kind, (lay.cell[0] + dx, lay.cell[1] + dy))

    def promise(self, kind: str, vertex: Vertex) -> float:
        if (kind, vertex) not in self.promises:
            self.promises[kind, vertex] = self.by_area[AREA_OF[kind]] * PROMISE[self.fitting(kind, vertex)]
        return self.promises[kind, vertex]

    def fitting(self, kind: str, vertex: Vertex) -> int:
        """How many of the other quarters are there; -1 if another tile is in the way."""
        x, y = vertex
        around = ((x - dx, y - dy) for dx, dy in CORNERS.values())
        lying = [self.cells[cell] for cell in around if cell in self.cells]
        fits = all(tile.kind == kind and vertex in quarters(tile) for tile in lying)
        return len(lying) if fits else -1


PROMISE = {-1: 0.0, 0: 0.05, 1: 0.15, 2: 0.3, 3: 1.0}  # of an area, by how many of the other quarters are there


# Building


def buildings(game: Noblemen, seat: Seat) -> Iterator[Option]:
    plans = [Build(kind) for kind in BUILDINGS if can_build(game, seat, kind)]
    plans += [Build("folly", folly) for folly in possible_follies(game, seat)]
    for plan in plans:
        yield WORTH[plan.kind](game, seat) - price(game, seat, plan.kind) * per_pound(game), plan


def worth_of_castle(game: Noblemen, seat: Seat) -> float:
    scoring = 0.5 * BUILDINGS["castle"].enclosed * decades_left(game)
    return scoring + (2 if free_symbols(game, seat) else 0)


def worth_of_palace(game: Noblemen, seat: Seat) -> float:
    more = BUILDINGS["palace"].enclosed - BUILDINGS["castle"].enclosed
    queen = PER_QUEEN if game.board.queen != seat and not is_locked(game) else 0
    return more * decades_left(game) + REWARD.prestige.palace * PER_PRESTIGE * balls_left(game) + queen


def worth_of_chapel(game: Noblemen, seat: Seat) -> float:
    estate = estate_of(game, seat)
    beside = max(chapel_points(estate, cell) for cell in sites(estate, "chapel"))
    return PER_CARD + 0.7 * beside * decades_left(game)


def worth_of_folly(game: Noblemen, _: Seat) -> float:
    return FOLLY.vp[len(FOLLIES) - len(game.board.follies)]


WORTH = {
    "castle": worth_of_castle,
    "palace": worth_of_palace,
    "chapel": worth_of_chapel,
    "folly": worth_of_folly,
}


def next_of_building(game: Noblemen, seat: Seat, draft: Construction) -> Iterator[Action]:
    estate = estate_of(game, seat)
    if draft.cell is None:
        yield Site(max(sites(estate, draft.kind), key=lambda cell: merit_of_site(estate, draft.kind, cell)))
    offered = {choice.do for choice in game.offer(seat)}
    if "place_knight" in offered:
        yield PlaceKnight(*best_target(game, seat))
    if "lift_knight" in offered and not draft.source:
        yield LiftKnight(*next((player, at[0]) for player, at in knights_of(game, seat).items()))
    yield Done(draft.of)


def merit_of_site(estate: Estate, kind: str, cell: Cell) -> int:
    """Castles and palaces like company, chapels the company of castles and palaces."""
    company = len(surrounding_cells(cell) & estate.survey.cells.keys())
    return chapel_points(estate, cell) if kind == "chapel" else -company if kind == "folly" else company


def chapel_points(estate: Estate, cell: Cell) -> int:
    near = [building.kind for building in estate.buildings if building.cell in surrounding_cells(cell)]
    return sum(BUILDINGS[kind].per_chapel for kind in near if kind in BUILDINGS)


def best_target(game: Noblemen, seat: Seat) -> tuple[Seat, Vertex]:
    symbols = [(player, vertex) for player, at in free_symbols(game, seat).items() for vertex in at]
    return max(symbols, key=lambda symbol: merit_of_target(game, *symbol))


def merit_of_target(game: Noblemen, player: Seat, vertex: Vertex) -> float:
    area = estate_of(game, player).survey.areas[vertex]
    queen = PER_QUEEN if game.board.queen == player and not is_locked(game) else 0
    return {"manor": 2.0, "forest": 2.5, "garden": balls_left(game) * PER_PRESTIGE + queen}[area]


# Card offers


def best_card(game: Noblemen, seat: Seat) -> Action:
    hand = game.hands[seat]
    if INTRIGUE in hand.cards:
        return UseIntrigue()
    return Keep(min(range(len(hand.card_offer)), key=lambda index: DEAREST.index(hand.card_offer[index])))


# Masked ball


def at_the_ball(game: Noblemen, seat: Seat) -> Action:
    """One step towards the spending that pays best."""
    draft, best = draft_of(game, seat, Splendour), best_spending(game, seat)
    if draft.bribes < best.bribes:
        return Spend()
    cards = [card for card in best.cards if best.cards.count(card) > draft.cards.count(card)]
    return SpendCard(cards[0]) if cards else Done("spend_prestige")


def best_spending(game: Noblemen, seat: Seat) -> Splendour:
    hand, base = game.hands[seat], base_prestige(game, seat)
    cards = [card for card in hand.cards if card == BLACKMAIL]
    spendings = (
        Splendour(bribes, cards[:number]) for number in range(len(cards) + 1) for bribes in range(hand.bribes + 1)
    )
    return max(spendings, key=lambda spending: gain(game, base, spending))


def gain(game: Noblemen, base: int, spending: Splendour) -> float:
    """The points of the title within reach, less what the spending might be worth later."""
    prestige = base + spending.bribes * REWARD.prestige.bribe + sum(map(card_prestige, spending.cards))
    placed = [nobleman.prestige for nobleman in game.board.noblemen]
    field = settled(prestige, placed)
    ahead = sum(other > field for other in placed)
    later = 0.5 if balls_left(game) else 0.1
    return title_points(game, field, ahead) - later * (spending.bribes + len(spending.cards))


def title_points(game: Noblemen, field: int, ahead: int) -> float:
    """What the best title is worth that those ahead leave over."""
    in_reach = [title for title in TITLES.values() for _ in range(game.board.titles[title.id])][ahead:]
    return max((title.vp + 0.5 * title.discount for title in in_reach if title.prestige <= field), default=0)
