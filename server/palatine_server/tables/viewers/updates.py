"""Updates: the messages that show each viewer an entry. The board's part is encoded once and shared by all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec import UnsetType

from palatine_protocol.codec import Codec
from palatine_protocol.messages import AnyRequest, Line, Offer, Resumed, Snapshot, Update, Waiting
from palatine_protocol.offers import Choice

from ...games.kit import Refused, Seat
from ..model import ChatMessage, LogEntry, StoredNews
from ..state import TableState

Frame = bytes
Wire = Codec[AnyRequest]
UNSET: Final[Any] = msgspec.UNSET  # compiled code finds this at once, and an imported name only in a dict


class Viewer(Protocol):
    """A user who follows a table over a connection."""

    @property
    def user(self) -> str: ...

    @property
    def wire(self) -> Wire: ...

    def send(self, frame: Frame) -> None:
        """Send a frame without waiting; a viewer who does not read in time is disconnected."""

    def lose(self, table: str, why: Refused | None = None) -> None:
        """Take note that the table closed: reconnect to read it again, or report the reason why it cannot be read."""


class Perspective(NamedTuple):
    """The seat from which a viewer sees a table: their own, or one that shows its hand; None for a spectator."""

    seat: Seat | None
    is_own: bool = False

    @property
    def own(self) -> Seat | None:
        """The viewer's own seat."""
        return self.seat if self.is_own else None


PUBLIC = Perspective(None)


def find_perspective(state: TableState, user: str, wish: Seat | None) -> Perspective:
    """Return the perspective of a user: their own seat, or the one they want to see if it shows its hand."""
    own = state.seat_of(user)
    if own is not None:
        return Perspective(own, True)
    return Perspective(wish) if wish is not None and state.shows(wish) else PUBLIC


def build_offer(state: TableState, perspective: Perspective) -> Offer | None:
    """Build the offer of a seat, with the number that its answer must quote."""
    if perspective.seat is None or not perspective.is_own or state.recorder is None or state.info.paused:
        return None
    return Offer(id=state.secrets.answers[perspective.seat], choices=state.recorder.play.offer(perspective.seat))


def build_waiting(state: TableState) -> list[Waiting]:
    return [
        Waiting(seat=seat, since=state.secrets.clocks[seat].since, until=state.until(seat)) for seat in state.waiting()
    ]


def can_undo(state: TableState, perspective: Perspective) -> bool:
    return perspective.seat is not None and perspective.is_own and perspective.seat == find_undoing_seat(state)


def find_undoing_seat(state: TableState) -> Seat | None:
    """Return the seat that may undo its last action now, if any."""
    if state.recorder is None or state.info.paused or state.info.status == "over":
        return None
    return state.recorder.undoing()


def select_chat(lines: Iterable[ChatMessage], seat: Seat | None) -> list[Line]:
    """Select the lines of chat that a new viewer sees."""
    heard = (line for line in lines if line.to == "table" or seat is None)
    return [Line(line=line.line, name=line.name, text=line.text, to=line.to, seat=line.seat) for line in heard]


def build_snapshot(table: str, state: TableState, perspective: Perspective) -> Snapshot:
    """Build the snapshot of the whole table as a seat, or a spectator, may see it."""
    snapshot, seat = state.take_snapshot(), perspective.seat
    return Snapshot(
        table=table,
        version=state.version,
        seat=perspective.own,
        view=seat,
        info=snapshot.info,
        board=snapshot.board,
        hand=None if seat is None else snapshot.hands[seat],
        offer=build_offer(state, perspective),
        waiting=build_waiting(state),
        can_undo=can_undo(state, perspective),
        digest=state.digests()[-1 if seat is None else seat],
        info_digest=state.info_digest(),
        talk=select_chat(state.secrets.talk, seat),
    )


def build_past_update(table: str, entry: LogEntry, seat: Seat | None) -> Update:
    """Build the update for an entry that a viewer missed; decisions follow with the last one."""
    return Update(
        table=table,
        version=entry.version,
        info=entry.info or UNSET,
        board=entry.board or UNSET,
        hand=(UNSET if seat is None else entry.hands[seat]) or UNSET,
        news=[heard.news for heard in entry.news if heard.is_for(seat)] or UNSET,
        digest=entry.digests[-1 if seat is None else seat],
    )


class PendingDecisions:
    """The decisions that the game waits for now; all viewers share this object."""

    __slots__ = ("answers", "play", "undoer", "waiting")

    def __init__(self, state: TableState, waiting: list[Waiting]) -> None:
        self.play = None if state.recorder is None or state.info.paused else state.recorder.play
        self.answers, self.waiting, self.undoer = state.secrets.answers, waiting, find_undoing_seat(state)


class ViewerGroup:
    """Viewers who are sent the same bytes: they see the same, in the same encoding."""

    __slots__ = ("_choices", "_number", "can_undo", "offer", "own", "seat", "viewers", "waiting", "wire")

    def __init__(self, wire: Wire, perspective: Perspective) -> None:
        self.wire, self.seat = wire, perspective.seat
        self.own = perspective.seat if perspective.is_own else None  # the seat that they decide for
        self.viewers: list[Viewer] = []
        self.offer: Offer | UnsetType | None = UNSET  # this and the next two: as the viewers saw them last
        self.waiting: list[Waiting] | UnsetType = UNSET
        self.can_undo: bool | UnsetType = UNSET
        self._number, self._choices = -1, list[Choice]()  # of that offer

    def note(self, pending: PendingDecisions) -> None:
        """Note the decisions that the viewers see now."""
        self._note_offer(pending)
        self.waiting = pending.waiting
        self.can_undo = self.own is not None and self.own == pending.undoer

    def _note_offer(self, pending: PendingDecisions) -> None:
        """Note the offer of the seat; it stays the same object if it has not changed."""
        if self.own is None or pending.play is None:
            self.offer, self._number = None, -1
            return
        number, choices = pending.answers[self.own], pending.play.offer(self.own)
        if number != self._number or (choices is not self._choices and choices != self._choices):
            self.offer, self._number, self._choices = Offer(id=number, choices=choices), number, choices

    def list_decisions(self) -> dict[str, Any]:
        """Return all decisions that the viewers see now, for their part of an update."""
        return {"offer": self.offer, "waiting": self.waiting, "can_undo": self.can_undo}

    def add_decisions(self, own: dict[str, Any], pending: PendingDecisions) -> None:
        """Add to the group's part of an update the decisions that its viewers have not seen yet, and note them."""
        offer, waiting, can_undo = self.offer, self.waiting, self.can_undo
        self.note(pending)
        if offer is not self.offer:
            own["offer"] = self.offer
        if waiting is not self.waiting and waiting != self.waiting:
            own["waiting"] = self.waiting
        if can_undo is not self.can_undo:
            own["can_undo"] = self.can_undo


class SharedUpdate:
    """The update of an entry for all groups of viewers, one after the other: what all of them see is encoded once."""

    def __init__(self, table: str, entry: LogEntry, fork: str, info_digest: int | UnsetType) -> None:
        self._table, self._entry, self._fork, self._info_digest = table, entry, fork, info_digest
        self._news, self._hands, self._digests = entry.news, entry.hands, entry.digests
        self._is_news_public = is_public(entry.news)
        self._wire: Wire | None = None  # for which the shared part was encoded last
        self._shared = b""  # in that encoding

    def encode_for(self, wire: Wire, seat: Seat | None, own: dict[str, Any]) -> Frame:
        """Return the update as viewers see it from this seat, with the decisions in `own`."""
        if self._wire is not wire:
            self._encode_shared(wire)
        own["digest"] = self._digests[-1 if seat is None else seat]
        if seat is not None and self._hands[seat]:
            own["hand"] = self._hands[seat]
        if not self._is_news_public and (news := [heard.news for heard in self._news if heard.is_for(seat)]):
            own["news"] = news
        return wire.join(self._shared, wire.encode(own))

    def _encode_shared(self, wire: Wire) -> None:
        """Encode the fields that all viewers of this wire see alike."""
        self._wire, entry = wire, self._entry
        shared = Update(
            table=self._table,
            version=entry.version,
            info=entry.info or UNSET,
            board=entry.board or UNSET,
            news=[heard.news for heard in self._news] if self._news and self._is_news_public else UNSET,
            digest=UNSET,
            info_digest=self._info_digest,
            fork=self._fork,
        )
        self._shared = wire.encode(shared)


def is_public(news: list[StoredNews]) -> bool:
    """Return whether all viewers see all of the news."""
    for heard in news:  # noqa: SIM110 (compiled, a loop takes half as long as a generator)
        if heard.to is not None:
            return False
    return True


class LiveViewers:
    """The viewers of a table who see it live. Each is sent every entry; of pending decisions, only what changed."""

    __slots__ = (
        "_formed",
        "_groups",
        "_moved",
        "_waited_for",
        "_waiting",
        "_wanted_seats",
        "fork",
        "sent_version",
        "table",
        "viewers",
    )

    def __init__(self, table: str, state: TableState) -> None:
        self.table, self.sent_version = table, state.version
        self.fork = ""  # of the version that was sent last
        self.viewers: dict[Viewer, Perspective] = {}
        self._groups: dict[tuple[Wire, Perspective], ViewerGroup] = {}
        self._formed: list[ViewerGroup] | None = (
            None  # those with viewers; None: viewers came, left or moved since then
        )
        self._wanted_seats: dict[Viewer, Seat] = {}  # the seat whose hand a viewer wants to see
        self._waiting: list[Waiting] = []  # the last list of seats that the table waits for
        self._waited_for: tuple[list[Seat], Any] = [], None  # the seats and the clocks from which that list was built
        self._moved: dict[Viewer, None] = {}  # viewers who get a whole snapshot when all entries are sent

    def send_entry(self, state: TableState, entry: LogEntry, fork: str) -> None:
        """Send an entry to all viewers; a viewer whose seat changed gets a snapshot after the newest entry."""
        self.sent_version, self.fork = entry.version, fork
        if entry.info:  # every change of a seat changes the info
            self._find_moved(state)
        pending = self._find_pending(state) if entry.version == state.version else None  # belongs to the newest entry
        info_digest = state.info_digest() if entry.info and pending is not None else UNSET
        shared = SharedUpdate(self.table, entry, fork, info_digest)
        for group in self._form_groups():
            frame = self._encode_update(shared, group, pending)
            for viewer in group.viewers:
                viewer.send(frame)
        if self._moved and pending is not None:
            self._show_moved(state)

    def _encode_update(self, shared: SharedUpdate, group: ViewerGroup, pending: PendingDecisions | None) -> Frame:
        """Encode the update for a group, with the pending decisions that have changed."""
        own: dict[str, Any] = {}
        if pending is not None:
            group.add_decisions(own, pending)
        return shared.encode_for(group.wire, group.seat, own)

    def _form_groups(self) -> list[ViewerGroup]:
        """Return the groups that have viewers, sorted by encoding."""
        if self._formed is None:
            for group in self._groups.values():
                group.viewers = []
            for viewer, perspective in self.viewers.items():
                if viewer not in self._moved:
                    self._group(viewer, perspective).viewers.append(viewer)
            formed = [group for group in self._groups.values() if group.viewers]
            self._formed = sorted(formed, key=lambda group: group.wire.subprotocol)
        return self._formed

    def _group(self, viewer: Viewer, perspective: Perspective) -> ViewerGroup:
        key = viewer.wire, perspective
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = ViewerGroup(*key)
        return group

    def _find_moved(self, state: TableState) -> None:
        for viewer, perspective in self.viewers.items():
            if perspective != self._find_perspective(viewer, state):
                self._moved[viewer] = None
                self._formed = None

    def _place(self, viewer: Viewer, state: TableState) -> Perspective:
        """Note the present perspective of a viewer, and return it."""
        perspective = self.viewers[viewer] = self._find_perspective(viewer, state)
        self._formed = None
        return perspective

    def _show_moved(self, state: TableState) -> None:
        moved, self._moved = self._moved, {}
        for viewer in moved:
            self.show(viewer, state)

    def add_viewer(self, viewer: Viewer, state: TableState, entry: LogEntry) -> None:
        """Add a viewer from this entry on; they get a snapshot after the newest one."""
        self._place(viewer, state)
        self._moved[viewer] = None
        if entry.version == state.version:
            self._show_moved(state)

    def set_wanted_seat(self, viewer: Viewer, seat: Seat | None) -> None:
        """Note the seat whose hand a viewer wants to see, or none."""
        self._wanted_seats.pop(viewer, None)
        if seat is not None:
            self._wanted_seats[viewer] = seat

    def show(self, viewer: Viewer, state: TableState) -> None:
        """Send a viewer the whole table."""
        perspective = self._place(viewer, state)
        self._group(viewer, perspective).note(self._find_pending(state))
        shown = build_snapshot(self.table, state, perspective)
        shown.fork = self.fork
        viewer.send(viewer.wire.encode(shown))

    def _find_perspective(self, viewer: Viewer, state: TableState) -> Perspective:
        return find_perspective(state, viewer.user, self._wanted_seats.get(viewer))

    def catch_up(self, viewer: Viewer, state: TableState, missed: list[tuple[LogEntry, str]]) -> None:
        """Send a viewer the entries that they missed, and the pending decisions with the last one."""
        perspective = self._place(viewer, state)
        group = self._group(viewer, perspective)
        group.note(self._find_pending(state))
        for at, (entry, fork) in enumerate(missed, 1):
            is_last = at == len(missed)
            shared = SharedUpdate(self.table, entry, fork, state.info_digest() if is_last else UNSET)
            own = group.list_decisions() if is_last else {}
            viewer.send(shared.encode_for(viewer.wire, perspective.seat, own))

    def confirm_resumption(self, viewer: Viewer, state: TableState) -> None:
        """Send a viewer where the table stands, after everything that they missed."""
        perspective = self.viewers[viewer]
        resumed = Resumed(
            table=self.table,
            version=state.version,
            seat=perspective.own,
            digest=state.digests()[-1 if perspective.seat is None else perspective.seat],
            info_digest=state.info_digest(),
            fork=self.fork,
        )
        viewer.send(viewer.wire.encode(resumed))

    def dismiss(self) -> dict[Viewer, Seat | None]:
        """Remove all viewers; return each with the seat whose hand they want to see."""
        leaving = {viewer: self._wanted_seats.get(viewer) for viewer in self.viewers}
        for viewer in leaving:
            self.leave(viewer)
        return leaving

    def leave(self, viewer: Viewer) -> Seat | None:
        """Remove a viewer; return the seat whose hand they wanted to see."""
        self.viewers.pop(viewer, None)
        self._formed = None
        self._moved.pop(viewer, None)
        return self._wanted_seats.pop(viewer, None)

    def lose(self, why: Refused | None = None) -> None:
        """Let all viewers reconnect because the table broke, or send them why it cannot be read."""
        for viewer in list(self.viewers):
            viewer.lose(self.table, why)

    def _find_pending(self, state: TableState) -> PendingDecisions:
        """Return the pending decisions; list the waiting seats again only if the seats or their clocks have changed."""
        waited_for = state.waiting(), state.kept_clocks
        if waited_for[1] is not self._waited_for[1] or waited_for[0] != self._waited_for[0]:
            self._waited_for, self._waiting = waited_for, build_waiting(state)
        return PendingDecisions(state, self._waiting)
