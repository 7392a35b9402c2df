"""13. End of the game and scoring."""

import pytest
from games.palais_royal.diagrams import FULL_PARK
from games.palais_royal.situations import GAME, do, first_turn, turn
from rules import rule

from palatine_server.games.palais_royal.actions import EndTurn, Recruit
from palatine_server.games.palais_royal.catalog import NOBLES, ROWS, SPACES
from palatine_server.games.palais_royal.news import FinalRoundBegan, GameScored
from palatine_server.games.palais_royal.scoring import row_points, score_sheet, standings, strengths_in


def with_nobles_left(left, players=3, rounds=1):
    """A table in its last turn of a round, with so many nobles in the park."""
    game = first_turn(players)
    for _ in range(players * rounds - 1):
        do(game, EndTurn())
    inner_first = sorted(SPACES, key=lambda space: space[0] in "AF" or space[1] in "16")
    for space in inner_first[: 36 - left]:
        game.board.players[0].face_down.append(game.board.park.pop(space))
        if space[0] in "AF" or space[1] in "16":
            game.board.border[space] = 0
            game.board.players[0].reserve -= 1
    return game


def rounds_played(game):
    turns = 0
    while not game.is_over:
        game.act(game.board.turn.seat, EndTurn())
        turns += 1
    return turns


# The end


@rule("PR-END-1")
def test_final_round_begins_with_twelve_or_fewer_nobles_at_the_start_players_turn():
    game = with_nobles_left(13)
    do(game, EndTurn())
    assert game.board.final_round == ""
    for left in (12, 11, 8):
        game = with_nobles_left(max(left, 9))
        game.board.park = dict(list(game.board.park.items())[:left])
        game.act(2, EndTurn())
        assert game.board.final_round == "park"
        assert FinalRoundBegan("park") in [told.news for told in game.told]


@rule("PR-END-2")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_final_round_gives_everybody_one_more_turn(players):
    game = with_nobles_left(12, players)
    game.act(players - 1, EndTurn())
    assert game.board.turn.seat == 0
    assert rounds_played(game) == players
    assert game.board.turn.phase == "over"


@rule("PR-END-3")
def test_final_round_is_decided_at_no_other_moment():  # PRV-D25, PRV-D26
    game = first_turn(3)
    do(game, EndTurn())
    game.board.park = dict(list(game.board.park.items())[:10])  # in seat 1's turn
    game.act(1, EndTurn())
    assert game.board.final_round == ""
    game.act(2, EndTurn())
    assert (game.board.round, game.board.final_round) == (2, "park")
    own_turn = first_turn(2)
    own_turn.board.park = dict(list(own_turn.board.park.items())[:12])  # in the start player's own turn
    own_turn.act(0, EndTurn())
    assert own_turn.board.final_round == ""


@rule("PR-END-4")
def test_final_round_is_played_out_though_the_park_is_empty():
    game = with_nobles_left(12, 3)
    game.act(2, EndTurn())
    game.board.park = {}
    assert rounds_played(game) == 3


# The score sheet


@rule("PR-SCORE-1")
def test_score_of_nobles():
    game = turn(nobles=[["N01", "N02", "N26"], ["N03"]])
    assert [score_sheet(game, seat).totals["nobles"] for seat in (0, 1)] == [6 + 3 + 13, 4]


@rule("PR-SCORE-2")
def test_score_of_points_cards_played():
    game = turn(front=[["points2", "points4", "points4"], []])
    assert score_sheet(game, 0).totals["played"] == 10


@rule("PR-SCORE-3")
@pytest.mark.parametrize(("cards", "points"), [(0, 0), (1, 1), (6, 6), (8, 6)])
def test_score_of_cards_in_hand_at_most_six(cards, points):
    game = turn(hands=[["moves5", "seals2"] * (cards // 2) + ["gold4"] * (cards % 2), []])
    assert score_sheet(game, 0).totals["unplayed"] == points


@rule("PR-SCORE-4")
def test_score_of_the_border_rows():
    park = FULL_PARK.replace("o o o o o o", "r r b o o o", 1)  # the top row; C1 counts twice
    game = turn(park=park)
    assert [score_sheet(game, seat).totals["park"] for seat in (0, 1)] == [2 + 6, 2]


@rule("PR-SCORE-5")
def test_score_of_nothing_else():
    game = turn("rr rr rr  rr rr rr  rr rr rr", gold=[50, 0])
    assert score_sheet(game, 0).total == 0


@rule("PR-SCORE-1", "PR-SCORE-2", "PR-SCORE-3", "PR-SCORE-4")
def test_example_red_has_53_points():  # PRV-R22
    nobles = ["N26", "N23", "N19", "N07", "N40"]  # 13 + 11 + 10 + 4 + 3 = 41
    assert sum(NOBLES[noble].points for noble in nobles) == 41
    park = """
        o o o o o o
        r o o o o o
        r o o o o o
        o o o o o o
        b o o o o o
        o o o o o o
    """  # two in the lion row against one
    game = turn(
        park=park,
        players=4,
        nobles=[nobles, [], [], []],
        front=[["points4"], [], [], []],
        hands=[["moves5"] * 2, [], [], []],
    )
    sheet = score_sheet(game, 0)
    assert sheet.totals == {"nobles": 41, "played": 4, "unplayed": 2, "park": 6, "total": 53}
    leaves = [leaf for line in sheet.lines for leaf in line.because or [line]]
    assert sum(leaf.amount for leaf in leaves) == sheet.total
    assert {leaf.rule for leaf in leaves} == {"PR-SCORE-1", "PR-SCORE-2", "PR-SCORE-3", "PR-ROW-4", "PR-ROW-7"}


def test_score_is_kept_on_the_board_at_the_end():
    game = with_nobles_left(12, 3)
    game.act(2, EndTurn())
    rounds_played(game)
    assert game.is_over
    assert [sheet["total"] for sheet in game.board.sheets] == [row.score for row in game.board.final]
    assert [(row.seat, row.score, row.rank) for row in GAME.standings(game)] == [
        (row.seat, row.score, row.rank) for row in game.board.final
    ]
    assert game.told[-1].news == GameScored([row.score for row in game.board.final])


# Rows


def row(name, *lines, players=3):
    """Strengths and points of a row in a park."""
    game = turn(park=" ".join(lines), players=players)
    strengths = strengths_in(game, ROWS[name])
    return strengths, row_points(ROWS[name], strengths)


def left_column(letters, players=3):
    return row("lion", *(f"{letter} o o o o o" for letter in letters), players=players)


@rule("PR-ROW-1")
def test_rows_are_scored_separately_by_the_number_of_servants():  # PRV-R20
    assert left_column("rrrbbg", players=4) == ([3, 3, 1, 0], [2, 2, 0, 0])  # A4 counts twice
    assert left_column("rrobog", players=4) == ([2, 2, 1, 0], [2, 2, 0, 0])
    assert left_column("rrrbgo", players=4) == ([3, 2, 1, 0], [6, 2, 0, 0])
    assert list(ROWS) == ["lion", "vase", "statue", "fountain"]


@rule("PR-ROW-2")
def test_rows_a_corner_counts_in_both():  # PRV-D38
    game = turn(park="o o o o o o " * 5 + "r o o o o o")
    assert [strengths_in(game, ROWS[name])[0] for name in ROWS] == [1, 1, 0, 0]


@rule("PR-ROW-3")
def test_rows_a_double_space_counts_twice():
    assert {space for each in ROWS.values() for space in each.double_spaces} == {"A4", "D6", "F3", "C1"}
    assert left_column("oooroo")[0] == [2, 0, 0]


@rule("PR-ROW-4")
def test_rows_first_place_gives_six_and_second_place_two():  # PRV-S01
    assert left_column("bbroog") == ([1, 2, 1], [0, 6, 0])
    assert left_column("bbrooo") == ([1, 2, 0], [2, 6, 0])
    assert left_column("booooo") == ([0, 1, 0], [0, 6, 0])


@rule("PR-ROW-5")
def test_rows_those_tied_for_first_get_two_each_and_nobody_else_scores():  # PRV-R21, PRV-D37
    assert left_column("rrbbog") == ([2, 3, 1], [2, 6, 0])
    assert left_column("rrooog") == ([2, 0, 1], [6, 0, 2])
    assert row_points(ROWS["vase"], [3, 3, 1]) == [2, 2, 0]
    assert row_points(ROWS["vase"], [1, 1, 1]) == [2, 2, 2]
    assert row_points(ROWS["vase"], [2, 2, 2, 2]) == [2, 2, 2, 2]


@rule("PR-ROW-6")
def test_rows_those_tied_for_second_get_nothing():  # PRV-S04
    assert row_points(ROWS["statue"], [3, 1, 1]) == [6, 0, 0]
    assert row_points(ROWS["statue"], [4, 2, 2, 1]) == [6, 0, 0, 0]


@rule("PR-ROW-7")
def test_rows_without_servants_give_nothing():
    assert row_points(ROWS["lion"], [0, 0]) == [0, 0]
    assert row_points(ROWS["lion"], [3, 0, 0]) == [6, 0, 0]


@rule("PR-ROW-8")
def test_rows_scoring_moves_no_piece():
    game = with_nobles_left(10, 2)
    game.act(1, EndTurn())
    game.act(0, EndTurn())
    before = GAME.copy(game).board
    game.act(1, EndTurn())
    assert game.is_over
    assert (game.board.rooms, game.board.border) == (before.rooms, before.border)
    assert [player.supply for player in game.board.players] == [player.supply for player in before.players]


# Winning


def ranks(game):
    return [row.rank for row in standings(game)]


@rule("PR-WIN-1")
def test_winner_has_the_highest_total():
    assert ranks(turn(players=3, nobles=[["N01"], ["N26"], ["N04"]])) == [2, 1, 3]


@rule("PR-WIN-2")
def test_winner_of_a_tie_has_more_servants_at_the_cardinal():
    game = turn(". . rbbggggg  . . .  . . .", players=3, nobles=[["N01"], ["N09"], ["N07"]])
    assert ranks(game) == [2, 1, 3]


@rule("PR-WIN-3")
def test_winners_still_tied_share_the_victory():  # PRV-D23
    game = turn(". . rb  . . .  . . .", players=3, nobles=[["N01"], ["N09"], []])
    assert ranks(game) == [1, 1, 3]


def test_recruiting_in_the_last_round_counts():
    park = "X o o o o o " + "o o o o o o " * 5
    game = turn(". r .  . . r  . r .", park, named={"X": "N01"}, gold=[6, 0], phase="a4")
    do(game, Recruit("A1"))
    assert score_sheet(game, 0).totals == {"nobles": 6, "played": 0, "unplayed": 0, "park": 12, "total": 18}
