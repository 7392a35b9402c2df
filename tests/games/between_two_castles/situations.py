"""Situations: a game brought to the place where a rule can be watched. Tiles are named by letters of diagrams.py."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from games.between_two_castles.diagrams import TYPES, drawn

from palatine_protocol.offers import listed
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES as GAME
from palatine_server.games.between_two_castles.actions import Place, Propose, ProposeCell
from palatine_server.games.between_two_castles.board import Castle, Castles, Decision
from palatine_server.games.between_two_castles.castle import legal_cells
from palatine_server.games.between_two_castles.catalog import CARDS, ROOMS, Cell
from palatine_server.games.between_two_castles.seats import deciders, in_catalog_order
from palatine_server.games.between_two_castles.secret_swap import names
from palatine_server.games.between_two_castles.supplies import count_piles
from palatine_server.games.kit import Action, News, Refused, Seat, plain

# A game brought to a certain phase


def seed(number: int) -> str:
    return f"{number:064x}"


def begun(players: int = 3, number: int = 1, **options: Any) -> Castles:
    return GAME.begin(players, seed(number), options)


def actions(game: Castles) -> Iterator[tuple[Seat, Action]]:
    """Time runs out for everybody, until the game is over."""
    while not game.is_over:
        seat, action = GAME.overdue(game, range(len(game.hands)))
        game.act(seat, action)
        yield seat, action


def carried_on(game: Castles, until: Callable[[Castles], bool]) -> Castles:
    moves = actions(game)
    while not until(game):
        next(moves)
    return game


def brought_to(phase: str, players: int = 3, *, round: int = 1, turn: int = 1, **options: Any) -> Castles:  # noqa: A002
    """A game at the beginning of a phase."""
    at = (round, turn, phase)
    return carried_on(begun(players, **options), lambda game: where(game) == at)


def where(game: Castles) -> tuple[int, int, str]:
    return game.board.round, game.board.turn, game.board.phase


# A game with certain castles and tiles


def placing(
    players: int = 3,
    castles: dict[int, str] | None = None,
    tiles: dict[Seat, str] | None = None,
    ludwig: dict[int, str] | None = None,
    supply: str = "",
    **options: Any,
) -> Castles:
    """The first PLACE, with these rooms in the castles, these tiles to be placed, these on top of the supply."""
    game = brought_to("place", players, **options)
    board, box, left = game.board, game.box, list(ROOMS)
    for number, picture in (castles or {}).items():
        build(board.castles[number], picture, left)
    board.tiles = [in_catalog_order(taken((tiles or {}).get(seat, "S C"), left)) for seat in range(players)]
    for castle in (castle for castle in board.castles if castle.ludwig):
        (castle.ludwig,) = taken((ludwig or {}).get(board.castles.index(castle), "U"), left)
    top = taken(supply, left)
    for pile in [*(hand.passed for hand in game.hands), box.ludwig]:
        pile[:] = [left.pop() for _ in pile]
    box.supply = [*left, *reversed(top)]
    count_piles(game)
    return GAME.copy(game)


def taken(letters: str, left: list[str]) -> list[str]:
    tiles = []
    for letter in letters.split():
        tiles.append(next(tile for tile in left if ROOMS[tile].type == TYPES[letter]))
        left.remove(tiles[-1])
    return tiles


def build(castle: Castle, picture: str, left: list[str]) -> None:
    """Rooms as drawn, or, if the throne is not in the picture, of these types wherever they may stand."""
    if "T" in picture:
        for room in drawn(picture).rooms:
            left.remove(room.name)
            castle.lay(room.name, room.cell)
    else:
        for tile in taken(picture, left):
            castle.lay(tile, legal_cells(castle, tile)[0])


def with_piles(game: Castles, **piles: int) -> Castles:
    """The same game with so many pieces left in these piles of the box; the rest of each lies on its discards."""
    box, rest = game.box, {"supply": "discards", "deck": "card_discards"}
    for name, count in piles.items():
        pile = getattr(box, name)
        setattr(box, rest[name], [*getattr(box, rest[name]), *pile[: len(pile) - count]])
        setattr(box, name, pile[len(pile) - count :])
    count_piles(game)
    return GAME.copy(game)


# What seats do


def act(game: Castles, seat: Seat, *done: Action) -> Castles:
    for action in done:
        game.act(seat, action)
    return game


def tile_of(game: Castles, seat: Seat, letter: str, castle: int | None = None) -> str:
    """The tile of this type that a seat has to place, or Ludwig's beside a castle."""
    ludwigs = [] if castle is None else [game.board.castles[castle].ludwig]
    return next(tile for tile in [*game.board.tiles[seat], *ludwigs] if tile and ROOMS[tile].type == TYPES[letter])


def lay(game: Castles, seat: Seat, castle: int, letter: str, cell: Cell | None = None) -> str:
    """Place the tile of this type, somewhere if no cell is named."""
    tile = tile_of(game, seat, letter, castle)
    game.act(seat, Place(tile, castle, cell or legal_cells(game.board.castles[castle], tile)[0]))
    return tile


def question(game: Castles, castle: int) -> Decision:
    """What the partners of a castle are deciding."""
    hand = game.hands[deciders(game, castle)[0]]
    secret = [decision for decision in hand.decisions if decision.castle == castle]
    return game.board.castles[castle].decision or secret[0]


def wish(castle: int, about: str, option: Any) -> Action:
    return ProposeCell(castle, (option[0], option[1])) if about == "cell" else Propose(castle, option)


def agree(game: Castles, castle: int, option: Any = None) -> Any:
    """All deciders of a castle propose the same: this option, or the first one."""
    decision = question(game, castle)
    wanted = decision.options[0] if option is None else option
    for seat in deciders(game, castle):
        game.act(seat, wish(castle, decision.about, wanted))
    return wanted


def agree_on(game: Castles, castle: int, letter: str) -> str:
    """They take the first drawn tile of this type."""
    drawn = question(game, castle).options
    return str(agree(game, castle, next(tile for tile in drawn if ROOMS[tile].type == TYPES[letter])))


def refused(game: Castles, seat: Seat, action: Any) -> Refused:
    """The refusal of an action, typed or still plain data, which changes not a byte."""
    before = GAME.pack(game)
    with pytest.raises(Refused) as refusal:
        game.act(seat, action if isinstance(action, Action) else GAME.read_action(action))
    assert GAME.pack(game) == before
    return refusal.value


# What is seen


def offered(game: Castles, seat: Seat, verb: str) -> list[dict[str, Any]]:
    return [action for action in listed(game.offer(seat)) if action["do"] == verb]


def verbs(game: Castles, seat: Seat) -> set[str]:
    return {choice.do for choice in game.offer(seat)}


def news(game: Castles, *kinds: type[News]) -> list[News]:
    """What was told since the game was begun or copied."""
    return [told.news for told in game.told if not kinds or isinstance(told.news, kinds)]


def pieces_on_board(game: Castles) -> set[str]:
    """The tiles and cards that everybody sees."""
    return {*names(plain(game.board))} & {*ROOMS, *CARDS}


def pieces_before(game: Castles, seat: Seat) -> set[str]:
    """The tiles and cards that a seat sees, on the board and in its hand."""
    return pieces_on_board(game) | {*names(plain(game.document.hands[seat]))} & {*ROOMS, *CARDS}
