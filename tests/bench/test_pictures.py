"""The bars of pictures beside the reference: 5 ms for a board of 80 tiles as SVG, 200 ms as PNG; checks have room."""

from functools import partial

from bench.pictures import TILES, build_case
from reference_time import time_best

from palatine_server.games.registry import GAMES
from palatine_server.pictures.worker import encode_picture

ROOM = 2  # times the bar: the markup is checked too, and the rasteriser slows down otherwise than our reference


def test_board_of_eighty_tiles_is_drawn_and_rasterised_in_time() -> None:
    case = build_case(GAMES["between_two_castles"], 4)
    assert case.pieces >= TILES
    assert time_best(case.draw_svg, 10) <= ROOM * 0.005 * case.pieces / TILES
    svg = case.draw_svg()
    assert time_best(partial(encode_picture, svg, "png"), 3) <= ROOM * 0.200
