"""Law 3 for choices: until its news reveal it, nobody else can tell which of the offered secret choices a seat made.

The verbs in `Game.sealed` are secret choices. At such a choice the game goes on in two worlds in which the seat chose
differently. All others are sent the same bytes, and the table waits for the same seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from palatine_protocol.offers import drawn
from palatine_server.games.kit import Action, Entry, Game, Recorder, Seat, plain, view_entry

from .laws import name_viewer
from .random_games import begun, create_rng, random_moves, require

MOST_PAIRS = 40  # of choices that are compared in one game
TRIALS = 5  # how often another choice is drawn


def secret_choices_stay_secret(game: Game, players: int, seed: int) -> int:
    """Make other secret choices at some moments of a random game; return how many messages were compared."""
    recorder, rng, pairs, compared = begun(game, players, seed), create_rng(seed), 0, 0
    for seat, action in random_moves(recorder, rng) if game.sealed else ():
        other = _choose_otherwise(recorder, seat, action, rng) if pairs < MOST_PAIRS else None
        if other is not None:
            compared += _compare_choices(recorder, seat, action, other)
            pairs += 1
        recorder.act(seat, action)
    return compared


def _choose_otherwise(recorder: Recorder, seat: Seat, action: Action, rng: Random) -> Action | None:
    """Return another secret choice of the same verb; None if there is none, or hardly any."""
    made = plain(action)
    if made["do"] not in recorder.game.sealed:
        return None
    choices = [choice for choice in recorder.play.offer(seat) if choice.do == made["do"]]
    drawings = (plain(drawn(choices, rng.randrange)) for _ in range(TRIALS))
    other = next((each for each in drawings if each != made), None)
    return None if other is None else recorder.game.read_action(other)


def _compare_choices(recorder: Recorder, seat: Seat, action: Action, other: Action) -> int:
    """Require that all others are sent the same after both choices, unless one of them is revealed at once."""
    worlds = [_choose(recorder, seat, each) for each in (action, other)]
    if any(_is_revealed(recorder.game, action, entry) for _, entry in worlds):
        return 0
    viewers: list[Seat | None] = [*(each for each in recorder.play.seats if each != seat), None]
    for viewer in viewers:
        _require_same(worlds, viewer, plain(action)["do"], seat)
    waiting = [world.play.waiting_for() for world, _ in worlds]
    what = f"law 3: the secret choice of seat {seat}, {plain(action)} or {plain(other)}"
    require(waiting[0] == waiting[1], f"{what}, changes for which seats the table waits: {waiting[0]} or {waiting[1]}")
    return len(viewers)


def _choose(recorder: Recorder, seat: Seat, action: Action) -> tuple[Recorder, Entry]:
    world = Recorder(recorder.game.copy(recorder.play))
    return world, world.act(seat, action)


def _is_revealed(game: Game, action: Action, entry: Entry) -> bool:
    revealing = game.sealed[plain(action)["do"]]
    return any(plain(each.news)["news"] == revealing for each in entry.news)


def _require_same(worlds: list[tuple[Recorder, Entry]], viewer: Seat | None, verb: str, seat: Seat) -> None:
    here, there = (view_entry(entry, viewer) for _, entry in worlds)
    same = msgspec.msgpack.encode(here) == msgspec.msgpack.encode(there)
    what = f"law 3: {name_viewer(viewer)} can tell the secret choice {verb!r} of seat {seat}"
    remedy = f"keep the choice in the hand until the news that sealed[{verb!r}] names"
    require(same, f"{what} from {', '.join(_name_differences(here, there))}; {remedy}")


def _name_differences(here: Any, there: Any) -> Iterator[str]:
    """Name the parts of two messages that differ, without their values: news, places of the board, and the rest."""
    if here.news != there.news:
        yield "the news " + ", ".join(sorted({plain(each)["news"] for each in [*here.news, *there.news]}))
    if here.board != there.board:
        changed = [op for op in [*here.board, *there.board] if op not in here.board or op not in there.board]
        yield "the board: " + ", ".join(sorted({str(op[0][0]) for op in changed if op[0]}))
    if here.hand != there.hand:
        yield "the viewer's own hand"
