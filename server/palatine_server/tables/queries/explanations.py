"""Previews and explanations: what an action would change, and why the game is as it is.

They run rules, which takes up to some milliseconds. So a worker thread finds them, on a copy of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec

from palatine_protocol.errors import Code
from palatine_protocol.messages import Explain, Explained, Preview, Previewed, Reason, Reply
from palatine_protocol.offers import listed

from ...games.kit import Game, Play, Recorder, Refused, Seat, explain_topic, plain, questions, refuse, why_refused
from ...games.kit.explanations.reasons import Reason as Ground
from ..state import TableState


class QueryContext(NamedTuple):
    """The input of a worker thread: a copy of the game, the seat that asks, and the names of the players."""

    table: str
    game: Game
    play: bytes
    viewer: Seat | None
    players: list[str]

    def copy_play(self) -> Play[Any, Any, Any]:
        return self.game.unpack(self.play)

    def name_seats(self, lang: str) -> list[str]:
        """Return the names of the players, and after them those of seats without a player."""
        others = self.game.description["labels"].get("seats", [])
        return self.players + [phrase[lang] for phrase in others]


def prepare_answer(table: str, state: TableState, user: str, request: Preview | Explain) -> Callable[[], Reply]:
    """Return a function that finds the answer from a copy of the present game; or refuse at once."""
    if isinstance(request, Preview):
        state.own_seat(user)
        recorder = state.require_running()
    else:
        recorder = state.require_begun()
    players = [seated.name if seated else "" for seated in state.info.seats]
    context = QueryContext(table, state.game, state.game.pack(recorder.play), state.seat_of(user), players)
    return partial(preview, context, request) if isinstance(request, Preview) else partial(explain, context, request)


def preview(context: QueryContext, request: Preview) -> Previewed:
    """Return what an action would change for its seat, by trying it on a copy; refuse if it would reveal something."""
    before, trial, seat = context.copy_play(), Recorder(context.copy_play()), context.viewer
    assert seat is not None
    entry = trial.act(seat, context.game.read_action(request.action))
    if trial.play.looked_at - {seat}:
        raise refuse(Code.WOULD_REVEAL)
    scores = [
        _subtract_scores(score(before, seat, other), score(trial.play, seat, other)) for other in trial.play.seats
    ]
    return Previewed(re=request.id, table=context.table, board=entry.board, hand=entry.hands[seat], scores=scores)


def score(play: Play[Any, Any, Any], viewer: Seat, seat: Seat) -> int | None:
    """Return the score of a seat as far as a viewer can know it; None if there is none yet."""
    try:
        return explain_topic(play, viewer, {"do": "score", "seat": seat}).amount
    except Refused:
        return None


def _subtract_scores(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before


def explain(context: QueryContext, request: Explain) -> Explained:
    """Return the reason that the request asks for, or the list of questions that can be asked."""
    play, words, names = context.copy_play(), context.game.words, context.name_seats(request.lang)
    if request.question is None and request.action is None:
        possible = questions(play, context.viewer)
        text = [words.question(question, request.lang, names) for question in listed(possible)]
        return Explained(re=request.id, table=context.table, questions=possible, text=text)
    ground = _find_ground(context, play, request)
    text = list(words.account(ground, request.lang, names))
    return Explained(re=request.id, table=context.table, reason=msgspec.convert(plain(ground), Reason), text=text)


def _find_ground(context: QueryContext, play: Play[Any, Any, Any], request: Explain) -> Ground:
    if request.question is not None:
        return explain_topic(play, context.viewer, request.question)
    if context.viewer is None:
        raise refuse(Code.NOT_SEATED)
    ground = why_refused(play, context.viewer, context.game.read_action(request.action))
    if ground is None:
        raise refuse(Code.NOT_EXPLAINED)
    return ground
