"""Situations: a table with just what a rule needs. Tiles and estates are named by the letters of diagrams.py."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from games.noblemen.diagrams import drawn, tiles

from palatine_protocol.offers import listed
from palatine_server.games.kit import Action, News, Refused, Seat, step
from palatine_server.games.noblemen import NOBLEMEN as GAME
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.bag import look_into_bag
from palatine_server.games.noblemen.board import Noblemen
from palatine_server.games.noblemen.catalog import BRIBE, BUILDINGS, CARDS, FOLLIES, KINDS, KNIGHT, TILES
from palatine_server.games.noblemen.estate import Estate, Knight, Vertex
from palatine_server.games.noblemen.screen import no_tiles, totals_of
from palatine_server.games.noblemen.turn import take_turn

IN_WHOSE_MOMENT = {"not_your_turn": "NM-TURN-2", "game_over": "NM-FINAL-1"}


def seed(number: int) -> str:
    return f"{number:064x}"


def begun(players: int = 4, number: int = 1, **options: Any) -> Noblemen:
    """A game that has just begun, with seat 0 as start player unless somebody else is named."""
    return GAME.begin(players, seed(number), {"start_player": 0, **options})


# A table in the middle of a game


def table(
    players: int = 4,
    *,
    active: Seat = 0,
    queen: Seat | None = None,
    round: int = 0,  # noqa: A002 (the rulebook's word)
    decade: int = 1,
    estates: Mapping[Seat, str | Estate] | None = None,
    tiles: Mapping[Seat, str] | None = None,
    cards: Mapping[Seat, str] | None = None,
    money: Mapping[Seat, int] | None = None,
    bribes: Mapping[Seat, int] | None = None,
    knights: Mapping[Seat, list[tuple[Seat, Vertex]]] | None = None,
    titles: Mapping[Seat, str] | None = None,
    bag: str | None = None,
    deck: str | None = None,
    church: str = "",
    buildings: Mapping[str, int] | None = None,
    **options: Any,
) -> Noblemen:
    """A turn of the active seat. What is not said: start estate, start money, nothing behind the screens.

    Bag, deck, reserve and the stock of markers hold what is not elsewhere.
    """
    game = at_first_turn(players, **options)
    board = game.board
    board.active, board.round, board.decade = active, round, decade
    board.queen = players - 1 if queen is None else queen
    board.buildings |= buildings or {}
    for seat in game.seats:
        furnish(game, seat, (estates or {}).get(seat), (tiles or {}).get(seat, ""), (cards or {}).get(seat, ""))
        game.hands[seat].money = (money or {}).get(seat, 10 + seat)
        game.hands[seat].bribes = (bribes or {}).get(seat, 0)
    for seat, title in (titles or {}).items():
        grant(game, seat, title)
    for seat, symbols in (knights or {}).items():
        post(game, seat, symbols)
    board.church = counted(church)
    put_rest_back(game, bag, deck)
    game.document.agenda = [step(take_turn, active)]
    return at_rest(game)


def at_first_turn(players: int, **options: Any) -> Noblemen:
    return GAME.unpack(packed_at_first_turn(players, tuple(options.items())))


@cache
def packed_at_first_turn(players: int, options: tuple[tuple[str, Any], ...]) -> bytes:
    return GAME.pack(carried_on(begun(players, **dict(options)), lambda game: game.board.phase == "turn"))


def furnish(game: Noblemen, seat: Seat, estate: str | Estate | None, kinds: str, cards: str) -> None:
    hand = game.hands[seat]
    hand.tiles, hand.cards, hand.bag_has = counted(kinds), cards.split(), {}
    if estate is not None:
        overlap = game.board.options.area_model == "overlap"
        game.board.noblemen[seat].estate = drawn(estate, overlap=overlap) if isinstance(estate, str) else estate


def grant(game: Noblemen, seat: Seat, title: str) -> None:
    nobleman = game.board.noblemen[seat]
    game.board.titles[nobleman.title] += 1
    game.board.titles[title] -= 1
    nobleman.title = title


def post(game: Noblemen, seat: Seat, symbols: list[tuple[Seat, Vertex]]) -> None:
    """Put knights of a seat on symbols of others."""
    game.board.noblemen[seat].knights = KNIGHT.per_player - len(symbols)
    for player, vertex in symbols:
        game.board.noblemen[player].estate.knights.append(Knight(seat, *vertex))


def put_rest_back(game: Noblemen, bag: str | None, deck: str | None) -> None:
    """Fill bag, deck, reserve and the stock of markers with what is not elsewhere."""
    board, hands = game.board, list(game.hands)
    estates = [nobleman.estate for nobleman in board.noblemen]
    for kind in KINDS:
        elsewhere = sum(estate.count(kind) for estate in estates) + sum(hand.tiles[kind] for hand in hands)
        game.box.bag[kind] = max(0, TILES[kind].count - elsewhere - board.church[kind])
    for kind, building in BUILDINGS.items():
        standing = sum(len(estate.sites_of(kind)) for estate in estates)
        board.reserve[kind] = building.count - standing - board.buildings[kind]
    built = [building.folly for estate in estates for building in estate.buildings]
    board.follies = [folly for folly in FOLLIES if folly not in built]
    held = [card for hand in hands for card in hand.cards]
    game.box.deck = [card.id for card in CARDS.values() for _ in range(card.count - held.count(card.id))]
    board.bribes = BRIBE.count - sum(hand.bribes for hand in hands)
    if bag is not None:
        game.box.bag = counted(bag)
    if deck is not None:
        game.box.deck = deck.split()


def at_rest(game: Noblemen) -> Noblemen:
    """The same table as it would be read from storage."""
    look_into_bag(game, game.board.active)
    if game.board.totals is not None:
        game.board.totals = [totals_of(game, seat) for seat in game.seats]
    return GAME.copy(game)


def counted(letters: str) -> dict[str, int]:
    """How many tiles of each kind these letters name."""
    return no_tiles() | {kind: tiles(letters).count(kind) for kind in set(tiles(letters))}


def hand_of(game: Noblemen, seat: Seat) -> dict[str, int]:
    """The tiles of a seat, without the kinds it does not hold."""
    return {kind: count for kind, count in game.document.hands[seat].tiles.items() if count}


# A game carried on


def moves(game: Noblemen) -> Iterator[tuple[Seat, Action]]:
    """Time runs out for everybody, until the game is over."""
    while not game.is_over:
        seat, action = GAME.overdue(game, game.seats)
        game.act(seat, action)
        yield seat, action


def carried_on(game: Noblemen, until: Callable[[Noblemen], bool]) -> Noblemen:
    going = moves(game)
    while not until(game):
        next(going)
    return game


# What seats do: the steps of a whole command (NM-STEP-7)


def expand(*laid: str, of: str = "expand") -> list[Action]:
    """Lay tiles such as "F↗ 1 0", then done."""
    return [*map(lay, laid), do.Done(of)]


def lay(text: str) -> do.Lay:
    sign, x, y = text.split()
    corner = {"↗": "NE", "↖": "NW", "↘": "SE", "↙": "SW"}.get(sign[1:])
    return do.Lay({"F": "field", "W": "fountain", "G": "grove", "M": "meadow"}[sign[0]], (int(x), int(y)), corner)


def build(kind: str, x: int, y: int, *knight: Action, folly: str | None = None) -> list[Action]:
    return [do.Build(kind, folly), do.Site((x, y)), *knight, do.Done("build")]


def buy(count: int) -> list[Action]:
    return [*[do.Buy()] * count, do.Done("bribe")]


def tax(bribes: int = 0) -> list[Action]:
    return [do.Tax(), *[do.Spend()] * bribes, do.Done("tax")]


def land(bribes: int = 0) -> list[Action]:
    return [do.Land(), *[do.Spend()] * bribes, do.Done("land")]


def donate(letters: str) -> list[Action]:
    return [*map(do.Donate, tiles(letters)), do.Done("donate")]


def trade(letters: str, wanted: str) -> list[Action]:
    return [*map(do.Give, tiles(letters)), do.Want(tiles(wanted)[0])]


def give(letters: str, of: str = "give_tiles") -> list[Action]:
    return [*map(do.Give, tiles(letters)), do.Done(of)]


def spend(bribes: int = 0, cards: str = "") -> list[Action]:
    return [*[do.Spend()] * bribes, *map(do.SpendCard, cards.split()), do.Done("spend_prestige")]


IDLE: list[Action] = [do.Idle()]
END: list[Action] = [do.EndTurn()]
IDLE_AND_END: list[Action] = [do.Idle(), do.EndTurn()]


def act(game: Noblemen, seat: Seat, steps: list[Action]) -> Noblemen:
    for action in steps:
        game.act(seat, action)
    return game


def refused(game: Noblemen, seat: Seat, steps: Action | list[Action]) -> Refused:
    """The refusal of the first step that breaks a rule; then the draft is dropped, and nothing has changed."""
    before = GAME.pack(game)
    with pytest.raises(Refused) as refusal:
        act(game, seat, steps if isinstance(steps, list) else [steps])
    if game.hands[seat].draft is not None and isinstance(steps, list):
        game.act(seat, do.Drop())
    assert GAME.pack(game) == before
    return refusal.value


def broken_rule(game: Noblemen, seat: Seat, steps: Action | list[Action]) -> str:
    """The rule that such a refusal names."""
    refusal = refused(game, seat, steps)
    return refusal.rule or IN_WHOSE_MOMENT.get(refusal.code, refusal.code)


# What is seen


def offered(game: Noblemen, seat: Seat, verb: str) -> list[dict[str, Any]]:
    return [action for action in listed(game.offer(seat)) if action["do"] == verb]


def verbs(game: Noblemen, seat: Seat) -> set[str]:
    return {choice.do for choice in game.offer(seat)}


def news(game: Noblemen, *kinds: type[News]) -> list[News]:
    """What was told since the table was set."""
    return [told.news for told in game.told if not kinds or isinstance(told.news, kinds)]


def heard(game: Noblemen, seat: Seat | None) -> list[News]:
    """What a seat, or a spectator, was told."""
    return [told.news for told in game.told if told.is_for(seat)]


def points(game: Noblemen) -> list[int]:
    return [nobleman.vp for nobleman in game.board.noblemen]


def money(game: Noblemen, seat: Seat) -> int:
    return game.document.hands[seat].money


def estate(game: Noblemen, seat: Seat) -> Estate:
    return game.board.noblemen[seat].estate


def cards(game: Noblemen, seat: Seat) -> list[str]:
    return game.document.hands[seat].cards


def bribes(game: Noblemen, seat: Seat) -> int:
    return game.document.hands[seat].bribes
