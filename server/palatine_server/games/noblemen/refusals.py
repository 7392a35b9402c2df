"""The wording of refusals: why an action that was not offered is against the rules. Only the offer decides legality.

A refusal names the first broken rule, in the order of NM-CMD-1. It uses only what the asking seat sees.
"""

from __future__ import annotations

from ..kit import Action, Refused, Seat
from . import actions as do
from .board import AnyDraft, Construction, Donation, Draft, Exchange, Expansion, Favour, Hand, Levy, Noblemen, Purchase
from .build import sites, suits
from .cards import PLAYABLE
from .estate import Cell, Estate, Tile
from .expand import TERMS, has_corner
from .screen import GIVEN, kinds_left
from .seats import estate_of
from .survey import CORNERS

Reason = Refused | None
Words = tuple[str, str, str]  # code, sentence, rule
Verbs = tuple[type[Action], ...]

ACTIONS_A_TO_G: Verbs = (do.Lay, do.Build, do.Buy, do.Tax, do.Land, do.Donate, do.Idle)
OF_ACTIONS = ("expand", "build", "bribe", "tax", "land", "donate")

# NM-TURN-10 While one of these decisions is open, only its own steps are accepted.
FOLLOW_UPS: dict[str, Verbs] = {
    "setup_tiles": (do.Take, do.Done, do.Drop),
    "setup_cards": (do.Keep, do.UseIntrigue),
    "card_offer": (do.Keep, do.UseIntrigue),
    "decade_cards": (do.Keep, do.UseIntrigue),
    "gift": (do.Give, do.Done, do.Drop),
    "ball": (do.Spend, do.SpendCard, do.Done, do.Drop),
    "title": (do.ChooseTitle,),
}

# NM-STEP-3 While a draft is open, only its own steps are accepted.
STEPS: dict[type[Draft], Verbs] = {
    Exchange: (do.Give, do.Want, do.Drop),
    Expansion: (do.Lay, do.Done, do.Drop),
    Construction: (do.Site, do.LiftKnight, do.PlaceKnight, do.Done, do.Drop),
    Purchase: (do.Buy, do.Done, do.Drop),
    Levy: (do.Spend, do.Done, do.Drop),
    Donation: (do.Donate, do.Done, do.Drop),
    Favour: (do.Give, do.Done, do.Drop),
}


def why_not(game: Noblemen, seat: Seat, action: Action) -> Reason:
    """Return the first rule that forbids this action, if the game can name one."""
    draft = game.hands[seat].draft
    if game.board.phase != "turn":
        return not_the_moment(game, action) or in_follow_up(game, seat, action)
    if draft is not None:
        return not_in_draft(draft, action) or in_draft(game, seat, draft, action)
    return not_in_turn(game, action) or in_turn(game, seat, action)


# The wrong moment


def not_the_moment(game: Noblemen, action: Action) -> Reason:
    if isinstance(action, FOLLOW_UPS.get(game.board.phase, ())):
        return None
    return Refused("decision_open", "First the open decision must be made.", "NM-TURN-10")


def not_in_draft(draft: AnyDraft, action: Action) -> Reason:
    if isinstance(action, STEPS.get(type(draft), ())) and is_own_done(draft, action):
        return None
    return Refused("draft_open", "First finish or drop what you have begun.", "NM-STEP-3")


def is_own_done(draft: AnyDraft, action: Action) -> bool:
    return not isinstance(action, do.Done) or action.of == of_draft(draft)


def of_draft(draft: AnyDraft) -> str:
    match draft:
        case Expansion(of=of) | Construction(of=of) | Levy(of=of):
            return of
        case Purchase():
            return "bribe"
        case Donation():
            return "donate"
        case Favour():
            return "vicars_favour"
    return ""


def not_in_turn(game: Noblemen, action: Action) -> Reason:
    match action:
        case do.EndTurn():
            return Refused("action_first", "The turn ends only after its action.", "NM-TURN-7")
        case do.Play() if game.board.card_played:
            return Refused("card_played", "Only one scandal card can be played per turn.", "NM-CARD-2")
    if game.board.action_done and is_action(action):
        return Refused("action_done", "There is one action per turn, and it is done.", "NM-TURN-3")
    return None


def is_action(action: Action) -> bool:
    return isinstance(action, ACTIONS_A_TO_G) or (isinstance(action, do.Done) and action.of in OF_ACTIONS)


# In a turn


def in_turn(game: Noblemen, seat: Seat, action: Action) -> Reason:
    hand = game.hands[seat]
    match action:
        case do.Play(card=card):
            return not_playable(game, seat, card)
        case do.Build():
            return not_built(game, seat, action)
        case do.Lay():
            return not_laid(game, seat, action, [])
        case do.Donate(kind=kind):
            return not_donated(game, seat, kind, [])
        case do.Give(kind=kind):
            return not_traded(hand, kind, [])
        case do.Done(of=of):
            return put(TOO_LITTLE.get(of))
    return put(EXHAUSTED.get(type(action)))


EXHAUSTED: dict[type[Action], Words] = {
    do.Tax: ("taxes_collected", "Taxes are collected once per decade.", "NM-TAX-1"),
    do.Land: ("land_gained", "Land is gained once per decade.", "NM-LAND-1"),
    do.Buy: ("too_many_bribes", "You cannot buy so many bribe markers.", "NM-BRIBE-2"),
}

# Below the minimum a draft cannot be carried out.
TOO_LITTLE: dict[str, Words] = {
    "expand": ("lay_a_tile", "Lay at least one tile.", "NM-EXPAND-1"),
    "brilliant_move": ("lay_a_tile", "Lay at least one tile.", "NM-EXPAND-1"),
    "build": ("no_site", "A building needs a site.", "NM-BUILD-7"),
    "inheritance": ("no_site", "A building needs a site.", "NM-BUILD-7"),
    "bribe": ("buy_a_bribe", "Buy at least one bribe marker.", "NM-BRIBE-2"),
    "donate": ("donate_a_tile", "Donate at least one tile.", "NM-CHURCH-1"),
    "vicars_favour": ("give_a_tile", "Give at least one tile.", "NM-CARD-17"),
    "give_tiles": ("give_two", "Give exactly two tiles.", "NM-GIFT-2"),
}


def put(words: Words | None) -> Reason:
    return Refused(*words) if words else None


# In a draft


def in_draft(game: Noblemen, seat: Seat, draft: AnyDraft, action: Action) -> Reason:
    hand = game.hands[seat]
    match draft, action:
        case Expansion(), do.Lay():
            return not_laid(game, seat, action, draft.tiles)
        case Construction(), _:
            return not_put_up(game, seat, draft, action)
        case Donation(), do.Donate():
            return not_donated(game, seat, action.kind, draft.kinds)
        case Exchange(), do.Give():
            return not_traded(hand, action.kind, draft.kinds)
        case Exchange(), do.Want():
            return not_wanted(draft)
        case Favour(), do.Give():
            return Refused("too_many_tiles", "The vicar takes up to four tiles of your hand.", "NM-CARD-17")
        case Levy(), do.Spend():
            return not_owned()
        case _, do.Done(of=of):
            return put(TOO_LITTLE.get(of))
    return put(EXHAUSTED.get(type(action)))


def not_owned() -> Refused:
    return Refused("no_bribe_left", "You have no more bribe markers.", "NM-BRIBE-6")


# Cards


def not_playable(game: Noblemen, seat: Seat, card: str) -> Reason:
    if card not in game.hands[seat].cards:
        return Refused("card_not_held", "You do not hold this card.", "NM-CARD-1")
    if card not in PLAYABLE:
        return Refused("not_in_a_turn", "This card cannot be played in a turn.", "NM-CARD-3")
    match card:
        case "inheritance":
            return none_on_board(game, "castle") or no_site(estate_of(game, seat), "castle")
        case "brilliant_move":
            return Refused("not_in_hand", "You have no tile to lay.", "NM-EXPAND-2")
    return Refused("not_in_hand", "You have no tile to give.", "NM-CARD-17")


# Buildings


def not_built(game: Noblemen, seat: Seat, build: do.Build) -> Reason:
    estate = estate_of(game, seat)
    return (
        not_to_be_had(game, estate, build)
        or no_site(estate, build.kind)
        or Refused("too_dear", "You cannot pay for this building.", "NM-BUILD-5")
    )


def not_to_be_had(game: Noblemen, estate: Estate, build: do.Build) -> Reason:
    if build.kind != "folly":
        return none_on_board(game, build.kind if build.folly is None else "")
    if build.folly not in game.board.follies:
        return Refused("folly_gone", "This folly is not on the board any more.", "NM-FOLLY-1")
    if not suits(estate, build.folly):
        return Refused("areas_missing", "Your estate does not hold the areas for this folly.", "NM-FOLLY-2")
    return None


def none_on_board(game: Noblemen, kind: str) -> Reason:
    if game.board.buildings.get(kind, 0) > 0:
        return None
    return Refused("none_on_board", "No such building stands on the board.", "NM-BUILD-2")


def no_site(estate: Estate, kind: str) -> Reason:
    if sites(estate, kind):
        return None
    return Refused("no_site", "Your estate has no site for this building.", "NM-BUILD-7")


def not_put_up(game: Noblemen, seat: Seat, draft: Construction, action: Action) -> Reason:
    match action:
        case do.Site(cell=cell) if draft.cell is None:
            return wrong_site(estate_of(game, seat), draft.kind, cell)
        case do.Site():
            return Refused("site_chosen", "The site is chosen already.", "NM-BUILD-1")
        case do.Done(of=of):
            return knight_in_the_air(draft) or put(TOO_LITTLE.get(of))
    if draft.of == "inheritance":
        return Refused("no_knight", "An inherited castle brings no knight.", "NM-CARD-5")
    if draft.kind != "castle":
        return Refused("no_knight", "Only a castle brings a knight.", "NM-CASTLE-3")
    return site_first(draft) or wrong_knight(game, seat, draft, action)


def wrong_site(estate: Estate, kind: str, cell: Cell) -> Refused:
    if kind == "palace":
        return Refused("needs_castle", "A palace replaces a castle of yours.", "NM-PALACE-2")
    if cell not in estate.empty_meadows():
        rules = {"castle": "NM-CASTLE-1", "chapel": "NM-CHAPEL-1", "folly": "NM-FOLLY-3"}
        return Refused("needs_meadow", "It must stand on an empty meadow of yours.", rules[kind])
    if kind == "castle":
        return Refused("too_near", "A castle must not be adjacent to a castle or palace.", "NM-CASTLE-2")
    return Refused("too_near", "A chapel must not be adjacent to a chapel.", "NM-CHAPEL-2")


def knight_in_the_air(draft: Construction) -> Reason:
    if draft.source is None:
        return None
    return Refused("knight_in_the_air", "First put down the knight you lifted.", "NM-KNIGHT-4")


def site_first(draft: Construction) -> Reason:
    return None if draft.cell else Refused("site_first", "First choose the site of the castle.", "NM-BUILD-7")


def wrong_knight(game: Noblemen, seat: Seat, draft: Construction, action: Action) -> Refused:
    if draft.target:
        return Refused("knight_placed", "A castle brings one knight only.", "NM-KNIGHT-1")
    in_stock = game.board.noblemen[seat].knights > 0
    if isinstance(action, do.LiftKnight):
        return not_lifted(in_stock, draft)
    if not in_stock and draft.source is None:
        return Refused("none_in_stock", "Your stock is empty: first lift one of your knights.", "NM-KNIGHT-4")
    return Refused("no_free_symbol", "A knight goes on a free symbol of an opponent's area.", "NM-KNIGHT-2")


def not_lifted(in_stock: bool, draft: Construction) -> Refused:
    if in_stock:
        return Refused("use_stock", "A knight in stock must be used first.", "NM-KNIGHT-4")
    if draft.source:
        return Refused("knight_lifted", "You have lifted a knight already.", "NM-KNIGHT-4")
    return Refused("no_knight_there", "You can lift one of your own knights for a free symbol.", "NM-KNIGHT-4")


# Tiles


def not_laid(game: Noblemen, seat: Seat, lay: do.Lay, laid: list[Tile]) -> Refused:
    if len(laid) >= TERMS.max_tiles:
        return Refused("three_tiles", "At most three tiles can be laid.", "NM-EXPAND-1")
    if lay.kind not in kinds_left(game.hands[seat].tiles, [tile.kind for tile in laid]):
        return Refused("not_in_hand", "You have no such tile in your hand.", "NM-EXPAND-2")
    if wrong_corner(game, lay):
        return Refused("wrong_corner", "Say which corner shows the symbol where there is one to choose.", "NM-AREA-2")
    taken = {*estate_of(game, seat).survey.cells, *(tile.cell for tile in laid)}
    if lay.cell in taken:
        return Refused("occupied", "There is a tile in this cell already.", "NM-EXPAND-4")
    return Refused("not_adjacent", "A tile must share an edge with your estate.", "NM-EXPAND-3")


def wrong_corner(game: Noblemen, lay: do.Lay) -> bool:
    wanted = CORNERS.keys() if has_corner(lay.kind, game.board.options.area_model) else {None}
    return lay.corner not in wanted


def not_donated(game: Noblemen, seat: Seat, kind: str, drafted: list[str]) -> Reason:
    if kind not in kinds_left(game.hands[seat].tiles, drafted):
        return Refused("not_in_hand", "You have no such tile in your hand.", "NM-CHURCH-1")
    return Refused("church_full", "The church takes three tiles of a kind per decade.", "NM-CHURCH-2")


def not_traded(hand: Hand, kind: str, given: list[str]) -> Reason:
    if len(given) >= GIVEN:
        return Refused("two_given", "Two tiles are given for one.", "NM-TRADE-1")
    if kind not in kinds_left(hand.tiles, given) or sum(hand.tiles.values()) < GIVEN:
        return Refused("not_in_hand", "You need two such tiles in your hand.", "NM-TRADE-2")
    return Refused("not_in_bag", "The bag is empty.", "NM-TRADE-4")


def not_wanted(draft: Exchange) -> Refused:
    if len(draft.kinds) < GIVEN:
        return Refused("give_two", "Two tiles are given for one.", "NM-TRADE-1")
    return Refused("not_in_bag", "The bag does not hold this kind.", "NM-TRADE-4")


# Follow-up decisions


def in_follow_up(game: Noblemen, seat: Seat, action: Action) -> Reason:
    match action:
        case do.Take():
            return Refused("too_many_tiles", "Pick up to three tiles of each kind.", "NM-SETUP-11")
        case do.Keep():
            return Refused("not_on_offer", "Keep one of the cards on offer.", "NM-OFFER-1")
        case do.UseIntrigue():
            return no_intrigue(game)
        case do.Give():
            return Refused("not_in_hand", "Give two tiles of your hand.", "NM-GIFT-2")
        case do.Spend():
            return not_owned()
        case do.SpendCard():
            return Refused("card_not_held", "You do not hold this card.", "NM-CARD-1")
        case do.ChooseTitle():
            return Refused("title_out_of_reach", "This title is gone, or needs more prestige.", "NM-BALL-13")
        case do.Done(of=of):
            return put(TOO_LITTLE.get(of)) if game.board.phase == "gift" else None
    return None


def no_intrigue(game: Noblemen) -> Refused:
    if game.board.phase == "setup_cards":
        return Refused("no_intrigue", "Nobody holds an intrigue before the first cards are dealt.", "NM-SETUP-15")
    return Refused("no_intrigue", "You held no intrigue before this offer.", "NM-CARD-6")
