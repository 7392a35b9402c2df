"""The facts of Palais Royal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from drawing.facts import Fact, Labels, Moment, at_end, at_start, fact, name_entry, name_word, play_until, read_toml
from drawing.facts import watch_from as watch

from palatine_server.games.kit import Recorder, Seat
from palatine_server.games.palais_royal import PALAIS_ROYAL as GAME
from palatine_server.games.palais_royal.back_entrance import cards_are_left, cards_to_draw
from palatine_server.games.palais_royal.board import Hand, Palais, Player, is_open
from palatine_server.games.palais_royal.catalog import NEIGHBOURS, NOBLES, PRIVILEGES, ROOMS, ROWS
from palatine_server.games.palais_royal.majority import majority_in
from palatine_server.games.palais_royal.park import price
from palatine_server.games.palais_royal.rooms import gate_left, income, moves_left, seals_left
from palatine_server.games.palais_royal.scoring import strengths_in

CATALOG = read_toml(GAME, "catalog.toml")
PIECES = {piece["id"]: piece for section in ("phases", "rooms", "privileges", "nobles") for piece in CATALOG[section]}
NUMBERS = ("gate", "moves", "seals", "gold", "points")  # of the effect of a card
SEAL_ROOMS = ("king", "madame")


# Moments


def list_moments() -> Iterator[Moment]:
    """Yield the moments of the vectors: 2, 3 and 4 players, from the setup to the end."""
    yield from watch("setup", play_until(GAME, 4, at_start), 0)
    yield from watch("gold", play_until(GAME, 4, is_at_gold), 0)
    for players in GAME.players:
        yield from watch(f"{players} players, recruiting", play_until(GAME, players, is_recruiting), *range(players))
        yield from watch(f"{players} players, end", play_until(GAME, players, at_end))
    yield from watch("drawn cards", play_until(GAME, 4, has_drawn), *range(4))
    yield from watch("cards in force", play_until(GAME, 3, has_majorities), 0)
    yield from watch("any number to the gate", play_until(GAME, 3, has_open_gate))
    yield from watch("secret nobles", play_until(GAME, 3, has_secrets, secret_nobles=True, bank_limit=57), 0, 1, 2)


def is_at_gold(recorder: Recorder) -> bool:
    game = recorder.play
    return game.board.turn.phase == "a3" and game.board.round == 3


def is_recruiting(recorder: Recorder) -> bool:
    game: Palais = recorder.play
    turn = game.board.turn
    if turn.phase != "a4" or len(game.board.park) > 26:
        return False
    return any(choice.fields.get("space") for choice in game.offer(turn.seat))


def has_drawn(recorder: Recorder) -> bool:
    return any(len(hand.pending) > 1 for hand in recorder.play.hands) and recorder.play.board.round > 2


def has_majorities(recorder: Recorder) -> bool:
    return recorder.play.board.turn.majority_all and recorder.play.board.turn.phase == "a1"


def has_open_gate(recorder: Recorder) -> bool:
    return recorder.play.board.turn.gate_unlimited


def has_secrets(recorder: Recorder) -> bool:
    return all(hand.nobles for hand in recorder.play.hands)


# Facts


def list_facts(moment: Moment) -> Iterator[Fact]:
    """Yield what a picture must show."""
    game: Palais = moment.recorder.play
    yield moment_fact(game, moment)
    yield from list_actions(game)
    yield from list_spaces(game, moment)
    yield from list_rooms(game)
    for seat in range(len(game.board.players)):
        yield from list_player(seat, game, moment)
    yield from list_piles(game)
    yield from list_results(game, moment)
    if moment.viewer is not None:
        yield from list_hand(game.hands[moment.viewer])
        yield from list_offered(game, moment.viewer)


def moment_fact(game: Palais, moment: Moment) -> Fact:
    board = game.board
    if board.final:
        return fact("moment")
    when = (board.round,) if board.round else ()
    return fact("moment", name_entry(PIECES[board.turn.phase]), *when, moment.names[board.turn.seat])


def list_actions(game: Palais) -> Iterator[Fact]:
    """Yield the five actions of the turn; those that are still open with what they allow."""
    for phase in () if game.board.final else ("a1", "a2", "a3", "a4", "a5"):
        yield fact(f"actions/{phase}", None, *(list_allowances(game, phase) if is_open(game, phase) else ()))


def list_allowances(game: Palais, phase: str) -> list[object]:
    turn, seat = game.board.turn, game.board.turn.seat
    match phase:
        case "a1":
            return ["∞" if turn.gate_unlimited else gate_left(game, seat)]
        case "a2":
            return [moves_left(game, seat)]
        case "a3":
            gold = [] if turn.gold_taken else [income(game, seat)]
            return [*gold, *(number for number in seals_left(game, seat).values() if number)]
        case "a4":
            return [game.board.rooms["office"][seat]]
    return [0 if turn.drawn or not cards_are_left(game) else cards_to_draw(game, seat)]


def list_spaces(game: Palais, moment: Moment) -> Iterator[Fact]:
    board = game.board
    for space in NEIGHBOURS:
        if space in board.park:
            yield noble_fact(game, space)
        elif space in board.border:
            yield fact(f"border/{space}", None, moment.names[board.border[space]])
        else:
            yield fact(f"free/{space}")
    for row in CATALOG["park"]["border_rows"]:
        yield from (fact(f"doubles/{space}", None, 2) for space in row["double_spaces"])
        strengths = [strength for strength in strengths_in(game, ROWS[row["id"]]) if strength]
        yield fact(f"rows/{row['id']}", name_entry(row), *strengths)


def noble_fact(game: Palais, space: str) -> Fact:
    noble = NOBLES[game.board.park[space]]
    amount = [] if noble.benefit in {"none", "diagonal"} else [noble.amount]
    figures = [price(game, space, noble), noble.gold, noble.points, *amount]
    shapes = {"turquoise": noble.turquoise, "violet": noble.violet}
    return fact(f"park/{space}", name_piece(noble.id), *figures, piece=noble.id, shapes=shapes)


def list_rooms(game: Palais) -> Iterator[Fact]:
    for room in ROOMS:
        yield fact(f"rooms/{room}", name_piece(room), piece=room)
        for seat, servants in enumerate(game.board.rooms[room]):
            if servants:
                yield fact(f"rooms/{room}/{seat}", None, servants)
        if PIECES[room]["majority_bonus"] and has_crown(game, room):
            yield fact(f"rooms/{room}/majority")


def has_crown(game: Palais, room: str) -> bool:
    """Return whether a player has the majority: whose turn it is, or whoever has the most servants there."""
    if not game.board.final and majority_in(game, game.board.turn.seat, room):
        return True
    servants, cardinal = game.board.rooms[room], game.board.rooms["cardinal"]
    strengths = sorted(zip(servants, cardinal, strict=True), reverse=True)
    return strengths[0][0] > 0 and strengths[0] != strengths[1]


def list_player(seat: Seat, game: Palais, moment: Moment) -> Iterator[Fact]:
    own, place = game.board.players[seat], f"players/{seat}"
    secret = game.hands[seat].nobles or []
    seen = [*own.face_down, *secret] if seat == moment.viewer else own.face_down
    hidden = len(secret) if seat != moment.viewer else 0
    nobles = len(own.face_up) + len(own.face_down) + len(secret)
    figures = [own.gold, count_points(own, seen), nobles, own.cards, own.supply, own.reserve]
    seals = [game.board.rooms[room][seat] for room in SEAL_ROOMS]
    yield fact(place, None, moment.names[seat], *figures, *seals)
    if not game.is_over and seat in game.waiting_for():
        yield fact(f"{place}/waiting")
    yield from (benefit_fact(f"{place}/face_up/{noble}", noble) for noble in own.face_up)
    yield from (fact(f"{place}/face_down/{noble}", None, NOBLES[noble].points, piece=noble) for noble in seen)
    yield from (fact(f"{place}/hidden_nobles/{number}") for number in range(hidden))
    for number, card in enumerate(own.front):
        yield fact(f"{place}/front/{number}", None, PIECES[card]["effect"]["points"], piece=card)


def count_points(own: Player, seen: list[str]) -> int:
    nobles = sum(NOBLES[noble].points for noble in [*own.face_up, *seen])
    return nobles + sum(PIECES[card]["effect"]["points"] for card in own.front)


def benefit_fact(place: str, noble: str) -> Fact:
    amount = [] if NOBLES[noble].benefit == "diagonal" else [NOBLES[noble].amount]
    return fact(place, None, *amount, piece=noble)


def list_piles(game: Palais) -> Iterator[Fact]:
    board = game.board
    yield fact("deck", None, board.deck)
    if board.bank is not None:
        yield fact("bank", None, board.bank)
    for place, pile in (("discard", board.discard), ("active", board.turn.active)):
        for kind, number in Counter(pile).items():
            yield fact(f"{place}/{kind}", name_piece(kind), *([number] if number > 1 else []), piece=kind)


def list_results(game: Palais, moment: Moment) -> Iterator[Fact]:
    board = game.board
    for line in ("nobles", "played", "unplayed", "park") if board.final else ():
        yield fact(f"sheets/{line}", name_word(GAME, "sheet", line))
    for row in board.final:
        points = [number for number in board.sheets[row.seat].values() if number]
        yield fact(f"final/{row.seat}", None, moment.names[row.seat], row.rank, *points, row.cardinal)


def list_hand(hand: Hand) -> Iterator[Fact]:
    for place, cards in (("cards", hand.cards), ("pending", hand.pending)):
        for number, kind in enumerate(cards):
            effect = PIECES[kind]["effect"]
            figures = [effect[key] for key in NUMBERS if key in effect]
            yield fact(f"hand/{place}/{number}", name_piece(kind), PRIVILEGES[kind].price, *figures, piece=kind)
    for noble in hand.nobles or []:
        yield fact(f"hand/nobles/{noble}", name_piece(noble), NOBLES[noble].points, piece=noble)


def list_offered(game: Palais, viewer: Seat) -> Iterator[Fact]:
    """Yield the nobles that the viewer may recruit, and the rooms where the viewer may put a servant."""
    offer = [] if game.is_over else game.offer(viewer)
    for field, place in (("space", "park"), ("room", "rooms")):
        named = {name for choice in offer for name in choice.fields.get(field, ())}
        yield from (fact(f"{place}/{name}/offered") for name in sorted(named))


def name_piece(piece: str) -> Labels:
    return name_entry(PIECES[piece])
