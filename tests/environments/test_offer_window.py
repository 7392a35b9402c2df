"""Windows on offers: numbers of actions, and groups where an offer has more actions than a mask has places."""

import pytest
from environments.environment_fixture import MIXED

from palatine_protocol.offers import Choice, Pick, listed
from palatine_server.environments.offer_window import OfferWindow, find_index, select_action


def test_numbers_and_actions_belong_together() -> None:
    actions = list(listed(MIXED))
    assert len(actions) == 4 * 3 + 50 * 22 + 1
    assert [select_action(MIXED, number) for number in range(len(actions))] == actions
    equal = {
        repr(action): number for number, action in reversed([*enumerate(actions)])
    }  # of two equal picks, the first
    assert [find_index(MIXED, action) for action in actions] == [equal[repr(action)] for action in actions]


def test_a_pick_may_name_its_items_in_any_order() -> None:
    action = {"do": "pay", "gold": 3, "cards": ["z", "x"]}
    assert select_action(MIXED, find_index(MIXED, action)) == {**action, "cards": ["x", "z"]}


def test_an_action_that_is_not_offered_has_no_number() -> None:
    with pytest.raises(ValueError, match="is not offered"):
        find_index(MIXED, {"do": "pay", "gold": 2, "cards": []})


def collect(window: OfferWindow) -> list[dict[str, object]]:
    """Open every group, and return all actions that can be chosen."""
    assert 1 <= len(window) <= window.width
    assert len(window.actions) == len(window)
    if window.step == 1:
        return window.actions
    groups = [window.open_group(number) for number in range(len(window))]
    assert [group.high - group.low for group in groups] == [window.count_actions(n) for n in range(len(window))]
    return [action for group in groups for action in collect(group)]


@pytest.mark.parametrize("width", [2, 7, 512, 1113, 5000])
def test_every_action_of_a_large_offer_can_be_chosen_once(width: int) -> None:
    assert collect(OfferWindow(MIXED, width)) == list(listed(MIXED))


def test_an_offer_of_any_size_takes_few_choices() -> None:
    window, choices = OfferWindow([Choice("take", {"cards": Pick(30, 30, [*range(60)])})], 512), 1
    last = window.last
    assert window.high > 10**17
    while window.step > 1:
        window, choices = window.open_group(len(window) - 1), choices + 1
    assert choices == 7  # 512 ** 6 < the number of actions < 512 ** 7
    assert window.actions[-1] == last == {"do": "take", "cards": [*range(30, 60)]}


def test_a_window_has_at_least_two_places() -> None:
    with pytest.raises(ValueError, match="at least 2"):
        OfferWindow(MIXED, 1)
