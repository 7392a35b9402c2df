"""The state of a watched table on the client: a view that advances version by version, and the view of a replay."""

from __future__ import annotations

from collections import deque
from typing import Any, TypeVar, cast

import msgspec
from msgspec import UNSET, Struct, UnsetType

from palatine_protocol import digest, patch
from palatine_protocol.messages import Fork, Info, Line, Offer, Resumed, Snapshot, Update, Version, Waiting, Watch
from palatine_protocol.offers import Choice

from .events import ProblemKind

MAX_CHAT_LINES = 100  # chat lines; at the limit, the oldest is dropped
T = TypeVar("T")


class WatchTerms(Struct, frozen=True):
    """The terms on which a client watches a table: the watched seat, the invitation, or the settings of a replay."""

    seat: int | None = None
    invitation: str = ""
    open: bool = False
    pace: int | None = None

    @classmethod
    def of(cls, watch: Watch) -> WatchTerms:
        return cls(watch.seat, watch.invitation, watch.open, watch.pace)

    @property
    def can_be_resumed(self) -> bool:
        """Whether `hello` can resume a table on these terms; otherwise the client watches it again."""
        return self == WatchTerms(invitation=self.invitation)


class PlainOffer(Struct):
    """An offer with its choices as plain data: a newer server may offer fields that this client cannot read."""

    id: int
    choices: list[Any]

    def read(self) -> Offer:
        """Return the offer without the choices that this client cannot read."""
        return Offer(id=self.id, choices=[choice for choice in map(_read_choice, self.choices) if choice is not None])


def _read_choice(choice: Any) -> Choice | None:
    try:
        return msgspec.convert(choice, Choice)
    except msgspec.ValidationError:
        return None


# The info stays plain data, because later patches may change keys that this client does not know yet.
class PlainSnapshot(Snapshot, tag="snapshot"):
    """A snapshot with its info and its offer as plain data, and a version and fork that requests can name."""

    version: Version
    fork: Fork = ""
    info: dict[str, Any]  # type: ignore[assignment]
    offer: PlainOffer | None  # type: ignore[assignment]


class PlainUpdate(Update, tag="update"):
    """An update with its offer as plain data, and a version and fork that requests can name."""

    version: Version
    fork: Fork | UnsetType = UNSET
    offer: PlainOffer | UnsetType | None = UNSET  # type: ignore[assignment]


class DocumentError(Exception):
    """A patch does not fit the document, or its digest differs from the server's."""

    def __init__(self, kind: ProblemKind, sentence: str) -> None:
        super().__init__(kind, sentence)
        self.kind, self.sentence = kind, sentence


class View:
    """A watched table as this client sees it. Its documents change in place: copy what you want to keep."""

    def __init__(self, table: str, terms: WatchTerms | None = None) -> None:
        self.table, self.terms = table, terms or WatchTerms()
        self.version: int | None = None  # the version of the documents; None if they are missing or wrong
        self.fork = ""  # the fork of that version; empty if unknown
        self.seat: int | None = None  # the user's own seat
        self.viewed_seat: int | None = None  # the seat whose view this is; None if it is the view of spectators
        self.info: Info | None = None
        self.board: Any = None
        self.hand: Any = None  # the hand of the user's own seat, or of the watched one
        self.hands: list[Any] | None = None  # the hands of all seats, in an open replay
        self.offer: Offer | None = None
        self.waiting: list[Waiting] = []
        self.can_undo = False
        self.news: list[dict[str, Any]] = []  # the news of the last update
        self.talk: list[Line] = []  # the latest chat lines
        self.pointed: dict[int, dict[str, Any]] = {}  # the actions that partners point at, by seat
        self.watch = ""  # the id of the pending watch
        self.newest = 0  # the newest version that the server mentioned
        self._plain_info: dict[str, Any] = {}
        self._board_digest = 0

    @property
    def is_current(self) -> bool:
        """Whether the documents have the newest version that the server mentioned."""
        return self.version is not None and self.version >= self.newest

    @property
    def is_delayed(self) -> bool:
        """Whether the server shows the table with a delay, as it may do to spectators."""
        return self.seat is None and bool(self.info and self.info.delay and self.info.status != "over")

    @property
    def can_be_polled(self) -> bool:
        """Whether a `watch` is cheap: it sends nothing if nothing is missing, except to delayed spectators."""
        return not self.watch and self.terms.can_be_resumed and not self.is_delayed

    def build_watch(self, request_id: str) -> Watch:
        """Build the request for everything since the version held."""
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

    def load_snapshot(self, snapshot: PlainSnapshot) -> None:
        """Replace the documents by those of a snapshot."""
        self.version, self.news, self.pointed = None, [], {}
        self.seat, self.viewed_seat = snapshot.seat, snapshot.view
        self.offer = snapshot.offer.read() if snapshot.offer else None
        self.waiting, self.can_undo = snapshot.waiting, snapshot.can_undo
        self.talk, self.hands = snapshot.talk[-MAX_CHAT_LINES:], value_or(snapshot.hands, None)
        self._patch([[[], snapshot.board]], [[[], snapshot.hand]], [[[], snapshot.info]])
        self._check(digest.of_board(self.board), snapshot.digest)
        self._check_info(snapshot.info_digest)
        self.version, self.fork = snapshot.version, snapshot.fork

    def apply_update(self, update: PlainUpdate) -> None:
        """Advance by one version; after a DocumentError the documents are unusable."""
        self._patch(value_or(update.board, []), value_or(update.hand, []), value_or(update.info, []))
        self._patch_hands(value_or(update.hands, []))
        if update.offer is not UNSET:
            self.offer = update.offer.read() if update.offer else None
        self.waiting = value_or(update.waiting, self.waiting)
        self.can_undo, self.news = value_or(update.can_undo, self.can_undo), value_or(update.news, [])
        self._check(self._board_digest if update.board is UNSET else digest.of_board(self.board), update.digest)
        self._check_info(update.info_digest)
        self.version, self.fork = update.version, value_or(update.fork, "")
        self._collect_chat()

    def set_pointer(self, seat: int, action: dict[str, Any] | None) -> None:
        """Record the action that a partner points at; None if the partner stops pointing."""
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

    def _check(self, board_digest: int, expected: int) -> None:
        self._board_digest = board_digest
        if digest.of_viewer(board_digest, self.hand) != expected:
            raise DocumentError(ProblemKind.WRONG_DIGEST, "The digest of the document differs from the server's.")

    def _check_info(self, expected: int | UnsetType) -> None:
        if expected is not UNSET and digest.of_info(self._plain_info) != expected:
            raise DocumentError(ProblemKind.WRONG_DIGEST, "The digest of the info differs from the server's.")

    def matches(self, resumed: Resumed) -> bool:
        """Return whether the documents have the digests that the server names."""
        is_same = digest.of_viewer(self._board_digest, self.hand) == resumed.digest
        return is_same and digest.of_info(self._plain_info) == resumed.info_digest

    def _collect_chat(self) -> None:
        """Add new chat lines, and remove those of muted users."""
        for news in self.news:
            match news:
                case {"news": "said", "name": str(name), "text": str(text)}:
                    self.talk = [*self.talk[1 - MAX_CHAT_LINES :], build_chat_line(self.version or 0, name, text, news)]
                case {"news": "muted", "name": name}:
                    self.talk = [line for line in self.talk if line.name != name]


class ReplayView(View):
    """Collects the messages of a replay until the client reads them; there is at most one per entry of the game."""

    def __init__(self, table: str, terms: WatchTerms, start: int = 0) -> None:
        super().__init__(table, terms)
        self.start = start  # the first version
        self.messages: deque[PlainSnapshot | PlainUpdate] = deque()

    @property
    def is_current(self) -> bool:
        """Whether the replay has begun; the rest arrives at the requested pace."""
        return self.version is not None

    @property
    def is_complete(self) -> bool:
        return self.version is not None and self.version >= self.newest

    def build_watch(self, request_id: str) -> Watch:
        watch = super().build_watch(request_id)
        watch.since = self.start if self.version is None else self.version
        return watch

    def load_snapshot(self, snapshot: PlainSnapshot) -> None:
        self.version = snapshot.version
        self.messages.append(snapshot)

    def apply_update(self, update: PlainUpdate) -> None:
        self.version, self.news = update.version, value_or(update.news, [])
        self.messages.append(update)


def build_chat_line(version: int, name: str, text: str, news: dict[str, Any]) -> Line:
    """Build the chat line that the news of an update describe."""
    to, seat = news.get("to"), news.get("seat")
    return Line(
        line=version,
        name=name,
        text=text,
        to="spectators" if to == "spectators" else "table",
        seat=seat if isinstance(seat, int) else None,
    )


def value_or(value: Any, otherwise: T) -> T:
    """Return the value, or the old one if the update leaves it out."""
    return otherwise if value is UNSET else cast("T", value)
