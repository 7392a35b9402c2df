"""Explaining Between Two Castles: what is said is what the score sheet holds."""

from random import Random

import pytest
from games.between_two_castles.situations import GAME, act, begun, placing
from rules import rule

from palatine_server.checks import random_games
from palatine_server.games.between_two_castles.actions import Hold, Place
from palatine_server.games.between_two_castles.board import Final
from palatine_server.games.between_two_castles.scoring import score_sheet, value
from palatine_server.games.between_two_castles.seats import castles_of
from palatine_server.games.kit import explain_topic, why_refused

every_table = pytest.mark.parametrize("players", GAME.players)
PLAYERS = ["Ada", "Ben", "Ludwig"]


def said(game, topic, viewer=0, **about):
    return explain_topic(game, viewer, {"do": topic, **about})


def told(reason, lang="en"):
    return list(GAME.words.account(reason, lang, PLAYERS))


# Castles


@rule("B2C-FINAL-1")
def test_castle_is_worth_the_lines_of_its_score_sheet():
    game = placing(castles={0: "O .\nF T T L"})
    castle = game.board.castles[0]
    reason = said(game, "castle", castle=castle.token)
    sheet = score_sheet(castle)
    assert reason.amount == sheet.total
    assert {line.figures["line"]: line.amount for line in reason.because} == {
        name: total for name, total in sheet.totals.items() if name in {"outdoor", "food", "living", "throne"}
    }


@rule("B2C-SCORE-FOOD-1")
def test_castle_names_each_room_its_cell_and_what_it_counts():
    game = placing(castles={0: "O .\nF T T L"})
    castle = game.board.castles[0]
    food = next(line for line in said(game, "castle", castle=castle.token).because if line.figures["line"] == "food")
    (entry,) = (line for line in score_sheet(castle).lines if line.line == "food")
    (room,) = food.because
    assert (room.rule, room.amount, room.figures["cells"]) == (entry.rule, entry.points, [(-1, 0)])
    assert (room.figures["count"], room.figures["counted"]) == (entry.count, entry.counted)
    assert room.what.startswith("room_cells")


@every_table
def test_castles_explained_are_worth_what_they_are_worth_at_every_moment(players):
    recorder = random_games.begun(GAME, players, 1)
    for seat, action in random_games.random_moves(recorder, Random(1), ("random", "greedy")):
        recorder.act(seat, action)
        board = recorder.play.board
        castle = board.castles[Random(len(board.tiles)).randrange(len(board.castles))]
        assert said(recorder.play, "castle", None, castle=castle.token).amount == value(castle)
        values = [value(board.castles[number]) for number in castles_of(recorder.play, seat)]
        assert said(recorder.play, "score", None, seat=seat).amount == min(values)


# Points


@rule("B2C-FINAL-2", "B2C-FINAL-4")
def test_score_is_the_lower_castle_and_the_other_only_breaks_ties():
    game = placing(castles={0: "F T T F"})
    counted, other = said(game, "score", seat=0).because
    assert counted.figures["castle"] == game.board.castles[2].token
    assert (other.amount, other.figures["castle"]) == (None, game.board.castles[0].token)
    assert other.figures["value"] == value(game.board.castles[0]) > counted.amount
    assert told(said(game, "score", seat=0), "de")[0] == (
        "0  Punkte von Ada, wenn das Spiel jetzt endete: Das Schloss mit dem niedrigeren Wert zählt. [B2C-FINAL-2]"
    )


@rule("B2C-LUDWIG-9")
def test_score_of_ludwig_is_explained_like_any_other():
    assert told(said(begun(2), "score", seat=2))[0].startswith("0  Points of Ludwig")


@rule("B2C-FINAL-3", "B2C-FINAL-4", "B2C-FINAL-5", "B2C-FINAL-6")
def test_rank_compares_until_nobody_is_left_to_share_with():
    game = begun(4)
    rows = [(30, 40, 5, 1), (30, 40, 5, 1), (30, 40, 4, 3), (30, 39, 9, 4)]
    game.board.final = [Final(seat, *row) for seat, row in enumerate(rows)]
    steps = [[cause.what for cause in said(game, "rank", seat=seat).because] for seat in range(4)]
    by = ["place_by_score", "place_by_better", "place_by_specials", "place_shared"]
    assert steps == [by, by, by[:3], by[:2]]
    assert said(game, "rank", seat=0).because[-1].figures == {"seats": [1]}


# Refusals


@rule("B2C-PLACE-2", "B2C-PLACE-9", "B2C-PP-5")
def test_refusals_name_what_they_rest_on():
    game = placing(castles={0: "O .\nF T T L"}, tiles={0: "S C"})
    castle, tile = game.board.castles[0], game.board.tiles[0][0]
    occupied = why_refused(game, 0, Place(tile, 0, (-1, 0)))
    assert occupied.because[0].figures == {"cells": [(-1, 0)], "name": castle.at((-1, 0))}
    under_the_sky = why_refused(game, 0, Place(tile, 0, (-1, 2)))
    assert (under_the_sky.rule, under_the_sky.because[0].figures["name"]) == ("B2C-PLACE-9", castle.at((-1, 1)))


@rule("B2C-PP-5", "B2C-TERM-13")
def test_refusal_in_a_deadlock_names_the_older_one():
    game = placing(tiles={0: "S C", 1: "S C"})
    act(game, 0, Hold(0))
    act(game, 1, Hold(0))
    refused = [why_refused(game, seat, Place(game.board.tiles[seat][0], 0, (-1, 0))) for seat in (0, 1)]
    (reason,) = (reason for reason in refused if reason)
    assert reason.figures["code"] == "older_goes_first"
    assert reason.because[0].figures == {"seat": game.board.seniority[0]}


@rule("B2C-DRAFT-3", "B2C-DRAFT-8")
def test_nothing_is_explained_of_hands():
    here, there = begun(3, 1), begun(3, 1)
    there.hands[1].tiles = there.hands[2].tiles
    there.document.box = None
    assert [said(here, "score", 0, seat=seat) for seat in range(3)] == [
        said(there, "score", 0, seat=seat) for seat in range(3)
    ]
