"""From an offer to an action: questions, answers, and half-made choices that survive a change of the offer."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from palatine_client.menu import (
    MAX_ENTRIES,
    InputError,
    Number,
    OneOf,
    Partial,
    Question,
    SomeOf,
    apply_answer,
    build_question,
    narrow_choices,
)
from palatine_protocol.offers import Choice, Pick, Range, permits
from palatine_server.games.kit import Recorder
from palatine_server.games.registry import GAMES


def choice(do: str, **fields: Any) -> Choice:
    return Choice(do, fields)


def one_of(asked: Question | None) -> OneOf:
    assert isinstance(asked, OneOf)
    return asked


# Asking


def test_a_short_list_asks_for_verb_and_fields_at_once() -> None:
    offer = [choice("place", tile=["bed", "bath"], castle=[0]), choice("hold", castle=[1])]
    assert one_of(build_question(offer, {})).entries == [
        {"do": "place", "tile": "bed", "castle": 0},
        {"do": "place", "tile": "bath", "castle": 0},
        {"do": "hold", "castle": 1},
    ]


def test_a_long_list_is_asked_field_by_field() -> None:
    offer = [choice("go", to=list(range(9)), by=["land", "sea"]), choice("stay")]
    assert one_of(build_question(offer, {})).entries == [{"do": "go", "to": to} for to in range(9)] + [{"do": "stay"}]
    assert one_of(build_question(offer, {"do": "go", "to": 3})).entries == [
        {"do": "go", "to": 3, "by": "land"},
        {"do": "go", "to": 3, "by": "sea"},
    ]


def test_a_list_longer_than_any_menu_is_still_asked_in_one() -> None:
    asked = one_of(build_question([choice("go", to=list(range(40)))], {}))
    assert len(asked.entries) == 40 > MAX_ENTRIES
    assert asked.field == "to"


def test_a_field_that_has_a_picture_is_asked_by_itself() -> None:
    offer = [choice("place", tile=["bed", "bath"], cell=[[0, 1], [0, 2]])]
    assert one_of(build_question(offer, {}, {"cell"})).entries == [
        {"do": "place", "tile": tile} for tile in ("bed", "bath")
    ]
    asked = one_of(build_question(offer, {"do": "place", "tile": "bed"}, {"cell"}))
    assert asked.field == "cell"
    assert [entry["cell"] for entry in asked.entries] == [[0, 1], [0, 2]]


def test_what_has_but_one_value_is_not_asked() -> None:
    assert build_question([choice("choose", hand=[7], tiles=Pick(2, 2, ["a", "b", "c"]))], {}) == SomeOf(
        {"do": "choose", "hand": 7}, "tiles", 2, 2, ["a", "b", "c"]
    )


def test_choices_of_one_verb_are_one_question() -> None:
    offer = [choice("place", tile=["bed"], cell=[1, 2]), choice("place", tile=["bath"], cell=[2, 3])]
    assert one_of(build_question(offer, {}, {"cell"})).entries == [
        {"do": "place", "tile": tile} for tile in ("bed", "bath")
    ]
    assert [
        entry["cell"] for entry in one_of(build_question(offer, {"do": "place", "tile": "bath"}, {"cell"})).entries
    ] == [
        2,
        3,
    ]


def test_a_range_that_depends_on_a_later_field_is_asked_after_it() -> None:
    offer = [choice("pay", gold=Range(0, 3), to=["king"]), choice("pay", gold=Range(0, 9), to=["queen"])]
    assert [entry["to"] for entry in one_of(build_question(offer, {})).entries] == ["king", "queen"]
    assert build_question(offer, {"do": "pay", "to": "queen"}) == Number({"do": "pay", "to": "queen"}, "gold", 0, 9)


def test_a_whole_action_leaves_nothing_to_ask() -> None:
    assert build_question([choice("stay")], {"do": "stay"}) is None


def test_a_single_action_is_still_asked_for() -> None:
    assert one_of(build_question([choice("stay")], {})).entries == [{"do": "stay"}]


# Answering


SOME = SomeOf({"do": "choose"}, "tiles", 2, 3, ["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("asked", "typed", "chosen"),
    [
        (OneOf([{"do": "a"}, {"do": "b"}]), " 2 ", {"do": "b"}),
        (Number({"do": "pay"}, "gold", 0, 9), "0", {"do": "pay", "gold": 0}),
        (SOME, "4 1", {"do": "choose", "tiles": ["d", "a"]}),
        (SOME, "1,2, 3", {"do": "choose", "tiles": ["a", "b", "c"]}),
        (SomeOf({"do": "give"}, "tiles", 0, 2, ["a"]), "-", {"do": "give", "tiles": []}),
    ],
)
def test_numbers_choose(asked: Question, typed: str, chosen: Partial) -> None:
    assert apply_answer(asked, typed) == chosen


@pytest.mark.parametrize(
    ("asked", "typed", "label"),
    [
        (OneOf([{"do": "a"}, {"do": "b"}]), "3", "one number"),
        (OneOf([{"do": "a"}, {"do": "b"}]), "0", "one number"),
        (OneOf([{"do": "a"}, {"do": "b"}]), "-1", "one number"),
        (OneOf([{"do": "a"}, {"do": "b"}]), "1 1", "one number"),
        (OneOf([{"do": "a"}]), "2", "only number"),
        (OneOf([{"do": "a"}]), "a", "not a number"),
        (OneOf([{"do": "a"}]), "1.5", "not a number"),
        (Number({}, "gold", 2, 9), "10", "one number"),
        (SOME, "1", "from to"),
        (SOME, "1 2 3 4", "from to"),
        (SOME, "1 1", "different numbers"),
        (SOME, "1 5", "different numbers"),
        (SomeOf({}, "tiles", 2, 2, ["a", "b", "c"]), "1", "so many numbers"),
    ],
)
def test_a_mistake_costs_nothing_and_says_what_is_wrong(asked: Question, typed: str, label: str) -> None:
    with pytest.raises(InputError) as mistake:
        apply_answer(asked, typed)
    assert mistake.value.label == label


# When the offer changes


def test_a_half_made_choice_can_be_held_against_another_offer() -> None:
    chosen = {"do": "place", "tile": "bed"}
    assert narrow_choices([choice("place", tile=["bed"], cell=[5])], chosen)
    assert not narrow_choices([choice("place", tile=["bath"], cell=[5])], chosen)
    assert not narrow_choices([choice("hold", castle=[1])], chosen)
    assert not narrow_choices([], chosen)


# Every registered game can be played by typing numbers


def typed_at_random(asked: Question, rng: Random) -> str:
    match asked:
        case OneOf(entries):
            return str(rng.randint(1, len(entries)))
        case Number(_, _, low, high):
            return str(rng.randint(low, high))
        case SomeOf(_, _, least, most, of):
            return " ".join(map(str, rng.sample(range(1, len(of) + 1), rng.randint(least, most)))) or "-"


@pytest.mark.parametrize("name", GAMES)
def test_numbers_lead_to_legal_actions_in_every_game(name: str) -> None:
    rng, game = Random(7), GAMES[name]
    table = Recorder(game.begin(game.players[-1], "07" * 32))
    for _ in range(60):
        if table.play.is_over:
            break
        seat = table.play.waiting_for()[0]
        offer, chosen = table.play.offer(seat), dict[str, Any]()
        while (asked := build_question(offer, chosen, {"cell"})) is not None:
            chosen = apply_answer(asked, typed_at_random(asked, rng))
        assert permits(offer, chosen)
        table.act(seat, game.read_action(chosen))
