"""The narration of Palais Royal: the turn, the players, the palace, the park, the cards, the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...games.palais_royal import derived_values
from ...terminal.palais_royal.final_scores import LINES
from ...terminal.palais_royal.players import count_points
from .formatter import PalaisRoyalFormatter


def narrate_board(formatter: PalaisRoyalFormatter) -> Iterator[list[str]]:
    """Narrate the public parts of the board, in paragraphs."""
    if not formatter.board["final"] and formatter.board["turn"]["phase"] != "setup":
        yield [format_phrase(formatter, "turn allows", actions=", ".join(list_allowances(formatter)))]
    for seat in formatter.board["order"]:
        yield [*narrate_player(formatter, seat)]
    yield [*narrate_palace(formatter)]
    yield [*narrate_park(formatter)]
    yield [*narrate_border(formatter)]
    yield [*narrate_cards(formatter)]
    yield [*(narrate_final_scores(formatter) if formatter.board["final"] else formatter.list_endings())]


def format_phrase(formatter: PalaisRoyalFormatter, key: str, **parts: object) -> str:
    return formatter.render_phrase(key, **{name: str(part) for name, part in parts.items()}).plain


def name_subject(formatter: PalaisRoyalFormatter, seat: int) -> str:
    return str(formatter.context.name_subject(seat))


# The turn


def list_allowances(formatter: PalaisRoyalFormatter) -> Iterator[str]:
    """Return the remaining allowances of each action that is not over yet."""
    table, names = formatter.board, formatter.names
    is_open = {phase: not derived_values.is_past(table, phase) for phase in ("a1", "a2", "a3", "a4", "a5")}
    if is_open["a1"]:
        key = "any at the gate" if table["turn"]["gate_unlimited"] else "at the gate"
        yield formatter.format_count(key, derived_values.count_gate_left(table, names))
    if is_open["a2"]:
        yield formatter.format_count("moves", derived_values.count_moves_left(table, names))
    if is_open["a3"]:
        yield from list_room_allowances(formatter)
    if is_open["a4"]:
        yield formatter.format_count("recruitments", derived_values.count_recruitments_left(table))
    yield formatter.format_count("draws", derived_values.count_cards_left(table, names))


def list_room_allowances(formatter: PalaisRoyalFormatter) -> Iterator[str]:
    yield format_phrase(formatter, "mint", count=derived_values.count_gold_left(formatter.board, formatter.names))
    for room, count in derived_values.count_seals_left(formatter.board, formatter.names).items():
        if count:
            yield formatter.format_count("seal servants", count, into=formatter.language.INTO[room])


# Players


def narrate_player(formatter: PalaisRoyalFormatter, seat: int) -> Iterator[str]:
    """Narrate the possessions of a player."""
    own, names = formatter.board["players"][seat], formatter.names
    yield format_phrase(
        formatter,
        "player",
        who=name_subject(formatter, seat),
        colour=names.name_piece(own["colour"]),
        gold=own["gold"],
        supply=formatter.format_count("servants", own["supply"]),
        reserve=own["reserve"],
        cards=formatter.format_count("cards", own["cards"]),
        points=format_known_points(formatter, own),
    )
    if own["face_up"]:
        nobles = (f"{names.name_piece(noble)} ({formatter.describe_benefit(noble)})" for noble in own["face_up"])
        yield format_phrase(formatter, "lasting", nobles=", ".join(nobles))
    if own["face_down"]:
        yield format_phrase(formatter, "others", nobles=", ".join(map(names.name_piece, own["face_down"])))
    if hidden := derived_values.count_hidden_nobles(own):
        yield formatter.format_count("hidden nobles", hidden)
    if own["front"]:
        yield format_phrase(formatter, "played", cards=list_kinds(formatter, own["front"]))


def format_known_points(formatter: PalaisRoyalFormatter, own: dict[str, Any]) -> str:
    """Return the points that the viewer sees, with a note if there may be more."""
    seen = formatter.format_count("points", count_points(own, formatter.names))
    return (
        format_phrase(formatter, "points and secret ones", points=seen)
        if derived_values.count_hidden_nobles(own)
        else seen
    )


# The palace


def narrate_palace(formatter: PalaisRoyalFormatter) -> Iterator[str]:
    yield format_phrase(formatter, "palace")
    for row, rooms in enumerate(formatter.board["layout"], 1):
        for column, room in enumerate(rooms, 1):
            yield narrate_room(formatter, room, row, column)


def narrate_room(formatter: PalaisRoyalFormatter, room: str, row: int, column: int) -> str:
    """Narrate a room with the servants in it, and the player with the majority there."""
    table = formatter.board
    servants = [f"{name_subject(formatter, seat)} {count}" for seat, count in enumerate(table["rooms"][room]) if count]
    leading = [seat for seat in table["order"] if derived_values.has_majority(table, seat, room, formatter.names)]
    key = "room empty" if not servants else "majority" if leading else "room"
    return format_phrase(
        formatter,
        key,
        row=row,
        column=column,
        room=formatter.names.name_piece(room),
        servants=", ".join(servants),
        who=", ".join(name_subject(formatter, seat) for seat in leading),
    )


# The park


def narrate_park(formatter: PalaisRoyalFormatter) -> Iterator[str]:
    yield format_phrase(formatter, "park")
    spaces = [*derived_values.list_spaces(formatter.names)]
    yield from (
        f"{formatter.render_offered_noble(space).plain}." for space in spaces if space in formatter.board["park"]
    )
    if free := [space for space in spaces if space not in formatter.board["park"]]:
        yield format_phrase(formatter, "space free", spaces=", ".join(free))


def narrate_border(formatter: PalaisRoyalFormatter) -> Iterator[str]:
    """Narrate the servants on the border, and the strength of each player in its rows."""
    if servants := formatter.board["border"]:
        listed = (f"{space} {name_subject(formatter, seat)}" for space, seat in sorted(servants.items()))
        yield format_phrase(formatter, "border servants", servants=", ".join(listed))
    rows = formatter.names.park["border_rows"]
    for row in rows:
        strengths = enumerate(derived_values.count_strengths(formatter.board, row))
        if words := ", ".join(
            f"{name_subject(formatter, seat)} {strength}" for seat, strength in strengths if strength
        ):
            yield format_phrase(formatter, "border row", spaces=", ".join(row["spaces"]), strengths=words)
    yield format_phrase(formatter, "border points", first=rows[0]["first"], second=rows[0]["second"])


# Cards


def narrate_cards(formatter: PalaisRoyalFormatter) -> Iterator[str]:
    table = formatter.board
    yield format_phrase(formatter, "deck", deck=table["deck"], discarded=list_kinds(formatter, table["discard"]))
    if table["turn"]["active"]:
        yield format_phrase(formatter, "in force", cards=list_kinds(formatter, table["turn"]["active"]))
    if table["bank"] is not None:
        yield format_phrase(formatter, "bank", gold=table["bank"])


def list_kinds(formatter: PalaisRoyalFormatter, cards: list[str]) -> str:
    return str(formatter.render_cards(cards))


def narrate_hand(formatter: PalaisRoyalFormatter) -> Iterator[str]:
    """Narrate the cards in hand, those just drawn, and secret nobles."""
    for part, title in (("cards", "hand"), ("pending", "pending")):
        if held := (formatter.context.hand or {}).get(part, []):
            yield f"{format_phrase(formatter, title)}:"
            yield from (describe_card(formatter, kind, count) for kind, count in Counter(held).items())
    if nobles := formatter.render_secret_nobles():
        yield f"{format_phrase(formatter, 'secret nobles')}: {nobles.plain}"


def describe_card(formatter: PalaisRoyalFormatter, kind: str, count: int) -> str:
    name, price, timing, effect = map(str, formatter.render_card_row(kind, count))
    return f"{name}, {price}, {timing}: {effect}"


# The end


def narrate_final_scores(formatter: PalaisRoyalFormatter) -> Iterator[str]:
    """Narrate the score sheet and the ranking."""
    names, table = formatter.names, formatter.board
    yield f"{names.label('score sheet')}:"
    for seat, sheet in enumerate(table["sheets"]):
        lines = ", ".join(f"{names.label(label)} {sheet[line]}" for line, label in LINES.items())
        yield format_phrase(formatter, "sheet", who=name_subject(formatter, seat), lines=lines, total=sheet["total"])
    yield f"{names.label('ranking')}:"
    for row in sorted(table["final"], key=lambda row: (row["rank"], row["seat"])):
        score, cardinal = (
            formatter.format_count("points", row["score"]),
            formatter.format_count("servants", row["cardinal"]),
        )
        yield format_phrase(
            formatter,
            "rank",
            rank=row["rank"],
            who=name_subject(formatter, row["seat"]),
            score=score,
            cardinal=cardinal,
        )


# Options


def format_option(formatter: PalaisRoyalFormatter, name: str, value: Any) -> str:
    """Return a value of a field in words; empty if the game has no words for it."""
    if name == "space":
        return format_phrase(
            formatter, "space", noble=formatter.names.name_piece(formatter.board["park"][value]), space=value
        )
    return formatter.render_wild_seals(value).plain if name == "wild" else ""
