"""Questions about a table that change nothing: what an action would do, why something is so."""

from __future__ import annotations

import msgspec

from palatine_protocol import messages
from palatine_protocol.errors import Code
from palatine_protocol.messages import Explain, Explained, Preview, Previewed, Reason
from palatine_protocol.offers import listed

from ..games.kit import Refused, Scribe, Seat, explained, plain, questions, refuse, why_refused
from ..games.kit.explaining import Reason as Ground
from .book import Book


def preview(table: str, book: Book, user: str, request: Preview) -> Previewed:
    """What an action would change for its seat, tried out on a copy; refused if it would show something hidden."""
    seat, scribe = book.own_seat(user), book.running()
    trial = Scribe(book.game.copy(scribe.play))
    entry = trial.act(seat, book.game.read_action(request.action))
    if trial.play.looked_at - {seat}:
        raise refuse(Code.WOULD_REVEAL)
    return Previewed(
        re=request.id,
        table=table,
        board=entry.board,
        hand=entry.hands[seat],
        scores=[_difference(score(scribe, seat, other), score(trial, seat, other)) for other in trial.play.seats],
    )


def score(scribe: Scribe, viewer: Seat, seat: Seat) -> int | None:
    """The score of a seat as far as a viewer can know it; nothing where there is none yet."""
    try:
        return explained(scribe.play, viewer, {"do": "score", "seat": seat}).amount
    except Refused:
        return None


def _difference(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before


def explain(table: str, book: Book, user: str, request: Explain) -> Explained:
    """The reason behind something, or what can be asked about."""
    viewer, scribe, words = book.seat_of(user), book.begun(), book.game.words
    players = [seated.name if seated else "" for seated in book.info.seats]
    if request.question is None and request.action is None:
        asked = questions(scribe.play, viewer)
        text = [words.question(question, request.lang, players) for question in listed(asked)]
        return Explained(re=request.id, table=table, questions=asked, text=text)
    ground = _ground(book, scribe, viewer, request)
    text = list(words.account(ground, request.lang, players))
    return Explained(re=request.id, table=table, reason=msgspec.convert(plain(ground), Reason), text=text)


def _ground(book: Book, scribe: Scribe, viewer: Seat | None, request: Explain) -> Ground:
    if request.question is not None:
        return explained(scribe.play, viewer, request.question)
    if viewer is None:
        raise refuse(Code.NOT_SEATED)
    ground = why_refused(scribe.play, viewer, book.game.read_action(request.action))
    if ground is None:
        raise refuse(Code.NOT_EXPLAINED)
    return ground


def answer(table: str, book: Book, user: str, request: Preview | Explain) -> messages.Reply:
    """The reply to a question."""
    return preview(table, book, user, request) if isinstance(request, Preview) else explain(table, book, user, request)
