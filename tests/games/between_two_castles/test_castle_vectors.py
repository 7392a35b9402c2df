"""The cases of vectors.json that concern one castle, or the end of the game."""

from pathlib import Path

import pytest
from games.vectors import as_params, read_vectors, run_case

from palatine_server.games.between_two_castles.castle import Building, Room, placement_error
from palatine_server.games.between_two_castles.scoring import score_sheet, standings

VECTORS = read_vectors(Path(__file__).with_name("vectors.json"))
ABOUT = {"id", "kind", "source", "layout", "rules", "note"}  # of a case; not its content
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


def score_castle(case):
    sheet = score_sheet(building(case["castle"]))
    assert {line: points for line, points in sheet.totals.items() if points} == case["expect"]["sheet"]
    assert sheet.total == case["expect"]["total"]


def bonus_cards(case):
    castle = building(case["castle"])
    points = [line.points for line in score_sheet(castle).lines if line.line == "bonus_card"]
    assert dict(zip(castle.cards, points, strict=True)) == case["expect"]["cards"]


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
    "score_castle": score_castle,
    "bonus_cards": bonus_cards,
    "score_castle_part": score_castle_part,
    "final": final,
}
KINDS = set(RUN)
CASES = [case for case in VECTORS if case["kind"] in KINDS]


@pytest.mark.parametrize("case", as_params(CASES))
def test_vector(case):
    run_case(case, RUN[case["kind"]], ABOUT)


def test_vectors_every_kind_is_run_by_somebody():
    assert {case["kind"] for case in VECTORS} == KINDS | FLOW_KINDS
