"""The cases of vectors.json that concern the flow of the game."""

import pytest
from games.between_two_castles.diagrams import TYPES
from games.between_two_castles.situations import (
    agree,
    agree_on,
    begun,
    carried_on,
    lay,
    news,
    placing,
    where,
)
from games.between_two_castles.test_castle_vectors import ABOUT, FLOW_KINDS, KINDS, VECTORS
from games.vectors import as_params, run_case

from palatine_server.games.between_two_castles.catalog import ROOMS
from palatine_server.games.between_two_castles.news import (
    AttendantTaken,
    BonusChosen,
    BonusEarned,
    LudwigTilesDrawn,
    RoomGained,
    RoomPlaced,
    TilesDrawn,
)
from palatine_server.games.between_two_castles.seats import deciders
from palatine_server.games.kit import verb_of

LETTERS = {kind: letter for letter, kind in TYPES.items()}
LUDWIG = 2


# Draft


def draft(case):
    players, expect = case["players"], case["expect"]
    game = begun(players)
    assert game.board.supply == expect["supply_after_deal_1"]
    assert holders(game, 1, expect) == expect["round1_holder_of_hand_dealt_to_seat0"]
    first = last_tiles(game)
    carried_on(game, lambda game: game.board.round == 2)
    assert {*first} <= {*game.box.discards}
    draws = len(news(game, TilesDrawn))
    assert game.board.supply == expect["supply_after_deal_2_without_food_bonus"] - 5 * draws
    assert holders(game, 2, expect) == expect["round2_holder_of_hand_dealt_to_seat0"]
    second = last_tiles(game)
    carried_on(game, lambda game: game.is_over)
    assert {*second} <= {*game.box.discards}
    assert len(first) + len(second) == expect["discarded_last_tiles"]
    placed = [each.castle for each in news(game, RoomPlaced)]
    assert {placed.count(castle) for castle in range(players)} == {expect["tiles_placed_per_castle"]}


def last_tiles(game):
    carried_on(game, lambda game: game.board.phase == "place")
    return [tile for hand in game.hands for tile in hand.passed]


def holders(game, round_, expect):
    """Who holds, turn by turn, what was dealt to seat 0."""
    dealt, found = {*game.hands[0].tiles}, []
    for turn, size in enumerate(expect["hand_sizes_before_choice"], start=1):
        carried_on(game, lambda game, turn=turn: where(game) == (round_, turn, "choose"))
        assert {len(hand.tiles) for hand in game.hands} == {size}
        found += [seat for seat, hand in enumerate(game.hands) if {*hand.tiles} <= dealt]
    assert turn == expect["turns_per_round"]
    return found


# Bonus chain


def bonus_chain(case):
    before = " ".join(LETTERS[kind] for kind, count in case["before"].items() for _ in range(count))
    first, later = LETTERS[case["place"]], LETTERS[case.get("later", "utility")]
    game = placing(castles={0: before}, tiles={0: f"{first} U", 1: f"{later} U"}, supply="D U O S C L U O S C")
    answers = {
        "food": [case.get("food_draw_choice"), case.get("food_draw_choice_2")],
        "bonus": [case.get("downstairs_choice")],
        "special": [case.get("special_choice")],
        "attendant": [*case.get("attendants", [])],
    }
    lay(game, 0, 0, first)
    answer_all(game, answers)
    if "later" in case:
        lay(game, 1, 0, later)
        answer_all(game, answers)
    assert not [left for given in answers.values() for left in given if left is not None], answers
    assert events(game) == case["expect"]["events"]
    if case["expect"].get("specials_trigger_nothing"):
        assert events(game)[-1].startswith("special:")
        assert not game.board.castles[0].deciding


def answer_all(game, answers):
    while about := game.board.castles[0].deciding:
        answer(game, about, answers)


def answer(game, about, answers):
    if about == "cell":
        agree(game, 0)
    elif about == "food":
        agree_on(game, 0, LETTERS[answers["food"].pop(0)])
    else:
        agree(game, 0, answers[about].pop(0))


def events(game):
    told = {
        "bonus_earned": lambda each: f"{'third' if each.tiles == 3 else 'fifth'}:{each.type}",
        "tiles_drawn": lambda each: f"draw{each.count}",
        "attendant_taken": lambda each: f"attendant:{each.attendant}",
        "bonus_chosen": lambda each: f"choose:{each.type}",
        "room_gained": lambda each: f"place:{ROOMS[each.room].type}" if each.room in ROOMS else f"special:{each.room}",
    }
    kinds = (BonusEarned, TilesDrawn, BonusChosen, AttendantTaken, RoomGained)
    return [told[verb_of(each)](each) for each in news(game, *kinds)]


# Ludwig


def ludwig(case):
    game, expect = begun(2), case["expect"]
    circle = game.board.circle
    place = circle.index(LUDWIG)
    seats = dict(zip(case["seats"], [*circle[place:], *circle[:place]], strict=True))
    castles = {f"{number}": (place + number) % 3 for number in range(3)}
    for number, partners in expect["castles"].items():
        assert game.board.castles[castles[number]].partners == [seats[name] for name in partners]
    for number, name in expect["solo_decider"].items():
        assert deciders(game, castles[number.removeprefix("castle")]) == [seats[name]]
    for number, both in expect["joint"].items():
        assert sorted(deciders(game, castles[number.removeprefix("castle")])) == sorted(seats[name] for name in both)
    carried_on(game, lambda game: game.is_over)
    drawers = [each.seat for each in news(game, LudwigTilesDrawn)]
    assert drawers == [seats[expect["drawer_round1"]]] * 4 + [seats[expect["drawer_round2"]]] * 4
    assert (LUDWIG in [row.seat for row in game.board.final]) == expect["ludwig_can_win"]


RUN = {"draft": draft, "bonus_chain": bonus_chain, "ludwig": ludwig}
CASES = [case for case in VECTORS if case["kind"] in RUN]


@pytest.mark.parametrize("case", as_params(CASES))
def test_vector(case):
    run_case(case, RUN[case["kind"]], ABOUT)


def test_vectors_a_key_that_no_runner_reads_fails():
    case = next(case for case in CASES if case["kind"] == "bonus_chain")
    with pytest.raises(AssertionError, match="surprise"):
        run_case({**case, "surprise": 1}, bonus_chain, ABOUT)


def test_vectors_every_kind_is_run_here_or_with_the_castles():
    assert set(RUN) == FLOW_KINDS
    assert {case["kind"] for case in VECTORS} == KINDS | set(RUN)
    assert not KINDS & set(RUN)
