"""15. Rules of the table outside the rulebook."""

import msgspec
import pytest
from games.palais_royal.situations import GAME, begun, do, first_turn, here, refusal, seed, turn, verbs
from rules import rule

from palatine_protocol.messages import Info, Leave, Sit, Start
from palatine_server.games.kit import Recorder, Refused, plain
from palatine_server.games.palais_royal.actions import (
    ACTIONS,
    Advance,
    Draw,
    EndTurn,
    Keep,
    Move,
    Place,
    PlaceRest,
    PlayPrivilege,
    Recruit,
    Reinforce,
    TakeGold,
)
from palatine_server.tables import handlers
from palatine_server.tables.handlers import play
from palatine_server.tables.state import Requester, TableState


def ended(game):
    while not game.is_over:
        game.act(game.board.turn.seat, EndTurn())
    return game


@rule("PR-STUCK-1")
def test_a_player_without_reinforcement_and_moves_can_still_end_his_turn():
    game = turn(". . .  . . rrrrrrrrrrrrrrrr  . . .")
    assert verbs(game) == {"add_seal_servant", "take_gold", "advance", "end_turn"}
    do(game, EndTurn())
    assert game.board.turn.seat == 1


@rule("PR-STUCK-2")
@pytest.mark.parametrize(("stall_rounds", "rounds"), [(10, 11), (3, 4), (1, 2)])
def test_stall_after_so_many_rounds_without_recruitment_the_next_is_the_final_one(stall_rounds, rounds):
    game = ended(first_turn(3, stall_rounds=stall_rounds))
    assert (game.board.round, game.board.final_round) == (rounds, "stall")


@rule("PR-STUCK-2")
def test_stall_a_recruitment_starts_the_count_anew_and_zero_turns_it_off():
    park = "X o o o o o " + "o o o o o o " * 5
    game = turn(". r .  . . r  . r .", park, named={"X": "N01"}, gold=[6, 0], stall_rounds=3)
    game.board.idle_rounds = 2
    do(game, Recruit("A1"), EndTurn(), EndTurn())
    assert (game.board.idle_rounds, game.board.final_round) == (0, "")
    assert ended(first_turn(stall_rounds=0)).board.final_round == "max_rounds"
    assert ended(first_turn()).board.options.stall_rounds == 10


@rule("PR-STUCK-3")
def test_the_round_of_the_hard_cap_is_the_final_one():
    game = ended(first_turn(2, stall_rounds=0))
    assert (game.board.round, game.board.final_round) == (100, "max_rounds")
    assert ended(first_turn(2, max_rounds=1)).board.round == 1


@rule("PR-STUCK-2", "PR-STUCK-3")
def test_both_endings_that_are_not_printed_can_be_turned_off():
    game = first_turn(2, stall_rounds=0, max_rounds=0)
    for _ in range(2 * 150):
        game.act(game.board.turn.seat, EndTurn())
    assert (game.board.round, game.board.final_round) == (151, "")
    game.board.park = dict(list(game.board.park.items())[:12])
    for _ in range(2):
        game.act(game.board.turn.seat, EndTurn())
    assert game.board.final_round == "park"
    assert not ended(game).document.agenda


@rule("PR-STUCK-2", "PR-STUCK-3")
def test_both_endings_that_are_not_printed_stand_among_the_options_with_words():
    board = plain(first_turn().board)
    assert (board["options"]["stall_rounds"], board["options"]["max_rounds"]) == (10, 100)
    options = msgspec.json.schema(GAME.options)["$defs"]["Options"]["properties"]
    for name in ("stall_rounds", "max_rounds"):
        assert options[name]["minimum"] == 0
        assert "Not printed" in options[name]["description"]
        assert "0: never, as printed" in options[name]["description"]
    assert all(option["description"] for option in options.values())


# Time-out


@rule("PR-AUTO-1")
@pytest.mark.parametrize(
    ("placed", "then"),
    [
        ([], ["office", "king", "madame", "mint", "stairway"]),
        (["office"], ["office", "king", "madame", "mint"]),
        (["gate", "gate"], ["office", "king", "madame"]),
        (["gate", "mint", "king", "mint"], ["office"]),
    ],
)
def test_time_out_in_the_setup_follows_the_list_from_its_beginning_until_five_stand(placed, then):
    game = begun(3)
    do(game, *map(Place, placed))
    seat, action = GAME.overdue(game, [0, 1])
    assert (seat, action) == (0, PlaceRest())
    news = do(game, action)
    assert [plain(each)["room"] for each in news if "room" in plain(each)] == then
    assert (game.board.players[0].supply, game.board.turn.seat) == (8, 1)


@rule("PR-AUTO-1")
def test_time_out_in_a_turn_keeps_no_card_and_ends_the_turn():
    game = turn("rr . .  . . .  . . .", phase="a5")
    do(game, Draw(2))
    actions = []
    while game.board.turn.seat == 0:
        seat, action = GAME.overdue(game, [0])
        game.act(seat, action)
        actions.append(action)
    assert actions == [Keep([]), EndTurn()]
    assert (game.board.players[0].cards, here(game, "back_entrance")) == (0, 2)


@rule("PR-AUTO-1")
def test_time_out_concerns_only_those_who_are_asked():
    with pytest.raises(Refused, match="not_your_turn"):
        GAME.overdue(first_turn(3), [1, 2])
    with pytest.raises(Refused, match="not_your_turn"):
        GAME.overdue(ended(first_turn(2)), [0, 1])


# Leaving


def at_table(**options):
    """A game that anna and berta have begun."""
    info = Info(
        game=GAME.name, status="open", visibility="public", host="Anna", seats=[None, None], options=options, clock=None
    )
    book = TableState.create(GAME, info, "anna", seed(1), 0)
    for user, request in [("anna", Sit), ("berta", Sit), ("anna", Start)]:
        ask(book, user, request)
    return book


def ask(book, user, request):
    handlers.handle_request(book, Requester(user, user.title()), request(id=1, table="t"), 0, None)


def house_bot_moves(book, seat):
    action = GAME.policies[book.info.seats[seat].policy](book.recorder.play, seat, lambda n: 0)
    play.play_for(book, seat, action, "bot", 0)


@rule("PR-LEAVE-1")
def test_who_left_keeps_his_seat_and_a_house_bot_plays_on_until_he_sits_down_again():
    book = at_table()
    ask(book, "anna", Leave)
    assert (book.info.seats[0].name, book.info.seats[0].bot, book.bots_to_move()) == ("Anna", True, [0])
    house_bot_moves(book, 0)
    board = book.recorder.play.board
    assert (board.rooms["parade_ground"], board.players[0].supply) == ([2, 2], 12)  # it placed the first of five
    ask(book, "anna", Sit)
    assert (book.info.seats[0].bot, book.bots_to_move(), book.recorder.play.waiting_for()) == (False, [], [0])


@rule("PR-LEAVE-1")
def test_who_left_can_win_his_points_count_like_any_others():
    book = at_table(max_rounds=2)
    ask(book, "anna", Leave)
    while book.info.status == "playing":
        if book.bots_to_move():
            house_bot_moves(book, 0)
        else:
            play.play_for(book, *GAME.overdue(book.recorder.play, [1]), "overdue", 0)
    anna, berta = book.info.standings
    assert (anna["seat"], anna["rank"], berta["rank"]) == (0, 1, 2)
    assert anna["score"] == book.recorder.play.board.sheets[0]["total"] > berta["score"]


# Actions and refusals


@rule("PR-CMD-1")
def test_actions_are_small_and_omitted_fields_have_their_meaning():
    assert [plain(kind(*(["x"] * len(kind.__struct_fields__))))["do"] for kind in ACTIONS] == [
        "place", "place_rest", "advance", "reinforce", "move", "take_gold", "add_seal_servant", "recruit", "draw",
        "keep", "play_privilege", "end_turn",
    ]  # fmt: skip
    assert GAME.read_action({"do": "recruit", "space": "C3"}) == Recruit("C3", (0, 0), "supply")


@rule("PR-CMD-1")
def test_actions_the_supply_is_looked_at_anew_before_each_servant():
    game = turn(". . .  rrrrrrrrrrrrrr . .  . . rrrbbbb")
    assert game.board.players[0].supply == 1
    do(game, Reinforce("supply"), Reinforce("mint"))
    assert refusal(game, Reinforce("supply")) == "no_servant"


@rule("PR-CMD-2")
def test_refusals_have_a_code_a_sentence_and_a_rule_and_change_nothing():
    game = turn(". . .  r . .  r . r")
    expected = [
        (Place("mint"), "wrong_phase"),
        (PlaceRest(), "wrong_phase"),
        (Advance("pre"), "wrong_phase"),
        (Advance("a9"), "wrong_phase"),
        (Keep([0]), "wrong_phase"),
        (Reinforce("cellar"), "unknown_room"),
        (Reinforce("mint"), "supply_first"),
        (Move("gate", "mint"), "no_servant"),
        (Move("mint", "cardinal"), "not_adjacent"),
        (Recruit("C3"), "no_presence"),
        (Draw(1), "allowance_exceeded"),
        (PlayPrivilege("gold4"), "no_card"),
        (PlayPrivilege("joker"), "no_card"),
    ]
    for action, code in expected:
        with pytest.raises(Refused) as refused:
            game.act(0, action)
        assert refused.value.code == code
        assert refused.value.sentence.endswith(".")
        assert refused.value.rule.startswith("PR-")
    assert refusal(game, EndTurn(), seat=1) == "not_your_turn"
    assert game.board.turn.phase == "pre"
    do(game, Reinforce("supply"))


@rule("PR-CMD-2")
def test_refusals_in_the_setup():
    game = begun()
    assert refusal(game, TakeGold()) == "wrong_phase"
    assert refusal(game, EndTurn()) == "bad_total"


@rule("PR-CMD-3")
def test_chance_a_game_is_replayed_from_seed_and_actions():
    recorders = [Recorder(GAME.begin(3, seed(7), {"layout": "random", "start_player": "random"})) for _ in range(2)]
    one, other = recorders
    while not one.play.is_over:
        at = one.play.board.turn.seat
        action = GAME.policies["greedy"](one.play, at, lambda n: 0)
        assert one.act(at, action) == other.act(at, action)
    assert one.play.document.chance.drawings <= 4 + 10


@rule("PR-CMD-3")
def test_chance_only_shuffles_nobles_rooms_cards_and_the_start_player():
    assert begun().document.chance.drawings == 2
    assert begun(layout="random").document.chance.drawings == 3
    assert begun(layout="random", start_player="random").document.chance.drawings == 4
    game = first_turn()
    do(game, Reinforce("supply"), Move("gate", "mint"), TakeGold(), EndTurn())
    assert game.document.chance.drawings == 2
