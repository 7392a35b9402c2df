"""Games of Between Two Castles in which much is drawn."""

from typing import Any

from games.drawing_games import Match, RareMatch, at_random, draw_often

from palatine_server.games.between_two_castles.catalog import ROOMS

WANTED = {"utility": 3, "downstairs": 3, "food": 2}  # these rooms draw cards and tiles
IDLE = {"tick", "untick", "hold", "release", "take_back", "call_tiebreak"}


def score_action(play: Any, action: Any) -> int:
    match action:
        case {"do": "choose", "tiles": tiles}:
            return sum(WANTED.get(ROOMS[tile].type, 0) for tile in tiles)
        case {"do": "place", "tile": tile, "castle": castle}:
            kind = ROOMS[tile].type
            return WANTED.get(kind, 0) + 10 * (play.board.castles[castle].count(kind) in (1, 2))
        case {"do": "accept"} | {"do": "propose", "choice": "utility"}:
            return 50
    return -1 if action["do"] in IDLE else 20


DRAWS = draw_often(score_action)
MATCHES: list[Match] = [(2, 1, at_random), *((7, seed, DRAWS) for seed in range(7))]
RARE: list[RareMatch] = [(2, 1, at_random, {"reseat": "random"}), (7, 7, DRAWS, {})]
