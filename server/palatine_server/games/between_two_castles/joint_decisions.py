"""Joint decisions: the partners of a castle propose, accept, or let the tie-break marker decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..kit import SETTLED, Asking, BoardPaths, Choice, Seat, WaitFor, choice, step
from .actions import Accept, CallTiebreak, Propose, ProposeCell
from .board import Castle, Castles, Decision, Proposal
from .news import MarkerUsed, ProposalMade, TiebreakCalled
from .seats import deciders, lane

CELL = "cell"


# A question is an object: castle, what it is about, the options in canonical order, the deciders (B2C-JOINT-1).
def decide_together(game: Castles, decision: Decision, then: Callable[..., None], *, secret: bool) -> None:
    """Ask the partners a question; the rule `then` receives their choice."""
    castle = decision.castle
    site = game.board.castles[castle]
    site.deciding, decision.revision = decision.about, site.revision
    lay_before(game, decision, secret)
    seats = deciders(game, castle)
    game.plan(step(decide, *seats, lane=lane(castle), castle=castle, then=then.__name__, secret=secret))


# A stage is settled when both proposals are equal or one is accepted (B2C-JOINT-4), by a single decider's proposal
# (B2C-JOINT-5), or in a stalemate (B2C-JOINT-6).
def decide(game: Castles, seat: Seat, castle: int, then: str, secret: bool) -> Asking:
    decision = find(game, castle, secret, seat)
    answer = yield [*proposals(decision, seat), *acceptance(decision, seat), *tiebreak(game, decision, seat)]
    chosen: Any = None
    match answer:
        case Propose() | ProposeCell():
            chosen = propose(game, decision, seat, answer.choice if isinstance(answer, Propose) else list(answer.cell))
        case Accept():
            chosen = theirs(decision, seat)
        case CallTiebreak():
            chosen = call_tiebreak(game, decision, seat)
    lay_before(game, decision, secret)
    if chosen is None:
        return WaitFor(expected(game, decision))
    settle(game, decision, chosen, then, secret)
    return SETTLED


def find_read_parts(game: Castles, seat: Seat, castle: int, then: str, secret: bool) -> BoardPaths:
    """Return the part of the board that holds the question: the castle that it is about."""
    return [("castles", castle)]


# Each decider may hold one live proposal; a new one replaces the old (B2C-JOINT-3).
def proposals(decision: Decision, seat: Seat) -> Iterable[Choice]:
    mine = proposal_of(decision, seat)
    others = [option for option in decision.options if option != mine]
    if others and decision.about == CELL:
        yield choice(ProposeCell, castle=[decision.castle], cell=[(x, y) for x, y in others])
    elif others:
        yield choice(Propose, castle=[decision.castle], choice=others)


def to_propose(decision: Decision, option: Any) -> Propose | ProposeCell:
    """Return the action that proposes this option."""
    if decision.about == CELL:
        return ProposeCell(decision.castle, (option[0], option[1]))
    return Propose(decision.castle, option)


def propose(game: Castles, decision: Decision, seat: Seat, wanted: Any) -> Any:
    """Record the proposal and return the option that it settles, if it settles one."""
    decision.revision += 1
    decision.calls = [caller for caller in decision.calls if caller != seat]
    decision.proposals = [other for other in decision.proposals if other.seat != seat]
    agreed = len(deciders(game, decision.castle)) == 1 or theirs(decision, seat) == wanted
    decision.proposals.append(Proposal(seat, wanted, decision.revision))
    told = ProposalMade(decision.castle, seat, decision.about, wanted, decision.revision)
    game.tell(told, to=deciders(game, decision.castle))
    return wanted if agreed else None


# A partner who accepts quotes the revision, so that they cannot agree to a changed proposal (B2C-JOINT-4).
def acceptance(decision: Decision, seat: Seat) -> Iterable[Choice]:
    for proposal in decision.proposals:
        if proposal.seat != seat:
            yield choice(Accept, castle=[decision.castle], revision=[proposal.revision])


# A stalemate exists when both deciders call for the tie-break (B2C-JOINT-6).
def tiebreak(game: Castles, decision: Decision, seat: Seat) -> Iterable[Choice]:
    if len(deciders(game, decision.castle)) == 2 and seat not in decision.calls:
        yield choice(CallTiebreak, castle=[decision.castle])


def call_tiebreak(game: Castles, decision: Decision, seat: Seat) -> Any:
    decision.calls.append(seat)
    game.tell(TiebreakCalled(decision.castle, seat))
    return stalemate(game, decision) if len(decision.calls) == 2 else None


# Two proposals: the marker's holder wins and passes the marker on (B2C-JOINT-7), publicly (B2C-JOINT-10). One proposal:
# it is carried out, silence is consent (B2C-JOINT-8). None: the first option (B2C-JOINT-9). Then the marker stays.
def stalemate(game: Castles, decision: Decision) -> Any:
    if len(decision.proposals) == 2:
        return use_marker(game, decision)
    return decision.proposals[0].choice if decision.proposals else decision.options[0]


def use_marker(game: Castles, decision: Decision) -> Any:
    castle = game.board.castles[decision.castle]
    holder = castle.marker
    (castle.marker,) = (seat for seat in castle.partners if seat != holder)
    game.tell(MarkerUsed(decision.castle, holder))
    return proposal_of(decision, holder)


def proposal_of(decision: Decision, seat: Seat) -> Any:
    return next((proposal.choice for proposal in decision.proposals if proposal.seat == seat), None)


def theirs(decision: Decision, seat: Seat) -> Any:
    return next((proposal.choice for proposal in decision.proposals if proposal.seat != seat), None)


# The table waits for the deciders without a proposal, or else for those who did not call for the tie-break.
def expected(game: Castles, decision: Decision) -> list[Seat]:
    seats = deciders(game, decision.castle)
    spoken = {proposal.seat for proposal in decision.proposals} | {*decision.calls}
    return [seat for seat in seats if seat not in spoken] or [seat for seat in seats if seat not in decision.calls]


# One partner cannot undo a choice on which both agreed or which the marker decided (B2C-JOINT-4).
def settle(game: Castles, decision: Decision, chosen: Any, then: str, secret: bool) -> None:
    game.make_final()
    castle, site = decision.castle, game.board.castles[decision.castle]
    site.deciding, site.revision = "", decision.revision
    take_away(game, castle, secret)
    game.plan(step(then, lane=lane(castle), castle=castle, chosen=chosen, options=decision.options, room=decision.room))


# Questions about drawn tiles and cards lie in the deciders' hands, all others open beside the castle.


def lay_before(game: Castles, decision: Decision, secret: bool) -> None:
    if not secret:
        game.board.castles[decision.castle].decision = decision
        return
    for seat in deciders(game, decision.castle):
        others = [other for other in game.hands[seat].decisions if other.castle != decision.castle]
        game.hands[seat].decisions = sorted([*others, decision], key=lambda laid: laid.castle)


def take_away(game: Castles, castle: int, secret: bool) -> None:
    game.board.castles[castle].decision = None
    for seat in deciders(game, castle) if secret else []:
        game.hands[seat].decisions = [other for other in game.hands[seat].decisions if other.castle != castle]


def find(game: Castles, castle: int, secret: bool, decider: Seat) -> Decision:
    if not secret:
        decision = game.board.castles[castle].decision
        assert decision is not None
        return decision
    mine = game.hands[decider].decisions
    return next(decision for decision in mine if decision.castle == castle)


def open_question(game: Castles, castle: int) -> Decision | None:
    """Return the question that the partners of a castle decide now, if there is one."""
    site = game.board.castles[castle]
    return find(game, castle, site.decision is None, deciders(game, castle)[0]) if has_question(site) else None


def has_question(castle: Castle) -> bool:
    """Return whether the partners have a question to decide; a castle may also wait for tiles or cards."""
    return castle.deciding not in ("", "tiles", "cards")
