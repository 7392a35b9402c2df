"""Labels and schemas of a game, and the errors that say what is wrong with a labels.toml."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from games.kit.example_game import QUAY
from msgspec import Struct

from palatine_server.checks.named_values import NameChecker
from palatine_server.games.kit import (
    CELL,
    Game,
    LabelsError,
    Seat,
    amount,
    either,
    find_missing_labels,
    piece,
    word,
)
from palatine_server.games.kit.description.error_codes import list_error_codes
from palatine_server.games.kit.description.schemas import SchemaError, build_schema


def labelled(folder: Path, text: str) -> Game:
    (folder / "labels.toml").write_text(text, encoding="utf-8")
    (folder / "RULES.md").touch()
    return replace(QUAY, folder=folder)


# Labels


def test_a_game_without_labels_is_described_by_its_types() -> None:
    description = QUAY.description
    assert description["labels"]["verbs"] == {}
    assert description["coordinates"] == {"kind": "none"}
    assert description["schemas"]["actions"].keys() == {"think", "lay", "moor", "wave"}
    assert {"verbs.moor", "fields.bags", "zones.quays", "news.boat_moored", "options.boats"} <= {
        *find_missing_labels(QUAY)
    }


def test_labels_are_read_in_both_languages(tmp_path: Path) -> None:
    game = labelled(tmp_path, 'verbs.wave = { label = { en = "Wave", de = "Winken" } }')
    assert game.description["labels"]["verbs"] == {"wave": {"label": {"en": "Wave", "de": "Winken"}}}
    assert "verbs.wave.sentence" in find_missing_labels(game)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('verbs.dive.label = { en = "Dive", de = "Tauchen" }', ["verbs.dive", "lay, moor, think, wave"]),
        ('verbs.wave.label = { en = "Wave" }', ["verbs.wave", "`de`"]),
        ('verbs.wave.label = { en = "Wave", de = "" }', ["verbs.wave.label", "a language is missing"]),
        ('seats = [{ en = "Ghost", de = "" }]', ["seats.0", "a language is missing"]),
        ('verbs.wave.label = { en = "Wave {seat}", de = "Winken {seat}" }', ["a label has no placeholders"]),
        (
            'news.boat_moored.sentence = { en = "{boat} moored", de = "{boat} legte an" }',
            ["news.boat_moored.sentence", "{boat}", "seat"],
        ),
        (
            'news.boat_moored.sentence = { en = "{seat} moored", de = "Ein Boot legte an" }',
            ["different placeholders"],
        ),
        ('news.boat_moored.sentence = { en = "{seat", de = "{seat" }', ["no template"]),
        ('zones.box = { en = "Box", de = "Schachtel" }', ["zones.box", "quays"]),
        ('units.bag = { en = "bags", de = "Säcke" }', ["units.bag", "nothing yet"]),
        ('colours.red = { en = "red", de = "rot" }', ["colours"]),
        ('coordinates.origin = { en = "here", de = "" }', ["coordinates.origin", "a language is missing"]),
        ("verbs = [", ["not TOML"]),
        ("verbs = 5", ["labels.toml, verbs"]),
        ('options.boats = { en = "{boats", de = "Boote" }', ["options.boats", "no template"]),
    ],
)
def test_a_wrong_entry_is_named_with_a_remedy(tmp_path: Path, text: str, words: list[str]) -> None:
    with pytest.raises(LabelsError) as error:
        _ = labelled(tmp_path, text).labels
    assert str(error.value).startswith("labels.toml, ")
    assert [word for word in words if word not in str(error.value)] == []


def test_a_game_with_wrong_labels_is_served_as_plain_data(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    game = labelled(tmp_path, "verbs = 5")
    assert game.description == {"schemas": {}, "labels": {}, "coordinates": {"kind": "none"}}
    assert "quay cannot be described: labels.toml, verbs" in caplog.text


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "labels.toml").write_bytes(b"verbs = '\xff'")
    (tmp_path / "RULES.md").touch()
    with pytest.raises(LabelsError, match="UTF-8"):
        _ = replace(QUAY, folder=tmp_path).labels


# Schemas


class Raft(Struct, array_like=True):
    owner: Seat
    wood: Annotated[str, piece("wood")]
    logs: Annotated[int, amount("log")] = 0


class Harbour(Struct):
    rafts: list[Raft]
    berths: dict[Annotated[str, CELL], Seat]
    wind: Literal["north", "south"]
    anything: Annotated[Any, either(piece("wood"), CELL)]
    mood: Annotated[str, word("mood")] | None = None


def test_schemas_say_what_values_name() -> None:
    definitions = build_schema(Harbour)["$defs"]
    fields = definitions["Harbour"]["properties"]
    assert definitions["Raft"]["x-fields"] == ["owner", "wood", "logs"]
    assert definitions["Raft"]["prefixItems"][0] == {"type": "integer", "x-names": "seat"}
    assert fields["berths"]["propertyNames"] == {"x-names": "cell"}
    assert (fields["wind"]["x-names"], fields["wind"]["x-group"]) == ("word", "wind")
    assert fields["anything"]["anyOf"][1] == {"x-names": "cell"}
    assert fields["mood"]["anyOf"][0]["x-group"] == "mood"


def test_a_type_that_json_cannot_express_is_named() -> None:
    class Odd(Struct):
        ratio: complex

    with pytest.raises(SchemaError, match="Odd"):
        build_schema(Odd)


# The checks of descriptions find mistakes


@pytest.mark.parametrize(
    ("value", "trouble"),
    [
        ({"owner": 9}, ".owner"),
        ({"places": [[1, 2]]}, ".places[0]"),
        ({"mood": "grim"}, ".mood"),
        ({"owner": 1, "places": ["A1"], "mood": "gay"}, ""),
    ],
)
def test_a_value_that_names_nothing_is_found(tmp_path: Path, value: dict[str, Any], trouble: str) -> None:
    schema = {
        "properties": {
            "owner": {"x-names": "seat"},
            "places": {"items": {"x-names": "cell"}},
            "mood": {"x-names": "word", "x-group": "mood"},
        }
    }
    checker = NameChecker(QUAY, schema, players=2)
    checker.labels = {"words": {"mood": {"gay": {}}}}
    checker.coordinates = {"axes": [{"values": ["A"]}, {"values": ["1"]}], "cell": {"form": "text"}}
    found = [*checker.find_troubles(value)]
    assert [each.partition(":")[0] for each in found] == ([trouble] if trouble else [])


def test_error_codes_are_read_from_the_source(tmp_path: Path) -> None:
    (tmp_path / "refusals.py").write_text(
        'Refused("too_wet", "It rains.", "LQ-1")\nMistake("too_dry", "It is dry.", "LQ-2")\n'
        'Refused("not_your_turn", "Wait.")\ntotal("bags", "LQ-3", "LQ-4")\n',
        encoding="utf-8",
    )
    assert list_error_codes(tmp_path) == {"too_wet", "too_dry"}
