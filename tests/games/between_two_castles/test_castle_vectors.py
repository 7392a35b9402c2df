"""The cases of vectors.json that concern one castle, or the end of the game."""

import json
from pathlib import Path

import pytest
from rules import rule

from palatine_server.games.between_two_castles.castle import Building, Room, placement_error
from palatine_server.games.between_two_castles.scoring import score_sheet, standings

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))["vectors"]
FLOW_KINDS = {"draft", "bonus_chain", "ludwig"}


def building(castle):
    rooms = [Room(tile["id"], tile["x"], tile["y"]) for tile in castle["tiles"]]
    return Building(throne=castle["throne"], rooms=rooms, attendants=castle["attendants"], cards=castle["bonus_cards"])


def placement(case):
    place = case["place"]
    mistake = placement_error(building(case["castle"]), place["tile"], (place["x"], place["y"]))
    assert (mistake is None) == case["expect"]["legal"]
    assert (mistake.code if mistake else None) == case["expect"].get("error")


def score_tiles(case):
    points = {line.cell: line.points for line in score_sheet(building(case["castle"])).lines if line.cell}
    for tile in case["expect"]["tiles"]:
        assert points[tile["x"], tile["y"]] == tile["score"]


def score_throne(case):
    assert score_sheet(building(case["castle"])).totals["throne"] == case["expect"]["throne"]


def score_castle_part(case):
    lines = score_sheet(building(case["castle"])).lines
    assert case["expect"].keys() == {"attendants"}
    assert [line.points for line in lines if line.line == "attendant"] == case["expect"]["attendants"]


def final(case):
    seats = case["seats"]
    ranked = standings(case["castles"], case["specials"], range(len(seats)))
    assert {seats[row.seat]: row.score for row in ranked} == case["expect"]["scores"]
    assert [seats[row.seat] for row in ranked if row.rank == 1] == case["expect"]["winners"]


RUN = {
    "placement": placement,
    "score_tiles": score_tiles,
    "score_throne": score_throne,
    "score_castle_part": score_castle_part,
    "final": final,
}
KINDS = set(RUN)
CASES = [case for case in VECTORS if case["kind"] in KINDS]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"], marks=rule(*case["rules"])) for case in CASES])
def test_vector(case):
    RUN[case["kind"]](case)


def test_vectors_every_kind_is_run_by_somebody():
    assert {case["kind"] for case in VECTORS} == KINDS | FLOW_KINDS
