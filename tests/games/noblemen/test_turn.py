"""4. The turn, and 6. its end."""

from games.noblemen.situations import (
    END,
    IDLE,
    IDLE_AND_END,
    act,
    broken_rule,
    build,
    buy,
    carried_on,
    donate,
    expand,
    land,
    news,
    points,
    refused,
    table,
    tax,
    trade,
    verbs,
)
from rules import rule

from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.news import Idled, RoundMarkerMoved, TurnBegan, TurnEnded

CHAPEL_SITE = "C F M"


@rule("NM-TURN-1")
def test_turns_go_clockwise_and_one_seat_is_active():
    game = table(active=2)
    for seat in (2, 3, 0, 1, 2):
        assert (game.board.active, game.waiting_for()) == (seat, [seat])
        act(game, seat, IDLE_AND_END)


@rule("NM-TURN-2")
def test_turn_only_the_owner_of_the_decision_may_act():
    game = table()
    for seat in (1, 2, 3):
        assert broken_rule(game, seat, do.Idle()) == "NM-TURN-2"
        assert game.offer(seat) == []


@rule("NM-TURN-3")
def test_turn_has_exactly_one_action():
    actions = [expand("F↗ 1 0"), build("palace", 0, 0), buy(1), tax(), land(), donate("F"), IDLE]
    for steps in actions:
        game = table(tiles={0: "F F"}, money={0: 20})
        act(game, 0, steps)
        assert game.board.action_done
        assert verbs(game, 0) <= {"end_turn", "give"}
        assert {broken_rule(game, 0, other[0]) for other in actions} == {"NM-TURN-3"}


@rule("NM-TURN-4")
def test_turn_has_at_most_one_card_before_or_after_the_action():
    before = act(table(cards={0: "tribute dowry"}), 0, [do.Play("tribute"), *IDLE])
    after = act(table(cards={0: "tribute dowry"}), 0, [*IDLE, do.Play("tribute")])
    for game in (before, after):
        assert broken_rule(game, 0, do.Play("dowry")) == "NM-CARD-2"
        assert "end_turn" in verbs(game, 0)


@rule("NM-TURN-5")
def test_turn_an_action_is_never_interrupted_by_a_card():
    game = table(estates={0: CHAPEL_SITE}, tiles={0: "F F"}, cards={0: "tribute"})
    game.act(0, do.Lay("field", (0, 1), "NE"))
    assert broken_rule(game, 0, do.Play("tribute")) == "NM-STEP-3"
    game.act(0, do.Drop())
    act(game, 0, build("chapel", 2, 0))
    assert broken_rule(game, 0, do.Play("tribute")) == "NM-TURN-10"


@rule("NM-TURN-6")
def test_turn_trades_any_number_of_times_before_and_after_the_action():
    game = table(tiles={0: "F F F F F F"})
    act(game, 0, [*trade("F F", "G"), *trade("F F", "G"), *IDLE, *trade("F F", "M"), *trade("G G", "W"), *END])
    assert game.board.active == 1


@rule("NM-TURN-7")
def test_turn_ends_only_after_the_action_and_when_its_player_says_so():
    game = table()
    assert broken_rule(game, 0, do.EndTurn()) == "NM-TURN-7"
    act(game, 0, IDLE)
    assert game.board.active == 0
    act(game, 0, END)
    assert game.board.active == 1
    assert news(game) == [Idled(0), *news(game)[1:2], TurnEnded(0), TurnBegan(1)]


@rule("NM-TURN-8")
def test_turn_idleness_is_always_possible():
    game = table(money={0: 0})
    game.board.noblemen[0].taxed = game.board.noblemen[0].landed = True
    assert verbs(game, 0) == {"idle"}


@rule("NM-TURN-9")
def test_turn_state_is_the_active_seat_what_is_used_and_the_open_decision():
    game = table(estates={0: CHAPEL_SITE}, cards={0: "tribute"})
    assert (game.board.active, game.board.action_done, game.board.card_played, game.board.phase) == (0, 0, 0, "turn")
    act(game, 0, [do.Play("tribute"), *build("chapel", 2, 0)])
    assert (game.board.active, game.board.action_done, game.board.card_played) == (0, True, True)
    assert game.board.phase == "card_offer"
    act(game, 0, [do.Keep(0)])
    assert game.board.phase == "turn"
    act(game, 0, END)
    assert (game.board.active, game.board.action_done, game.board.card_played) == (1, False, False)


@rule("NM-TURN-10")
def test_turn_while_a_decision_is_open_only_its_answer_is_accepted():
    game = act(table(estates={0: CHAPEL_SITE}, tiles={0: "F F"}), 0, build("chapel", 2, 0))
    assert verbs(game, 0) == {"keep"}
    for action in (do.Give("field"), do.EndTurn(), do.Idle(), do.Spend(), do.Done("expand")):
        assert broken_rule(game, 0, action) == "NM-TURN-10"


@rule("NM-TURN-11")
def test_turn_after_a_ball_and_a_new_decade_the_ordinary_next_seat_follows():
    for round_ in (3, 10):
        game = act(table(active=2, queen=2, round=round_), 2, IDLE_AND_END)
        carried_on(game, lambda game: game.board.phase == "turn")
        assert (game.board.active, game.board.queen) == (3, 2)


# 6. End of turn


@rule("NM-END-1")
def test_end_without_the_queen_nothing_happens():
    game = act(table(queen=3, round=2), 0, IDLE_AND_END)
    assert (points(game), game.board.round) == ([1, 0, 0, 0], 2)


@rule("NM-END-2", "NM-END-3")
def test_end_with_the_queen_one_point_and_one_field():
    game = act(table(queen=0, round=1), 0, IDLE_AND_END)
    assert game.board.noblemen[0].lines == {"NM-IDLE-1": 1, "NM-END-2": 1}
    assert game.board.round == 2
    assert news(game, RoundMarkerMoved) == [RoundMarkerMoved(2, "plain")]


@rule("NM-END-4")
def test_end_the_field_takes_effect_before_the_next_turn():
    game = act(table(queen=0, round=3), 0, IDLE_AND_END)
    assert (game.board.phase, game.board.active) == ("ball", 0)
    assert not news(game, TurnBegan)


@rule("NM-END-5")
def test_end_then_the_seat_to_the_left_takes_its_turn():
    game = act(table(active=3, queen=3), 3, IDLE_AND_END)
    assert (game.board.active, game.waiting_for()) == (0, [0])
    assert refused(game, 3, do.Idle()).code == "not_your_turn"
