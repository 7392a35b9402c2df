"""Mistakes: each is named by its path, also a missing field and a key of a map, and no value is repeated."""

from typing import Any

import msgspec
import pytest

from palatine_protocol.codec import JSON, MSGPACK, Unreadable, for_server
from palatine_protocol.errors import Code
from palatine_protocol.mistakes import Wrong, read

CREATE: dict[str, Any] = {"type": "create", "id": "c1", "game": "g", "seats": 2}
HELLO: dict[str, Any] = {"type": "hello", "id": "c1", "token": "t"}
each_wire = pytest.mark.parametrize("wire", [JSON, MSGPACK])


def refused(message: Any, wire: str) -> Unreadable:
    codec = for_server(wire)
    with pytest.raises(Unreadable) as why:
        codec.decode(codec.encode(message))
    return why.value


@each_wire
@pytest.mark.parametrize(
    ("message", "path"),
    [
        ({"type": "sit", "id": "c1"}, "$.table"),
        ({"id": "c1"}, "$.type"),
        ({"type": 5, "id": "c1"}, "$.type"),
        ({**CREATE, "seats": "two"}, "$.seats"),
        ({**CREATE, "clock": {"move": -1}}, "$.clock.move"),
        ({**CREATE, "reserved": [None, 3]}, "$.reserved[1]"),
        ({**CREATE, "visibility": "hidden from you"}, "$.visibility"),
        ({**CREATE, "options": []}, "$.options"),
        ({**CREATE, "options": {"a": 1, "area_model": 1.5, "b": 2}}, "$.options.area_model"),
        ({**CREATE, "options": {"a": 1, "b": [1, [2, {"x": 1, "y z": [1.5]}]]}}, '$.options.b[1][1]["y z"]'),
        ({**CREATE, "options": {"a": {"b": {"c": 1.5}}}}, "$.options.a.b.c"),
        ({**HELLO, "resume": {"a": 1, "b": -1}}, "$.resume.b"),
        ({**HELLO, "resume": {"a": 1, "b c": 1}}, '$.resume["b c"]'),
        (
            {"type": "act", "id": "c1", "table": "t", "offer": 1, "action": {"do": "x", "cell": [1, 2.5]}},
            "$.action.cell[1]",
        ),
    ],
)
def test_the_path_leads_to_the_mistake(message: Any, path: str, wire: str) -> None:
    why = refused(message, wire)
    assert (why.code, why.path, why.id) == (Code.MALFORMED, path, "c1")


@each_wire
@pytest.mark.parametrize("wrong", [0, 1, 511, 998, 999])
def test_the_key_is_found_in_a_large_map(wrong: int, wire: str) -> None:
    options = {f"option_{number}": 1.5 if number == wrong else number for number in range(1000)}
    assert refused({**CREATE, "options": options}, wire).path == f"$.options.option_{wrong}"


@each_wire
def test_the_first_of_two_mistakes_is_named(wire: str) -> None:
    options = {"a": 1, "b": [1.5], "c": 2.5}
    assert refused({**CREATE, "options": options, "zzz": 1}, wire).path == "$.options.b[0]"


@each_wire
@pytest.mark.parametrize("message", [[1], 5, "text", None, True])
def test_what_is_no_map_has_no_path(message: Any, wire: str) -> None:
    why = refused(message, wire)
    assert (why.code, why.path, why.id) == (Code.MALFORMED, "", "")


@each_wire
def test_an_unknown_type_is_told_apart(wire: str) -> None:
    why = refused({"type": "dance", "id": "c1"}, wire)
    assert (why.code, why.path, why.id) == (Code.UNKNOWN_REQUEST, "$.type", "c1")


@each_wire
def test_no_sentence_and_no_path_repeats_a_value(wire: str) -> None:
    secret = "palatine_secret"
    for message in (
        {**CREATE, "visibility": secret},
        {**CREATE, "seats": secret},
        {**CREATE, "clock": secret},
        {"type": secret, "id": "c1"},
    ):
        why = refused(message, wire)
        assert secret not in why.sentence + why.path


@each_wire
def test_a_long_key_is_cut(wire: str) -> None:
    assert len(refused({**CREATE, "options": {"k" * 9000: 1.5}}, wire).path) < 100


@each_wire
@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"type": "sit", "id": "c1", "table": 5}, "expected a string, got an integer"),
        ({**CREATE, "reserved": [None, 3]}, "expected a string or null, got an integer"),
        ({**CREATE, "options": []}, "expected a map, got a list"),
        ({**HELLO, "resume": {"a": True}}, "expected an integer, got true or false"),
        ({**CREATE, "seats": 2.5}, "expected an integer, got a number"),
        ({**CREATE, "clock": {"move": -1}}, "expected an integer >= 0"),
    ],
)
def test_types_are_named_in_words(message: Any, words: str, wire: str) -> None:
    sentence = refused(message, wire).sentence
    assert sentence.startswith(f"The value at the path is wrong: {words}")
    assert "`" not in sentence


class Body(msgspec.Struct):
    """A body of an HTTP request."""

    name: str
    days: int = 1


def test_a_sentence_says_what_was_expected() -> None:
    with pytest.raises(Wrong) as why:
        read({"name": "a", "days": "b"}, Body)
    assert (why.value.path, why.value.sentence) == (
        "$.days",
        "The value at the path is wrong: expected an integer, got a string.",
    )
    with pytest.raises(Wrong) as why:
        read({}, Body)
    assert (why.value.path, why.value.sentence) == ("$.name", "The field at the path is missing.")
