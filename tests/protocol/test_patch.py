"""Patches: made, applied, refused, and understood by a client that was written from the README alone.

`python tests/protocol/test_patch.py` writes the vectors anew.
"""

import json
import subprocess
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_build import build_native

from palatine_protocol import digest, patch
from palatine_protocol.patch import DEEPEST, LARGEST, Patch, PatchError, _left, apply, make, make_of

HERE = Path(__file__).parent
VECTORS = HERE.parents[1] / "protocol" / "vectors" / "patches.json"


def text(document: Any) -> str:
    """Write a document so that True and 1, and None and nothing, are different."""
    return json.dumps(document, sort_keys=True)


def refusal(document: Any, ops: Any) -> PatchError:
    with pytest.raises(PatchError) as caught:
        apply(document, ops)
    return caught.value


def is_refused(document: Any, ops: Any) -> bool:
    try:
        apply(document, ops)
    except PatchError:
        return True
    return False


def nested(levels: int) -> Any:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value


# Documents to play with

WORDS = ["", "a", "b", "rooms", "10", "9", "constructor", "__proto__", "é", "🏰", "\u2028", 'say "x"\\\n\x01\x7f']
NUMBERS = [0, 1, -1, 2, 24, 127, 128, -33, 65536, LARGEST, -LARGEST]
SCALARS = [None, False, True, 0, 1, *NUMBERS, *WORDS]
KEYS = ["a", "b", "c", "rooms", "10", "9", "constructor", "__proto__", ""]


def grown(chance: Random, levels: int = 4) -> Any:
    """Return some document, with many values that are easily mistaken for one another."""
    kind = chance.randrange(3) if levels else 0
    if kind == 0:
        return chance.choice(SCALARS)
    children = [grown(chance, levels - 1) for _ in range(chance.randrange(6))]
    return children if kind == 1 else {chance.choice(KEYS): child for child in children}


def zone(chance: Random) -> Any:
    return {"a": grown(chance), "rooms": [grown(chance, 2) for _ in range(chance.randrange(6))]}


def places(document: Any) -> list[Any]:
    """List every map and list of a document."""
    children = document.values() if type(document) is dict else document if type(document) is list else None
    return [] if children is None else [document, *(place for child in children for place in places(child))]


def mutated(chance: Random, document: Any) -> Any:
    """Return a copy that differs in one or a few places, or not at all."""
    root = [deepcopy(document)]
    for _ in range(chance.randrange(4)):
        place = chance.choice(places(root))
        mutate_map(chance, place) if type(place) is dict else mutate_list(chance, place)
    return root[0] if len(root) == 1 else root


def mutate_map(chance: Random, place: dict[str, Any]) -> None:
    key = chance.choice([*place, *KEYS])
    if chance.randrange(3):
        place[key] = neighbour(chance, place.get(key))
    else:
        place.pop(key, None)


def mutate_list(chance: Random, place: list[Any]) -> None:
    at = chance.randrange(len(place) + 1)
    changes: list[Callable[[], Any]] = [
        lambda: place.insert(at, grown(chance, 2)),
        lambda: place.extend(place[:at]),
        lambda: place.__setitem__(slice(at, at + 1), []),
        lambda: place.__setitem__(slice(at, at + 1), [neighbour(chance, item) for item in place[at : at + 1]]),
        lambda: place.append(place.pop(0) if place else None),
        place.reverse,
    ]
    chance.choice(changes)()


def neighbour(chance: Random, value: Any) -> Any:
    """Return a value that a careless comparison may hold for the same."""
    if type(value) is bool:
        return int(value)
    return bool(value) if value in (0, 1) else grown(chance, 2)


def corrupted(chance: Random, ops: Any) -> Any:
    """Return a patch with a few things wrong, or by luck still right."""
    root = [deepcopy(ops)]
    for _ in range(3):
        mutate_list(chance, chance.choice([place for place in places(root) if type(place) is list]))
    return root[0] if root else None


documents = st.recursive(
    st.sampled_from(SCALARS) | st.integers(-LARGEST, LARGEST) | st.text(),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(KEYS) | st.text(), inner, max_size=6),
    max_leaves=25,
)
paths = st.lists(st.sampled_from(KEYS) | st.integers(0, 3), max_size=2)
chances = st.randoms(use_true_random=False)
junk = st.recursive(
    st.sampled_from(SCALARS) | st.floats() | st.binary() | st.integers(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from([*KEYS, 1, None]), inner, max_size=3),
    max_leaves=15,
)


# Laws


def assert_leads(old: Any, new: Any) -> None:
    before, after = text(old), text(new)
    ops = make(old, new)
    assert (text(old), text(new)) == (before, after)
    carried = msgspec.msgpack.decode(msgspec.msgpack.encode(ops))
    assert text(apply(deepcopy(old), carried)) == after
    assert (ops == []) == (before == after)


@settings(deadline=None, max_examples=300)
@given(documents, documents)
def test_made_a_patch_leads_exactly_from_any_document_to_any_other(old: Any, new: Any) -> None:
    assert_leads(old, new)


@settings(deadline=None, max_examples=500)
@given(documents, chances)
def test_made_a_patch_leads_exactly_to_a_neighbour(old: Any, chance: Random) -> None:
    assert_leads(old, mutated(chance, old))


@settings(deadline=None, max_examples=500)
@given(chances)
def test_made_a_patch_leads_exactly_between_documents_full_of_lookalikes(chance: Random) -> None:
    old = grown(chance)
    assert_leads(old, mutated(chance, old))


@given(documents)
def test_made_from_equal_documents_a_patch_is_empty_whatever_the_order_of_keys(document: Any) -> None:
    assert make(document, backwards(document)) == []


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(st.sampled_from("abcdef"), documents, min_size=1), st.sets(st.sampled_from("abcdef")), chances)
def test_made_of_the_keys_that_changed_a_patch_is_the_same(old: Any, changed: set[str], chance: Random) -> None:
    new = {key: mutated(chance, value) if key in changed else value for key, value in old.items()}
    assert make_of(old, new, [key for key in new if key in changed]) == make(old, new)


def test_made_of_many_keys_the_whole_is_set_if_that_is_shorter() -> None:
    old, new = dict.fromkeys("abcd", 1), dict.fromkeys("abcd", 2)
    assert make_of(old, new, [*"abcd"]) == make(old, new) == [[[], new]]
    assert make_of(old, {**old, "c": 2}, ["c"]) == [[["c"], 2]]


@pytest.mark.parametrize("seed", range(200))
def test_what_a_value_takes_at_least_is_never_more_than_it_takes(seed: int) -> None:
    value = grown(Random(seed))
    size = len(msgspec.msgpack.encode(value))
    assert _left(size, value) >= 0
    assert _left(size - 1, value) >= -1


# Native code


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return build_native(Path(patch.__file__).with_name("native_patch.c"), tmp_path_factory.mktemp("native"))


def assert_alike(native: Any, old: Any, new: Any) -> None:
    """Compare the patches of native code with those of Python, to the byte."""
    fallbacks = patch._same, patch._size
    assert repr(native.make(old, new, *fallbacks)) == repr(patch._difference([], old, new))
    if type(old) is dict and type(new) is dict:
        changed = [key for key in new if key in old and not patch._same(old[key], new[key])]
        ops = [op for key in changed for op in patch._difference([key], old[key], new[key])]
        assert repr(native.make_of(old, new, changed, *fallbacks)) == repr(patch._measured([], new, ops))


@settings(deadline=None, max_examples=500)
@given(old=documents, new=documents, chance=chances)
def test_made_by_native_code_a_patch_is_the_same(native: Any, old: Any, new: Any, chance: Random) -> None:
    assert_alike(native, old, new)
    assert_alike(native, old, mutated(chance, old))


@pytest.mark.parametrize("seed", range(300))
def test_made_by_native_code_a_patch_between_lookalikes_is_the_same(native: Any, seed: int) -> None:
    chance = Random(seed)
    for old in (grown(chance), zone(chance), [zone(chance) for _ in range(chance.randrange(40))]):
        assert_alike(native, old, mutated(chance, old))
        assert_alike(native, mutated(chance, old), backwards(old))


@settings(deadline=None)
@given(size=st.integers(0, 70_000), letter=st.sampled_from("aé€🏰"), number=st.integers(-(2**63), 2**64 - 1))
def test_made_by_native_code_a_patch_is_measured_alike(native: Any, size: int, letter: str, number: int) -> None:
    old: dict[str, Any] = {"a": letter * size, "b": number, "c": [number], "d": 1.5, "e": b"12"}
    for new in ({**old, "a": "", "b": 0, "d": 2.5}, dict.fromkeys(old, number), dict.fromkeys(old, letter * size)):
        assert_alike(native, old, new)
        assert_alike(native, new, old)


def test_made_by_native_code_a_failure_is_an_error(native: Any) -> None:
    fallbacks = patch._same, patch._size
    bottomless: list[Any] = []
    bottomless.append(bottomless)
    other: list[Any] = []
    other.append(other)
    for old, new in [(bottomless, other), ({"a": object(), "b": 1}, {"a": object(), "b": 2, "c": 3})]:
        with pytest.raises((RecursionError, TypeError)):
            native.make([old, 1, 2], [new, 2, 3, 4], *fallbacks)
    with pytest.raises(KeyError):
        native.make_of({}, {}, ["a"], *fallbacks)
    with pytest.raises(TypeError):
        native.make(1, 2)


def backwards(value: Any) -> Any:
    if type(value) is list:
        return [backwards(item) for item in value]
    return {key: backwards(value[key]) for key in reversed(value)} if type(value) is dict else value


@settings(deadline=None, max_examples=300)
@given(documents, junk | st.builds(lambda path, rest: [path, *rest], paths, st.lists(junk, max_size=3)))
def test_refused_or_applied_but_nothing_else_whatever_came_in(document: Any, op: Any) -> None:
    before = text(document)
    assert not is_refused(document, [op]) or text(document) == before
    assert kinds(document) <= {dict, list, str, int, bool, type(None)}


def kinds(value: Any) -> set[type]:
    children = value.values() if type(value) is dict else value if type(value) is list else ()
    return {type(value)}.union(*map(kinds, children))


@settings(deadline=None, max_examples=300)
@given(chances)
def test_refused_a_corrupted_operation_changes_nothing_itself(chance: Random) -> None:
    document = zone(chance)
    ops = corrupted(chance, make(document, mutated(chance, document)))
    for op in ops if type(ops) is list else [ops]:
        before = text(document)
        assert not is_refused(document, [op]) or text(document) == before


# Small patches, checked by hand: name, old, new, patch

MADE: list[tuple[str, Any, Any, Any]] = [
    ("nothing changes", {"a": 1}, {"a": 1}, []),
    ("set a key", {"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 5, "c": 3}, [[["b"], 5]]),
    ("set a new key", {"a": 1}, {"a": 1, "b": None}, [[["b"], None]]),
    ("delete a key", {"a": 1, "b": None}, {"a": 1}, [[["b"]]]),
    ("set an item", [7, 8, 9], [7, 5, 9], [[[1], 5]]),
    ("one becomes true", {"a": 1}, {"a": True}, [[["a"], True]]),
    ("false becomes zero, deep down", {"a": [[False, 0]]}, {"a": [[0, 0]]}, [[["a", 0, 0], 0]]),
    ("append", {"a": [1, 2]}, {"a": [1, 2, 3, 4]}, [[["a"], 2, 0, 3, 4]]),
    ("insert", [1, 2, 3], [1, 9, 2, 3], [[[], 1, 0, 9]]),
    ("take out", ["x", "y", "z"], ["x", "z"], [[[], 1, 1]]),
    ("take out one of two alike", [0, 0], [0], [[[], 1, 1]]),
    ("replace two by one", [1, 2, 3, 4], [1, 9, 4], [[[], 1, 2, 9]]),
    ("a list of lists", [[1, 2], [3, 4]], [[1, 2], [3, 5]], [[[1, 1], 5]]),
    ("append a list", {"a": [["F17", 0, 1]]}, {"a": [["F17", 0, 1], ["L3", 1, 1]]}, [[["a"], 1, 0, ["L3", 1, 1]]]),
    ("all in another place", ["aa", "bb", "cc"], ["bb", "cc", "aa"], [[[], 0, 3, "bb", "cc", "aa"]]),
    ("keys that look like numbers", {"10": 1, "9": 1}, {"10": 1, "9": 2}, [[["9"], 2]]),
    ("keys that JavaScript knows", {"constructor": 1}, {"constructor": 1, "__proto__": 2}, [[["__proto__"], 2]]),
    ("the zone itself", None, {"a": []}, [[[], {"a": []}]]),
    ("a list becomes a map", {"a": []}, {"a": {}}, [[["a"], {}]]),
]

# What no server of today sends, though it means something
MEANT: list[tuple[str, Any, Any, Any]] = [
    (
        "each sees what the earlier did",
        {},
        {"a": [1, {"b": 2}]},
        [[["a"], []], [["a"], 0, 0, 1, {}], [["a", 1, "b"], 2]],
    ),
    ("a splice that does nothing", [1], [1], [[[], 1, 0]]),
    ("set, then delete", {"a": 1}, {"a": 1}, [[["b"], 2], [["b"]]]),
    ("the zone set, then changed", 5, [1, 2], [[[], [1]], [[], 1, 0, 2]]),
    ("as deep as it goes by splice", [], nested(DEEPEST), [[[], 0, 0, nested(DEEPEST - 1)]]),
    ("as deep as it goes by set", {}, {"a": nested(DEEPEST - 1)}, [[["a"], nested(DEEPEST - 1)]]),
    ("as deep as it goes in the zone", 0, nested(DEEPEST), [[[], nested(DEEPEST)]]),
]

REFUSED: list[tuple[str, Any, Any]] = [
    ("no list", {"a": 1}, {"a": 2}),
    ("an operation that is no list", {"a": 1}, ["a"]),
    ("an empty operation", {"a": 1}, [[]]),
    ("a path that is no list", {"a": 1}, [["a", 2]]),
    ("a step that is neither key nor index", {"a": 1}, [[[None], 2]]),
    ("a step that is a truth", [1, 2], [[[True], 2]]),
    ("a path through a missing key", {"a": {}}, [[["b", "c"], 1]]),
    ("a path through a scalar", {"a": 1}, [[["a", "b"], 1]]),
    ("a path through a string", {"a": "abc"}, [[["a", 0], "x"]]),
    ("a key into a list", {"a": [1]}, [[["a", "0"], 1]]),
    ("an index into a map", {"0": 1}, [[[0], 1]]),
    ("delete the zone", {"a": 1}, [[[]]]),
    ("delete a missing key", {"a": 1}, [[["b"]]]),
    ("delete an item", [1, 2], [[[0]]]),
    ("set behind the end", [1, 2], [[[2], 3]]),
    ("set before the beginning", [1, 2], [[[-1], 3]]),
    ("splice a map", {"a": 1}, [[[], 0, 0]]),
    ("splice a string", {"a": "abc"}, [[["a"], 0, 1]]),
    ("splice behind the end", [1, 2], [[[], 3, 0, 9]]),
    ("splice too many", [1, 2], [[[], 1, 2]]),
    ("splice before the beginning", [1, 2], [[[], -1, 1]]),
    ("splice a negative count", [1, 2], [[[], 1, -1]]),
    ("splice at a truth", [1, 2], [[[], True, 0]]),
    ("splice at a string", [1, 2], [[[], "0", 0]]),
    ("splice a count that is a truth", [1, 2], [[[], 0, True]]),
    ("splice a count of null", [1, 2], [[[], 0, None]]),
    ("a fraction", {"a": 1}, [[["a"], 1.5]]),
    ("an integer too large", {"a": 1}, [[["a"], {"b": [LARGEST + 1]}]]),
    ("one level too deep by set", {"a": 1}, [[["a"], nested(DEEPEST)]]),
    ("one level too deep by splice", [], [[[], 0, 0, nested(DEEPEST)]]),
    ("one level too deep in the zone", {"a": 1}, [[[], nested(DEEPEST + 1)]]),
    ("the second of two", {"a": 1}, [[["a"], 2], [["b"]]]),
]


@pytest.mark.parametrize(("name", "old", "new", "ops"), MADE)
def test_made_by_hand_and_by_us(name: str, old: Any, new: Any, ops: Any) -> None:
    assert text(make(old, new)) == text(ops)


@pytest.mark.parametrize(("name", "old", "new", "ops"), [*MADE, *MEANT])
def test_applied_by_hand_and_by_us(name: str, old: Any, new: Any, ops: Any) -> None:
    assert text(apply(deepcopy(old), ops)) == text(new)


@pytest.mark.parametrize(("name", "old", "ops"), REFUSED)
def test_refused_by_us(name: str, old: Any, ops: Any) -> None:
    document = deepcopy(old)
    refusal(document, ops)
    assert name == "the second of two" or text(document) == text(old)


def test_refused_an_operation_leaves_what_the_earlier_did() -> None:
    document = {"a": 1, "b": 1, "c": 1}
    refusal(document, [[["a"], 2], [["x", "y"], 2], [["c"], 2]])
    assert document == {"a": 2, "b": 1, "c": 1}


def test_refused_the_error_names_the_place_it_had_come_to() -> None:
    error = refusal({"castles": [{}, {"rooms": []}]}, [[["castles", 1, "roms"], 0, 0, 1]])
    assert error.path == ["castles", 1]
    assert str(error) == "/castles/1: the path goes on to something that is not there"


@pytest.mark.parametrize("value", [1.5, b"x", {1: 2}, (1, 2), {"a"}, 2**53, -(2**53)], ids=repr)
def test_refused_what_no_document_holds(value: Any) -> None:
    document = {"a": [1]}
    refusal(document, [[["a"], value]])
    refusal(document, [[["a"], 0, 0, value]])
    assert document == {"a": [1]}


def test_refused_a_bottomless_value_and_a_bottomless_step() -> None:
    document = {"a": [1]}
    refusal(document, [[["a"], nested(100_000)]])
    refusal(document, [[["a", nested(100_000)], 1]])
    assert document == {"a": [1]}


# Habits that client authors rely on


def test_applied_in_place() -> None:
    document: dict[str, Any] = {"a": [1]}
    inner = document["a"]
    assert apply(document, [[["a"], 1, 0, 2]]) is document
    assert inner == [1, 2]


def test_applied_twice_a_patch_is_not_reached_by_later_ones() -> None:
    ops: Patch = [[["a"], {"b": []}], [["c"], 0, 0, []]]
    document = apply({"c": []}, ops)
    apply(document, [[["a", "b"], 0, 0, 1], [["c", 0], 0, 0, 1]])
    assert document == {"a": {"b": [1]}, "c": [[1]]}
    assert ops == [[["a"], {"b": []}], [["c"], 0, 0, []]]


# Size


def castle(seat: int, rooms: int) -> dict[str, Any]:
    return {
        "name": f"Castle {seat}",
        "partners": [seat, (seat + 1) % 7],
        "throne": "T03",
        "rooms": [[f"F{10 * seat + at}", at % 7 - 3, at // 7] for at in range(rooms)],
        "attendants": [["gardener", 3]],
        "decorations": 2,
        "bonus_cards": ["B1", "B7"],
        "finished": False,
        "points": None,
    }


def board() -> dict[str, Any]:
    castles = [castle(seat, 20 + seat % 5) for seat in range(7)]
    return {"round": 2, "phase": "place", "turn": 5, "pile": 81, "castles": castles}


def a_room_is_placed(after: dict[str, Any]) -> None:
    after["turn"] = 6
    after["castles"][2]["rooms"].append(["F17", -2, 3])
    after["castles"][2]["decorations"] = 3


def all_castles_grow(after: dict[str, Any]) -> None:
    for at, each in enumerate(after["castles"]):
        each["rooms"].append([f"L{at}", 3, 3])


def a_room_turns_and_another_is_placed(after: dict[str, Any]) -> None:
    after["castles"][4]["rooms"][3][0] = "S1"
    after["castles"][4]["rooms"].append(["F17", -2, 3])


def changed(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    after = board()
    change(after)
    return after


def size(value: Any) -> int:
    return len(msgspec.msgpack.encode(value))


def test_size_of_a_placed_room() -> None:
    ops = make(board(), changed(a_room_is_placed))
    assert ops == [[["turn"], 6], [["castles", 2, "rooms"], 22, 0, ["F17", -2, 3]], [["castles", 2, "decorations"], 3]]
    assert size(ops) == 59


def test_size_of_a_room_in_every_castle() -> None:
    ops = make(board(), changed(all_castles_grow))
    assert [op[0] for op in ops] == [["castles", seat, "rooms"] for seat in range(7)]
    assert size(ops) == 176


def test_size_of_a_change_and_an_append_in_one_list() -> None:
    ops = make(board(), changed(a_room_turns_and_another_is_placed))
    assert ops == [[["castles", 4, "rooms", 3, 0], "S1"], [["castles", 4, "rooms"], 24, 0, ["F17", -2, 3]]]


def test_size_a_hand_that_is_passed_on_is_one_operation() -> None:
    assert make({"tiles": ["F1", "L2", "U3"]}, {"tiles": ["S4", "C5"]}) == [[["tiles"], 0, 3, "S4", "C5"]]


def test_size_a_map_with_hardly_anything_in_common_is_set_as_a_whole() -> None:
    assert make({"m": {"a": 1, "b": 2, "c": 3}}, {"m": {"d": 1, "e": 2}}) == [[["m"], {"d": 1, "e": 2}]]


# Vectors

PLAYED = [a_room_is_placed, all_castles_grow, a_room_turns_and_another_is_placed]


def vectors() -> dict[str, list[dict[str, Any]]]:
    played = [
        (each.__name__.replace("_", " "), board(), changed(each), make(board(), changed(each))) for each in PLAYED
    ]
    applied = [dict(zip(("name", "old", "new", "patch"), case, strict=True)) for case in [*MADE, *MEANT, *played]]
    refused = [dict(zip(("name", "old", "patch"), case, strict=True)) for case in REFUSED]
    return {"applied": applied, "refused": refused}


def written(chapters: dict[str, list[dict[str, Any]]]) -> str:
    lines = {name: ",\n".join(json.dumps(each, ensure_ascii=False) for each in chapters[name]) for name in chapters}
    return "{" + ",\n".join(f'"{name}": [\n{lines[name]}\n]' for name in lines) + "}\n"


def test_vectors_are_up_to_date() -> None:
    assert VECTORS.read_text("utf-8") == written(vectors())


def test_vectors_hold_for_us() -> None:
    chapters = json.loads(VECTORS.read_text("utf-8"))
    assert all(text(apply(each["old"], each["patch"])) == text(each["new"]) for each in chapters["applied"])
    assert all(refusal(each["old"], each["patch"]) for each in chapters["refused"])


# The twin


def ours(question: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"canonical": digest.canonical(apply(deepcopy(question["old"]), question["patch"])).decode()}
    except PatchError:
        return {"refused": True}


def questions(chance: Random) -> list[dict[str, Any]]:
    """Return patches between neighbours and strangers, and as many that came to harm on the way."""
    olds = [zone(chance) for _ in range(300)]
    pairs = [(old, mutated(chance, old) if chance.randrange(4) else zone(chance)) for old in olds]
    sound = [{"old": old, "patch": make(old, new)} for old, new in pairs]
    return sound + [{"old": each["old"], "patch": corrupted(chance, each["patch"])} for each in sound]


def twins(cases: list[dict[str, Any]]) -> Any:
    command = ["node", str(HERE / "twin.mjs")]
    return json.loads(
        subprocess.run(command, input=json.dumps(cases).encode(), stdout=subprocess.PIPE, check=True).stdout
    )


def test_twin_agrees_on_every_patch() -> None:
    chapters = vectors()
    asked = [{"old": each["old"], "patch": each["patch"]} for each in chapters["applied"] + chapters["refused"]]
    asked += questions(Random(7))
    answers = [ours(question) for question in asked]
    assert twins(asked) == answers
    assert sum("refused" in answer for answer in answers) > 150
    assert sum("canonical" in answer for answer in answers) > 300


if __name__ == "__main__":
    VECTORS.write_text(written(vectors()), "utf-8")
