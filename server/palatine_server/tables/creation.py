"""The creation of tables: new ones, and rematches with the same players."""

from __future__ import annotations

import secrets
from collections import deque

import msgspec

from palatine_protocol.errors import Code
from palatine_protocol.messages import Create, Info, Seated

from ..games.kit import Game, refuse
from . import fairness
from .handlers.host import make_invitation
from .model import LogEntry, StoredNews
from .state import TableState, must_be_playable


def create_table(game: Game, user: str, name: str, request: Create, now: int) -> TableState:
    """Build the state of a new table as its host wants it, or refuse."""
    kept = request.reserved
    if len(kept) > request.seats:
        raise refuse(Code.NO_SUCH_SEAT)
    seed = request.seed or secrets.token_hex(32)
    info = Info(
        game=game.name,
        status="open",
        visibility=request.visibility,
        host=name,
        seats=[None] * request.seats,
        options=game.select_options(request.options),
        clock=request.clock,
        ready_check=request.ready_check,
        delay=request.delay,
        reserved=[seat for seat, keeper in enumerate(kept) if keeper is not None],
        commitment="" if request.seed else fairness.compute_commitment(seed),
    )
    must_be_playable(game, info)
    reserved = [*kept, *[None] * (request.seats - len(kept))] if kept else []
    return TableState.create(game, info, user, seed, now, make_invitation(), reserved, text_secret=make_text_secret())


def create_rematch(state: TableState, now: int) -> TableState:
    """Build the state of a rematch: the same players and bots, each moved by one seat."""
    seed = secrets.token_hex(32)
    seated, users = deque(state.info.seats), deque(state.secrets.users)
    seated.rotate(1)
    users.rotate(1)
    info = msgspec.structs.replace(
        state.info,
        status="open",
        seats=[sitting and reset_seat(sitting) for sitting in seated],
        commitment=fairness.compute_commitment(seed),
        standings=[],
        reserved=[],
        paused=False,
        taking_back=None,
        rollback=None,
        next=None,
    )
    people = list(users)
    return TableState.create(
        state.game, info, state.secrets.host, seed, now, make_invitation(), (), people, text_secret=make_text_secret()
    )


def make_text_secret() -> str:
    """Return 32 random bytes, in hexadecimal digits."""
    return secrets.token_bytes(32).hex()


def announce_rematch(state: TableState, table: str, now: int) -> LogEntry:
    """Build the entry that announces the table of the rematch."""
    state.info.next = table
    return state.entry(now, "", {"do": "rematch"}, None, [StoredNews({"news": "rematch_opened", "table": table})])


def reset_seat(sitting: Seated) -> Seated:
    """Return a player or bot as before a game; a player whom a bot replaced plays again."""
    is_bot = sitting.bot and not sitting.substitute
    return Seated(name=sitting.name, bot=is_bot, policy=sitting.policy if is_bot else "", host=sitting.host)
