"""13. Round track."""

from __future__ import annotations

from .board import Noblemen
from .catalog import TRACK
from .news import RoundMarkerMoved


# NM-ROUND-1, NM-ROUND-2 The track is a ring; the marker moves for the queen, after a ball and into a new decade.
def move_marker(game: Noblemen) -> None:
    game.board.round = (game.board.round + 1) % len(TRACK)
    game.tell(RoundMarkerMoved(game.board.round, TRACK[game.board.round]))
