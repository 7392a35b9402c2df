"""Law 3 for `redraw`: a resampled game agrees with what its seat sees, and depends on nothing else.

The check stops a game at some moment and resamples it for a seat. Then it does the same in another world, which differs
only in what the seat may not know, with the same random numbers: both must give the same bytes.
"""

from __future__ import annotations

from random import Random
from typing import Any

from palatine_server.games.kit import Game, Play, Recorder, Seat, plain, resample

from .laws import copy_plain
from .random_games import begun, create_rng, find_moment, random_moves, require

MOST_BEFORE = 400  # actions before the game is resampled
MOMENTS = 4  # of each game
MOST_AFTER = 60  # actions in the resampled game


def resampled_games_agree(game: Game, players: int, seed: int) -> int:
    """Resample a game at some moments; return how often."""
    if game.redraw is None:
        return 0
    rng = create_rng(seed)
    for _ in range(MOMENTS):
        document = copy_plain(find_moment(begun(game, players, seed), rng, MOST_BEFORE).document())
        require_agreement(game, document, rng.randrange(players), rng)
    return MOMENTS


def require_agreement(game: Game, document: Any, seat: Seat, rng: Random) -> None:
    """Require that resampling is right for a seat in this position."""
    lots, here = rng.getrandbits(32), game.resume(copy_plain(document))
    drawn = draw_again(here, seat, lots)
    require_same_sight(here, drawn, seat)
    if game.secrets is not None:
        other = game.resume(game.secrets.swap(copy_plain(document), seat, rng))
        same = game.pack(draw_again(other, seat, lots)) == game.pack(drawn)
        require(same, f"law 3: what is resampled for seat {seat} depends on what it may not know")
    game.check(drawn)
    recorder = Recorder(drawn)
    for _, (mover, action) in zip(range(MOST_AFTER), random_moves(recorder, rng), strict=False):
        recorder.act(mover, action)
        game.check(recorder.play)


def draw_again(play: Play[Any, Any, Any], seat: Seat, lots: int) -> Play[Any, Any, Any]:
    return resample(play, seat, create_rng(lots).randrange)


def require_same_sight(here: Play[Any, Any, Any], drawn: Play[Any, Any, Any], seat: Seat) -> None:
    """Require that a seat sees the same in both games."""
    what = f"a game that is resampled for seat {seat} has"
    require(plain(drawn.document.board) == plain(here.document.board), f"{what} another board")
    require(plain(drawn.document.hands[seat]) == plain(here.document.hands[seat]), f"{what} another hand for it")
    require(drawn.waiting_for() == here.waiting_for(), f"{what} other seats to wait for")
    require(drawn.offer(seat) == here.offer(seat), f"{what} another offer for it")
