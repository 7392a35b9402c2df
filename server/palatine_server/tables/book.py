"""The book of a table: who sits where, the game, and every change as an entry. It is pure; storing comes later.

The book has four zones: `info` and `board`, which everybody sees, `hands`, and `hidden`. An entry holds the patch of
each, so that the book can be rebuilt from a snapshot and entries without running a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from palatine_protocol import digest, patch
from palatine_protocol.errors import Code
from palatine_protocol.messages import Info, Seated

from ..games.kit import Entry, Game, Refused, Scribe, Seat, Told, plain

_encode = msgspec.msgpack.Encoder().encode
SUBSTITUTE = "greedy"  # how a house bot plays for somebody who left


class Secrets(Struct, kw_only=True):
    """What nobody sees of a table, besides the game's own box."""

    host: str
    users: list[str | None]  # by seat
    seed: str
    created: int
    answers: list[int]  # how many offers each seat has answered; the number of its next one
    deadlines: list[int | None]  # when the time of each seat is up, if it is waited for
    edition: str = ""  # of the rules with which the game began


class Page(Struct, kw_only=True):
    """A book at rest, as a snapshot stores it."""

    version: int
    info: Any
    board: Any
    hands: list[Any]
    hidden: Any


class Heard(Struct, frozen=True):
    """News as the log keeps it: what happened, and who heard of it."""

    news: dict[str, Any]
    to: list[Seat] | None = None

    def is_for(self, viewer: Seat | None) -> bool:
        return self.to is None or viewer in self.to


class LogEntry(Struct, kw_only=True, omit_defaults=True):
    """One change of a table and all that followed from it."""

    version: int
    at: int  # milliseconds since 1970
    user: str  # who asked for it; empty: the house
    did: dict[str, Any]  # what was asked
    seat: Seat | None = None
    info: patch.Patch = []
    board: patch.Patch = []
    hands: list[patch.Patch] = []
    hidden: patch.Patch = []
    news: list[Heard] = []
    digests: list[int]  # by seat; the last one is the spectators'


def refuse(code: Code, rule: str = "") -> Refused:
    return Refused(code.value, code.sentence, rule)


class Book:
    """A table that can be changed; each change gives the entry to be stored."""

    def __init__(
        self, game: Game, info: Info, secrets: Secrets, version: int = 0, scribe: Scribe | None = None
    ) -> None:
        self.game, self.info, self.secrets, self.version, self.scribe = game, info, secrets, version, scribe
        self._kept = self._zones()

    # Opening and closing

    @classmethod
    def opened(cls, game: Game, info: Info, host: str, seed: str, now: int) -> Book:
        """A new table with empty seats."""
        seats = len(info.seats)
        empty: list[str | None] = [None] * seats
        secrets = Secrets(host=host, users=empty, seed=seed, created=now, answers=[0] * seats, deadlines=[None] * seats)
        return cls(game, info, secrets)

    @classmethod
    def read(cls, game: Game, page: Page) -> Book:
        """A table from its snapshot."""
        hidden = dict(page.hidden)
        rest = hidden.pop("game")
        scribe = Scribe(game.resumed({"board": page.board, "hands": page.hands, **rest})) if rest else None
        secrets = msgspec.convert(hidden, Secrets)
        return cls(game, msgspec.convert(page.info, Info), secrets, page.version, scribe)

    def page(self) -> Page:
        kept = self._kept
        hidden = {**kept.secrets, "game": kept.box}
        return Page(version=self.version, info=kept.info, board=kept.board, hands=kept.hands, hidden=hidden)

    # Seats

    def sit(self, user: str, name: str, seat: Seat | None, now: int) -> LogEntry:
        """Take a seat, or take one's own seat back from the house bot that plays on it."""
        own = self.seat_of(user)
        if own is not None:
            return self._return_to(own, user, name, seat, now)
        self._must_be_open()
        place = self._free_seat(seat)
        self.info.seats[place] = Seated(name=name)
        self.secrets.users[place] = user
        return self._seating(now, user, "sit", place, name)

    def _return_to(self, own: Seat, user: str, name: str, wanted: Seat | None, now: int) -> LogEntry:
        sitting = self.info.seats[own]
        if sitting is None or not sitting.substitute or wanted not in (None, own):
            raise refuse(Code.SEAT_TAKEN)
        self._must_not_be_over()
        self.info.seats[own] = Seated(name=name)
        return self._seating(now, user, "sit", own, name)

    def leave(self, user: str, now: int) -> LogEntry:
        """Give the seat up; in a running game a house bot plays on, and the seat can be taken back."""
        seat = self._own_seat(user)
        self._must_not_be_over()
        sitting = self.info.seats[seat]
        assert sitting is not None
        if self.info.status == "open":
            self.info.seats[seat], self.secrets.users[seat] = None, None
        else:
            self.info.seats[seat] = Seated(name=sitting.name, bot=True, policy=SUBSTITUTE, substitute=True)
        return self._seating(now, user, "leave", seat, sitting.name, "seat_left")

    def add_bot(self, user: str, policy: str, seat: Seat | None, now: int) -> LogEntry:
        """Put a house bot on a free seat."""
        self._must_be_host(user)
        self._must_be_open()
        if policy not in self.game.policies:
            raise refuse(Code.NO_SUCH_POLICY)
        place = self._free_seat(seat)
        name = f"Bot {place + 1}"
        self.info.seats[place] = Seated(name=name, bot=True, policy=policy)
        return self._seating(now, user, "add_bot", place, name)

    def remove_bot(self, user: str, seat: Seat, now: int) -> LogEntry:
        """Send a house bot away."""
        self._must_be_host(user)
        self._must_be_open()
        sitting = self.info.seats[seat] if seat < len(self.info.seats) else None
        if sitting is None or not sitting.bot:
            raise refuse(Code.NO_SUCH_SEAT)
        self.info.seats[seat] = None
        return self._seating(now, user, "remove_bot", seat, sitting.name, "seat_left")

    def _seating(self, now: int, user: str, did: str, seat: Seat, name: str, what: str = "seat_taken") -> LogEntry:
        if self.scribe:
            self._set_deadlines(now)
        return self._entry(now, user, {"do": did}, seat, [Heard({"news": what, "seat": seat, "name": name})])

    # The game

    def start(self, user: str, now: int) -> LogEntry:
        """Begin the game."""
        self._must_be_host(user)
        self._must_be_open()
        if None in self.info.seats:
            raise refuse(Code.SEATS_EMPTY)
        play = self.game.begin(len(self.info.seats), self.secrets.seed, self.info.options)
        news = [Heard({"news": "game_started"}), *heard(play.told)]
        self.scribe, self.info.status, self.secrets.edition = Scribe(play), "playing", self.game.edition
        self._set_deadlines(now)
        return self._entry(now, user, {"do": "start"}, None, news)

    def act(self, user: str, offer: int, action: Mapping[str, Any], now: int) -> LogEntry:
        """Answer the offer of one's seat."""
        seat = self._own_seat(user)
        scribe = self._playing()
        if offer != self.secrets.answers[seat]:
            raise refuse(Code.STALE_OFFER)
        return self._carried_out(scribe.act(seat, self.game.read_action(action)), user, now)

    def undo(self, user: str, now: int) -> LogEntry:
        """Take the last action of one's seat back."""
        seat = self._own_seat(user)
        return self._carried_out(self._playing().undo(seat), user, now, "undo")

    def play_for(self, seat: Seat, action: Any, why: str, now: int) -> LogEntry:
        """What the house does on a seat: a bot's move, or the choice for somebody whose time is up."""
        return self._carried_out(self._playing().act(seat, action), "", now, why)

    def overdue(self, now: int) -> LogEntry | None:
        """The next choice that the rules make for seats whose time is up, if there is one."""
        late = [seat for seat, until in enumerate(self.secrets.deadlines) if until is not None and until <= now]
        if not late or self.scribe is None:
            return None
        seat, action = self.game.overdue(self.scribe.play, late)
        return self.play_for(seat, action, "overdue", now)

    def _carried_out(self, done: Entry, user: str, now: int, why: str = "act") -> LogEntry:
        scribe = self._playing()
        self.secrets.answers[done.seat] += 1
        self.secrets.deadlines[done.seat] = None
        if scribe.play.is_over:
            self.info.status, self.info.standings = "over", plain(self.game.standings(scribe.play))
        self._set_deadlines(now)
        late = [Heard({"news": "time_ran_out", "seat": done.seat})] if why == "overdue" else []
        return self._entry(now, user, {"do": why, "action": done.action}, done.seat, late + heard(done.news), done)

    def _set_deadlines(self, now: int) -> None:
        """Who begins to be waited for gets his time; who was waited for already keeps what is left of it."""
        limit = self.info.move_limit
        if limit is None:
            return
        waiting = self.waiting()
        for seat, until in enumerate(self.secrets.deadlines):
            timed = seat in waiting and not self.is_bot(seat)
            self.secrets.deadlines[seat] = (until or now + 1000 * limit) if timed else None

    # Questions

    def seat_of(self, user: str) -> Seat | None:
        return self.secrets.users.index(user) if user in self.secrets.users else None

    def is_bot(self, seat: Seat) -> bool:
        sitting = self.info.seats[seat]
        return sitting is not None and sitting.bot

    def waiting(self) -> list[Seat]:
        return self.scribe.play.waiting_for() if self.scribe else []

    def bots_to_move(self) -> list[Seat]:
        bots = {seat for seat in range(len(self.info.seats)) if self.is_bot(seat)}
        return [seat for seat in self.waiting() if seat in bots] if bots else []

    def deadline(self) -> int | None:
        return min((until for until in self.secrets.deadlines if until is not None), default=None)

    def digests(self) -> list[int]:
        nothing = digest.of_board(None)
        return self.scribe.digests() if self.scribe else [nothing] * (len(self.info.seats) + 1)

    # Conditions

    def _own_seat(self, user: str) -> Seat:
        seat = self.seat_of(user)
        if seat is None:
            raise refuse(Code.NOT_SEATED)
        return seat

    def _playing(self) -> Scribe:
        if self.scribe is None:
            raise refuse(Code.NOT_STARTED)
        self._must_not_be_over()
        return self.scribe

    def _must_not_be_over(self) -> None:
        if self.info.status == "over":
            raise refuse(Code.GAME_OVER, self.game.moments.get("game_over", ""))

    def _must_be_open(self) -> None:
        if self.info.status != "open":
            raise refuse(Code.ALREADY_STARTED)

    def _must_be_host(self, user: str) -> None:
        if user != self.secrets.host:
            raise refuse(Code.NOT_THE_HOST)

    def _free_seat(self, wanted: Seat | None) -> Seat:
        if wanted is None:
            return self._first_free()
        if wanted >= len(self.info.seats):
            raise refuse(Code.NO_SUCH_SEAT)
        if self.info.seats[wanted] is not None:
            raise refuse(Code.SEAT_TAKEN)
        return wanted

    def _first_free(self) -> Seat:
        if None not in self.info.seats:
            raise refuse(Code.NO_SEAT_FREE)
        return self.info.seats.index(None)

    # Writing

    def _zones(self, before: Kept | None = None) -> Kept:
        """All zones as plain data; what has not changed is shared with what it was before."""
        raw = _encode(self.info)
        info = before.info if before and before.raw_info == raw else plain(self.info)
        secrets = _renewed(self.secrets, before.secrets) if before else plain(self.secrets)
        if self.scribe is None:
            return Kept(info, raw, None, [None] * len(self.info.seats), secrets, None)
        zones = self.scribe.zones
        return Kept(info, raw, zones.board, zones.hands, secrets, zones.hidden)

    def _entry(
        self, now: int, user: str, did: dict[str, Any], seat: Seat | None, news: list[Heard], done: Entry | None = None
    ) -> LogEntry:
        """The entry for what changed since the last one; the scribe has written down the game's part already."""
        before, self._kept = self._kept, self._zones(self._kept)
        self.version += 1
        return LogEntry(
            version=self.version,
            at=now,
            user=user,
            did=did,
            seat=seat,
            info=[] if before.info is self._kept.info else patch.make(before.info, self._kept.info),
            board=done.board if done else patch.make(before.board, self._kept.board),
            hands=done.hands if done else list(map(patch.make, before.hands, self._kept.hands)),
            hidden=patch.make(before.secrets, self._kept.secrets) + self._hidden_ops(before, done),
            news=news,
            digests=done.digests if done else self.digests(),
        )

    def _hidden_ops(self, before: Kept, done: Entry | None) -> patch.Patch:
        ops = done.hidden if done else patch.make(before.box, self._kept.box)
        return [[["game", *op[0]], *op[1:]] for op in ops]


class Kept(Struct, frozen=True):
    """All zones as plain data, as they were after the last entry; the scribe's are shared, for they never change."""

    info: Any
    raw_info: bytes
    board: Any
    hands: list[Any]
    secrets: dict[str, Any]
    box: Any


def _renewed(secrets: Secrets, before: dict[str, Any]) -> dict[str, Any]:
    """The secrets as plain data; a field that has not changed is the same as before."""
    now = {name: getattr(secrets, name) for name in secrets.__struct_fields__}
    return {name: before[name] if before[name] == value else plain(value) for name, value in now.items()}


def heard(told: Iterable[Told]) -> list[Heard]:
    return [Heard(plain(item.news), item.to) for item in told]


def turned(page: Page, entry: LogEntry) -> Page:
    """The page after an entry, without running a rule."""
    return Page(
        version=entry.version,
        info=patch.apply(page.info, entry.info),
        board=patch.apply(page.board, entry.board),
        hands=[patch.apply(hand, ops) for hand, ops in zip(page.hands, entry.hands, strict=True)],
        hidden=patch.apply(page.hidden, entry.hidden),
    )
