"""The loop: lanes, who is asked, who is waited for, what lapses, what is refused."""

from typing import Any, Union

import msgspec
import pytest
from games.kit.example_game import QUAY, Lay, Moor, Quay, Think, Wave

from palatine_server.games.kit import Refused, plain, step

SEED = "11" * 32


def begun(players: int = 3) -> Any:
    return QUAY.begin(players, SEED)


def lay_all(game: Quay, *lanterns: int) -> None:
    for seat, lantern in enumerate(lanterns):
        game.act(seat, Lay(lantern))


def refusal(game: Quay, seat: int, action: Any) -> str:
    before = QUAY.pack(game)
    with pytest.raises(Refused) as refused:
        game.act(seat, QUAY.read_action(action))
    assert QUAY.pack(game) == before
    return refused.value.code


def test_everybody_is_asked_at_once_and_each_answers_once() -> None:
    game = begun()
    assert game.waiting_for() == [0, 1, 2]
    game.act(1, Lay(3))
    assert game.waiting_for() == [0, 2]
    assert refusal(game, 1, {"do": "lay", "lantern": 2}) == "not_your_turn"


def test_again_asks_the_same_seat_once_more() -> None:
    game = begun()
    game.act(1, Think(4))
    assert game.waiting_for() == [0, 1, 2]
    assert game.document.hands[1].thought == 4


def test_what_needs_nobody_follows_by_itself() -> None:
    game = begun()
    lay_all(game, 5, 4, 4)
    assert [plain(told.news)["news"] for told in game.told][-1] == "lanterns_revealed"
    assert game.waiting_for() == [0, 1, 2]  # one moors, two wave, side by side


def test_lanes_do_not_wait_for_each_other() -> None:
    game = begun()
    lay_all(game, 5, 4, 4)
    game.act(2, Wave())
    game.act(0, Moor(2))
    assert game.document.board.quays[0] == 2 * game.document.board.boat
    assert game.waiting_for() == [1]


def test_who_is_free_may_act_again_but_holds_nobody_up() -> None:
    game = begun()
    lay_all(game, 5, 4, 4)
    game.act(1, Wave())
    assert game.waiting_for() == [0, 2]
    assert [choice.do for choice in game.offer(1)] == ["wave"]
    game.act(1, Wave())
    assert game.document.board.waved == [1, 1]


def test_what_nobody_must_do_lapses_when_the_table_moves_on() -> None:
    game = begun()
    lay_all(game, 5, 4, 4)
    game.act(1, Wave())
    game.act(2, Wave())
    game.act(0, Moor(1))
    assert [choice.do for choice in game.offer(1)] == ["lay", "think"]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"do": "moor", "bags": 1}, "not_now"),
        ({"do": "lay", "lantern": 9}, "not_offered"),
        ({"do": "think", "of": 10}, "not_offered"),
        ({"do": "think", "of": "much"}, "malformed"),
        ({"do": "lay"}, "malformed"),
        ({"do": "dance"}, "no_such_action"),
        ({"lantern": 1}, "malformed"),
        ([], "malformed"),
        (None, "malformed"),
        ("lay", "malformed"),
        ({"do": "lay", "lantern": 1.5}, "malformed"),
        ({"do": "lay", "lantern": 10**30}, "not_offered"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(action: Any, code: str) -> None:
    assert refusal(begun(), 0, action) == code


@pytest.mark.parametrize("action", [{"do": "think", "of": 3}, {"do": "lay", "lantern": 2**64}, {"do": "wave"}])
def test_an_action_is_read_as_its_conversion_would_be(action: Any) -> None:
    assert QUAY.read_action(action) == msgspec.convert(action, Union[QUAY.actions])  # noqa: UP007 (made from a tuple)


def test_what_is_planned_is_offered_at_once() -> None:
    game = begun()
    assert [choice.do for choice in game.offer(1)] == ["lay", "think"]
    game.plan(step("wave", 1))
    assert [choice.do for choice in game.offer(1)] == ["wave"]
    assert game.offer(0) == []


def test_a_refusal_does_not_repeat_what_was_sent() -> None:
    with pytest.raises(Refused) as refused:
        QUAY.read_action({"do": "it's a 'secret'"})
    assert (refused.value.code, refused.value.path) == ("no_such_action", "$.action.do")
    assert "secret" not in refused.value.sentence


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_that_does_not_exist_has_nothing_to_decide(seat: int) -> None:
    assert refusal(begun(), seat, {"do": "lay", "lantern": 1}) == "not_your_turn"


def test_a_refusal_never_repeats_what_was_sent() -> None:
    with pytest.raises(Refused) as refused:
        QUAY.read_action({"do": "sesame-42"})
    assert "sesame" not in refused.value.sentence


@pytest.mark.parametrize(("players", "options"), [(1, {}), (5, {}), (3, {"boats": "x"}), (3, [])])
def test_a_game_that_cannot_be_set_up_is_refused(players: int, options: Any) -> None:
    with pytest.raises(Refused):
        QUAY.begin(players, SEED, options)


def test_unknown_keys_of_options_and_actions_are_ignored() -> None:
    assert QUAY.read_action({"do": "lay", "lantern": 1, "more": 2}) == QUAY.read_action({"do": "lay", "lantern": 1})
    assert QUAY.pack(QUAY.begin(3, SEED, {"unknown": 1})) == QUAY.pack(QUAY.begin(3, SEED))
    assert QUAY.select_options({"boats": 4, "unknown": 1}) == {"boats": 4}


def test_after_the_last_boat_the_game_is_over() -> None:
    game = begun()
    for _ in range(4):
        lay_all(game, *(max(hand.lanterns) for hand in game.document.hands))  # always equal: nobody moors
    assert game.is_over
    assert game.waiting_for() == []
    assert refusal(game, 0, {"do": "lay", "lantern": 1}) == "game_over"


def test_the_same_seed_gives_the_same_game() -> None:
    assert QUAY.pack(begun()) == QUAY.pack(begun())
    assert QUAY.pack(begun()) != QUAY.pack(QUAY.begin(3, "22" * 32))


def test_an_offer_is_computed_once_and_shared_until_something_changes() -> None:
    game = begun()
    offer = game.offer(0)
    assert game.waiting_for() == [0, 1, 2]
    assert game.offer(0) is offer
    game.act(1, Think(4))
    assert game.offer(0) is not offer
    assert game.offer(0) == offer


def test_who_lets_go_of_a_game_and_comes_back_finds_the_same_offers() -> None:
    game = begun()
    offers, waiting = [game.offer(seat) for seat in game.seats], game.waiting_for()
    game.release()
    assert [game.offer(seat) for seat in game.seats] == offers
    game.release()
    assert game.waiting_for() == waiting
    game.act(1, Lay(3))
