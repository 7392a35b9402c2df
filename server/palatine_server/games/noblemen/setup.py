"""2. Setup."""

from __future__ import annotations

from ..kit import AGAIN, Asking, Chance, Document, Range, Seat, choice, refuse_option, step
from .actions import Done, Drop, Keep, Take
from .bag import drawn, take_out
from .board import Board, Box, Hand, Nobleman, Noblemen, Options, Selection
from .card_offer import look_at_cards
from .catalog import BRIBE, BUILDINGS, CARDS, CATALOG, FOLLIES, KINDS, SETUP, TILES, TITLES, market
from .drafts import begin, close, draft_of, finishing
from .estate import Building, Estate, Tile
from .news import HandsFilled, TilesChosen
from .screen import add_cards, add_tiles, no_tiles, totals_of
from .seats import clockwise_from
from .turn import begin_turn

AT_THE_ORIGIN = (0, 0)
BARON = min(TITLES.values(), key=lambda title: title.prestige).id


def setup(players: int, options: Options, chance: Chance) -> Document[Board, Hand, Box]:
    """Set up board, estates and money; then all players choose tiles and a card, and the start player begins."""
    start = start_player(players, options, chance)
    hands = [Hand(money=start_money(seat, start, players), tiles=no_tiles()) for seat in range(players)]
    everybody = range(players)
    agenda = [
        step(choose_tiles, *everybody),
        step(fill_hands),
        step(deal_first_cards),
        step(keep_first_card, *everybody),
        step(return_first_cards),
        step(begin_turn, of=start),
    ]
    return Document(board_for(players, options, start), hands, box_for(players, chance), chance, agenda)


# NM-SETUP-1 The start player is drawn unless the table names one.
def start_player(players: int, options: Options, chance: Chance) -> Seat:
    if options.start_player is None:
        return chance.below(players, "start player")
    if not 0 <= options.start_player < players:
        raise refuse_option("start_player", "The start player must be one of the seats.", "NM-SETUP-1")
    return options.start_player


# NM-SETUP-9 The start player gets least, each further seat 1 pound more.
def start_money(seat: Seat, start: Seat, players: int) -> int:
    return CATALOG.money.start[(seat - start) % players]


def board_for(players: int, options: Options, start: Seat) -> Board:
    return Board(
        options=options,
        start=start,
        noblemen=[nobleman() for _ in range(players)],
        queen=(start - 1) % players,  # NM-SETUP-10 with the player right of the start player
        active=start,
        buildings=market(players),
        follies=list(FOLLIES),
        reserve=reserve_for(players),
        titles=titles_for(players),
        bribes=BRIBE.count,  # NM-SETUP-5 all of them on the board
        church=no_tiles(),
    )


# NM-SETUP-7, NM-SETUP-8 No points, no prestige, markers unused, knights in stock; a meadow with a castle on it.
def nobleman() -> Nobleman:
    x, y = AT_THE_ORIGIN
    tiles, buildings = [Tile(SETUP.estate_tile, x, y)], [Building(SETUP.estate_building, x, y)]
    return Nobleman(estate=Estate(tiles=tiles, buildings=buildings), title=BARON)


# NM-SETUP-2, NM-SETUP-3 The buildings that are neither on the board nor in an estate are the reserve.
def reserve_for(players: int) -> dict[str, int]:
    on_board = market(players)
    reserve = {kind: building.count - on_board[kind] for kind, building in BUILDINGS.items()}
    reserve[SETUP.estate_building] -= players
    return reserve


# NM-SETUP-6 Each player is a baron; the titles of this table size are in stock, the others leave the game.
def titles_for(players: int) -> dict[str, int]:
    stock = {title.id: title.count[str(players)] for title in TITLES.values()}
    stock[BARON] -= players
    return stock


def box_for(players: int, chance: Chance) -> Box:
    bag = {kind: TILES[kind].count for kind in KINDS}
    bag[SETUP.estate_tile] -= players
    deck = [card.id for card in CARDS.values() for _ in range(card.count)]
    chance.shuffle(deck, "scandal cards")
    return Box(bag, deck)


# NM-SETUP-11 All pick 0 to 3 tiles of each kind, at the same time and in secret.
def choose_tiles(game: Noblemen, seat: Seat) -> Asking:
    draft = draft_of(game, seat, Selection)
    left = [kind for kind in KINDS if draft.kinds.count(kind) < SETUP.choose_max_per_kind]
    takes = [choice(Take, kind=left)] if left else []
    answer = yield [*takes, *finishing("choose_tiles", enough=True, begun=bool(draft.kinds))]
    match answer:
        case Take(kind=kind):
            begin(game, seat, Selection([*draft.kinds, kind]))
        case Done():
            game.board.ready.append(seat)
            game.tell(TilesChosen(seat))
            return None
        case Drop():
            close(game, seat)
    return AGAIN


# NM-SETUP-12 The rest goes into the bag; then hands are filled blindly, NM-SETUP-13 in turn order.
def fill_hands(game: Noblemen) -> None:
    picks = [draft_of(game, seat, Selection).kinds for seat in game.seats]
    for seat, kinds in enumerate(picks):
        game.hands[seat].draft = None
        take_out(game, kinds)
        add_tiles(game, seat, kinds)
    missing = [SETUP.hand_tiles - len(kinds) for kinds in picks]
    for seat in clockwise_from(game, game.board.start):
        add_tiles(game, seat, drawn(game, missing[seat]))
    game.tell(HandsFilled(missing))
    if game.board.options.open_totals:
        game.board.totals = [totals_of(game, seat) for seat in game.seats]


# NM-SETUP-15, NM-SETUP-16 All players look at three cards each, at the same time.
def deal_first_cards(game: Noblemen) -> None:
    game.board.phase, game.board.ready = "setup_cards", []
    for seat in clockwise_from(game, game.board.start):
        look_at_cards(game, seat)


def keep_first_card(game: Noblemen, seat: Seat) -> Asking:
    offered = game.hands[seat].card_offer
    answer = yield [choice(Keep, index=Range(0, len(offered) - 1))]
    game.board.ready.append(seat)
    add_cards(game, seat, [offered.pop(answer.index)])
    return None


# NM-SETUP-16 The other cards go under the deck in turn order. NM-SETUP-17 The start player has the first turn.
def return_first_cards(game: Noblemen) -> None:
    game.board.ready = []
    for seat in clockwise_from(game, game.board.start):
        hand = game.hands[seat]
        game.box.deck += hand.card_offer
        hand.card_offer = []
