"""Tables as a session holds them: a view that goes on version by version, and the tape of a game told again."""

from __future__ import annotations

from collections import deque
from typing import Any, TypeVar, cast

import msgspec
from msgspec import UNSET, Struct

from palatine_protocol import digest, patch
from palatine_protocol.messages import Info, Line, Offer, Snapshot, Update, Waiting, Watch

from .events import ProblemKind

MAX_CHAT_LINES = 100  # of what was said; the oldest is forgotten
T = TypeVar("T")


class WatchTerms(Struct, frozen=True):
    """How a table is watched: over whose shoulder, with which invitation, or how it is told again."""

    seat: int | None = None
    invitation: str = ""
    open: bool = False
    pace: int | None = None

    @classmethod
    def of(cls, watch: Watch) -> WatchTerms:
        return cls(watch.seat, watch.invitation, watch.open, watch.pace)

    @property
    def can_be_resumed(self) -> bool:
        """Whether `hello` has words for them; other tables are watched anew."""
        return self == WatchTerms(invitation=self.invitation)


# A snapshot keeps also those keys of its info that this client does not know yet, because later patches reach into
# them.
class PlainSnapshot(Snapshot, tag="snapshot"):
    """A snapshot with its info as plain data."""

    info: dict[str, Any]  # type: ignore[assignment]


class DocumentError(Exception):
    """The document is not what the server says it is."""

    def __init__(self, trouble: ProblemKind, sentence: str) -> None:
        super().__init__(trouble, sentence)
        self.trouble, self.sentence = trouble, sentence


class View:
    """A watched table as we see it. The documents are changed in place: copy what you want to keep."""

    def __init__(self, table: str, terms: WatchTerms | None = None) -> None:
        self.table, self.terms = table, terms or WatchTerms()
        self.version: int | None = None  # the last good one; None: what we hold is wrong, or nothing
        self.fork = ""  # of that version; empty: we were not told
        self.seat: int | None = None  # our own
        self.info: Info | None = None
        self.board: Any = None
        self.hand: Any = None  # our own, or of the seat over whose shoulder we look
        self.hands: list[Any] | None = None  # all of them, in a game that is told again openly
        self.offer: Offer | None = None
        self.waiting: list[Waiting] = []
        self.can_undo = False
        self.news: list[dict[str, Any]] = []  # of the last update
        self.talk: list[Line] = []  # what was said last
        self.pointed: dict[int, dict[str, Any]] = {}  # what partners show that they might do, by seat
        self.watch = ""  # the id of the watch that is under way
        self.newest = 0  # the newest version that the server spoke of
        self._plain_info: dict[str, Any] = {}
        self._board_digest = 0

    @property
    def is_current(self) -> bool:
        """Whether we know all that the server ever mentioned."""
        return self.version is not None and self.version >= self.newest

    @property
    def is_delayed(self) -> bool:
        """Whether we may be shown less than has happened, because spectators are kept behind."""
        return self.seat is None and bool(self.info and self.info.delay and self.info.status != "over")

    @property
    def can_be_polled(self) -> bool:
        """Whether a `watch` from our version costs nothing if nothing was lost; who looks late is shown everything."""
        return not self.watch and self.terms.can_be_resumed and not self.is_delayed

    def build_watch(self, request_id: str) -> Watch:
        """The request that asks what happened since the version we hold."""
        terms = self.terms
        return Watch(
            id=request_id,
            table=self.table,
            since=self.version,
            fork="" if self.version is None else self.fork,
            seat=terms.seat,
            open=terms.open,
            pace=terms.pace,
            invitation=terms.invitation,
        )

    def load_snapshot(self, shown: PlainSnapshot) -> None:
        """Begin anew with a snapshot."""
        self.version, self.news, self.pointed = None, [], {}
        # Only `watching` tells our own seat from that of somebody over whose shoulder we look.
        if shown.seat is None or shown.seat != self.terms.seat:
            self.seat = shown.seat
        self.offer, self.waiting, self.can_undo = shown.offer, shown.waiting, shown.can_undo
        self.talk, self.hands = shown.talk[-MAX_CHAT_LINES:], value_or(shown.hands, None)
        self._patch([[[], shown.board]], [[[], shown.hand]], [[[], shown.info]])
        self._check(digest.of_board(self.board), shown.digest)
        self.version, self.fork = shown.version, shown.fork

    def apply_update(self, update: Update) -> None:
        """Go on by one version; if that goes DocumentError, what we hold is no document any more."""
        self._patch(value_or(update.board, []), value_or(update.hand, []), value_or(update.info, []))
        self._patch_hands(value_or(update.hands, []))
        self.offer, self.waiting = value_or(update.offer, self.offer), value_or(update.waiting, self.waiting)
        self.can_undo, self.news = value_or(update.can_undo, self.can_undo), value_or(update.news, [])
        self._check(self._board_digest if update.board is UNSET else digest.of_board(self.board), update.digest)
        self.version, self.fork = update.version, value_or(update.fork, "")
        self._collect_chat()

    def set_pointer(self, seat: int, action: dict[str, Any] | None) -> None:
        """A partner shows what he might do, or does so no longer."""
        if action is None:
            self.pointed.pop(seat, None)
        else:
            self.pointed[seat] = action

    def _patch(self, board: patch.Patch, hand: patch.Patch, info: patch.Patch) -> None:
        try:
            self.board, self.hand = patch.apply(self.board, board), patch.apply(self.hand, hand)
            if info:
                self._plain_info = patch.apply(self._plain_info, info)
                self.info = msgspec.convert(self._plain_info, Info)
        except (patch.PatchError, msgspec.ValidationError) as error:
            raise DocumentError(ProblemKind.BAD_PATCH, str(error)) from None

    def _patch_hands(self, patches: list[patch.Patch]) -> None:
        try:
            if patches:
                self.hands = [patch.apply(hand, ops) for hand, ops in zip(self.hands or [], patches, strict=True)]
        except (patch.PatchError, ValueError) as error:
            raise DocumentError(ProblemKind.BAD_PATCH, str(error)) from None

    def _check(self, board_digest: int, told: int) -> None:
        self._board_digest = board_digest
        if digest.of_viewer(board_digest, self.hand) != told:
            raise DocumentError(ProblemKind.WRONG_DIGEST, "The document does not have the digest that the server says.")

    def _collect_chat(self) -> None:
        """Keep what was said; of somebody who is muted, nothing."""
        for news in self.news:
            match news:
                case {"news": "said", "name": str(name), "text": str(text)}:
                    self.talk = [*self.talk[1 - MAX_CHAT_LINES :], build_chat_line(self.version or 0, name, text, news)]
                case {"news": "muted", "name": name}:
                    self.talk = [line for line in self.talk if line.name != name]


class ReplayView(View):
    """A game that is told again: what came in and was not looked at yet. It is as long as the game at most."""

    def __init__(self, table: str, terms: WatchTerms, start: int = 0) -> None:
        super().__init__(table, terms)
        self.start = start  # the version with which it begins
        self.messages: deque[PlainSnapshot | Update] = deque()

    @property
    def is_current(self) -> bool:
        """What is missing comes at the pace that was asked for."""
        return self.version is not None

    @property
    def is_complete(self) -> bool:
        return self.version is not None and self.version >= self.newest

    def build_watch(self, request_id: str) -> Watch:
        watch = super().build_watch(request_id)
        watch.since = self.start if self.version is None else self.version
        return watch

    def load_snapshot(self, shown: PlainSnapshot) -> None:
        self.version = shown.version
        self.messages.append(shown)

    def apply_update(self, update: Update) -> None:
        self.version, self.news = update.version, value_or(update.news, [])
        self.messages.append(update)


def build_chat_line(version: int, name: str, text: str, news: dict[str, Any]) -> Line:
    """The line that the news of an update tell."""
    to, seat = news.get("to"), news.get("seat")
    return Line(
        line=version,
        name=name,
        text=text,
        to="spectators" if to == "spectators" else "table",
        seat=seat if isinstance(seat, int) else None,
    )


def value_or(value: Any, otherwise: T) -> T:
    """What an update says, or what stands if it says nothing."""
    return otherwise if value is UNSET else cast("T", value)
