"""Between Two Castles in plain words: castles floor by floor, decisions, the hand, the score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...terminal import between_two_castles as drawing
from ..render_context import Plain
from .formatter import Speech, decisions_of

HELD = {"tiles": "hand", "ticked": "ticked", "chosen": "chosen", "passed": "passed", "ludwig": "ludwig drawn"}


def board(speech: Speech) -> Iterator[list[str]]:
    """What lies open, a paragraph for each castle."""
    yield [*common(speech)]
    for number in range(len(speech.board["castles"])):
        yield [*castle(speech, number)]
    if speech.board["final"]:
        yield [*ranking(speech)]


def common(speech: Speech) -> Iterator[str]:
    table = speech.board
    for seat, tiles in enumerate(table["tiles"]):
        if tiles:
            yield speech.phrase("to be placed", who=speech.who(seat), rooms=rooms(speech, tiles))
    if table["phase"] == "choose" and any(table["chosen"]):
        ready = [speech.names.seat(seat) for seat, is_ready in enumerate(table["chosen"]) if is_ready]
        yield speech.phrase("chosen already", people=", ".join(ready))
    yield speech.phrase("supplies", rooms=table["supply"], cards=table["deck"])
    if table["stock"] is not None:
        left = ", ".join(f"{speech.names.piece(name)} {count}" for name, count in table["stock"].items())
        yield speech.phrase("stock", pieces=left)


def rooms(speech: Speech, names: list[str]) -> str:
    return ", ".join(map(speech.room, names))


# Castles


def castle(speech: Speech, number: int) -> Iterator[str]:
    """Whose it is, what it looks like, and what is going on in it."""
    built = speech.board["castles"][number]
    yield title(speech, number)
    yield throne(speech, built["throne"])
    yield from floors(speech, built)
    yield speech.phrase("rooms of", counts=counts(speech, built))
    yield from beside(speech, built)
    yield from deciding(speech, built)
    if speech.board["sheets"]:
        yield sheet(speech, number)


def title(speech: Speech, number: int) -> str:
    built, sheets = speech.board["castles"][number], speech.board["sheets"]
    people = speech.scene.listed(speech.names.seat(seat) for seat in built["partners"])
    if sheets:
        return speech.phrase(
            "castle worth", castle=speech.castle(number), people=people, points=sum(sheets[number].values())
        )
    return speech.phrase("castle of", castle=speech.castle(number), people=people)


def throne(speech: Speech, name: str) -> str:
    """What the throne room likes to have around it."""
    piece, language = speech.names.pieces[name], speech.language
    types = speech.names.label("or").join(language.ROOMS[kind] for kind in piece["types"])
    where = speech.names.label("or").join(language.WHERE[at] for at in piece["positions"])
    return speech.phrase("throne", points=piece["points"], types=types, where=where, most=piece["max_points"])


def floors(speech: Speech, built: Plain) -> Iterator[str]:
    """The floors from the top down, each from left to right."""
    cells = {(x, y): speech.phrase("column", column=x, room=speech.room(name)) for name, x, y in built["rooms"]}
    cells[0, 0] = speech.phrase("throne at")
    for floor in sorted({y for _, y in cells}, reverse=True):
        across = "; ".join(cells[cell] for cell in sorted(cells) if cell[1] == floor)
        key = "floor above" if floor > 0 else "floor below" if floor else "floor 0"
        yield speech.phrase(key, floor=abs(floor), rooms=across)


def counts(speech: Speech, built: Plain) -> str:
    kinds = [drawing.kind_of(speech.names.pieces[name]) for name, _, _ in built["rooms"]]
    return ", ".join(f"{speech.language.ROOMS[kind]} {kinds.count(kind)}" for kind in speech.names.types)


def beside(speech: Speech, built: Plain) -> Iterator[str]:
    """Attendants, bonus cards, Ludwig's room, and who waits for his partner."""
    if built["attendants"]:
        yield speech.phrase("attendants", attendants=", ".join(map(speech.names.piece, built["attendants"])))
    for card in built["cards"]:
        yield speech.phrase("bonus card", card=drawing.card(card, speech.names).plain)
    if built["ludwig"]:
        yield speech.phrase("ludwig beside", room=speech.room(built["ludwig"]))
    if built["holds"]:
        yield speech.phrase("wants the partner first", people=", ".join(map(speech.names.seat, built["holds"])))


def deciding(speech: Speech, built: Plain) -> Iterator[str]:
    """An open question with what was said to it; of a secret one only what it is about."""
    if built["decision"]:
        yield from question(speech, built["decision"])
    elif built["deciding"]:
        yield speech.phrase("deciding", about=speech.names.label(f"deciding {built['deciding']}"))


def question(speech: Speech, decision: Plain) -> Iterator[str]:
    yield speech.phrase("deciding", about=speech.names.label(f"deciding {decision['about']}"))
    yield speech.phrase("on offer", options="; ".join(options(speech, decision)))
    yield from (f"{said.plain[:1].upper()}{said.plain[1:]}." for said in speech.said(decision))


def options(speech: Speech, decision: Plain) -> Iterator[str]:
    return (speech.choice(decision, choice).plain for choice in decision["options"])


# The end


def sheet(speech: Speech, number: int) -> str:
    lines = speech.board["sheets"][number].items()
    words = ", ".join(f"{speech.names.line(line)} {points}" for line, points in lines if points)
    return speech.phrase("sheet", castle=speech.castle(number), lines=words or "0")


def ranking(speech: Speech) -> Iterator[str]:
    yield f"{speech.names.label('ranking')}:"
    for row in sorted(speech.board["final"], key=lambda row: (row["rank"], row["seat"])):
        yield speech.phrase("rank", who=speech.names.seat(row["seat"]), **row)


# What the viewer alone sees


def hand(speech: Speech) -> Iterator[str]:
    for part, key in HELD.items():
        if tiles := speech.hand(part):
            yield f"{speech.phrase(key)}:"
            yield from (f"{speech.room(tile)}: {speech.worth(tile)}." for tile in tiles)
    for decision in (speech.scene.hand or {}).get("decisions", []):
        yield f"{speech.castle(decision['castle'])}:"
        yield from question(speech, decision)


def option(speech: Speech, name: str, value: Any, chosen: Plain) -> str:
    """A value of a field, where the game has words for it."""
    match name, chosen:
        case "cell", {"castle": castle}:
            return speech.place(castle, value)
        case "castle", _:
            return speech.castle(value)
        case (("tile" | "tiles"), _):
            return speech.room(value)
        case "choice", {"castle": castle}:
            decision = next((each for each in decisions_of(speech.scene) if each["castle"] == castle), None)
            return speech.choice(decision, value).plain if decision else ""
    return ""
