"""Everything that a seat of Noblemen does not see, dealt anew: what lies behind other screens, the bag and the deck.

Only a table with the option `open_totals` shows how much lies behind a screen. At others the amounts are drawn, too: a
seat that sees only the present position has not seen the news that named them (NM-HIDE-4).
"""

from __future__ import annotations

from ..kit import Redeal, Seat
from ..kit.hidden_zones.resample import Pool
from .board import Box, Hand, Noblemen, Selection
from .catalog import BRIBE, CARDS, KINDS, SETUP, TILES
from .knights import GIFT
from .screen import GIVEN, no_tiles
from .setup import start_money

WITH_DRAFT = {"trade", "expand", "build", "buy_bribes", "levy", "donate", "ask_favour"}
MOST_MONEY, MOST_TILES = 16, 10  # behind a screen, as far as a guess goes
Hands = dict[Seat, Hand]  # of the other seats


def redraw(game: Noblemen, seat: Seat, deal: Redeal) -> tuple[list[Hand], Box]:
    """Deal the tiles, cards and markers that the seat does not see, and guess the money."""
    forget_drafts(game, seat)
    hands = {other: Hand(money=money_of(game, other, deal), tiles=no_tiles()) for other in game.seats if other != seat}
    deal_markers(game, seat, hands, deal)
    deck = deal_cards(game, hands, deal.pool(cards_unseen(game, seat)), deal)
    bag = deal_tiles(game, seat, hands, deal)
    box, everybody = Box(bag, deck), [hands.get(other) or game.hands[seat] for other in game.seats]
    show_bag(game, everybody, bag)
    return everybody, box


# Another seat may have begun an action, which only that seat can see (NM-STEP-1). Then it may also have dropped it.
def forget_drafts(game: Noblemen, seat: Seat) -> None:
    agenda = game.document.agenda
    agenda[:] = [step for step in agenda if step.rule not in WITH_DRAFT or step.seats == [seat]]


# Money (NM-SETUP-9), markers and cards


def money_of(game: Noblemen, seat: Seat, deal: Redeal) -> int:
    board = game.board
    if board.totals:
        return board.totals[seat].money
    if board.phase.startswith("setup"):
        return start_money(seat, board.start, len(game.seats))
    return deal.below(MOST_MONEY)


def deal_markers(game: Noblemen, seat: Seat, hands: Hands, deal: Redeal) -> None:
    """Give each marker that neither the board nor the seat has to another seat."""
    totals, others = game.board.totals, list(hands)
    if totals:
        for other, hand in hands.items():
            hand.bribes = totals[other].bribes
        return
    for _ in range(BRIBE.count - game.board.bribes - game.hands[seat].bribes):
        hands[others[deal.below(len(others))]].bribes += 1


def cards_unseen(game: Noblemen, seat: Seat) -> list[str]:
    seen = [*game.hands[seat].cards, *game.hands[seat].card_offer]
    return [card.id for card in CARDS.values() for _ in range(card.count - seen.count(card.id))]


def deal_cards(game: Noblemen, hands: Hands, cards: Pool[str], deal: Redeal) -> list[str]:
    """Deal the hands and the cards that others choose from; return the deck."""
    choosing = [seat for step in game.document.agenda[:1] for seat in step.seats if step.rule == "keep_card"]
    for seat, hand in hands.items():
        hand.cards = cards.take(min(how_many_cards(game, seat, deal), len(cards)))
    for seat, hand in hands.items():
        hand.card_offer = cards.take(min(how_many_offered(game, seat, seat in choosing), len(cards)))
    return cards.take_all()


# One card from the setup and one from each new decade (NM-SETUP-16, NM-OFFER-1), as far as they were not played.
def how_many_cards(game: Noblemen, seat: Seat, deal: Redeal) -> int:
    board = game.board
    if board.totals:
        return board.totals[seat].cards
    if board.phase == "setup_tiles":
        return 0
    return int(seat in board.ready) if board.phase == "setup_cards" else deal.below(board.decade + 2)


# All look at three cards at the same time; those that they do not keep lie there until all have chosen.
def how_many_offered(game: Noblemen, seat: Seat, is_choosing: bool) -> int:
    if game.board.phase == "setup_cards":
        return SETUP.cards_offered - (seat in game.board.ready)
    return SETUP.cards_offered if is_choosing else 0


# Tiles


def deal_tiles(game: Noblemen, seat: Seat, hands: Hands, deal: Redeal) -> dict[str, int]:
    """Deal the tiles behind the screens; return the bag. A seat that has looked into the bag knows what it lacks."""
    bag_has = game.hands[seat].bag_has
    unseen = tiles_unseen(game, seat)
    bag = {kind: int(bag_has.get(kind, False)) for kind in KINDS}
    lacking = deal.pool(kind for kind in KINDS if not bag_has.get(kind, True) for _ in range(unseen[kind]))
    others = deal.pool(kind for kind in KINDS if bag_has.get(kind, True) for _ in range(unseen[kind] - bag[kind]))
    for number, (other, hand) in enumerate(hands.items(), 1):
        wanted = how_many(game, other, deal)
        outside = len(hands) - number  # the hands that follow
        forced = lacking.take(len(lacking) if not outside else min(wanted, len(lacking)))
        tiles = [*forced, *others.take(min(max(0, wanted - len(forced)), len(others)))]
        hand.tiles = {kind: tiles.count(kind) for kind in KINDS}
        hand.draft = picks_of(game, other, deal)
    left = others.take_all()
    return {kind: bag[kind] + left.count(kind) for kind in KINDS}


def tiles_unseen(game: Noblemen, seat: Seat) -> dict[str, int]:
    board, hand = game.board, game.hands[seat]
    built = {kind: sum(nobleman.estate.count(kind) for nobleman in board.noblemen) for kind in KINDS}
    return {kind: TILES[kind].count - built[kind] - board.church[kind] - hand.tiles[kind] for kind in KINDS}


def how_many(game: Noblemen, seat: Seat, deal: Redeal) -> int:
    """Return how many tiles lie behind a screen; a seat that must choose a gift has more than it gives."""
    board, agenda = game.board, game.document.agenda
    if board.totals:
        return board.totals[seat].tiles
    if board.phase.startswith("setup"):
        return 0 if board.phase == "setup_tiles" else SETUP.hand_tiles
    gives = board.phase == "gift" and agenda[0].seats == [seat]
    return deal.below(MOST_TILES) + (GIFT + 1 if gives else 0)


# NM-SETUP-11 A seat that is ready has picked up to three tiles of each kind; the others have not begun.
def picks_of(game: Noblemen, seat: Seat, deal: Redeal) -> Selection | None:
    if game.board.phase != "setup_tiles" or seat not in game.board.ready:
        return None
    return Selection([kind for kind in KINDS for _ in range(deal.below(SETUP.choose_max_per_kind + 1))])


# NM-HIDE-6 The active player knows which kinds the bag holds, while they may trade.
def show_bag(game: Noblemen, hands: list[Hand], bag: dict[str, int]) -> None:
    active = hands[game.board.active]
    in_turn = game.board.phase in ("turn", "card_offer", "gift")
    if in_turn and not active.bag_has and sum(active.tiles.values()) >= GIVEN:
        active.bag_has = {kind: bag[kind] > 0 for kind in KINDS}
