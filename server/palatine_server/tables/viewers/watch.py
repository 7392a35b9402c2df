"""Requests that read from the store and change nothing: to watch a table, and to ask about it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from palatine_protocol.errors import Code
from palatine_protocol.messages import Describe, Described, Explain, Preview, Snapshot, Watch, Watching

from ...games.kit import Seat, refuse
from ..queries.descriptions import DescribedView, Descriptions, encode_view
from ..queries.explanations import prepare_answer
from ..requests import TableRequest
from ..state import TableState
from ..storage.loader import open_delayed, reach
from ..storage.persistence import copy_snapshot, read_entries
from .delayed_viewers import is_late
from .replay import is_replay, limit_replay
from .updates import Viewer, build_snapshot, find_perspective

if TYPE_CHECKING:
    from ..table import Table

# Watching


async def watch(table: Table, request: TableRequest) -> None:
    """Add a viewer: send the entries that they missed, and from then on every new one."""
    message = request.message
    assert isinstance(message, Watch)
    await table.history.must_be_the_stores()
    await reach(table, message.since or 0)
    _must_be_shown(table.state, request.user, message.seat)
    if is_replay(message):
        _allow_replay(table, request, message)
    elif is_late(table.state, request.user):
        await _watch_late(table, request, message.seat)
    else:
        await _watch_now(table, request, message)


async def _watch_now(table: Table, request: TableRequest, message: Watch) -> None:
    missed = await table.history.read_missed(message.since, message.fork)
    viewer, live, state = _admit(table, request), table.broadcaster.live, table.state
    live.set_wanted_seat(viewer, message.seat)
    table.presence.came(viewer.user)
    seat, fork = state.seat_of(viewer.user), live.fork
    table.reply(request, Watching(re=message.id, table=table.id, version=state.version, seat=seat, fork=fork))
    table.services.metrics.count_resume(message.since, missed)
    if missed is None or message.seat is not None:
        live.show(viewer, state)
    else:
        live.catch_up(viewer, state, missed)
    if request.is_resumption:
        live.confirm_resumption(viewer, state)


async def _watch_late(table: Table, request: TableRequest, seat: Seat | None) -> None:
    version = await open_delayed(table)
    viewer = _admit(table, request)
    table.reply(request, Watching(re=request.message.id, table=table.id, version=version, seat=None))
    table.broadcaster.delayed.add_viewer(viewer, seat)
    if request.is_resumption:
        table.broadcaster.delayed.confirm_resumption(viewer)


def _allow_replay(table: Table, request: TableRequest, message: Watch) -> None:
    """Allow a replay as far as the user may see the game; the connection sends it apart from other updates."""
    seat = table.state.seat_of(_admit(table, request).user)
    version = limit_replay(message, table.state, request.user).last
    table.reply(request, Watching(re=message.id, table=table.id, version=version, seat=seat))


def _admit(table: Table, request: TableRequest) -> Viewer:
    """Return the viewer of a request, if the connection is still open and the table has room; or refuse."""
    viewer, viewers = request.viewer, table.broadcaster.viewers
    if viewer is None or (len(viewers) >= table.services.settings.viewers_per_table and viewer not in viewers):
        raise refuse(Code.TRY_AGAIN)
    return viewer


def _must_be_shown(state: TableState, user: str, seat: Seat | None) -> None:
    if seat not in (None, state.seat_of(user)) and not state.shows(seat):
        raise refuse(Code.NOT_SHOWN)


# Questions


async def answer(table: Table, request: TableRequest) -> None:
    """Answer a question that changes nothing."""
    message = request.message
    await table.history.must_be_the_stores()
    if isinstance(message, Describe):
        await _describe(table, request, message)
    elif isinstance(message, Preview | Explain):
        find = prepare_answer(table.id, await _find_state_for(table, request.user), request.user, message)
        table.services.answers.answer_later(request, table.game.name, find)


async def _find_state_for(table: Table, user: str) -> TableState:
    """Return the state that a user may ask about; a delayed viewer may ask only about the state they see."""
    if not is_late(table.state, user):
        return table.state
    await open_delayed(table)
    assert table.broadcaster.delayed.snapshot is not None
    return TableState.read(table.game, copy_snapshot(table.broadcaster.delayed.snapshot))


async def _describe(table: Table, request: TableRequest, message: Describe) -> None:
    """Reply with a description of what a user sees; a worker thread finds a text that is not cached."""
    descriptions = table.services.descriptions
    if descriptions is None:
        raise refuse(Code.UNKNOWN_REQUEST)
    seen = await _find_view(table, request)
    view = encode_view(seen, await _find_news(table, seen), message.lang)
    described = Described(re=message.id, table=table.id, version=seen.version, text=descriptions.known(view) or "")
    if described.text:
        table.reply(request, described)
    else:
        find = partial(find_words, descriptions, view, described)
        table.services.answers.answer_later(request, table.game.name, find)


async def _find_news(table: Table, seen: Snapshot) -> list[dict[str, Any]]:
    """Return the news of the version that a user sees, as far as they may see it."""
    entry = table.history.entry_at(seen.version)
    if entry is not None:
        entries = [entry]
    else:
        entries = (
            await read_entries(table.id, seen.version - 1, seen.version, table.services.store) if seen.version else []
        )
    return [heard.news for entry in entries for heard in entry.news if heard.is_for(seen.view)]


async def _find_view(table: Table, request: TableRequest) -> Snapshot:
    """Return the snapshot that a user sees or would see; for a delayed viewer, an old one."""
    broadcaster = table.broadcaster
    if is_late(table.state, request.user):
        await open_delayed(table)
        return broadcaster.delayed.seen_by(request.viewer)
    perspective = broadcaster.live.viewers.get(request.viewer) if request.viewer else None
    return build_snapshot(table.id, table.state, perspective or find_perspective(table.state, request.user, None))


def find_words(descriptions: Descriptions, view: DescribedView, described: Described) -> Described:
    """Put the text for a view into the reply, and return it; this runs in a worker thread."""
    described.text = descriptions.find(view)
    return described
