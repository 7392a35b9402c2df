"""Situations: a turn brought to the place where a rule can be watched."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from games.palais_royal.diagrams import FULL_PARK, palace_of, park_of

from palatine_protocol.offers import listed
from palatine_server.games.kit import Action, News, Recorder, Refused, Seat, plain, step
from palatine_server.games.palais_royal import PALAIS_ROYAL as GAME
from palatine_server.games.palais_royal import rounds
from palatine_server.games.palais_royal.actions import PlaceRest
from palatine_server.games.palais_royal.board import Palais, Turn
from palatine_server.games.palais_royal.catalog import COUNTS, NOBLES, PRIVILEGES, ROOM_NAMES
from palatine_server.games.palais_royal.turn import enter, take_turn

EMPTY_PALACE = ". . .\n. . .\n. . ."


def seed(number: int) -> str:
    return f"{number:064x}"


def begun(players: int = 2, number: int = 1, **options: Any) -> Palais:
    return GAME.begin(players, seed(number), options)


def first_turn(players: int = 2, number: int = 1, **options: Any) -> Palais:
    """The first turn, everybody's free servants standing as the rules put them."""
    game = begun(players, number, **options)
    while game.board.turn.phase == "setup":
        game.act(game.board.turn.seat, PlaceRest())
    return game


def turn(
    palace: str | dict[str, list[int]] = EMPTY_PALACE,
    park: str = FULL_PARK,
    *,
    players: int = 2,
    seat: Seat = 0,
    phase: str = "pre",
    gold: Sequence[int] = (),
    hands: Sequence[Sequence[str]] = (),
    front: Sequence[Sequence[str]] = (),
    nobles: Sequence[Sequence[str]] = (),
    reserve: Sequence[int] = (),
    deck: Sequence[str] | None = None,
    discard: Sequence[str] = (),
    named: dict[str, str] | None = None,
    **options: Any,
) -> Palais:
    """A seat's turn in this palace and this park; what is not said stands as simply as possible."""
    game = first_turn(players, **options)
    rooms = palace_of(palace, players) if isinstance(palace, str) else palace
    game.board.rooms = {room: list(rooms.get(room, [0] * players)) for room in ROOM_NAMES}
    lay_out_park(game, park, named or {}, nobles)
    give(game, gold, hands, front, nobles)
    count_servants(game, reserve)
    deal(game, deck, discard)
    game.board.turn = Turn(seat=seat)
    enter(game, seat, phase)
    game.document.agenda = [step(take_turn, seat), step(rounds.pass_on)]
    return GAME.copy(game)


def lay_out_park(game: Palais, park: str, named: dict[str, str], nobles: Sequence[Sequence[str]]) -> None:
    owned = {noble for own in nobles for noble in own}
    drawn, game.board.border = park_of(park, **named)
    free = (noble for noble in drawn_last(NOBLES) if noble not in {*owned, *drawn.values()})
    game.board.park = {space: next(free) if noble in owned else noble for space, noble in drawn.items()}
    game.box.removed = [noble for noble in NOBLES if noble not in {*owned, *game.board.park.values()}]


def drawn_last(nobles: Iterable[str]) -> Iterator[str]:
    return iter(sorted(nobles, reverse=True))


def give(
    game: Palais,
    gold: Sequence[int],
    hands: Sequence[Sequence[str]],
    front: Sequence[Sequence[str]],
    nobles: Sequence[Sequence[str]],
) -> None:
    for seat, player in enumerate(game.board.players):
        player.gold = gold[seat] if gold else 0
        player.front = list(front[seat]) if front else []
        own = nobles[seat] if nobles else []
        player.face_up = [noble for noble in own if NOBLES[noble].face == "up"]
        face_down = [noble for noble in own if NOBLES[noble].face == "down"]
        if game.board.options.secret_nobles and face_down:
            player.hidden_nobles, game.hands[seat].nobles = len(face_down), face_down
        else:
            player.face_down = face_down
        game.hands[seat].cards = list(hands[seat]) if hands else []
        player.cards = len(game.hands[seat].cards)
    if game.board.bank is not None and game.board.options.bank_limit is not None:
        game.board.bank = game.board.options.bank_limit - sum(gold)


def count_servants(game: Palais, reserve: Sequence[int]) -> None:
    border = list(game.board.border.values())
    for seat, player in enumerate(game.board.players):
        player.reserve = reserve[seat] if reserve else COUNTS.servants_reserve
        standing = sum(servants[seat] for servants in game.board.rooms.values()) + border.count(seat)
        player.supply = COUNTS.servants_per_colour - player.reserve - standing
        assert player.supply >= 0, "so many servants there are not"


def deal(game: Palais, deck: Sequence[str] | None, discard: Sequence[str]) -> None:
    """The deck named, bottom to top, or all cards that lie nowhere else."""
    left = [card.id for card in PRIVILEGES.values() for _ in range(card.copies)]
    for hand, player in zip(game.hands, game.board.players, strict=True):
        for card in (*hand.cards, *player.front):
            left.remove(card)
    for card in discard:
        left.remove(card)
    game.box.deck = left if deck is None else list(deck)
    game.board.deck, game.board.discard = len(game.box.deck), list(discard)


# Watching


def do(game: Palais, *actions: Action) -> list[News]:
    """The seat whose turn it is does this; the news it makes."""
    game.told.clear()
    for action in actions:
        game.act(game.board.turn.seat, action)
    if len(every_card(game)) == COUNTS.privilege_cards:
        GAME.check(game)
    return [told.news for told in game.told]


def every_card(game: Palais) -> list[str]:
    held = [card for hand in game.document.hands for card in (*hand.cards, *hand.pending)]
    front = [card for player in game.board.players for card in player.front]
    return [*held, *front, *game.document.box.deck, *game.board.discard, *game.board.turn.active]


def refusal(game: Palais, action: Action, seat: Seat | None = None) -> str:
    """The code with which an action is refused; the table stays as it was."""
    before = GAME.pack(game)
    with pytest.raises(Refused) as refused:
        game.act(game.board.turn.seat if seat is None else seat, action)
    assert GAME.pack(game) == before
    assert refused.value.sentence
    return refused.value.code


def rule_of_refusal(game: Palais, action: Action) -> str:
    with pytest.raises(Refused) as refused:
        game.act(game.board.turn.seat, action)
    return refused.value.rule


def may(game: Palais, action: Action) -> bool:
    """Whether the seat whose turn it is may do this."""
    return plain(action) in [plain(each) for each in listed(game.offer(game.board.turn.seat))]


def verbs(game: Palais) -> set[str]:
    return {choice.do for choice in game.offer(game.board.turn.seat)}


def offered(game: Palais, verb: str, field: str) -> set[Any]:
    """All values that a field may take in the actions of a verb."""
    choices = [choice for choice in game.offer(game.board.turn.seat) if choice.do == verb]
    values = [value for choice in choices for value in plain(list(choice.fields[field]))]
    return {tuple(value) if isinstance(value, list) else value for value in values}


def possible(game: Palais, verb: str) -> list[dict[str, Any]]:
    """All actions of a verb, as plain data."""
    return [plain(action) for action in listed(game.offer(game.board.turn.seat)) if action["do"] == verb]


def here(game: Palais, room: str, seat: Seat = 0) -> int:
    return game.board.rooms[room][seat]


def written(game: Palais) -> Recorder:
    return Recorder(game)
