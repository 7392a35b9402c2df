"""Mutants of offers, clocks, bots and clients."""

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

from ..store_proxy import StoreProxy
from .injection import Change, do_nothing, mutant

# Offers and clocks


@mutant("The table does not check the offer id of an action.", "offer")
def offer_not_checked() -> list[Change]:
    def wrapper(act: Any) -> Any:
        def careless(book: TableState, who: Requester, request: Act, now: int) -> Any:
            return act(book, who, replace(request, offer=book.secrets.answers[book.own_seat(who.user)]), now)

        return careless

    return [(HANDLERS, Act, wrapper)]


@mutant("Deadlines are enforced half a second early.", "early")
def deadline_early() -> list[Change]:
    def impatient(seconds_to_wait: Any) -> Any:
        return lambda self, *given: max(0.01, seconds_to_wait(self, *given) - 0.5)

    return [
        (play, "handle_overdue", lambda overdue: lambda book, now: overdue(book, now + 500)),
        (Timekeeper, "seconds_to_wait", impatient),
    ]


@mutant("Deadlines are not enforced at tables without viewers.", "late", "overdue")
def deadline_needs_a_viewer() -> list[Change]:
    return [(TableDirectory, "_look_after_clocks", do_nothing)]


@mutant("The clock of a finished decision runs on in the next one.", "clock")
def decision_never_ends() -> list[Change]:
    def wrapper(begin: Any) -> Any:
        return lambda clock, hand, keys, now: begin(clock, hand, hand.asked, now)

    return [(clocks, "_begin", wrapper)]


@mutant("Deadlines use the node's clock instead of the store's.", "timely", "early", "robbed", "late", "overdue")
def node_clock() -> list[Change]:
    return [(StoreClock, "__call__", lambda call: lambda self: self._wall())]


@mutant("A jump of the store's time shortens the time of the current decision.", "robbed", "early")
def jump_is_paid() -> list[Change]:
    def wrapper(alive: Any) -> Any:
        return lambda self, now, patience, jump=0, known=0: alive(self, now, patience)

    return [(StoreProxy, "mark_alive", wrapper)]


@mutant("A table without a clock ignores jumps of the store's time, though its offers lapse.", "robbed")
def lapse_pays_for_jumps() -> list[Change]:
    return [(TableState, "is_timed", lambda _: property(lambda book: book.info.clock is not None))]


@mutant("Every action at the table renews the time of a lapsing offer.", "lapse")
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


@mutant("An action that can be undone renews the time of its seat.", "clock")
def undone_earns_time() -> list[Change]:
    return [(clocks, "reopen", lambda reopen: lambda hand, now: setattr(hand, "used", None))]


@mutant("Every action renews the time of its seat, even if it decides nothing.", "clock")
def answer_earns_time() -> list[Change]:
    def wrapper(note: Any) -> Any:
        def generous(book: TableState, recorder: Any, seat: int, why: str, now: int) -> None:
            hand = book.secrets.clocks[seat]
            clocks.stop(hand, now)
            hand.used = None
            note(book, recorder, seat, why, now)

        return generous

    return [(play, "_note_decision", wrapper)]


@mutant("A bot that replaces a person agrees to a take-back for them.", "consent")
def substitute_agrees() -> list[Change]:
    return [(TableState, "is_person", lambda is_person: lambda self, seat: not self.is_bot(seat))]


@mutant("A bot's decision is applied without checking that the position is still the same.", "broke")
def bot_decides_too_late() -> list[Change]:
    return [(BotTurns, "_find_move", lambda _: lambda self, decision: BotMove(decision.asked.seat, decision.action))]


@mutant("A table ignores its bot's decision.", "idle_bot", "waiting", "offered")
def bot_not_heard() -> list[Change]:
    return [(BotTurns, "_conclude", lambda _: lambda self, turn, action: None)]


@mutant("A node does not store the next deadline of a table.", "late", "overdue")
def clock_not_stored() -> list[Change]:
    def wrapper(summary_of: Any) -> Any:
        return lambda shown: replace(summary_of(shown), deadline=None)

    return [(committer, "build_summary", wrapper)]


@mutant("A player who is connected to another node is marked absent again and again.", "present", "stuck")
def away_again() -> list[Change]:
    return [(LocalPresence, "_is_marked", lambda is_marked: lambda self, user, away: away)]


@mutant("A returning player is noticed only at the deadline.", "present")
def back_too_late() -> list[Change]:
    return [
        (LocalPresence, "next_look", lambda look: lambda self, book, viewers, **given: look(self, book, (), **given))
    ]


# The client


@mutant("The client forgets open requests when the connection breaks.", "answered")
def client_forgets_requests() -> list[Change]:
    def wrapper(disconnected: Any) -> Any:
        def forgetful(self: Session) -> None:
            disconnected(self)
            self._pending.clear()

        return forgetful

    return [(Session, "connection_lost", wrapper)]


@mutant("The client repeats an open request under a new id.", "answered")
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


@mutant(
    "The client resumes from the version after the one that it holds.", "problem", "backwards", "went_back", "behind"
)
def client_resumes_too_late() -> list[Change]:
    def wrapper(hello: Any) -> Any:
        def late(self: Session) -> Any:  # without forks, by which the server would notice it
            said = hello(self)
            said.resume, said.forks = {table: version + 1 for table, version in said.resume.items()}, {}
            return said

        return late

    return [(Session, "_build_hello", wrapper)]
