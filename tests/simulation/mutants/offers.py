"""Bugs of offers and clocks, and of clients."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from palatine_client.session import Session
from palatine_protocol.messages import Act
from palatine_server.tables.bot_turns import BotMove, BotTurns
from palatine_server.tables.deadlines import clocks
from palatine_server.tables.deadlines.store_clock import StoreClock
from palatine_server.tables.deadlines.timekeeper import Timekeeper
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.handlers import HANDLERS, play
from palatine_server.tables.presence.local import LocalPresence
from palatine_server.tables.state import Requester, TableState
from palatine_server.tables.storage import committer

from ..store_proxy import Line
from .injection import Change, doing_nothing, mutant

# Acting and the clock


@mutant("The number of the offer is not checked.", "offer")
def offer_not_checked() -> list[Change]:
    def wrapper(act: Any) -> Any:
        def careless(book: TableState, who: Requester, request: Act, now: int) -> Any:
            return act(book, who, replace(request, offer=book.secrets.answers[book.own_seat(who.user)]), now)

        return careless

    return [(HANDLERS, Act, wrapper)]


@mutant("The clock decides half a second early.", "early")
def deadline_early() -> list[Change]:
    def impatient(seconds_to_wait: Any) -> Any:
        return lambda self, *given: max(0.01, seconds_to_wait(self, *given) - 0.5)

    return [
        (play, "handle_overdue", lambda overdue: lambda book, now: overdue(book, now + 500)),
        (Timekeeper, "seconds_to_wait", impatient),
    ]


@mutant("The clock does not decide at tables that nobody watches.", "late", "overdue")
def deadline_needs_a_viewer() -> list[Change]:
    return [(TableDirectory, "_look_after_clocks", doing_nothing)]


@mutant("The time of a decision that has ended runs on in the next one.", "clock")
def decision_never_ends() -> list[Change]:
    def wrapper(begin: Any) -> Any:
        return lambda clock, hand, keys, now: begin(clock, hand, hand.asked, now)

    return [(clocks, "_begin", wrapper)]


@mutant("Deadlines are judged by the clock of the node.", "timely", "early", "robbed", "late", "overdue")
def node_clock() -> list[Change]:
    return [(StoreClock, "__call__", lambda call: lambda self: self._wall())]


@mutant("A jump of the store's time is paid by whoever is waited for.", "robbed", "early")
def jump_is_paid() -> list[Change]:
    def wrapper(alive: Any) -> Any:
        return lambda self, now, patience, jump=0, known=0: alive(self, now, patience)

    return [(Line, "alive", wrapper)]


@mutant("A table without a clock takes no notice of jumps of the store's time, though its offers lapse.", "robbed")
def lapse_pays_for_jumps() -> list[Change]:
    return [(TableState, "is_timed", lambda _: property(lambda book: book.info.clock is not None))]


@mutant("An offer that lapses is given new time whenever anybody does something.", "lapse")
def lapse_begins_anew() -> list[Change]:
    def wrapper(note: Any) -> Any:
        def generous(hands: list[Any], lapsing: Any, now: int) -> None:
            for hand in hands:
                hand.lapses = None
            note(hands, lapsing, now)

        return generous

    return [(clocks, "note_lapses", wrapper)]


@mutant("An offer lapses at once.", "lapse", "early")
def lapses_at_once() -> list[Change]:
    def wrapper(note: Any) -> Any:
        return lambda hands, lapsing, now: note(hands, dict.fromkeys(lapsing, 0), now)

    return [(clocks, "note_lapses", wrapper)]


@mutant("An action that can be undone earns new time when its seat is asked again.", "clock")
def undone_earns_time() -> list[Change]:
    return [(clocks, "reopen", lambda reopen: lambda hand, now: setattr(hand, "used", None))]


@mutant("Answering earns new time, whether it decides anything or not.", "clock")
def answer_earns_time() -> list[Change]:
    def wrapper(note: Any) -> Any:
        def generous(book: TableState, scribe: Any, seat: int, why: str, now: int) -> None:
            hand = book.secrets.clocks[seat]
            clocks.stop(hand, now)
            hand.used = None
            note(book, scribe, seat, why, now)

        return generous

    return [(play, "_note_decision", wrapper)]


@mutant("A bot that plays for a person agrees to taking back for them.", "consent")
def substitute_agrees() -> list[Change]:
    return [(TableState, "is_person", lambda is_person: lambda self, seat: not self.is_bot(seat))]


@mutant("A house bot's decision is carried out without a look whether it still fits.", "broke")
def bot_decides_too_late() -> list[Change]:
    return [(BotTurns, "_find_move", lambda _: lambda self, decision: BotMove(decision.asked.seat, decision.action))]


@mutant("A table does not hear that its house bot has decided.", "idle_bot", "waiting", "offered")
def bot_not_heard() -> list[Change]:
    return [(BotTurns, "_conclude", lambda _: lambda self, turn, action: None)]


@mutant("The store is not told when a table wants to be looked at again.", "late", "overdue")
def clock_not_stored() -> list[Change]:
    def wrapper(summary_of: Any) -> Any:
        return lambda shown: replace(summary_of(shown), deadline=None)

    return [(committer, "build_summary", wrapper)]


@mutant("Who was seen elsewhere is marked as away again and again.", "present", "stuck")
def away_again() -> list[Change]:
    return [(LocalPresence, "_is_marked", lambda is_marked: lambda self, user, away: away)]


@mutant("Who is back is noticed only when his time is up.", "present")
def back_too_late() -> list[Change]:
    return [
        (LocalPresence, "next_look", lambda look: lambda self, book, viewers, **given: look(self, book, (), **given))
    ]


# The client


@mutant("The client forgets what was not answered when the connection breaks.", "answered")
def client_forgets_requests() -> list[Change]:
    def wrapper(disconnected: Any) -> Any:
        def forgetful(self: Session) -> None:
            disconnected(self)
            self._pending.clear()

        return forgetful

    return [(Session, "connection_lost", wrapper)]


@mutant("The client sends an unanswered request again under a new id.", "answered")
def client_renames_requests() -> list[Change]:
    def wrapper(again: Any) -> Any:
        def renamed(self: Session, request_id: str) -> None:
            pending = self._pending.pop(request_id, None)
            if pending:
                pending.request.id = self._new_id()
                pending.frame = self._codec.encode(pending.request)
                self._pending[pending.request.id] = pending
                again(self, pending.request.id)

        return renamed

    return [(Session, "resend", wrapper)]


@mutant("The client resumes from one version too late.", "problem", "backwards", "went_back", "behind")
def client_resumes_too_late() -> list[Change]:
    def wrapper(hello: Any) -> Any:
        def late(self: Session) -> Any:  # and without forks, by which the server would notice it
            said = hello(self)
            said.resume, said.forks = {table: version + 1 for table, version in said.resume.items()}, {}
            return said

        return late

    return [(Session, "_build_hello", wrapper)]
