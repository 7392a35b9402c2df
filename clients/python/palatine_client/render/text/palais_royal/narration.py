"""Palais Royal in plain words: the turn, the players, the palace, the park, the cards, the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...games.palais_royal import derived_values
from ...terminal.palais_royal.final_scores import LINES
from ...terminal.palais_royal.players import points
from .formatter import Speech


def board(speech: Speech) -> Iterator[list[str]]:
    """What lies open, in paragraphs."""
    if not speech.board["final"] and speech.board["turn"]["phase"] != "setup":
        yield [said(speech, "turn allows", actions=", ".join(allowed(speech)))]
    for seat in speech.board["order"]:
        yield [*player(speech, seat)]
    yield [*palace(speech)]
    yield [*park(speech)]
    yield [*border(speech)]
    yield [*cards(speech)]
    yield [*(ending(speech) if speech.board["final"] else speech.endings())]


def said(speech: Speech, key: str, **parts: object) -> str:
    return speech.phrase(key, **{name: str(part) for name, part in parts.items()}).plain


def who(speech: Speech, seat: int) -> str:
    return str(speech.scene.who(seat))


# The turn


def allowed(speech: Speech) -> Iterator[str]:
    """What is left of each action that is not over yet."""
    table, names = speech.board, speech.names
    is_open = {phase: not derived_values.is_past(table, phase) for phase in ("a1", "a2", "a3", "a4", "a5")}
    if is_open["a1"]:
        key = "any at the gate" if table["turn"]["gate_unlimited"] else "at the gate"
        yield speech.counted(key, derived_values.gate_left(table, names))
    if is_open["a2"]:
        yield speech.counted("moves", derived_values.moves_left(table, names))
    if is_open["a3"]:
        yield from from_rooms(speech)
    if is_open["a4"]:
        yield speech.counted("recruitments", derived_values.recruitments_left(table))
    yield speech.counted("draws", derived_values.cards_left(table, names))


def from_rooms(speech: Speech) -> Iterator[str]:
    yield said(speech, "mint", count=derived_values.gold_left(speech.board, speech.names))
    for room, count in derived_values.seals_left(speech.board, speech.names).items():
        if count:
            yield speech.counted("seal servants", count, into=speech.language.INTO[room])


# Players


def player(speech: Speech, seat: int) -> Iterator[str]:
    """What somebody has."""
    own, names = speech.board["players"][seat], speech.names
    yield said(
        speech,
        "player",
        who=who(speech, seat),
        colour=names.piece(own["colour"]),
        gold=own["gold"],
        supply=speech.counted("servants", own["supply"]),
        reserve=own["reserve"],
        cards=speech.counted("cards", own["cards"]),
        points=known_points(speech, own),
    )
    if own["face_up"]:
        nobles = (f"{names.piece(noble)} ({speech.benefit(noble)})" for noble in own["face_up"])
        yield said(speech, "lasting", nobles=", ".join(nobles))
    if own["face_down"]:
        yield said(speech, "others", nobles=", ".join(map(names.piece, own["face_down"])))
    if hidden := derived_values.hidden_nobles(own):
        yield speech.counted("hidden nobles", hidden)
    if own["front"]:
        yield said(speech, "played", cards=kinds(speech, own["front"]))


def known_points(speech: Speech, own: dict[str, Any]) -> str:
    """The points that the viewer sees, and that there may be more."""
    seen = speech.counted("points", points(own, speech.names))
    return said(speech, "points and secret ones", points=seen) if derived_values.hidden_nobles(own) else seen


# The palace


def palace(speech: Speech) -> Iterator[str]:
    yield said(speech, "palace")
    for row, rooms in enumerate(speech.board["layout"], 1):
        for column, room in enumerate(rooms, 1):
            yield room_line(speech, room, row, column)


def room_line(speech: Speech, room: str, row: int, column: int) -> str:
    """A room with the servants in it, and who has the majority there."""
    table = speech.board
    servants = [f"{who(speech, seat)} {count}" for seat, count in enumerate(table["rooms"][room]) if count]
    leading = [seat for seat in table["order"] if derived_values.has_majority(table, seat, room, speech.names)]
    key = "room empty" if not servants else "majority" if leading else "room"
    return said(
        speech,
        key,
        row=row,
        column=column,
        room=speech.names.piece(room),
        servants=", ".join(servants),
        who=", ".join(who(speech, seat) for seat in leading),
    )


# The park


def park(speech: Speech) -> Iterator[str]:
    yield said(speech, "park")
    spaces = [*derived_values.spaces(speech.names)]
    yield from (f"{speech.offered_noble(space).plain}." for space in spaces if space in speech.board["park"])
    if free := [space for space in spaces if space not in speech.board["park"]]:
        yield said(speech, "space free", spaces=", ".join(free))


def border(speech: Speech) -> Iterator[str]:
    """The servants on the border, and how strong everybody is in each row of it."""
    if servants := speech.board["border"]:
        listed = (f"{space} {who(speech, seat)}" for space, seat in sorted(servants.items()))
        yield said(speech, "border servants", servants=", ".join(listed))
    rows = speech.names.park["border_rows"]
    for row in rows:
        strengths = enumerate(derived_values.strengths(speech.board, row))
        if words := ", ".join(f"{who(speech, seat)} {strength}" for seat, strength in strengths if strength):
            yield said(speech, "border row", spaces=", ".join(row["spaces"]), strengths=words)
    yield said(speech, "border points", first=rows[0]["first"], second=rows[0]["second"])


# Cards


def cards(speech: Speech) -> Iterator[str]:
    table = speech.board
    yield said(speech, "deck", deck=table["deck"], discarded=kinds(speech, table["discard"]))
    if table["turn"]["active"]:
        yield said(speech, "in force", cards=kinds(speech, table["turn"]["active"]))
    if table["bank"] is not None:
        yield said(speech, "bank", gold=table["bank"])


def kinds(speech: Speech, cards: list[str]) -> str:
    return str(speech.cards(cards))


def hand(speech: Speech) -> Iterator[str]:
    """The cards in hand, those just drawn, and secret nobles."""
    for part, title in (("cards", "hand"), ("pending", "pending")):
        if held := (speech.scene.hand or {}).get(part, []):
            yield f"{said(speech, title)}:"
            yield from (card(speech, kind, count) for kind, count in Counter(held).items())
    if nobles := speech.secret_nobles():
        yield f"{said(speech, 'secret nobles')}: {nobles.plain}"


def card(speech: Speech, kind: str, count: int) -> str:
    name, price, timing, effect = map(str, speech.card_row(kind, count))
    return f"{name}, {price}, {timing}: {effect}"


# The end


def ending(speech: Speech) -> Iterator[str]:
    """The score sheet and the ranking."""
    names, table = speech.names, speech.board
    yield f"{names.label('score sheet')}:"
    for seat, sheet in enumerate(table["sheets"]):
        lines = ", ".join(f"{names.label(label)} {sheet[line]}" for line, label in LINES.items())
        yield said(speech, "sheet", who=who(speech, seat), lines=lines, total=sheet["total"])
    yield f"{names.label('ranking')}:"
    for row in sorted(table["final"], key=lambda row: (row["rank"], row["seat"])):
        score, cardinal = speech.counted("points", row["score"]), speech.counted("servants", row["cardinal"])
        yield said(speech, "rank", rank=row["rank"], who=who(speech, row["seat"]), score=score, cardinal=cardinal)


# What can be chosen


def option(speech: Speech, name: str, value: Any) -> str:
    """A value of a field, where the game has words for it."""
    if name == "space":
        return said(speech, "space", noble=speech.names.piece(speech.board["park"][value]), space=value)
    return speech.wild(value).plain if name == "wild" else ""
