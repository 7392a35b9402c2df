"""10. Joint decisions."""

import pytest
from games.between_two_castles.situations import (
    GAME,
    act,
    agree,
    lay,
    news,
    offered,
    placing,
    question,
    refused,
    verbs,
)
from rules import rule

from palatine_server.games.between_two_castles.actions import Accept, CallTiebreak, Propose, ProposeCell
from palatine_server.games.between_two_castles.board import Proposal
from palatine_server.games.between_two_castles.castle import legal_cells
from palatine_server.games.between_two_castles.news import MarkerUsed, ProposalMade, TiebreakCalled
from palatine_server.games.kit import Recorder


def deciding(letter="L", before=2, players=3, **options):
    """The partners of castle 0, seats 0 and 1, have a question before them; seat 1 is the older one."""
    options = {"seniority": [1, 0, *range(2, players)], **options}
    castle = " ".join([letter] * before)
    game = placing(players, castles={0: castle}, tiles={0: f"{letter} S", 1: f"{letter} F"}, **options)
    lay(game, 0, 0, letter)
    return game


def attendants(game):
    return game.board.castles[0].attendants


def marker(game):
    return game.board.castles[0].marker


def first_two_cells(game):
    (a, b), (c, d) = question(game, 0).options[:2]
    return (a, b), (c, d)


@rule("B2C-JOINT-1")
def test_question_names_castle_kind_options_deciders_and_revision():
    game = deciding()
    asked = question(game, 0)
    assert (asked.castle, asked.about, asked.revision) == (0, "attendant", 0)
    assert asked.options == ["painter", "knight", "fire_eater", "cosmetician"]
    assert [seat for seat in range(3) if "propose" in verbs(game, seat)] == [0, 1]
    assert {0, 1} <= {*game.waiting_for()}


@rule("B2C-JOINT-2")
def test_stages_first_the_pick_then_the_cell_and_a_quarrel_does_not_reopen_the_pick():
    game = deciding("C", before=4)
    agree(game, 0, "tower")
    here, there = first_two_cells(game)
    assert (question(game, 0).about, question(game, 0).room) == ("cell", "tower")
    act(game, 0, ProposeCell(0, here))
    act(game, 1, ProposeCell(0, there))
    assert refused(game, 0, Propose(0, "fountain")).code == "not_an_option"
    assert not offered(game, 0, "propose") + offered(game, 1, "propose")
    assert question(game, 0).room == "tower"


@rule("B2C-JOINT-2")
def test_stages_there_is_no_cell_for_an_attendant():
    game = deciding()
    agree(game, 0, "knight")
    assert (attendants(game), game.board.castles[0].deciding) == (["knight"], "")


@rule("B2C-JOINT-3")
def test_proposal_a_new_one_replaces_the_old_and_both_see_it():
    game = deciding()
    act(game, 0, Propose(0, "knight"), Propose(0, "painter"))
    assert question(game, 0).proposals == [Proposal(0, "painter", 2)]
    act(game, 1, Propose(0, "knight"))
    assert question(game, 0).proposals == [Proposal(0, "painter", 2), Proposal(1, "knight", 3)]
    assert attendants(game) == []


@rule("B2C-JOINT-3")
def test_proposal_about_drawn_tiles_lies_in_both_hands():
    game = deciding("F")
    act(game, 1, Propose(0, question(game, 0).options[3]))
    mine, theirs = (game.hands[seat].decisions for seat in (0, 1))
    assert mine == theirs
    assert mine[0].proposals == [Proposal(1, mine[0].options[3], 1)]
    (told,) = [told for told in game.told if isinstance(told.news, ProposalMade)]
    assert told.to == [0, 1]  # who see the whole question
    assert told.news == ProposalMade(0, 1, "food", mine[0].options[3], 1)


@rule("B2C-JOINT-3")
def test_proposal_an_illegal_one_is_refused():
    game = deciding("O")
    taken = game.board.castles[0].rooms[0].cell
    assert refused(game, 0, ProposeCell(0, taken)).rule == "B2C-JOINT-3"
    assert {action["cell"] for action in offered(game, 0, "propose_cell")} == {
        *legal_cells(game.board.castles[0], "fountain")
    }


@rule("B2C-JOINT-4")
def test_settled_when_both_proposals_are_equal():
    game = deciding()
    act(game, 1, Propose(0, "painter"))
    act(game, 0, Propose(0, "knight"))
    act(game, 1, Propose(0, "knight"))
    assert attendants(game) == ["knight"]
    assert marker(game) == 1


@rule("B2C-JOINT-4")
def test_settled_when_one_accepts_quoting_the_revision():
    game = deciding()
    act(game, 0, Propose(0, "painter"), Propose(0, "knight"))
    refusal = refused(game, 1, Accept(0, 1))
    assert (refusal.code, refusal.rule) == ("proposal_changed", "B2C-JOINT-4")
    assert refused(game, 0, Accept(0, 2)).code == "proposal_changed"
    act(game, 1, Accept(0, 2))
    assert (attendants(game), marker(game)) == (["knight"], 1)


@rule("B2C-JOINT-4")
def test_settled_accepting_takes_the_other_proposal_and_not_the_own():
    game = deciding()
    act(game, 0, Propose(0, "painter"))
    act(game, 1, Propose(0, "knight"), Accept(0, 1))
    assert attendants(game) == ["painter"]


@rule("B2C-JOINT-5")
def test_single_decider_settles_at_once():
    game = placing(2, castles={2: "L L"}, tiles={0: "L S"})
    lay(game, 0, 2, "L")
    assert verbs(game, 0) & {"propose", "accept", "call_tiebreak"} == {"propose"}
    act(game, 0, Propose(2, "knight"))
    assert game.board.castles[2].attendants == ["knight"]


@rule("B2C-JOINT-5", "B2C-JOINT-8")
def test_single_decider_the_word_of_an_absent_partner_is_yes():
    game = deciding()
    act(game, 0, Propose(0, "knight"))
    game.act(*GAME.overdue(game, [1]))
    assert attendants(game) == ["knight"]


@rule("B2C-JOINT-6")
def test_stalemate_both_must_call():
    game = deciding()
    act(game, 0, Propose(0, "painter"), CallTiebreak(0))
    act(game, 1, Propose(0, "knight"))
    assert attendants(game) == []
    assert (question(game, 0).calls, news(game)[-2]) == ([0], TiebreakCalled(0, 0))
    assert refused(game, 0, CallTiebreak(0)).code == "not_now"
    act(game, 1, CallTiebreak(0))
    assert attendants(game) == ["knight"]


@rule("B2C-JOINT-6")
def test_stalemate_a_new_proposal_withdraws_the_own_call():
    game = deciding()
    act(game, 0, Propose(0, "painter"), CallTiebreak(0), Propose(0, "cosmetician"))
    act(game, 1, Propose(0, "knight"), CallTiebreak(0))
    assert question(game, 0).calls == [1]
    assert attendants(game) == []


@rule("B2C-JOINT-6", "B2C-JOINT-7")
def test_stalemate_when_time_is_up_the_marker_decides_too():
    game = deciding()
    act(game, 0, Propose(0, "painter"))
    act(game, 1, Propose(0, "knight"))
    while game.board.castles[0].deciding:
        game.act(*GAME.overdue(game, [0, 1]))
    assert (attendants(game), marker(game)) == (["knight"], 0)


@rule("B2C-JOINT-7")
@pytest.mark.parametrize("seniority", [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
def test_marker_starts_with_the_older_partner(seniority):
    board = placing(4, seniority=seniority).board
    for castle in board.castles:
        assert castle.marker == min(castle.partners, key=seniority.index)


@rule("B2C-JOINT-7", "B2C-JOINT-10")
def test_marker_its_holder_wins_and_it_passes_to_the_partner():
    game = deciding("C", before=4)
    act(game, 0, Propose(0, "tower"), CallTiebreak(0))
    act(game, 1, Propose(0, "foyer"), CallTiebreak(0))
    assert (question(game, 0).room, marker(game)) == ("foyer", 0)
    here, there = first_two_cells(game)
    act(game, 1, ProposeCell(0, here), CallTiebreak(0))
    act(game, 0, ProposeCell(0, there), CallTiebreak(0))
    assert game.board.castles[0].at(there) == "foyer"
    assert marker(game) == 1


@rule("B2C-JOINT-8")
@pytest.mark.parametrize("proposer", [0, 1])
def test_silence_is_consent_the_only_proposal_is_carried_out_and_the_marker_stays(proposer):
    game = deciding()
    act(game, proposer, Propose(0, "cosmetician"), CallTiebreak(0))
    act(game, 1 - proposer, CallTiebreak(0))
    assert (attendants(game), marker(game)) == (["cosmetician"], 1)
    assert news(game, MarkerUsed) == []


@rule("B2C-JOINT-9")
def test_nobody_proposed_the_first_option_is_taken_and_the_marker_stays():
    game = deciding()
    act(game, 0, CallTiebreak(0))
    act(game, 1, CallTiebreak(0))
    assert (attendants(game), marker(game)) == (["painter"], 1)


@rule("B2C-JOINT-9")
def test_nobody_proposed_cells_come_by_height_above_below_and_distance():
    picture = """
        T T
        C .
        C .
    """
    game = placing(castles={0: picture}, tiles={0: "C S"})
    lay(game, 0, 0, "C", (2, 0))
    assert question(game, 0).room == "foyer"
    assert question(game, 0).options == [
        *([-1, 0], [3, 0]),
        *([0, 1], [1, 1], [2, 1]),
        *([-1, -1], [1, -1], [2, -1]),
        *([-1, -2], [1, -2]),
        [0, -3],
    ]
    act(game, 0, CallTiebreak(0))
    act(game, 1, CallTiebreak(0))
    assert game.board.castles[0].at((-1, 0)) == "foyer"


@rule("B2C-JOINT-10")
def test_marker_its_use_is_public_and_the_last_word_alternates():
    game = deciding()
    game.told.clear()
    act(game, 0, Propose(0, "painter"), CallTiebreak(0))
    act(game, 1, Propose(0, "knight"), CallTiebreak(0))
    assert [(told.news, told.to) for told in game.told if isinstance(told.news, MarkerUsed)] == [
        (MarkerUsed(0, 1), None)
    ]
    assert [castle.marker for castle in game.board.castles] == [0, 1, 0]


@rule("B2C-JOINT-10")
@pytest.mark.parametrize("placer", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_marker_neither_speed_nor_who_earned_the_bonus_counts(placer, first):
    game = placing(castles={0: "L L"}, tiles={placer: "L F"}, seniority=[1, 0, 2])
    lay(game, placer, 0, "L")
    wishes = {0: "painter", 1: "knight"}
    for seat in (first, 1 - first):
        act(game, seat, Propose(0, wishes[seat]), CallTiebreak(0))
    assert attendants(game) == ["knight"]


def test_waiting_for_those_who_said_nothing_then_for_those_who_did_not_call():
    game = deciding()
    lay(game, 0, 2, "S")
    lay(game, 1, 1, "F")
    assert game.waiting_for() == [0, 1, 2]
    act(game, 0, Propose(0, "painter"))
    assert game.waiting_for() == [1, 2]
    act(game, 1, Propose(0, "knight"))
    assert game.waiting_for() == [0, 1, 2]
    act(game, 1, CallTiebreak(0))
    assert game.waiting_for() == [0, 2]


def test_question_is_gone_when_it_is_settled():
    game = deciding("F")
    agree(game, 0)
    agree(game, 0)
    assert [hand.decisions for hand in game.hands] == [[], [], []]
    assert (game.board.castles[0].decision, game.board.castles[0].deciding) == (None, "")


@rule("B2C-JOINT-4")
def test_settled_an_acceptance_of_the_pick_does_not_accept_the_cell():
    game = placing(castles={0: "C C C C"}, tiles={0: "C S"})
    lay(game, 0, 0, "C")
    act(game, 0, Propose(0, "tower"))
    act(game, 1, Propose(0, "foyer"))
    cell = legal_cells(game.board.castles[0], "foyer")[0]
    act(game, 0, Accept(0, 2), ProposeCell(0, cell))
    assert refused(game, 1, Accept(0, 1)).code == "proposal_changed"  # it meant the tower


# Undo


@rule("B2C-JOINT-4")
def test_undo_a_proposal_but_not_what_both_have_agreed_on():
    recorder = Recorder(GAME.copy(deciding()))
    recorder.act(0, Propose(0, "knight"))
    assert recorder.may_undo(0)
    recorder.act(1, Propose(0, "painter"))
    assert recorder.may_undo(1)
    recorder.act(1, Accept(0, question(recorder.play, 0).proposals[0].revision))
    assert recorder.play.board.castles[0].attendants == ["knight"]
    assert (recorder.may_undo(0), recorder.may_undo(1)) == (False, False)


@rule("B2C-JOINT-7")
def test_undo_not_what_the_marker_has_decided():
    recorder = Recorder(GAME.copy(deciding()))
    recorder.act(0, Propose(0, "knight"))
    recorder.act(1, Propose(0, "painter"))
    recorder.act(0, CallTiebreak(0))
    assert recorder.may_undo(0)
    recorder.act(1, CallTiebreak(0))
    assert not recorder.may_undo(1)


@rule("B2C-JOINT-5")
def test_undo_not_what_a_single_decider_has_settled():
    game = placing(2, castles={1: "L L"}, tiles={1: "L S"})
    lay(game, 1, 1, "L")
    recorder = Recorder(GAME.copy(game))
    recorder.act(1, Propose(1, "knight"))
    assert not recorder.may_undo(1)
