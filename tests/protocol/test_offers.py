"""Offers: sets that can be listed, counted, drawn from and asked for membership without knowing the game."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from palatine_protocol.offers import Choice, Offer, Pick, Range, count, drawn, listed, permits

scalars = st.one_of(st.integers(-5, 5), st.text(max_size=3), st.booleans())
one_of = st.lists(scalars, min_size=1, max_size=4, unique_by=repr)
ranges = st.tuples(st.integers(-3, 3), st.integers(0, 4)).map(lambda pair: Range(pair[0], pair[0] + pair[1]))


@st.composite
def picks(draw: Any) -> Pick:
    items = draw(st.lists(st.text(max_size=2), min_size=1, max_size=5, unique=True))
    least = draw(st.integers(0, len(items)))
    return Pick(least, draw(st.integers(least, len(items) + 1)), items)


choices = st.builds(
    Choice,
    st.sampled_from(["lay", "take"]),
    st.dictionaries(st.sampled_from(["tile", "cell", "much"]), st.one_of(one_of, ranges, picks()), max_size=3),
)
offers = st.lists(choices, min_size=1, max_size=3)


@given(offers)
def test_listing_and_counting_agree(offer: Offer) -> None:
    assert len(list(listed(offer))) == count(offer)


@given(offers)
def test_what_is_listed_is_permitted(offer: Offer) -> None:
    assert all(permits(offer, action) for action in listed(offer))


@given(offers)
def test_the_nth_action_is_the_nth_listed(offer: Offer) -> None:
    for choice in offer:
        assert [choice.nth(number) for number in range(choice.count())] == list(choice)


@given(offers, st.integers(0, 99))
def test_drawing_gives_a_member(offer: Offer, seed: int) -> None:
    assert permits(offer, drawn(offer, Random(seed).randrange))


@given(offers)
def test_an_offer_survives_the_wire(offer: Offer) -> None:
    wire = msgspec.msgpack.encode(offer)
    assert msgspec.msgpack.decode(wire, type=Offer) == offer
    assert msgspec.json.decode(msgspec.json.encode(offer), type=Offer) == offer


LAY = Choice("lay", {"tile": ["a", "b"], "much": Range(1, 3), "with": Pick(1, 2, ["x", "x", "y"])})


@pytest.mark.parametrize(
    "action",
    [
        {"do": "take", "tile": "a", "much": 1, "with": ["x"]},
        {"do": "lay", "tile": "c", "much": 1, "with": ["x"]},
        {"do": "lay", "tile": "a", "much": 0, "with": ["x"]},
        {"do": "lay", "tile": "a", "much": True, "with": ["x"]},
        {"do": "lay", "tile": "a", "much": 1, "with": []},
        {"do": "lay", "tile": "a", "much": 1, "with": ["y", "y"]},
        {"do": "lay", "tile": "a", "much": 1, "with": "x"},
        {"do": "lay", "tile": "a", "much": 1},
        {"do": "lay", "tile": "a", "much": 1, "with": ["x"], "more": 1},
        {},
    ],
)
def test_what_is_not_offered_is_not_permitted(action: dict[str, Any]) -> None:
    assert not permits([LAY], action)


def test_a_pick_may_take_equal_items_as_often_as_they_lie_there() -> None:
    assert permits([LAY], {"do": "lay", "tile": "a", "much": 1, "with": ["x", "x"]})


def test_a_pick_may_come_in_any_order() -> None:
    assert permits([LAY], {"do": "lay", "tile": "b", "much": 3, "with": ["y", "x"]})


def test_drawing_is_uniform_over_actions_not_over_choices() -> None:
    offer = [Choice("pass"), Choice("lay", {"tile": Range(1, 9)})]
    rng = Random(5)
    passes = sum(drawn(offer, rng.randrange)["do"] == "pass" for _ in range(2_000))
    assert 140 < passes < 260


def test_true_is_not_one() -> None:
    assert not permits([Choice("set", {"to": [1, 0]})], {"do": "set", "to": True})
    assert permits([Choice("set", {"to": [True]})], {"do": "set", "to": True})
