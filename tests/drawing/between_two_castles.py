"""The facts of Between Two Castles."""

from __future__ import annotations

from collections.abc import Iterator

from drawing.facts import (
    Fact,
    Labels,
    Moment,
    at_end,
    at_start,
    fact,
    name_word,
    play_until,
    read_toml,
    watch_from,
)

from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES as GAME
from palatine_server.games.between_two_castles.board import Castle, Castles, Decision, Hand
from palatine_server.games.between_two_castles.catalog import NAMED, name
from palatine_server.games.between_two_castles.scoring import LINES
from palatine_server.games.kit import Recorder, Seat

CATALOG = read_toml(GAME, "catalog.toml")
PIECES = {
    piece["id"]: piece
    for section in ("room", "special", "throne", "attendant", "bonus_card")
    for piece in CATALOG[section]
}


# Moments


def list_moments() -> Iterator[Moment]:
    """Yield the moments of the vectors: 2, 4 and 7 players, from the first hand to the end."""
    for players in (2, 4, 7):
        for label, reached in (("first hand", at_start), ("placing", is_placing), ("end", at_end)):
            recorder = play_until(GAME, players, reached)
            yield from watch_from(f"{players} players, {label}", recorder, players - 1)
    yield from watch_from("joint decision", play_until(GAME, 4, has_two_proposals), 0)
    yield from watch_from("place of a gained room", play_until(GAME, 3, has_cell_proposal), 1)
    yield from watch_from("secret decision", play_until(GAME, 4, has_secret_proposal), 0)
    yield from watch_from("tiles for Ludwig", play_until(GAME, 2, has_ludwigs_tiles), 1)
    yield from watch_from("ticked tiles", play_until(GAME, 3, has_ticked), 0)


def is_placing(recorder: Recorder) -> bool:
    board = recorder.play.document.board
    return board.round == 2 and board.phase == "place" and sum(map(len, board.tiles)) == len(board.tiles)


# The seats of the conditions are those whose views the vectors have.
def has_two_proposals(recorder: Recorder) -> bool:
    castles = [castle for castle in recorder.play.document.board.castles if castle.decision and 0 in castle.partners]
    return any(len(castle.decision.proposals) == 2 and castle.deciding == "attendant" for castle in castles)


def has_cell_proposal(recorder: Recorder) -> bool:
    castles = [castle for castle in recorder.play.document.board.castles if castle.decision and 1 in castle.partners]
    return any(castle.decision.proposals and castle.deciding == "cell" for castle in castles)


def has_secret_proposal(recorder: Recorder) -> bool:
    return any(each.proposals for each in recorder.play.document.hands[0].decisions)


def has_ludwigs_tiles(recorder: Recorder) -> bool:
    document = recorder.play.document
    return bool(document.board.round == 2 and document.hands[1].ludwig)


def has_ticked(recorder: Recorder) -> bool:
    return len(recorder.play.document.hands[0].ticked) > 1


# Facts


def list_facts(moment: Moment) -> Iterator[Fact]:
    """Yield what a picture must show. A seat sees its own castles room by room, and the others at a glance."""
    game: Castles = moment.recorder.play
    yield from list_table(game)
    yield from list_players(game, moment)
    for number, castle in enumerate(game.board.castles):
        yield from list_castle(number, castle, game, moment)
        if moment.viewer is None or moment.viewer in castle.partners:
            yield from list_rooms(number, castle)
            if castle.decision:
                yield from list_decision(f"castles/{number}/decision", castle.decision, moment)
    if moment.viewer is not None:
        yield from list_hand(game.hands[moment.viewer], moment)
        yield from list_cells(game, moment.viewer)


def list_table(game: Castles) -> Iterator[Fact]:
    board = game.board
    when = () if board.phase == "over" else (board.round, board.turn)
    yield fact("moment", name_word(GAME, "phase", board.phase), *when)
    yield fact("supply", None, board.supply)
    yield fact("deck", None, board.deck)
    for piece, left in (board.stock or {}).items():
        yield fact(f"stock/{piece}", name_piece(piece), left, piece=piece)
    for line in LINES if board.final else ():
        yield fact(f"sheets/{line}", name_line(line), *(sheet[line] for sheet in board.sheets))
    if board.final:
        yield fact("sheets/total", None, *(sum(sheet.values()) for sheet in board.sheets))


def list_players(game: Castles, moment: Moment) -> Iterator[Fact]:
    board, results = game.board, {row.seat: row for row in game.board.final}
    waiting = [] if game.is_over else game.waiting_for()
    for seat in sorted(board.circle):
        row = results.get(seat)
        yield fact(
            f"players/{seat}", None, name_seat(seat, moment), *((row.rank, row.score, row.better) if row else ())
        )
        if seat in waiting:
            yield fact(f"players/{seat}/waiting")
    for seat, tiles in enumerate(board.tiles):
        yield from (fact(f"players/{seat}/tiles/{tile}", name_piece(tile), piece=tile) for tile in tiles)


def list_castle(number: int, castle: Castle, game: Castles, moment: Moment) -> Iterator[Fact]:
    people = [name_seat(seat, moment) for seat in castle.partners]
    value = [sum(game.board.sheets[number].values())] if game.board.sheets else []
    yield fact(f"castles/{number}", name_piece(castle.token), *people, *value, piece=castle.token)
    if castle.deciding:
        yield fact(f"castles/{number}/deciding")


def list_decision(place: str, decision: Decision, moment: Moment) -> Iterator[Fact]:
    """Yield the options of a question, and who proposes which; options that are cells are shown in the castle."""
    if decision.about != "cell":
        for option in decision.options:
            yield fact(f"{place}/options/{option}", name_piece(option), piece=option)
    if decision.room:
        yield fact(f"{place}/room", name_piece(decision.room), piece=decision.room)
    for proposal in decision.proposals:
        yield fact(f"{place}/proposals/{proposal.seat}", None, name_seat(proposal.seat, moment))


def list_rooms(number: int, castle: Castle) -> Iterator[Fact]:
    throne = PIECES[castle.throne]
    yield fact(
        f"castles/{number}/throne",
        name_piece(castle.throne),
        throne["points"],
        throne["max_points"],
        piece=castle.throne,
    )
    for room in castle.rooms:
        yield room_fact(f"castles/{number}/rooms/{room.x},{room.y}", room.name)
    for place, attendant in enumerate(castle.attendants):
        points = PIECES[attendant]["points"]
        yield fact(f"castles/{number}/attendants/{place}", name_piece(attendant), points, piece=attendant)
    for place, card in enumerate(castle.cards):
        yield fact(f"castles/{number}/cards/{place}", name_piece(card), PIECES[card]["points"], piece=card)
    if castle.ludwig:
        yield room_fact(f"castles/{number}/ludwig", castle.ludwig)


def room_fact(place: str, room: str) -> Fact:
    return fact(place, name_piece(room), PIECES[room]["points"], piece=room)


def list_hand(hand: Hand, moment: Moment) -> Iterator[Fact]:
    for place in ("tiles", "chosen", "ludwig"):
        yield from (room_fact(f"hand/{place}/{tile}", tile) for tile in getattr(hand, place))
    yield from (fact(f"hand/ticked/{tile}") for tile in hand.ticked)
    yield from (fact(f"hand/passed/{tile}", name_piece(tile), piece=tile) for tile in hand.passed)
    for decision in hand.decisions:
        yield from list_decision(f"hand/decisions/{decision.castle}", decision, moment)


def list_cells(game: Castles, viewer: Seat) -> Iterator[Fact]:
    """Yield the cells where the viewer may place or propose a room."""
    cells = {
        (castle, *cell)
        for choice in ([] if game.is_over else game.offer(viewer))
        if "cell" in choice.fields
        for castle in choice.fields["castle"]
        for cell in choice.fields["cell"]
    }
    yield from (fact(f"castles/{castle}/cells/{x},{y}") for castle, x, y in sorted(cells))


# Names


def name_piece(piece: str) -> Labels:
    return {lang: name(piece, lang) for lang in ("en", "de")}


def name_line(line: str) -> Labels:
    """Return the name of a line of the score sheet: a type, a special room, or a word of its own."""
    return name_piece(line) if line in NAMED else name_word(GAME, "sheet", line)


def name_seat(seat: Seat, moment: Moment) -> str:
    """Return the name of a player; with two players, Ludwig has the last seat."""
    return moment.names[seat] if seat < len(moment.names) else "Ludwig"
