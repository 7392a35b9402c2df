"""Playing: the game begins, players act and undo, and the server moves for bots and for players whose time is up."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from palatine_protocol.errors import Code
from palatine_protocol.messages import Act, Start, Undo

from ...games.kit import AGAIN, SETTLED, AddressedNews, Entry, Recorder, Seat, plain, record_draws, refuse
from .. import fairness
from ..deadlines import clocks
from ..model import LogEntry, SealedChoice, StoredNews
from ..state import BY_THE_RULES, Requester, TableState
from . import seats

BY_THE_SERVER = ("bot", "overdue", "lapse")  # the reasons for which the server acts on a seat

# Players


def start(state: TableState, requester: Requester, request: Start, now: int) -> LogEntry:
    """Begin the game."""
    state.must_be_host(requester.user)
    state.must_be_open()
    if None in state.info.seats:
        raise refuse(Code.SEATS_EMPTY)
    if not all(state.is_ready(seat) for seat in range(len(state.info.seats))):
        raise refuse(Code.NOT_READY)
    with record_draws() as drawings:
        play = state.game.begin(len(state.info.seats), state.game_seed(), state.info.options)
    news = [StoredNews({"news": "game_started"}), *build_news(play.told)]
    state.recorder, state.info.status, state.secrets.edition = Recorder(play), "playing", state.game.edition
    state.secrets.clocks = clocks.create_clocks(state.info.clock, len(state.info.seats))
    state.run_clocks(now)
    entry = state.entry(now, requester.user, {"do": "start"}, None, news)
    entry.drawings = drawings
    return entry


def act(state: TableState, requester: Requester, request: Act, now: int) -> LogEntry:
    """Answer the offer of the player's seat."""
    seat = state.own_seat(requester.user)
    recorder = state.require_running()
    if request.offer != state.secrets.answers[seat]:
        raise refuse(Code.STALE_OFFER if request.offer < state.secrets.answers[seat] else Code.NO_SUCH_OFFER)
    return _build_action_entry(
        state, recorder, recorder.act(seat, state.game.read_action(request.action)), requester.user, "act", now
    )


def undo(state: TableState, requester: Requester, request: Undo, now: int) -> LogEntry:
    """Undo the last action of the player's seat."""
    seat = state.own_seat(requester.user)
    recorder = state.require_running()
    done = recorder.undo(seat)
    clocks.reopen(state.secrets.clocks[seat], now)
    return _build_action_entry(state, recorder, done, requester.user, "undo", now)


# The server


def play_for(state: TableState, seat: Seat, action: Any, why: str, now: int) -> LogEntry:
    """Act on a seat by the server: a bot's move, or the rules' choice when the time is up. No player can undo it."""
    recorder = state.require_begun()
    done = recorder.act(seat, action)
    return _build_action_entry(state, recorder, done, "", why, now)


def handle_overdue(state: TableState, now: int) -> LogEntry | None:
    """Act for a seat whose time is up: the rules choose, a bot takes it, or a pause ends. None: none is late."""
    ends = {seat: state.until(seat) for seat in state.waiting()}
    late = [seat for seat, end in ends.items() if end is not None and end <= now]
    if not late or state.recorder is None:
        return None
    if lapsed := [seat for seat in late if state.secrets.clocks[seat].lapses == ends[seat]]:
        return play_for(state, *state.game.overdue(state.recorder.play, lapsed), "lapse", now)
    if state.info.clock is None:
        return None
    if state.info.paused:
        return end_pause(state, "", now)
    if state.info.clock.overdue != BY_THE_RULES:
        return _hand_to_bot(state, late[0], now)
    seat, action = state.game.overdue(state.recorder.play, late)
    return play_for(state, seat, action, "overdue", now)


def _hand_to_bot(state: TableState, seat: Seat, now: int) -> LogEntry:
    """Let a bot play on a seat; a player who takes it back before the bot has decided still has no time left."""
    seats.substitute(state, seat)
    state.run_clocks(now)
    return state.entry(now, "", {"do": "take_over"}, seat, [StoredNews({"news": "time_ran_out", "seat": seat})])


def end_pause(state: TableState, user: str, now: int) -> LogEntry:
    """End a pause, so that the game and its clocks go on: the host ends it, or a player whose clock runs is late."""
    state.info.paused = False
    for seat in state.waiting():
        clocks.reopen(state.secrets.clocks[seat], now)
    state.run_clocks(now)
    return state.entry(now, user, {"do": "game_resumed"}, None, [StoredNews({"news": "game_resumed"})])


def put_clocks_back(state: TableState, closed_for: int, now: int) -> LogEntry:
    """Put the clocks back by the time in which no node ran."""
    by, state.secrets.closed_for = closed_for - state.secrets.closed_for, closed_for
    clocks.put_back(state.secrets.clocks, by)
    return state.entry(now, "", {"do": "put_clocks_back"}, None, [])


# What follows from an action


def _build_action_entry(state: TableState, recorder: Recorder, done: Entry, user: str, why: str, now: int) -> LogEntry:
    state.secrets.answers[done.seat] += 1
    state.secrets.clocks[done.seat].lapses = None  # the seat's next question is a new one
    state.drop_proposal()
    if state.info.clock is not None and why != "undo":
        _note_decision(state, recorder, done.seat, why, now)
    if why in BY_THE_SERVER:
        recorder.forget_past()
    if recorder.play.is_over:
        state.info.status, state.info.standings = "over", plain(state.game.standings(recorder.play))
    state.run_clocks(now)
    late = [StoredNews({"news": "time_ran_out", "seat": done.seat})] if why == "overdue" else []
    news = [*late, *build_news(done.news), *_seal_choices(state, done)]
    return state.entry(now, user, {"do": why, "action": done.action}, done.seat, news, done)


def _note_decision(state: TableState, recorder: Recorder, seat: Seat, why: str, now: int) -> None:
    """Settle the clocks of the seats whose decision has ended; a decision that can be undone is settled later.

    A seat that must decide once more has ended a decision only if the action revealed something: otherwise the rules
    may let the seat take the action back.
    """
    hands, play, clock = state.secrets.clocks, recorder.play, state.info.clock
    assert clock is not None
    is_revealed = not recorder.may_undo(seat)
    has_decided = play.after in (None, SETTLED) or (play.after is AGAIN and is_revealed)
    if is_revealed or why in BY_THE_SERVER:
        clocks.settle_decisions(clock, hands, play, seat if has_decided else None, now)
    if has_decided and play.answered is not None:
        clocks.note_decided(hands[seat], play.answered)


def _seal_choices(state: TableState, done: Entry) -> list[StoredNews]:
    """Return the news that seals a secret choice, or that opens all choices when the rules reveal them."""
    secrets, game, news = state.secrets, state.game, list[StoredNews]()
    if not game.sealed:
        return news
    if done.action["do"] in game.sealed:
        choice = SealedChoice(state.version + 1, done.seat, done.action)
        secrets.sealed.append(choice)
        seal = fairness.seal_choice(secrets.seed, choice)
        news.append(StoredNews({"news": "choice_sealed", "seat": done.seat, "seal": seal}))
    if _reveals_choices(done.news, game.sealed.values()):
        opened = [fairness.open_choice(secrets.seed, choice) for choice in secrets.sealed]
        news.append(StoredNews({"news": "choices_opened", "choices": opened}))
        secrets.sealed = []
    return news


def _reveals_choices(told: Iterable[AddressedNews], revealing: Collection[str]) -> bool:
    """Return whether some of the news reveals the secret choices."""
    for item in told:  # noqa: SIM110 (compiled, a loop takes half as long as a generator)
        if item.news.__struct_config__.tag in revealing:
            return True
    return False


def build_news(told: Iterable[AddressedNews]) -> list[StoredNews]:
    """Return the news of the game as the log stores it."""
    return [StoredNews(plain(item.news), item.to) for item in told]
