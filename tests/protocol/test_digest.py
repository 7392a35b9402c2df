"""The canonical form and the digest: ours, the vectors', and a JavaScript client's.

`python tests/protocol/test_digest.py` writes the vectors anew.
"""

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palatine_protocol import digest

HERE = Path(__file__).parent
VECTORS = HERE.parents[1] / "protocol" / "vectors" / "digests.json"

EVERY_AWKWARD = "".join(map(chr, range(0x21))) + '"\\/\x7f\x80\x9fé\u2028\u2029\ufeff\uffff🏰'


# Canonical form


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ({}, "{}"),
        ({"b": [1, -2, True, False, None], "a": ""}, '{"a":"","b":[1,-2,true,false,null]}'),
        ({"b": 1, "a": 1, "_": 1, "B": 1, "9": 1, "10": 1}, '{"10":1,"9":1,"B":1,"_":1,"a":1,"b":1}'),
        ({"b": {"d": 1, "c": 2}, "a": [{"z": 1, "y": 2}]}, '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}'),
        ([2**53 - 1, -(2**53) + 1, 0], "[9007199254740991,-9007199254740991,0]"),
        ("\b\t\n\f\r\x00\x0b\x1f", r'"\b\t\n\f\r\u0000\u000b\u001f"'),
        ('"\\/', r'"\"\\/"'),
        ("\x7f\x80\u2028\u2029é🏰", '"\x7f\x80\u2028\u2029é🏰"'),
        ({'a"\n': 1}, r'{"a\"\n":1}'),
    ],
)
def test_canonical_form_by_hand_and_by_us(value: Any, form: str) -> None:
    assert digest.canonical(value) == form.encode()


class Room(msgspec.Struct, array_like=True):
    tile: str
    column: int
    above: int


class Castle(msgspec.Struct, rename="camel"):
    throne_room: str
    rooms: list[Room]
    bonus: tuple[str, ...]
    is_finished: bool = False


class Pending(msgspec.Struct, tag="pending", omit_defaults=True):
    who: int
    action: str = ""


def test_canonical_form_sorts_the_fields_of_structs_and_leaves_array_like_ones_in_place() -> None:
    castle = Castle("T1", [Room("F1", 2, 1)], ("B1",))
    assert digest.canonical(castle) == b'{"bonus":["B1"],"isFinished":false,"rooms":[["F1",2,1]],"throneRoom":"T1"}'
    assert digest.canonical([Pending(3), Pending(1, "x")]) == (
        b'[{"type":"pending","who":3},{"action":"x","type":"pending","who":1}]'
    )


castles = st.builds(
    Castle,
    st.text(),
    st.lists(st.builds(Room, st.text(), st.integers(-9, 9), st.integers(-9, 9))),
    st.lists(st.text()).map(tuple),
    st.booleans(),
)


@given(castles)
def test_canonical_form_of_a_struct_is_that_of_its_builtins(castle: Castle) -> None:
    assert digest.canonical(castle) == digest.canonical(msgspec.to_builtins(castle))
    assert digest.canonical(castle) == digest.canonical(msgspec.msgpack.decode(msgspec.msgpack.encode(castle)))


ascii_keys = st.text(st.characters(max_codepoint=126, min_codepoint=32), max_size=5)
documents = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text() | st.just(EVERY_AWKWARD),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ascii_keys, inner, max_size=4),
    max_leaves=20,
)


@given(documents)
def test_canonical_form_is_what_the_standard_library_writes(document: Any) -> None:
    written = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert digest.canonical(document) == written.encode()


# Digest


def test_digest_is_the_crc_of_zip_over_the_canonical_form() -> None:
    assert digest.of_board(123456789) == 0xCBF43926  # the check value that every table of CRCs gives


def test_digest_of_the_readme() -> None:
    board = {"turn": 6, "open": True}
    assert digest.of_board({}) == 2745614147
    assert digest.of_board(board) == 2919280335
    assert digest.of_viewer(digest.of_board(board), {"tiles": ["F17"]}) == 940872639


def test_digest_of_a_spectator_is_that_of_the_board_and_an_empty_hand_is_a_hand() -> None:
    board = digest.of_board({"turn": 6})
    assert digest.of_viewer(board, None) == board
    assert digest.of_viewer(board, {}) != board


# Vectors

BOARD = {"round": 1, "castles": [{"rooms": [["F17", -2, 3]], "finished": False, "points": None}], "turn": 6}
CASES: list[tuple[str, Any, Any]] = [
    ("an empty board", {}, None),
    ("an empty hand", {}, {}),
    ("keys are sorted", {"turn": 6, "open": True}, None),
    ("the hand follows the board", {"turn": 6, "open": True}, {"tiles": ["F17"]}),
    ("a castle, as a spectator sees it", BOARD, None),
    ("a castle, as a partner sees it", BOARD, {"tiles": ["F1", "L2"], "chosen": []}),
    ("true is not one", {"a": True, "b": 1, "c": False, "d": 0, "e": None}, None),
    ("keys in ascending order of bytes", {"b": 1, "a": 1, "_": 1, "B": 1, "9": 1, "10": 1, "": 1, "aa": 1}, None),
    ("large and negative integers", {"most": 2**53 - 1, "least": -(2**53) + 1, "zero": 0}, None),
    ("every awkward character", {"name": EVERY_AWKWARD}, {EVERY_AWKWARD[:0x21]: EVERY_AWKWARD}),
    ("keys that JavaScript knows", {"constructor": {"__proto__": 1}, "__proto__": [], "toString": ""}, None),
]


def vector(name: str, board: Any, hand: Any) -> dict[str, Any]:
    form = digest.canonical(board) + (b"" if hand is None else digest.canonical(hand))
    number = digest.of_viewer(digest.of_board(board), hand)
    return {"name": name, "board": board, "hand": hand, "canonical": form.decode(), "digest": number}


# In ASCII, so that no editor or diff swallows an awkward character.
def written(vectors: list[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(json.dumps(each) for each in vectors) + "\n]\n"


def test_vectors_are_up_to_date() -> None:
    assert VECTORS.read_text("utf-8") == written([vector(*case) for case in CASES])


# The twin


def documents_of(chance: Random, levels: int = 4) -> Any:
    kind = chance.randrange(3) if levels else 0
    if kind == 0:
        return chance.choice([None, True, False, 0, 1, chance.randrange(-(2**53) + 1, 2**53), characters(chance)])
    children = [documents_of(chance, levels - 1) for _ in range(chance.randrange(5))]
    return (
        children if kind == 1 else {f"{chance.choice('aBc_-19~')}{chance.randrange(12)}": child for child in children}
    )


def characters(chance: Random) -> str:
    common = chance.choices(EVERY_AWKWARD, k=chance.randrange(6))
    anything = [chr(chance.choice([chance.randrange(0xD800), chance.randrange(0xE000, 0x110000)])) for _ in range(3)]
    return "".join(common + anything)


def twins(cases: list[dict[str, Any]]) -> Any:
    command = ["node", str(HERE / "twin.mjs")]
    return json.loads(
        subprocess.run(command, input=json.dumps(cases).encode(), stdout=subprocess.PIPE, check=True).stdout
    )


def test_twin_agrees_on_every_digest() -> None:
    chance = Random(11)
    generated = [("", {"b": documents_of(chance)}, chance.choice([None, [documents_of(chance)]])) for _ in range(300)]
    known = json.loads(VECTORS.read_text("utf-8")) + [vector(*case) for case in generated]
    answers = twins([{"board": each["board"], "hand": each["hand"]} for each in known])
    assert answers == [{"canonical": each["canonical"], "digest": each["digest"]} for each in known]


if __name__ == "__main__":
    VECTORS.write_text(written([vector(*case) for case in CASES]), "utf-8")
