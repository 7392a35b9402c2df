"""The narration of Between Two Castles: castles floor by floor, decisions, the hand, the score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...games.between_two_castles.names import find_kind
from ...terminal import between_two_castles as drawing
from ..render_context import Plain
from .formatter import CastleFormatter, list_decisions

HELD = {"tiles": "hand", "ticked": "ticked", "chosen": "chosen", "ludwig": "ludwig drawn"}


def narrate_board(formatter: CastleFormatter) -> Iterator[list[str]]:
    """Narrate the public parts of the board, with a paragraph for each castle."""
    yield [*narrate_supplies(formatter)]
    for number in range(len(formatter.board["castles"])):
        yield [*narrate_castle(formatter, number)]
    if formatter.board["final"]:
        yield [*narrate_ranking(formatter)]


def narrate_supplies(formatter: CastleFormatter) -> Iterator[str]:
    table = formatter.board
    for seat, tiles in enumerate(table["tiles"]):
        if tiles:
            yield formatter.format_phrase(
                "to be placed", who=formatter.name_subject(seat), rooms=list_rooms(formatter, tiles)
            )
    if table["phase"] == "choose" and any(table["chosen"]):
        ready = [formatter.names.name_player(seat) for seat, is_ready in enumerate(table["chosen"]) if is_ready]
        yield formatter.format_phrase("chosen already", people=", ".join(ready))
    yield formatter.format_phrase("supplies", rooms=table["supply"], cards=table["deck"])
    if table["stock"] is not None:
        left = ", ".join(f"{formatter.names.name_piece(name)} {count}" for name, count in table["stock"].items())
        yield formatter.format_phrase("stock", pieces=left)


def list_rooms(formatter: CastleFormatter, names: list[str]) -> str:
    return ", ".join(map(formatter.describe_room, names))


# Castles


def narrate_castle(formatter: CastleFormatter, number: int) -> Iterator[str]:
    """Narrate a castle: its partners, its floors and its decisions."""
    built = formatter.board["castles"][number]
    yield narrate_title(formatter, number)
    yield narrate_throne(formatter, built["throne"])
    yield from narrate_floors(formatter, built)
    yield formatter.format_phrase("rooms of", counts=count_rooms(formatter, built))
    yield from narrate_extras(formatter, built)
    yield from narrate_decision(formatter, built)
    if formatter.board["sheets"]:
        yield narrate_sheet(formatter, number)


def narrate_title(formatter: CastleFormatter, number: int) -> str:
    built, sheets = formatter.board["castles"][number], formatter.board["sheets"]
    people = formatter.context.join_words(formatter.names.name_player(seat) for seat in built["partners"])
    if sheets:
        return formatter.format_phrase(
            "castle worth", castle=formatter.name_castle(number), people=people, points=sum(sheets[number].values())
        )
    return formatter.format_phrase("castle of", castle=formatter.name_castle(number), people=people)


def narrate_throne(formatter: CastleFormatter, name: str) -> str:
    """Narrate the wishes of the throne room for rooms around it."""
    piece, language = formatter.names.pieces[name], formatter.language
    types = formatter.names.label("or").join(language.ROOMS[kind] for kind in piece["types"])
    where = formatter.names.label("or").join(language.WHERE[at] for at in piece["positions"])
    return formatter.format_phrase("throne", points=piece["points"], types=types, where=where, most=piece["max_points"])


def narrate_floors(formatter: CastleFormatter, built: Plain) -> Iterator[str]:
    """Narrate the floors from the top down, each from left to right."""
    cells = {
        (x, y): formatter.format_phrase("column", column=x, room=formatter.describe_room(name))
        for name, x, y in built["rooms"]
    }
    cells[0, 0] = formatter.format_phrase("throne at")
    for floor in sorted({y for _, y in cells}, reverse=True):
        across = "; ".join(cells[cell] for cell in sorted(cells) if cell[1] == floor)
        key = "floor above" if floor > 0 else "floor below" if floor else "floor 0"
        yield formatter.format_phrase(key, floor=abs(floor), rooms=across)


def count_rooms(formatter: CastleFormatter, built: Plain) -> str:
    kinds = [find_kind(formatter.names.pieces[name]) for name, _, _ in built["rooms"]]
    return ", ".join(f"{formatter.language.ROOMS[kind]} {kinds.count(kind)}" for kind in formatter.names.types)


def narrate_extras(formatter: CastleFormatter, built: Plain) -> Iterator[str]:
    """Narrate attendants, bonus cards, Ludwig's room, and the players who wait for their partner."""
    if built["attendants"]:
        yield formatter.format_phrase(
            "attendants", attendants=", ".join(map(formatter.names.name_piece, built["attendants"]))
        )
    for card in built["cards"]:
        yield formatter.format_phrase("bonus card", card=drawing.render_card(card, formatter.names).plain)
    if built["ludwig"]:
        yield formatter.format_phrase("ludwig beside", room=formatter.describe_room(built["ludwig"]))
    if built["holds"]:
        yield formatter.format_phrase(
            "wants the partner first", people=", ".join(map(formatter.names.name_player, built["holds"]))
        )


def narrate_decision(formatter: CastleFormatter, built: Plain) -> Iterator[str]:
    """Narrate an open decision with its proposals; of a secret decision, only its subject."""
    if built["decision"]:
        yield from narrate_question(formatter, built["decision"])
    elif built["deciding"]:
        yield formatter.format_phrase("deciding", about=formatter.names.label(f"deciding {built['deciding']}"))


def narrate_question(formatter: CastleFormatter, decision: Plain) -> Iterator[str]:
    yield formatter.format_phrase("deciding", about=formatter.names.label(f"deciding {decision['about']}"))
    yield formatter.format_phrase("on offer", options="; ".join(list_options(formatter, decision)))
    yield from (f"{said.plain[:1].upper()}{said.plain[1:]}." for said in formatter.render_statements(decision))


def list_options(formatter: CastleFormatter, decision: Plain) -> Iterator[str]:
    return (formatter.render_choice(decision, choice).plain for choice in decision["options"])


# The end


def narrate_sheet(formatter: CastleFormatter, number: int) -> str:
    lines = formatter.board["sheets"][number].items()
    words = ", ".join(f"{formatter.names.name_line(line)} {points}" for line, points in lines if points)
    return formatter.format_phrase("sheet", castle=formatter.name_castle(number), lines=words or "0")


def narrate_ranking(formatter: CastleFormatter) -> Iterator[str]:
    yield f"{formatter.names.label('ranking')}:"
    for row in sorted(formatter.board["final"], key=lambda row: (row["rank"], row["seat"])):
        yield formatter.format_phrase("rank", who=formatter.names.name_player(row["seat"]), **row)


# The viewer's hand


def narrate_hand(formatter: CastleFormatter) -> Iterator[str]:
    """Narrate the rooms in hand and those that the viewer has to place, secret decisions, and the rooms passed on."""
    for key, tiles in list_held(formatter):
        if tiles:
            yield f"{formatter.format_phrase(key)}:"
            yield from (f"{formatter.describe_room(tile)}: {formatter.describe_worth(tile)}." for tile in tiles)
    for decision in (formatter.context.hand or {}).get("decisions", []):
        yield f"{formatter.name_castle(decision['castle'])}:"
        yield from narrate_question(formatter, decision)
    if passed := formatter.list_hand("passed"):
        yield f"{formatter.format_phrase('passed')}: {', '.join(map(formatter.names.name_piece, passed))}."


def list_held(formatter: CastleFormatter) -> Iterator[tuple[str, list[str]]]:
    """Yield the rooms that the viewer chooses from or has to place, each group with its heading."""
    yield from ((key, formatter.list_hand(part)) for part, key in HELD.items())
    seat = formatter.context.seat
    if seat is not None and formatter.board["phase"] == "place":
        yield "to place", formatter.board["tiles"][seat]
        yield "ludwig places", formatter.list_ludwigs_tiles()


def format_option(formatter: CastleFormatter, name: str, value: Any, chosen: Plain) -> str:
    """Return a value of a field in words; empty if the game has no words for it."""
    match name, chosen:
        case "cell", {"castle": castle}:
            return formatter.describe_place(castle, value)
        case "castle", _:
            return formatter.name_castle(value)
        case (("tile" | "tiles"), _):
            return formatter.describe_room(value)
        case "choice", {"castle": castle}:
            decision = next((each for each in list_decisions(formatter.context) if each["castle"] == castle), None)
            return formatter.render_choice(decision, value).plain if decision else ""
    return ""
