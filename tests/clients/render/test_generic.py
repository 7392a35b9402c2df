"""The rendering of any game: readable with few labels or none, and safe against whatever a description says."""

from __future__ import annotations

import io
from itertools import product
from typing import Any

import pytest
from clients.hostile_text import ATTACKS, EVERYTHING, must_be_harmless
from hypothesis import given
from hypothesis import strategies as st

from palatine_client.menu import Number, OneOf
from palatine_client.render.description.outline import CellMap, Outline, SeatTable
from palatine_client.render.description.schema import Node
from palatine_client.render.description.values import ValueNames
from palatine_client.render.terminal import render_board
from palatine_client.render.terminal.generic import CellMapPicture
from palatine_client.render.text import load_game_text
from palatine_client.render.text.base import GameText
from palatine_client.render.text.outline_text import join_cell
from palatine_client.render.text.render_context import RenderContext
from palatine_client.screen_console import ScreenConsole

Plain = dict[str, Any]
WORDS = GameText()

# A game of foxes on a field: everything that a description can say, in small.
CATALOG: Plain = {
    "fox": [
        {
            "id": "red_fox",
            "name_en": "Red fox",
            "name_de": "Rotfuchs",
            "speed": 3,
            "text_en": "Runs.",
            "text_de": "Rennt.",
        },
        {"id": "ice_fox", "name_en": "Ice fox", "name_de": "Eisfuchs", "speed": 2},
    ]
}
FOX = {"x-names": "piece", "x-sections": ["fox"], "type": "string"}
COINS = {"x-names": "amount", "x-unit": "coin", "type": "integer"}
BOARD = {
    "phase": {"x-names": "word", "x-group": "phase", "type": "string"},
    "leader": {"anyOf": [{"x-names": "seat", "type": "integer"}, {"type": "null"}]},
    "field": {"type": "object", "propertyNames": {"x-names": "cell"}, "additionalProperties": FOX},
    "players": {"x-index": "seat", "type": "array", "items": {"$ref": "#/$defs/Player"}},
    "deck": {"type": "array", "items": FOX},
}
PLAYER = {"coins": COINS, "foxes": {"type": "array", "items": FOX}, "ready": {"type": "boolean"}}


def struct(properties: Plain, **definitions: Plain) -> Plain:
    return {"type": "object", "properties": properties, "$defs": {name: struct(it) for name, it in definitions.items()}}


DESCRIPTION: Plain = {
    "schemas": {
        "board": struct(BOARD, Player=PLAYER),
        "hand": struct({"secret": {"type": "array", "items": FOX}}),
        "actions": {
            "put": struct({"fox": FOX, "cell": {"x-names": "cell", "type": "string"}}),
            "pay": struct({"coins": COINS, "player": {"x-names": "seat", "type": "integer"}}),
            "keep": struct({"index": {"x-names": "member", "x-list": "secret", "type": "integer"}}),
        },
        "news": {"fox_put": struct({"seat": {"x-names": "seat"}, "fox": FOX, "cell": {"x-names": "cell"}})},
    },
    "labels": {
        "verbs": {
            "put": {
                "label": {"en": "Put a fox", "de": "Fuchs setzen"},
                "sentence": {"en": "Put {fox} on {cell}", "de": "{fox} auf {cell} setzen"},
            },
            "pay": {"label": {"en": "Pay", "de": "Zahlen"}},
        },
        "fields": {"coins": {"en": "how much", "de": "wie viel"}},
        "news": {
            "fox_put": {"sentence": {"en": "{seat} put {fox} on {cell}.", "de": "{seat} hat {fox} auf {cell} gesetzt."}}
        },
        "zones": {"phase": {"en": "Phase", "de": "Phase"}, "coins": {"en": "Purse", "de": "Beutel"}},
        "words": {"phase": {"hunt": {"en": "The hunt", "de": "Die Jagd"}}},
        "units": {"coin": {"en": "coins", "de": "Münzen", "one": {"en": "coin", "de": "Münze"}}},
    },
    "coordinates": {
        "kind": "grid",
        "axes": [
            {"name": "column", "label": {"en": "column", "de": "Spalte"}, "direction": "right", "values": ["a", "b"]},
            {"name": "row", "label": {"en": "row", "de": "Reihe"}, "direction": "up"},
        ],
        "cell": {"form": "text", "example": "a1"},
    },
}
DOCUMENT: Plain = {
    "phase": "hunt",
    "leader": 1,
    "field": {"a1": "red_fox", "b2": "ice_fox"},
    "players": [
        {"coins": 1, "foxes": ["red_fox", "red_fox"], "ready": True},
        {"coins": 4, "foxes": [], "ready": False},
    ],
    "deck": [],
}
HAND = {"secret": ["ice_fox", "red_fox"]}


def scene(lang: str = "en", description: Any = DESCRIPTION, catalog: Any = CATALOG, **given: Any) -> RenderContext:
    known: Plain = {"people": ["Ida", "Otto"], "seat": 0, "board": DOCUMENT, "hand": HAND, **given}
    return RenderContext("foxes", catalog, lang, description=description, **known)


def told(context: RenderContext) -> str:
    return "\n".join(line for lines in WORDS.narrate_board(context) for line in lines)


def screen(what: Any, width: int = 80) -> str:
    console = ScreenConsole(file=io.StringIO(), width=width, record=True, color_system=None)
    console.print(what)
    return console.export_text()


# In words and on the screen


def test_a_document_is_told_by_seat_with_names_and_units() -> None:
    words = told(scene())
    assert "Phase: The hunt." in words
    assert "Leader: Otto." in words
    assert "Ida: Purse 1 coin; Foxes 2 × Red fox; Ready yes." in words
    assert "Otto: Purse 4 coins; Ready no." in words
    assert "Field, row 2: column b Ice fox.\nField, row 1: column a Red fox." in words
    assert "Red fox: speed 3. Runs." in words


def test_german_is_german() -> None:
    words = told(scene("de"))
    assert "Phase: Die Jagd." in words
    assert "Ida: Beutel 1 Münze; Foxes 2 × Rotfuchs; Ready ja." in words
    assert "Reihe 2: Spalte b Eisfuchs." in words
    assert WORDS.render_news({"news": "fox_put", "seat": 1, "fox": "ice_fox", "cell": "b2"}, scene("de")).plain == (
        "Otto hat Eisfuchs auf b2 gesetzt."
    )


def test_the_screen_has_players_in_columns_and_cells_on_a_grid() -> None:
    lines = screen(WORDS.render_all_boards(scene(waiting=[1]))).splitlines()
    names = next(line for line in lines if "▶ Otto" in line)
    purse = next(line for line in lines if "Purse" in line)
    assert names.index("▶ Otto") == purse.index("4 coins")
    upper, lower = (next(at for at, line in enumerate(lines) if f"row {row}" in line) for row in (2, 1))
    assert upper < lower
    assert "Ice fox" in lines[upper]
    assert "Red fox" in lines[lower]
    assert lines[upper].index("Ice fox") > lines[lower].index("Red fox")


def test_actions_are_sentences_and_their_open_fields_are_asked_by_name() -> None:
    here = scene()
    assert WORDS.format_action({"do": "put", "fox": "red_fox", "cell": "a1"}, here).startswith("Put Red fox on a1")
    assert WORDS.format_action({"do": "put", "fox": "red_fox"}, here) == "Put a fox: fox Red fox, speed 3. Runs"
    assert WORDS.format_action({"do": "pay", "coins": 1, "player": 1}, here) == "Pay: how much 1 coin, player Otto"
    assert WORDS.render_question("coins", {"do": "pay", "player": 1}, here).plain == "Pay: player Otto: how much"
    assert WORDS.format_option("coins", 3, {"do": "pay"}, here) == "3 coins"


def test_an_item_of_a_list_is_chosen_by_its_name() -> None:
    asked = WORDS.arrange_question(Number({"do": "keep"}, "index", 0, 1), scene())
    assert asked == OneOf([{"do": "keep", "index": 0}, {"do": "keep", "index": 1}], "index")
    rows = [WORDS.render_row("index", at, {"do": "keep"}, scene()) for at in (0, 1)]
    assert [[str(column) for column in row] for row in rows] == [["Ice fox", "speed 2"], ["Red fox", "speed 3. Runs"]]


def test_a_cell_is_chosen_on_the_grid() -> None:
    picture = screen(WORDS.render_picture("cell", {"do": "put", "fox": "red_fox"}, ["b1", "a2"], scene(), {}))
    lines = picture.splitlines()
    assert next(line for line in lines if "Red fox" in line).split("│")[3].strip() == "1"
    assert next(line for line in lines if "Ice fox" in line).split("│")[2].strip() == "2"


def test_the_heading_says_where_the_game_is() -> None:
    assert str(WORDS.render_heading(scene())) == "Phase: The hunt"


# Without labels, schemas or a catalog


@pytest.mark.parametrize("lacking", [*product([True, False], repeat=4)])
def test_whatever_a_game_lacks_it_is_readable(lacking: tuple[bool, ...]) -> None:
    parts = ("schemas", "labels", "coordinates")
    description = {part: DESCRIPTION[part] for part, is_missing in zip(parts, lacking, strict=False) if not is_missing}
    here = scene("de", description, {} if lacking[3] else CATALOG)
    words = told(here) + screen(WORDS.render_all_boards(here)) + screen(WORDS.render_hand(here))
    words += WORDS.format_action({"do": "put", "fox": "red_fox", "cell": "a1"}, here)
    words += WORDS.render_news({"news": "fox_put", "seat": 1, "fox": "ice_fox"}, here).plain
    assert "Red fox" in words if lacking[3] else "Rotfuchs" in words
    assert not {*"{}[]'\""} & {*words}
    assert "red_fox" not in words


def test_a_game_without_anything_speaks_in_its_own_identifiers() -> None:
    catalog = {"piece": [{"id": "white_queen", "name_en": "The Queen"}]}
    here = RenderContext("chess", catalog, "en", ["Ida", "Otto"], 0, {"a": 1, "next_player": [0, [1, 2]]})
    words = load_game_text("chess")
    assert type(words) is GameText
    entry = words.render_entry({"do": "move_piece", "piece": "white_queen", "to_square": [3, 4]}, {}, here)
    assert entry.plain == "Move piece: piece The Queen, to square 3, 4"
    assert words.render_entry({"do": "castle", "side": "long_side"}, {"do": "castle"}, here).plain == "side Long side"
    assert words.render_news({"news": "piece_taken", "seat": 1, "piece": "white_queen"}, here).plain == (
        "Piece taken: seat Otto, piece The Queen"
    )
    assert told(here) == "A: 1.\nNext player 1: 0.\nNext player 2: 1, 2."


def test_odd_documents_are_shown_too() -> None:
    for board in (["red_fox", ["ice_fox"]], {"a": {"b": {"c": [{"d": [[1.5, None], {}]}]}}}, {"": ""}, 7, "red_fox"):
        here = scene(description={}, board=board)
        assert "{" not in told(here) + screen(WORDS.render_all_boards(here))


# Hostile descriptions, catalogs and documents


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_text_of_a_description_commands_the_terminal(attack: str) -> None:
    evil = ATTACKS[attack]
    description = replace_texts(DESCRIPTION, evil)
    here = scene(description=description, catalog=replace_texts(CATALOG, evil), people=[evil, evil])
    page = io.StringIO()
    console = ScreenConsole(file=page, width=100, force_terminal=True, color_system="truecolor")
    console.print(WORDS.render_all_boards(here), told(here), WORDS.render_news({"news": "fox_put", "seat": 1}, here))
    must_be_harmless(page.getvalue())


def replace_texts(value: Any, text: str) -> Any:
    """Replace all texts in both languages."""
    if isinstance(value, dict):
        return {key: text if key[-2:] in {"en", "de"} else replace_texts(part, text) for key, part in value.items()}
    return [replace_texts(part, text) for part in value] if isinstance(value, list) else value


def test_a_template_is_filled_but_never_evaluated() -> None:
    for template in ("{seat.__class__}", "{seat!r:>99999999}", "{seat[0]}", "{", "}{", "{0}", "{missing}"):
        labels = {"news": {"fox_put": {"sentence": {"en": template}}}}
        spoken = WORDS.render_news({"news": "fox_put", "seat": 1}, scene(description={"labels": labels})).plain
        assert spoken in {"Fox put: seat Otto", "Otto"}


def test_texts_and_maps_are_bounded() -> None:
    long = "x" * 100_000
    description = replace_texts(DESCRIPTION, long)
    far = {"a0": "red_fox", "a999999999": "ice_fox", "b-5": "red_fox"}
    here = scene(description=description, board={**DOCUMENT, "field": far, "deck": ["red_fox", "ice_fox"] * 5000})
    assert len(told(here)) < 200_000
    assert len(screen(WORDS.render_all_boards(scene(board={**DOCUMENT, "field": far})))) < 20_000


def test_a_schema_that_refers_to_itself_is_no_trap() -> None:
    loop = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]}}}
    here = scene(description={"schemas": {"board": loop, "actions": {"put": loop}, "news": {"fox_put": loop}}})
    assert "Players" in told(here)
    assert WORDS.format_action({"do": "put", "fox": "red_fox"}, here)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just(EVERYTHING),
    lambda part: (
        st.lists(part, max_size=4) | st.dictionaries(st.sampled_from(sorted({*BOARD, *PLAYER, "fox", "a1"})), part)
    ),
    max_leaves=12,
)


@given(st.data())
def test_nothing_that_a_server_sends_breaks_the_rendering(data: st.DataObject) -> None:
    """One part of the description or of the document is replaced by junk."""
    description = corrupt(DESCRIPTION, data)
    here = scene(description=description, catalog=corrupt(CATALOG, data), board=corrupt(DOCUMENT, data))
    told(here)
    screen(render_board("foxes", here.board, here.catalog, "de", ["Ida", "Otto"], description))
    [*WORDS.narrate_hand(here)]
    WORDS.render_heading(here)
    action = {"do": "put", "fox": data.draw(JUNK), "cell": data.draw(JUNK)}
    WORDS.format_action(action, here)
    WORDS.render_news({"news": "fox_put", "seat": data.draw(JUNK), "fox": "red_fox"}, here)
    WORDS.render_picture("cell", {"do": "put"}, [data.draw(JUNK)], here, {})
    WORDS.arrange_question(Number({"do": "keep"}, "index", 0, 3), here)


def corrupt(value: Any, data: st.DataObject) -> Any:
    """Return plain data with junk in one random place."""
    if not isinstance(value, dict | list) or not value or data.draw(st.integers(0, 5)) == 0:
        return data.draw(JUNK)
    keys: list[Any] = sorted(value) if isinstance(value, dict) else [*range(len(value))]
    key = data.draw(st.sampled_from(keys))
    changed = dict(value) if isinstance(value, dict) else [*value]
    changed[key] = corrupt(value[key], data)
    return changed


# Seats in cells


def test_what_seats_have_in_cells_is_shown_with_their_names_and_flags_with_theirs() -> None:
    cell = {"x-names": "cell", "type": "string"}
    den = {"cell": cell, "is_open": {"type": "boolean"}, "depth": {"type": "integer"}}
    board = {
        "foxes": {"x-index": "seat", "type": "array", "items": {"$ref": "#/$defs/Fox"}},
        "dens": {"type": "array", "items": {"$ref": "#/$defs/Den"}},
    }
    fox = {"cell": cell, "coins": COINS, "ready": {"type": "boolean"}}
    schemas = {"board": struct(board, Fox=fox, Den=den)}
    document = {
        "foxes": [{"cell": "a1", "coins": 3, "ready": False}, {"cell": "b1", "coins": 4, "ready": True}],
        "dens": [{"cell": "a2", "is_open": True, "depth": 7}, {"cell": "b2", "is_open": False, "depth": 2}],
    }
    names = ValueNames({**DESCRIPTION, "schemas": schemas}, CATALOG, "en", ["Ida", "Otto"], document)
    table, cells = Outline(names).build(document, "board")
    assert isinstance(table, SeatTable)
    assert table.columns == ("Ida", "Otto")
    assert ("Purse", ("3 coins", "4 coins")) in table.rows
    assert isinstance(cells, CellMap)
    assert {each.name: each.things for each in cells.cells} == {
        "a1": ("Ida",),
        "b1": ("Otto",),
        "a2": ("Is open, Depth 7",),
        "b2": ("Depth 2",),
    }


@pytest.mark.parametrize(("lang", "nobody"), [("en", "nobody"), ("de", "niemand")])
def test_no_seat_is_nobody_and_no_piece_is_nothing(lang: str, nobody: str) -> None:
    names = ValueNames({}, CATALOG, lang, ["Ada"], {})
    seat = Node({"anyOf": [{"x-names": "seat", "type": "integer"}, {"type": "null"}]})
    assert names.format(None, seat) == nobody
    assert names.format(0, seat) == "Ada"
    assert names.format(None, Node({"anyOf": [FOX, {"type": "null"}]})) != nobody


def test_an_owner_of_a_cell_and_a_piece_in_it_can_be_told_apart_and_cells_from_gaps() -> None:
    seat, cell = {"x-names": "seat", "type": "integer"}, {"x-names": "cell", "type": "string"}
    place = {"type": "object", "properties": {"cell": cell, "fox": FOX, "owner": seat}}
    boat = {"type": "object", "properties": {"seat": seat, "cell": cell}}
    lists = {name: {"type": "array", "items": each} for name, each in (("places", place), ("boats", boat))}
    description = {**DESCRIPTION, "schemas": {"board": {"type": "object", "properties": lists}}}
    board = {
        "places": [
            {"cell": "a1", "fox": "red_fox", "owner": 1},
            {"cell": "b1", "fox": "", "owner": 0},
            {"cell": "b2", "fox": "", "owner": None},
        ],
        "boats": [{"seat": 1, "cell": "a1"}],
    }
    (cells,) = Outline(ValueNames(description, CATALOG, "en", ["Ida", "Otto"], board)).build(board, "board")
    assert isinstance(cells, CellMap)
    assert {each.name: each.things for each in cells.cells} == {
        "a1": ("Red fox, Owner Otto", "Boats: Otto"),
        "b1": ("Owner Ida",),
        "b2": (),
    }
    assert {each.name: (each.kind, each.seats) for each in cells.cells} == {
        "a1": ("red_fox", (1,)),
        "b1": ("", (0,)),
        "b2": ("", ()),
    }
    console = ScreenConsole(file=io.StringIO(), width=100)
    console.print(CellMapPicture(cells))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert shown.count("·") == 1  # b2 is empty; there is no a2
    assert "Red fox," not in shown  # each part has a line


def test_a_seat_without_a_player_has_the_name_that_the_game_gives_it() -> None:
    labels = {"seats": [{"en": "The ranger", "de": "Der Förster"}]}
    names = [WORDS.name_player(seat, scene("de", {"labels": labels}, people=["Ida", "Otto"])) for seat in (1, 2, 3)]
    assert names == ["Otto", "Der Förster", "Platz 4"]


def test_a_number_in_a_cell_is_told_apart_from_the_number_of_the_column() -> None:
    assert join_cell("column 0", "0 guns") == "column 0: 0 guns"
    assert join_cell("column 0", "Red fox") == "column 0 Red fox"
    assert join_cell("column 0", "") == "column 0"
