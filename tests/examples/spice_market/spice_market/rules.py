"""The rules, in the order of RULES.md."""

from collections import Counter
from collections.abc import Collection

from palatine_server.games.kit import Action, Asking, Chance, Document, Refused, Seat, Standing, choice, step

from .actions import Bid, BidMade, BidsRevealed, Build, CardsDrawn, NobodyWon, StallWon, StandBuilt
from .board import Board, Box, Cell, Hand, Market, Options, Stand
from .components import CELLS, SPICES

HAND, COINS = 4, 2


# 1. Setup


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Hand, Box]:
    deck = [spice for spice, entry in SPICES.items() for _ in range(entry["cards"])]
    chance.shuffle(deck, "deck")
    hands = [Hand([deck.pop() for _ in range(HAND)]) for _ in range(players)]
    board = Board(options, [0] * players, [False] * players, len(deck))
    return Document(board, hands, Box(deck), chance, [step(begin_round)])


# 2. A round


def begin_round(game: Market) -> None:
    board = game.board
    if board.round == board.options.rounds:  # SM-END-1
        game.plan(step(end_game))
        return
    board.round += 1
    board.stall += COINS
    board.phase = "bid"
    board.has_bid = [False] * len(board.coins)
    game.plan(step(bid, *game.seats), step(reveal), step(begin_round))


def bid(game: Market, seat: Seat) -> Asking:
    hand = game.hands[seat]
    answer: Bid = yield [choice(Bid, card=sorted(set(hand.cards)))]
    hand.cards.remove(answer.card)
    hand.bid = answer.card
    game.board.has_bid[seat] = True
    game.tell(BidMade(seat))
    return None


def reveal(game: Market) -> None:
    bids = [hand.bid for hand in game.hands]
    for hand in game.hands:
        hand.bid = ""
    game.board.discard += bids
    game.tell(BidsRevealed(bids))
    draw_cards(game)
    winner = find_winner(bids)
    if winner is None:
        game.tell(NobodyWon(game.board.stall))
        return
    game.tell(StallWon(winner, game.board.stall))
    game.board.coins[winner] += game.board.stall
    game.board.stall = 0
    if list_empty_cells(game):
        game.board.phase = "build"
        game.plan(step(build, winner))


def find_winner(bids: list[str]) -> Seat | None:
    """Return the seat with the highest value that only one player bid (SM-BID-3)."""
    times = Counter(bids)
    alone = [(SPICES[card]["value"], seat) for seat, card in enumerate(bids) if times[card] == 1]
    return max(alone)[1] if alone else None


def draw_cards(game: Market) -> None:
    drawn = 0
    for hand in game.hands:
        if game.box.deck:
            hand.cards.append(game.box.deck.pop())
            drawn += 1
    game.board.deck = len(game.box.deck)
    if drawn:
        game.tell(CardsDrawn(drawn))


# 3. The stall


def build(game: Market, seat: Seat) -> Asking:
    answer: Build = yield [choice(Build, cell=list_empty_cells(game))]
    game.board.stands.append(Stand(answer.cell, seat))
    game.tell(StandBuilt(seat, answer.cell))
    return None


def list_empty_cells(game: Market) -> list[Cell]:
    taken = {tuple(stand.cell) for stand in game.board.stands}
    return [cell for cell in CELLS if cell not in taken]


# 4. The end


def end_game(game: Market) -> None:
    game.board.phase = "over"
    game.board.scores = [score(game, seat) for seat in game.seats]


def score(game: Market, seat: Seat) -> int:
    return game.board.coins[seat] + count_pairs(game, seat)


def count_pairs(game: Market, seat: Seat) -> int:
    """Count the pairs of own stands side by side (SM-END-2)."""
    own = {tuple(stand.cell) for stand in game.board.stands if stand.seat == seat}
    return sum(((x + 1, y) in own) + ((x, y + 1) in own) for x, y in own)


def standings(game: Market) -> list[Standing]:
    scores = game.board.scores
    return [Standing(seat, points, 1 + sum(other > points for other in scores)) for seat, points in enumerate(scores)]


# 5. When time is up, refusals, and what is always true


def overdue(game: Market, late: Collection[Seat]) -> tuple[Seat, Action]:
    seat = min(late)
    if game.board.phase == "bid":
        return seat, Bid(min(game.hands[seat].cards))
    return seat, Build(list_empty_cells(game)[0])


def why_not(game: Market, seat: Seat, action: Action) -> Refused | None:
    if isinstance(action, Bid) and game.board.phase == "bid":
        return Refused("not_in_hand", "You do not hold this card.", "SM-BID-2")
    if isinstance(action, Build) and game.board.phase == "build" and tuple(action.cell) in CELLS:
        return Refused("space_taken", "There is a stand on this space.", "SM-STALL-3")
    return None


def check(game: Market) -> None:
    hands = [card for hand in game.hands for card in [*hand.cards, *filter(None, [hand.bid])]]
    cards = Counter([*game.box.deck, *game.board.discard, *hands])
    assert cards == {spice: entry["cards"] for spice, entry in SPICES.items()}, "a card is lost or doubled"
    assert game.board.deck == len(game.box.deck)
