"""Seats: players take and leave them, and bots play for players who left."""

from __future__ import annotations

from palatine_protocol.errors import Code
from palatine_protocol.messages import AddBot, Kick, Leave, RemoveBot, Seated, Show, Sit

from ...games.kit import Seat, refuse
from ..deadlines import clocks
from ..model import LogEntry, StoredNews
from ..state import BY_THE_RULES, Requester, TableState
from ..unchanged import Unchanged

OBJECTION = 2_000  # milliseconds for the node with the player's connection to say that they are not away
USUAL = "greedy"  # the policy that clients ask for by default; a game without it has another usual one


def sit(state: TableState, requester: Requester, request: Sit, now: int) -> LogEntry:
    """Take a seat, or take the player's own seat back from the bot that plays on it."""
    own = state.seat_of(requester.user)
    if own is not None:
        return _return_to(state, own, requester, request.seat, now)
    state.must_be_open()
    seat = _find_free_seat(state, request.seat, requester.user)
    state.info.seats[seat] = Seated(name=requester.name, host=requester.user == state.secrets.host)
    state.secrets.users[seat] = requester.user
    return _build_taken_entry(state, requester, "sit", seat, requester.name, now)


def _return_to(state: TableState, own: Seat, requester: Requester, wanted: Seat | None, now: int) -> LogEntry:
    sitting = state.info.seats[own]
    if sitting is None or not sitting.substitute or wanted not in (None, own):
        raise refuse(Code.ALREADY_SEATED)
    state.must_not_be_over()
    state.reseat(own, name=requester.name, bot=False, policy="", substitute=False)
    if not state.info.paused:  # a decision that the bot has not made is still the same decision
        clocks.reopen(state.secrets.clocks[own], now)
    return _build_taken_entry(state, requester, "sit", own, requester.name, now)


def leave(state: TableState, requester: Requester, request: Leave, now: int) -> LogEntry:
    """Leave the player's seat; in a running game a bot plays on, and the player can take the seat back."""
    seat = state.own_seat(requester.user)
    state.must_not_be_over()
    name = state.require_seated(seat).name
    if state.info.status == "open":
        state.info.seats[seat] = state.secrets.users[seat] = None
    else:
        substitute(state, seat)
    return _build_left_entry(state, requester, "leave", seat, name, now)


def substitute(state: TableState, seat: Seat) -> None:
    """Let a bot play on this seat until its player comes back."""
    clock = state.info.clock
    policy = clock.overdue if clock and clock.overdue != BY_THE_RULES else state.game.usual_policy
    state.reseat(seat, bot=True, policy=policy, substitute=True)


def note_away(state: TableState, seat: Seat, is_away: bool, since: int | None, now: int) -> LogEntry:
    """Note that a player whom the table waits for lost the connection, or is back."""
    grace = 1000 * (state.info.clock.grace or 0) if state.info.clock else 0
    known = max(since or now, now + OBJECTION - grace)  # however late the node notices
    state.secrets.clocks[seat].away = known if is_away else None
    state.reseat(seat, away=is_away)
    news = {"news": "player_away" if is_away else "player_back", "seat": seat}
    return state.entry(now, "", {"do": "note_away"}, seat, [StoredNews(news)])


def show(state: TableState, requester: Requester, request: Show, now: int) -> LogEntry:
    """Show the player's hand to spectators, or hide it again."""
    seat = state.own_seat(requester.user)
    if state.require_seated(seat).shown == request.shown:
        raise Unchanged
    state.reseat(seat, shown=request.shown)
    news = {"news": "hand_shown" if request.shown else "hand_covered", "seat": seat}
    return state.entry(now, requester.user, {"do": "show"}, seat, [StoredNews(news)])


# The host


def add_bot(state: TableState, requester: Requester, request: AddBot, now: int) -> LogEntry:
    """Put a bot on a free seat."""
    state.must_be_host(requester.user)
    state.must_be_open()
    policy = state.game.usual_policy if request.policy == USUAL else request.policy
    if policy not in state.game.policies:
        raise refuse(Code.NO_SUCH_POLICY)
    seat = _find_free_seat(state, request.seat, "")
    name = f"Bot {seat + 1}"
    state.info.seats[seat] = Seated(name=name, bot=True, policy=policy)
    return _build_taken_entry(state, requester, "add_bot", seat, name, now)


def send_away(state: TableState, requester: Requester, request: Kick | RemoveBot, now: int) -> LogEntry:
    """Remove a player or a bot before the game starts; the invitation of a private table stays valid."""
    state.must_be_host(requester.user)
    state.must_be_open()
    sitting = state.require_seated(request.seat)
    if isinstance(request, RemoveBot) and not sitting.bot:
        raise refuse(Code.NO_SUCH_SEAT)
    state.info.seats[request.seat] = state.secrets.users[request.seat] = None
    return _build_left_entry(state, requester, "send_away", request.seat, sitting.name, now)


# Which seat


def _find_free_seat(state: TableState, wanted: Seat | None, user: str) -> Seat:
    """Return the wanted seat, or the one reserved for this user, or the first that is free for all; or refuse."""
    if wanted is None:
        return _find_any_seat(state, user)
    state.must_exist(wanted)
    if state.info.seats[wanted] is not None:
        raise refuse(Code.SEAT_TAKEN)
    if _find_reserved_user(state, wanted) not in (None, user):
        raise refuse(Code.SEAT_RESERVED)
    return wanted


def _find_any_seat(state: TableState, user: str) -> Seat:
    free = [seat for seat, sitting in enumerate(state.info.seats) if sitting is None]
    for keeper in (user, None):
        for seat in free:
            if _find_reserved_user(state, seat) == keeper:
                return seat
    raise refuse(Code.NO_SEAT_FREE)


def _find_reserved_user(state: TableState, seat: Seat) -> str | None:
    return state.secrets.reserved[seat] if state.secrets.reserved else None


# Entries


def _build_taken_entry(state: TableState, requester: Requester, did: str, seat: Seat, name: str, now: int) -> LogEntry:
    state.run_clocks(now)
    return state.entry(
        now, requester.user, {"do": did}, seat, [StoredNews({"news": "seat_taken", "seat": seat, "name": name})]
    )


def _build_left_entry(state: TableState, requester: Requester, did: str, seat: Seat, name: str, now: int) -> LogEntry:
    state.run_clocks(now)
    return state.entry(
        now, requester.user, {"do": did}, seat, [StoredNews({"news": "seat_left", "seat": seat, "name": name})]
    )
