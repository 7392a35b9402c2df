"""Games of Palais Royal in which many cards are drawn."""

from typing import Any

from games.drawing_games import Match, RareMatch, draw_often

IDLE = {"end_turn", "advance"}


def score_action(play: Any, action: Any) -> int:
    match action:
        case {"do": "draw"}:
            return 50
        case {"room": "back_entrance"} | {"to": "back_entrance"}:
            return 40
        case {"do": "keep", "indices": kept}:
            return -len(kept)
    return -1 if action["do"] in IDLE else 20


DRAWS = draw_often(score_action)
MATCHES: list[Match] = [(players, seed, DRAWS) for players in (2, 3, 4) for seed in range(8)]
RARE: list[RareMatch] = [(2, 1, DRAWS, {"layout": "random", "start_player": "random"})]
