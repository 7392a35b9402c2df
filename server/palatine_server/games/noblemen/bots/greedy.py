"""The greedy bot: looks one action ahead, and takes the action worth most points by its estimate at this stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...kit import Action, Seat
from ..actions import (
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
    LiftKnight,
    PlaceKnight,
    Play,
    Site,
    Spend,
    SpendCard,
    Tax,
    UseIntrigue,
)
from ..board import Construction, Donation, Exchange, Expansion, Favour, Levy, Noblemen, Purchase, Splendour
from ..build import can_build, possible_follies, price, sites
from ..card_offer import INTRIGUE
from ..cards import playable_cards
from ..catalog import BRIBE, BUILDINGS, CARDS, FOLLIES, FOLLY, REWARD, TITLES
from ..church import room_in_church
from ..drafts import draft_of
from ..estate import Cell, Estate, Vertex
from ..knights import free_symbols, knights_of
from ..levies import yield_of
from ..masquerade import BLACKMAIL, base_prestige, card_prestige, settled
from ..queen import is_locked
from ..screen import how_many_tiles, kinds_left
from ..seats import clockwise_from, estate_of
from ..survey import surrounding_cells
from ..timeout_choices import CHOICES
from .tile_placement import Option, best_lay, expansion, good_trade, most_held, next_of_trade
from .weights import PLAIN, Style, balls_left, decades_left, progress


def greedy(game: Noblemen, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the action with the highest estimate."""
    return played(game, seat, PLAIN)


def played(game: Noblemen, seat: Seat, style: Style) -> Action:
    """Return the action of a player with this style."""
    match game.board.phase:
        case "turn":
            return next(in_turn(game, seat, style))
        case "ball":
            return at_the_ball(game, seat, style)
        case "setup_cards" | "card_offer" | "decade_cards":
            return best_card(game, seat, style)
    return CHOICES[game.board.phase](game, seat)


# A turn


def in_turn(game: Noblemen, seat: Seat, style: Style) -> Iterator[Action]:
    if game.hands[seat].draft is not None:
        yield from next_step(game, seat, style)
        return
    yield from good_card(game, seat)
    if game.board.action_done:
        yield EndTurn()
    yield best_action(game, seat, style)


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


def best_action(game: Noblemen, seat: Seat, style: Style) -> Action:
    """Return the first step of the best of the actions A to G."""
    return max(options(game, seat, style), key=lambda option: option[0])[1]


def options(game: Noblemen, seat: Seat, style: Style) -> Iterator[Option]:
    """Yield the possible actions, each with its estimated worth."""
    yield float(REWARD.idle.vp), Idle()
    yield from expansion(game, seat, style)
    if style.thorough:
        yield from ((trade.worth, Give(trade.give[0])) for trade in good_trade(game, seat, style))
    yield from buildings(game, seat, style)
    yield from bribes(game, seat, style)
    nobleman = game.board.noblemen[seat]
    if not nobleman.taxed:
        yield yield_of(game, seat, REWARD.tax) * style.per_pound(game), Tax()
    if not nobleman.landed:
        yield yield_of(game, seat, REWARD.land) * style.per_tile(game), Land()
    if spare := all_spare_tiles(game, seat):
        yield len(spare) * (REWARD.church.vp_per_tile - style.per_tile(game)), Donate(spare[0])


def bribes(game: Noblemen, seat: Seat, style: Style) -> Iterator[Option]:
    count = min(BRIBE.max_per_action, game.hands[seat].money // BRIBE.price, game.board.bribes)
    later = style.kept_bribe if balls_left(game) else 0
    if count:
        yield count * (BRIBE.vp + later - BRIBE.price * style.per_pound(game)), Buy()


# Drafts


def next_step(game: Noblemen, seat: Seat, style: Style) -> Iterator[Action]:
    match game.hands[seat].draft:
        case Expansion(of=of, tiles=tiles):
            yield from (step for _, step in best_lay(game, seat, tiles, style))
            yield Done(of)
        case Construction() as draft:
            yield from next_of_building(game, seat, draft, style)
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
        case Exchange(kinds=kinds) if style.thorough:
            yield from next_of_trade(game, seat, kinds, style)
        case _:
            yield Drop()  # a trade that another bot or a player began


def next_for_vicar(game: Noblemen, seat: Seat, given: list[str]) -> Iterator[Action]:
    kinds = kinds_left(game.hands[seat].tiles, given)
    if kinds and len(given) < CARDS["vicars_favour"].effect.tiles_max:
        yield Give(most_held(game, seat, kinds, given))
    yield Done("vicars_favour")


def spare_tiles(game: Noblemen, seat: Seat, given: list[str]) -> list[str]:
    """Return the kinds that the church would still take."""
    return [kind for kind in kinds_left(game.hands[seat].tiles, given) if room_in_church(game, kind, given)]


def all_spare_tiles(game: Noblemen, seat: Seat) -> list[str]:
    given: list[str] = []
    while kinds := spare_tiles(game, seat, given):
        given.append(kinds[0])
    return given


# Building


def buildings(game: Noblemen, seat: Seat, style: Style) -> Iterator[Option]:
    plans = [Build(kind) for kind in BUILDINGS if can_build(game, seat, kind)]
    plans += [Build("folly", folly) for folly in possible_follies(game, seat)]
    for plan in plans:
        yield WORTH[plan.kind](game, seat, style) - price(game, seat, plan.kind) * style.per_pound(game), plan


def worth_of_castle(game: Noblemen, seat: Seat, style: Style) -> float:
    scoring = style.castle * BUILDINGS["castle"].enclosed * decades_left(game)
    return scoring + (style.knight if free_symbols(game, seat) else 0)


def worth_of_palace(game: Noblemen, seat: Seat, style: Style) -> float:
    more = style.palace * (BUILDINGS["palace"].enclosed - BUILDINGS["castle"].enclosed)
    queen = style.queen if game.board.queen != seat and not is_locked(game) else 0
    prestige = REWARD.prestige.palace * style.per_prestige(base_prestige(game, seat))
    return more * decades_left(game) + prestige * balls_left(game) + queen


def worth_of_chapel(game: Noblemen, seat: Seat, style: Style) -> float:
    estate = estate_of(game, seat)
    beside = max(chapel_points(estate, cell) for cell in sites(estate, "chapel"))
    return style.card + style.chapel * beside * decades_left(game)


def worth_of_folly(game: Noblemen, _: Seat, __: Style) -> float:
    return FOLLY.vp[len(FOLLIES) - len(game.board.follies)]


WORTH = {
    "castle": worth_of_castle,
    "palace": worth_of_palace,
    "chapel": worth_of_chapel,
    "folly": worth_of_folly,
}


def next_of_building(game: Noblemen, seat: Seat, draft: Construction, style: Style) -> Iterator[Action]:
    estate = estate_of(game, seat)
    if draft.cell is None:
        yield Site(max(sites(estate, draft.kind), key=lambda cell: merit_of_site(estate, draft.kind, cell)))
    offered = {choice.do for choice in game.offer(seat)}
    if "place_knight" in offered:
        yield PlaceKnight(*best_target(game, seat, style))
    if "lift_knight" in offered and not draft.source:
        yield LiftKnight(*next((player, at[0]) for player, at in knights_of(game, seat).items()))
    yield Done(draft.of)


def merit_of_site(estate: Estate, kind: str, cell: Cell) -> int:
    """Return the merit of a cell: land around it for castles and palaces, points for chapels, no land for follies."""
    company = len(surrounding_cells(cell) & estate.survey.cells.keys())
    return chapel_points(estate, cell) if kind == "chapel" else -company if kind == "folly" else company


def chapel_points(estate: Estate, cell: Cell) -> int:
    near = [building.kind for building in estate.buildings if building.cell in surrounding_cells(cell)]
    return sum(BUILDINGS[kind].per_chapel for kind in near if kind in BUILDINGS)


def best_target(game: Noblemen, seat: Seat, style: Style) -> tuple[Seat, Vertex]:
    symbols = [(player, vertex) for player, at in free_symbols(game, seat).items() for vertex in at]
    return max(symbols, key=lambda symbol: merit_of_target(game, symbol[0], symbol[1], style))


def merit_of_target(game: Noblemen, player: Seat, vertex: Vertex, style: Style) -> float:
    area = estate_of(game, player).survey.areas[vertex]
    queen = style.queen if game.board.queen == player and not is_locked(game) else 0
    return {"manor": 2.0, "forest": 2.5, "garden": balls_left(game) * style.prestige + queen}[area]


# Card offers


def best_card(game: Noblemen, seat: Seat, style: Style) -> Action:
    hand = game.hands[seat]
    if INTRIGUE in hand.cards:
        return UseIntrigue()
    return Keep(min(range(len(hand.card_offer)), key=lambda index: style.dearest.index(hand.card_offer[index])))


# Masked ball


def at_the_ball(game: Noblemen, seat: Seat, style: Style) -> Action:
    """Return one step towards the spending that pays best."""
    draft, best = draft_of(game, seat, Splendour), best_spending(game, seat, style)
    if draft.bribes < best.bribes:
        return Spend()
    cards = [card for card in best.cards if best.cards.count(card) > draft.cards.count(card)]
    return SpendCard(cards[0]) if cards else Done("spend_prestige")


def best_spending(game: Noblemen, seat: Seat, style: Style) -> Splendour:
    hand, base = game.hands[seat], base_prestige(game, seat)
    cards = [card for card in hand.cards if card == BLACKMAIL]
    spendings = (
        Splendour(bribes, cards[:number]) for number in range(len(cards) + 1) for bribes in range(hand.bribes + 1)
    )
    return max(spendings, key=lambda spending: gain(game, seat, base, spending, style))


def gain(game: Noblemen, seat: Seat, base: int, spending: Splendour, style: Style) -> float:
    """Return the points of the title within reach, minus what the spent pieces might be worth later."""
    prestige = base + spending.bribes * REWARD.prestige.bribe + sum(map(card_prestige, spending.cards))
    placed = rivals(game, seat) if style.thorough else [nobleman.prestige for nobleman in game.board.noblemen]
    field = settled(prestige, placed)
    ahead = sum(other > field for other in placed)
    later = style.spared if balls_left(game) else 0.1
    return title_points(game, field, ahead, style) - later * (spending.bribes + len(spending.cards))


def rivals(game: Noblemen, seat: Seat) -> list[int]:
    """Return the counter of each seat; a seat after this one counts with its prestige before spending."""
    order = clockwise_from(game, game.board.queen)
    to_come = order[order.index(seat) + 1 :]
    noblemen = enumerate(game.board.noblemen)
    return [base_prestige(game, other) if other in to_come else nobleman.prestige for other, nobleman in noblemen]


def title_points(game: Noblemen, field: int, ahead: int, style: Style) -> float:
    """Return the worth of the best title that the players ahead leave in stock."""
    in_reach = [title for title in TITLES.values() for _ in range(game.board.titles[title.id])][ahead:]
    return max((title.vp + style.discount * title.discount for title in in_reach if title.prestige <= field), default=0)
