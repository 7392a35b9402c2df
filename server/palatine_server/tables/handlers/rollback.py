"""Rollback by consent: the game goes back further than undo allows, if all players agree. Bots need not agree.

A bot that plays for a player does not agree for them: the proposal waits for that player, until a player acts.
"""

from __future__ import annotations

import msgspec

from palatine_protocol.errors import Code
from palatine_protocol.messages import Agree, Rollback, RollbackProposal

from ...games.kit import Recorder, refuse
from ..deadlines import clocks
from ..model import LogEntry, SealedChoice, StoredNews, TableSnapshot
from ..state import Requester, TableState

STORED_KINDS = {"rollback_proposed": "take_back_proposed", "rollback_agreed": "take_back_agreed"}  # as logs call them


def propose(
    state: TableState, requester: Requester, request: Rollback, now: int, earlier: TableSnapshot | None
) -> LogEntry:
    """Propose to go back to an earlier version; without other players the game goes back at once."""
    seat = state.own_seat(requester.user)
    state.must_be_playing()
    if earlier is None or earlier.hidden["game"] is None:
        raise refuse(Code.NO_SUCH_VERSION)
    state.drop_proposal()
    state.info.rollback = RollbackProposal(to=request.to, by=seat, agreed=[seat])
    return _settle_proposal(state, requester, now, earlier, "rollback_proposed")


def agree(state: TableState, requester: Requester, request: Agree, now: int, earlier: TableSnapshot | None) -> LogEntry:
    """Agree to the proposal, or reject it."""
    seat, proposal = state.own_seat(requester.user), state.proposal
    if proposal is None or earlier is None:
        raise refuse(Code.NOTHING_PROPOSED)
    if not request.agree:
        state.drop_proposal()
        return state.entry(
            now, requester.user, {"do": "disagree"}, seat, [StoredNews({"news": "rollback_refused", "seat": seat})]
        )
    agreed = sorted({*proposal.agreed, seat})
    state.drop_proposal()
    state.info.rollback = RollbackProposal(to=proposal.to, by=proposal.by, agreed=agreed)
    return _settle_proposal(state, requester, now, earlier, "rollback_agreed")


def _settle_proposal(state: TableState, requester: Requester, now: int, earlier: TableSnapshot, news: str) -> LogEntry:
    seat, proposal = state.own_seat(requester.user), state.proposal
    assert proposal is not None
    people = {seat for seat in range(len(state.info.seats)) if state.is_person(seat)}
    told = StoredNews({"news": news, "seat": seat, "to": proposal.to})
    if people - set(proposal.agreed):
        return state.entry(now, requester.user, {"do": STORED_KINDS[news]}, seat, [told])
    go_back(state, earlier, now)
    done = StoredNews({"news": "rolled_back", "to": proposal.to})
    return state.entry(now, requester.user, {"do": "take_back", "to": proposal.to}, seat, [told, done])


def go_back(state: TableState, earlier: TableSnapshot, now: int) -> None:
    """Put the game back to an earlier snapshot; offers made since then cannot be answered any more."""
    document = {"board": earlier.board, "hands": earlier.hands, **earlier.hidden["game"]}
    state.recorder = Recorder(state.game.resume(document))
    state.secrets.answers = [count + 1 for count in state.secrets.answers]
    state.secrets.sealed = msgspec.convert(earlier.hidden.get("sealed", []), list[SealedChoice])
    state.drop_proposal()
    for hand, then in zip(state.secrets.clocks, earlier.hidden["clocks"], strict=True):
        clocks.rewind(state.info.clock, hand, then.get("bank", 0), now)
    state.run_clocks(now)
