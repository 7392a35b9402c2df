"""Features: how single values, lists and tables become numbers, and that nothing is left out."""

from __future__ import annotations

from typing import Any

from palatine_server.environments.feature_layout import FeatureLayout
from palatine_server.environments.feature_nodes import (
    BagNode,
    CellNode,
    EitherNode,
    FeatureNode,
    Features,
    ListNode,
    NumberNode,
    OptionalNode,
    RecordNode,
    RememberedNode,
    SeatNode,
    TableNode,
    WordNode,
)
from palatine_server.games.registry import GAMES


def encode(node: FeatureNode, value: Any, viewer: int = 0) -> list[float]:
    out, numbers = Features(viewer, 3), [0.0] * node.size
    node.write(value, 0, out)
    for place, number in zip(out.places, out.values, strict=True):
        numbers[place] += number
    return numbers


def test_seats_are_counted_from_the_viewer() -> None:
    assert encode(SeatNode(3), 0, viewer=2) == [0, 1, 0]
    assert encode(ListNode(NumberNode(), 3, is_by_seat=True), [10, 20, 30], viewer=2) == [3, 30, 10, 20]
    assert encode(BagNode(range(3), is_seats=True), [2, 0], viewer=2) == [2, 1, 1, 0, 0, 1, 2, 0, 0]


def test_items_that_find_no_place_are_added_up() -> None:
    assert encode(ListNode(NumberNode(), 2), [1, 2, 3, 4]) == [4, 1, 2, 7]
    assert encode(TableNode(["a"], NumberNode()), {"a": 5, "b": 6, "c": 7}) == [1, 5, 2, 13]


def test_unknown_words_share_a_place_and_an_empty_word_has_none() -> None:
    words = WordNode(["a", "b"])
    assert [encode(words, word) for word in ("b", "?", "")] == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]


def test_null_differs_from_zero() -> None:
    assert encode(OptionalNode(NumberNode()), None) != encode(OptionalNode(NumberNode()), 0)


def test_each_kind_of_an_open_value_has_its_places() -> None:
    either = EitherNode([WordNode(["a"]), CellNode([[], []])])
    assert encode(either, "a") == [1, 1, 0, 0, 0, 0]
    assert encode(either, [4, -2]) == [0, 0, 0, 1, 4, -2]


def test_cells_that_are_texts_are_read_by_the_axes() -> None:
    assert encode(CellNode([["A", "B"], ["1", "10"]]), "B10") == [2, 2]


def test_a_remembered_part_is_written_again_after_a_change_and_for_each_viewer() -> None:
    node = RememberedNode(ListNode(NumberNode(), 3, is_by_seat=True))
    assert encode(node, [1, 2, 3], 0) == encode(node, [1, 2, 3], 0) == [3, 1, 2, 3]
    assert encode(node, [1, 2, 3], 1) == [3, 2, 3, 1]
    assert encode(node, [1, 2, 4], 0) == [3, 1, 2, 4]
    assert encode(node, [1, 2, True], 0) == [3, 1, 2, 0]  # true is no number


def test_a_schema_that_refers_to_itself_ends() -> None:
    schema = {"$ref": "#/$defs/Tree", "$defs": {"Tree": {"type": "object", "properties": {"left": {}}}}}
    schema["$defs"]["Tree"]["properties"]["left"] = {"$ref": "#/$defs/Tree"}  # type: ignore[index]
    node = FeatureLayout(GAMES["noblemen"], 3).build(schema)
    assert isinstance(node, RecordNode)
    assert sum(encode(node, {"left": {"left": {}}})) == 0
    assert 0 < node.size < 100
