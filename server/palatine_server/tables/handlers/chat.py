"""Chat: messages are entries of the log like any other; they are stored, resumed and replayed with the table."""

from __future__ import annotations

import unicodedata

from palatine_protocol.errors import Code
from palatine_protocol.messages import Mute, Report, Say

from ...games.kit import Refused, refuse
from ..model import ChatMessage, LogEntry, StoredNews
from ..state import Requester, TableState

MOST_LINES = 100  # that the table keeps and sends to a new viewer
UNSEEN = {"Cc", "Cf", "Cs", "Co"}  # categories of characters: control, format, surrogate, private
AT_ONCE, WITHIN = 5, 10_000  # lines that one user may write within this many milliseconds
MOST_REPORTS = 5  # of one line, each by a different user
MOST_SPECTATORS = 20  # lines of all spectators together in that time: each is an entry of the log


def say(state: TableState, requester: Requester, request: Say, now: int) -> LogEntry:
    """Add a chat message: a spectator's reaches only spectators, a player's reaches the viewers they choose."""
    seat = state.seat_of(requester.user)
    channel = "spectators" if seat is None else request.to
    _must_be_allowed(state, requester, channel, now)
    line = ChatMessage(
        line=state.version + 1,
        name=requester.name,
        text=clean_text(request.text),
        to=channel,
        seat=seat,
        user=requester.user,
        at=now,
    )
    state.secrets.talk = [*state.secrets.talk[1 - MOST_LINES :], line]
    news = {"news": "said", "name": line.name, "text": line.text, "to": channel}
    hearers = None if channel == "table" else [None]
    return state.entry(now, requester.user, {"do": "say"}, seat, [StoredNews({**news, "seat": seat}, hearers)])


def _must_be_allowed(state: TableState, requester: Requester, channel: str, now: int) -> None:
    if any(line.user == requester.user for line in state.secrets.muted):
        raise refuse(Code.MUTED)
    rule = state.find_silence() if channel == "table" else ""
    if rule:
        raise refuse(Code.HUSH, rule)
    talk, is_spectator = state.secrets.talk, state.seat_of(requester.user) is None
    waits = [_compute_wait([line.at for line in talk if line.user == requester.user], AT_ONCE, now)]
    if is_spectator:
        waits.append(_compute_wait([line.at for line in talk if line.seat is None], MOST_SPECTATORS, now))
    if max(waits) > 0:
        raise refuse(Code.TOO_FAST, retry_after_ms=max(waits))


def _compute_wait(said: list[int], most: int, now: int) -> int:
    """Return in how many milliseconds one more line is allowed."""
    return said[-most] + WITHIN - now if len(said) >= most else 0


def clean_text(text: str) -> str:
    """Return the text in one line, without control characters or characters that change the direction of writing."""
    line = " ".join(text.split())
    words = "".join(letter for letter in line if unicodedata.category(letter) not in UNSEEN).strip()
    if not words:
        raise Refused("malformed", "There is nothing to read in this.")
    return words


def mute(state: TableState, requester: Requester, request: Mute, now: int) -> LogEntry:
    """Mute the author of a line and remove their lines, or unmute the author."""
    if not requester.is_admin:
        state.must_be_host(requester.user)
    secrets, line = state.secrets, _find_line(state, request.line)
    secrets.muted = [said for said in secrets.muted if said.user != line.user]
    if request.muted:
        secrets.muted.append(line)
        secrets.talk = [said for said in secrets.talk if said.user != line.user]
    news = {"news": "muted" if request.muted else "unmuted", "name": line.name, "line": line.line}
    return state.entry(now, requester.user, {"do": "mute", "line": line.line}, None, [StoredNews(news)])


def report(state: TableState, requester: Requester, request: Report, now: int) -> LogEntry:
    """Store a complaint with the table; no viewer sees it, but the server's log mentions it."""
    line = _find_line(state, request.line)
    if requester.user in line.reported or len(line.reported) >= MOST_REPORTS:
        raise refuse(Code.NOT_ALLOWED)
    line.reported = [*line.reported, requester.user]
    return state.entry(now, requester.user, {"do": "report", "line": line.line, "why": request.why}, None, [])


def _find_line(state: TableState, number: int) -> ChatMessage:
    for line in (*state.secrets.talk, *state.secrets.muted):
        if line.line == number:
            return line
    raise refuse(Code.NO_SUCH_LINE)
