"""The bars of pictures, with room for a busy machine: 5 ms for a board of 80 tiles as SVG, 200 ms as PNG."""

from bench.pictures import TILES, build_case, time_work

from palatine_server.games.registry import GAMES
from palatine_server.pictures.worker import encode_picture

ROOM = 4  # times the bar


def test_board_of_eighty_tiles_is_drawn_and_rasterised_in_time() -> None:
    case = build_case(GAMES["between_two_castles"], 4)
    assert case.pieces >= TILES
    assert min(time_work(case.draw_svg, 5)) <= ROOM * 5 * case.pieces / TILES
    svg = case.draw_svg()
    assert min(time_work(lambda: encode_picture(svg, "png"), 3)) <= ROOM * 200
