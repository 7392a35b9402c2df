"""The book of a table: who sits where, the game, and every change as an entry. It is pure; storing comes later.

The book has four zones: `info` and `board`, which everybody sees, `hands`, and `hidden`. An entry holds the patch of
each, so that the book can be rebuilt from a snapshot and entries without running a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hmac import compare_digest
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from palatine_protocol import digest, patch
from palatine_protocol.errors import Code
from palatine_protocol.messages import Info, Seated

from ..games.kit import Entry, Game, Refused, Scribe, Seat, Told, plain, witnessed
from . import clocks, fairness
from .log import Heard, LogEntry, Page, Sealed, Secrets

_encode = msgspec.msgpack.Encoder().encode
SUBSTITUTE = "greedy"  # how a house bot plays for somebody who left, unless the clock names another policy
CHANGING = tuple(name for name in Secrets.__struct_fields__ if name != "opening")
BY_THE_RULES = "rules"  # the policy of a clock when no bot decides


def must_be_playable(game: Game, info: Info) -> None:
    """Refuse a table whose game could not be started later."""
    game.begin(len(info.seats), "00" * 32, info.options)
    if info.clock is not None and info.clock.overdue not in {BY_THE_RULES, *game.policies}:
        raise refuse(Code.NO_SUCH_POLICY)


def refuse(code: Code, rule: str = "", retry_after: int | None = None) -> Refused:
    return Refused(code.value, code.sentence, rule, retry_after)


class Who(NamedTuple):
    """Somebody who asks for something."""

    user: str
    name: str
    is_admin: bool = False


class Book:
    """A table that can be changed; each change gives the entry to be stored."""

    def __init__(
        self, game: Game, info: Info, secrets: Secrets, version: int = 0, scribe: Scribe | None = None
    ) -> None:
        self.game, self.info, self.secrets, self.version, self.scribe = game, info, secrets, version, scribe
        self._kept = self._zones()

    # Opening and closing

    @classmethod
    def opened(
        cls,
        game: Game,
        info: Info,
        host: str,
        seed: str,
        now: int,
        invitation: str = "",
        reserved: Sequence[str | None] = (),
        users: Sequence[str | None] = (),
    ) -> Book:
        """A new table, with empty seats or with these people on them."""
        seats = len(info.seats)
        secrets = Secrets(
            host=host,
            users=list(users) or [None] * seats,
            seed=seed,
            created=now,
            answers=[0] * seats,
            clocks=clocks.wound(info.clock, seats),
            invitation=invitation,
            reserved=list(reserved),
        )
        secrets.opening = {"info": plain(info), "secrets": plain(secrets)}
        return cls(game, info, secrets)

    @classmethod
    def first(cls, game: Game, page: Page) -> Book:
        """A table as it was opened; entries lead from there to any later page."""
        opening = page.hidden["opening"]
        secrets = msgspec.convert(opening["secrets"], Secrets)
        secrets.opening = opening
        return cls(game, msgspec.convert(opening["info"], Info), secrets)

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
        self.must_be_open()
        place = self._free_seat(seat, user)
        self.info.seats[place] = Seated(name=name, host=user == self.secrets.host)
        self.secrets.users[place] = user
        return self._seating(now, user, "sit", place, name)

    def _return_to(self, own: Seat, user: str, name: str, wanted: Seat | None, now: int) -> LogEntry:
        sitting = self.info.seats[own]
        if sitting is None or not sitting.substitute or wanted not in (None, own):
            raise refuse(Code.SEAT_TAKEN)
        self.must_not_be_over()
        self.reseat(own, name=name, bot=False, policy="", substitute=False)
        if not self.info.paused:  # what the bot has not decided is still the same decision
            clocks.reopen(self.secrets.clocks[own], now)
        return self._seating(now, user, "sit", own, name)

    def leave(self, user: str, now: int) -> LogEntry:
        """Give the seat up; in a running game a house bot plays on, and the seat can be taken back."""
        seat = self.own_seat(user)
        self.must_not_be_over()
        sitting = self.info.seats[seat]
        assert sitting is not None
        if self.info.status == "open":
            self.info.seats[seat], self.secrets.users[seat] = None, None
        else:
            self.substitute(seat)
        return self._seating(now, user, "leave", seat, sitting.name, "seat_left")

    def substitute(self, seat: Seat) -> None:
        """Let a house bot play on this seat until its player comes back."""
        clock = self.info.clock
        policy = clock.overdue if clock and clock.overdue != BY_THE_RULES else SUBSTITUTE
        self.reseat(seat, bot=True, policy=policy, substitute=True)

    def reseat(self, seat: Seat, **changes: Any) -> None:
        sitting = self.info.seats[seat]
        assert sitting is not None
        self.info.seats[seat] = msgspec.structs.replace(sitting, **changes)

    def add_bot(self, user: str, policy: str, seat: Seat | None, now: int) -> LogEntry:
        """Put a house bot on a free seat."""
        self.must_be_host(user)
        self.must_be_open()
        if policy not in self.game.policies:
            raise refuse(Code.NO_SUCH_POLICY)
        place = self._free_seat(seat, "")
        name = f"Bot {place + 1}"
        self.info.seats[place] = Seated(name=name, bot=True, policy=policy)
        return self._seating(now, user, "add_bot", place, name)

    def remove_bot(self, user: str, seat: Seat, now: int) -> LogEntry:
        """Send a house bot away."""
        self.must_be_host(user)
        self.must_be_open()
        sitting = self.info.seats[seat] if seat < len(self.info.seats) else None
        if sitting is None or not sitting.bot:
            raise refuse(Code.NO_SUCH_SEAT)
        self.info.seats[seat] = None
        return self._seating(now, user, "remove_bot", seat, sitting.name, "seat_left")

    def _seating(self, now: int, user: str, did: str, seat: Seat, name: str, what: str = "seat_taken") -> LogEntry:
        self.run_clocks(now)
        return self.entry(now, user, {"do": did}, seat, [Heard({"news": what, "seat": seat, "name": name})])

    # The game

    def start(self, user: str, now: int) -> LogEntry:
        """Begin the game."""
        self.must_be_host(user)
        self.must_be_open()
        if None in self.info.seats:
            raise refuse(Code.SEATS_EMPTY)
        if not all(self.is_ready(seat) for seat in range(len(self.info.seats))):
            raise refuse(Code.NOT_READY)
        with witnessed() as drawings:
            play = self.game.begin(len(self.info.seats), self.game_seed(), self.info.options)
        news = [Heard({"news": "game_started"}), *heard(play.told)]
        self.scribe, self.info.status, self.secrets.edition = Scribe(play), "playing", self.game.edition
        self.secrets.clocks = clocks.wound(self.info.clock, len(self.info.seats))
        self.run_clocks(now)
        entry = self.entry(now, user, {"do": "start"}, None, news)
        entry.drawings = drawings
        return entry

    def game_seed(self) -> str:
        """The server's part and everybody's entropy; a seed that was chosen for a test is taken as it is."""
        if not self.info.commitment:
            return self.secrets.seed
        return fairness.game_seed(self.secrets.seed, [seated.entropy if seated else "" for seated in self.info.seats])

    def act(self, user: str, offer: int, action: Mapping[str, Any], now: int) -> LogEntry:
        """Answer the offer of one's seat."""
        seat = self.own_seat(user)
        scribe = self.running()
        if offer != self.secrets.answers[seat]:
            raise refuse(Code.STALE_OFFER)
        return self._carried_out(scribe.act(seat, self.game.read_action(action)), user, now)

    def undo(self, user: str, now: int) -> LogEntry:
        """Take the last action of one's seat back."""
        seat = self.own_seat(user)
        done = self.running().undo(seat)
        clocks.reopen(self.secrets.clocks[seat], now)
        return self._carried_out(done, user, now, "undo")

    def play_for(self, seat: Seat, action: Any, why: str, now: int) -> LogEntry:
        """What the house does on a seat: a bot's move, or the choice for somebody whose time is up."""
        done = self.begun().act(seat, action)
        clocks.settle(self.info.clock, self.secrets.clocks[seat], now)
        return self._carried_out(done, "", now, why)

    def overdue(self, now: int) -> LogEntry | None:
        """What happens next because of seats whose time is up: the rules choose, or a house bot takes a seat."""
        ends = {seat: self.until(seat) for seat in self.waiting()}
        late = [seat for seat, end in ends.items() if end is not None and end <= now]
        if not late or self.scribe is None or self.info.clock is None:
            return None
        if self.info.clock.overdue != BY_THE_RULES:
            return self._taken_over(late[0], now)
        seat, action = self.game.overdue(self.scribe.play, late)
        return self.play_for(seat, action, "overdue", now)

    def _taken_over(self, seat: Seat, now: int) -> LogEntry:
        clocks.settle(self.info.clock, self.secrets.clocks[seat], now)
        self.substitute(seat)
        self.run_clocks(now)
        return self.entry(now, "", {"do": "take_over"}, seat, [Heard({"news": "time_ran_out", "seat": seat})])

    def _carried_out(self, done: Entry, user: str, now: int, why: str = "act") -> LogEntry:
        scribe = self.begun()
        self.secrets.answers[done.seat] += 1
        self.info.taking_back = None
        if not scribe.may_undo(done.seat) and why == "act":
            clocks.settle(self.info.clock, self.secrets.clocks[done.seat], now)
        if scribe.play.is_over:
            self.info.status, self.info.standings = "over", plain(self.game.standings(scribe.play))
        self.run_clocks(now)
        late = [Heard({"news": "time_ran_out", "seat": done.seat})] if why == "overdue" else []
        news = [*late, *heard(done.news), *self._sealing(done)]
        return self.entry(now, user, {"do": why, "action": done.action}, done.seat, news, done)

    def _sealing(self, done: Entry) -> list[Heard]:
        """Seal a secret choice, and open all of them when they are revealed."""
        secrets, game, news = self.secrets, self.game, list[Heard]()
        if not game.sealed:
            return news
        if done.action["do"] in game.sealed:
            choice = Sealed(self.version + 1, done.seat, done.action)
            secrets.sealed.append(choice)
            news.append(
                Heard({"news": "choice_sealed", "seat": done.seat, "seal": fairness.seal_of(secrets.seed, choice)})
            )
        if {told.news.__struct_config__.tag for told in done.news} & set(game.sealed.values()):
            opened = [fairness.opened(secrets.seed, choice) for choice in secrets.sealed]
            news.append(Heard({"news": "choices_opened", "choices": opened}))
            secrets.sealed = []
        return news

    def show(self, user: str, shown: bool, now: int) -> LogEntry:
        """Let spectators look over one's shoulder, or not any more."""
        seat = self.own_seat(user)
        self.reseat(seat, shown=shown)
        news = {"news": "hand_shown" if shown else "hand_covered", "seat": seat}
        return self.entry(now, user, {"do": "show"}, seat, [Heard(news)])

    def name_next(self, table: str, now: int) -> LogEntry:
        """Tell everybody where the rematch is."""
        self.info.next = table
        return self.entry(now, "", {"do": "rematch"}, None, [Heard({"news": "rematch_opened", "table": table})])

    def go_back(self, earlier: Page, now: int) -> None:
        """Put the game back to an earlier page; offers made since then cannot be answered any more."""
        document = {"board": earlier.board, "hands": earlier.hands, **earlier.hidden["game"]}
        self.scribe = Scribe(self.game.resumed(document))
        self.secrets.answers = [count + 1 for count in self.secrets.answers]
        self.secrets.sealed = msgspec.convert(earlier.hidden["sealed"], list[Sealed])
        self.info.taking_back = None
        self.run_clocks(now)

    def put_clocks_back(self, closed_for: int, now: int) -> LogEntry:
        """The house was closed: nobody pays for that."""
        by, self.secrets.closed_for = closed_for - self.secrets.closed_for, closed_for
        clocks.put_back(self.secrets.clocks, by)
        return self.entry(now, "", {"do": "put_clocks_back"}, None, [])

    def note_away(self, seat: Seat, is_away: bool, now: int, since: int | None = None) -> LogEntry:
        """Somebody who is waited for lost the connection, or is back."""
        self.secrets.clocks[seat].away = (since or now) if is_away else None
        self.reseat(seat, away=is_away)
        news = {"news": "player_away" if is_away else "player_back", "seat": seat}
        return self.entry(now, "", {"do": "note_away"}, seat, [Heard(news)])

    def run_clocks(self, now: int) -> None:
        """Let the clocks run of those who hold the table up, unless the game is paused; bots have none."""
        if self.scribe and not self.info.paused:
            timed = [seat for seat in self.waiting() if not self.is_bot(seat)]
            clocks.run(self.info.clock, self.secrets.clocks, timed, now)
        if self.info.clock and self.info.clock.bank:
            for seated, hand in zip(self.info.seats, self.secrets.clocks, strict=True):
                if seated is not None:
                    seated.bank = clocks.left_in_bank(self.info.clock, hand)

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
        return [seat for seat in self.waiting() if seat in bots] if bots and not self.info.paused else []

    def is_ready(self, seat: Seat) -> bool:
        """Bots and the host are; others must say so if the table asks."""
        seated = self.info.seats[seat]
        return seated is not None and (not self.info.ready_check or seated.ready or seated.bot or seated.host)

    def shows(self, seat: Seat) -> bool:
        """Whether others may look over the shoulder of a seat: it allows it, or the game is over."""
        seated = self.info.seats[seat] if seat < len(self.info.seats) else None
        return seated is not None and (seated.shown or self.info.status == "over")

    def until(self, seat: Seat) -> int | None:
        """When the time of a seat is up."""
        return clocks.until(self.info.clock, self.secrets.clocks[seat])

    def deadline(self) -> int | None:
        ends = (self.until(seat) for seat in range(len(self.info.seats)))
        return min((end for end in ends if end is not None), default=None)

    def digests(self) -> list[int]:
        nothing = digest.of_board(None)
        return self.scribe.digests() if self.scribe else [nothing] * (len(self.info.seats) + 1)

    # Conditions

    def is_member(self, user: str) -> bool:
        """Whether somebody sits here or is the host; a game that was imported has none, and nobody is not he."""
        return bool(user) and (user == self.secrets.host or user in self.secrets.users)

    def admits(self, user: str, invitation: str) -> bool:
        """Whether somebody may come to the table at all."""
        secrets = self.secrets
        is_known = self.is_member(user) or user in secrets.reserved
        is_invited = bool(secrets.invitation) and compare_digest(invitation.encode(), secrets.invitation.encode())
        return self.info.visibility == "public" or is_known or is_invited

    def own_seat(self, user: str) -> Seat:
        seat = self.seat_of(user)
        if seat is None:
            raise refuse(Code.NOT_SEATED)
        return seat

    def begun(self) -> Scribe:
        if self.scribe is None:
            raise refuse(Code.NOT_STARTED)
        return self.scribe

    def running(self) -> Scribe:
        scribe = self.begun()
        self.must_not_be_over()
        if self.info.paused:
            raise refuse(Code.PAUSED)
        return scribe

    def must_not_be_over(self) -> None:
        if self.info.status == "over":
            raise refuse(Code.GAME_OVER, self.game.moments.get("game_over", ""))

    def must_be_open(self) -> None:
        if self.info.status != "open":
            raise refuse(Code.ALREADY_STARTED)

    def sitting(self, seat: Seat) -> Seated:
        """Who sits there."""
        self.must_exist(seat)
        sitting = self.info.seats[seat]
        if sitting is None:
            raise refuse(Code.NO_SUCH_SEAT)
        return sitting

    def must_exist(self, seat: Seat) -> None:
        if seat >= len(self.info.seats):
            raise refuse(Code.NO_SUCH_SEAT)

    def must_be_playing(self) -> None:
        self.begun()
        self.must_not_be_over()

    def must_be_over(self, user: str) -> None:
        """The game is over, and this is one of those who played."""
        self.own_seat(user)
        if self.info.status != "over":
            raise refuse(Code.NOT_OVER)

    def make_host(self, user: str, name: str) -> None:
        self.secrets.host, self.info.host = user, name
        for seat, sitting in enumerate(self.info.seats):
            if sitting is not None:
                self.reseat(seat, host=self.secrets.users[seat] == user)

    def must_be_host(self, user: str) -> None:
        if user != self.secrets.host:
            raise refuse(Code.NOT_THE_HOST)

    def _free_seat(self, wanted: Seat | None, user: str) -> Seat:
        """The seat wanted, the one kept for this user, or the first that is free for everybody."""
        if wanted is None:
            return self._any_seat(user)
        if wanted >= len(self.info.seats):
            raise refuse(Code.NO_SUCH_SEAT)
        if self.info.seats[wanted] is not None:
            raise refuse(Code.SEAT_TAKEN)
        if self._kept_for(wanted) not in (None, user):
            raise refuse(Code.SEAT_RESERVED)
        return wanted

    def _any_seat(self, user: str) -> Seat:
        free = [seat for seat, sitting in enumerate(self.info.seats) if sitting is None]
        for keeper in (user, None):
            for seat in free:
                if self._kept_for(seat) == keeper:
                    return seat
        raise refuse(Code.NO_SEAT_FREE)

    def _kept_for(self, seat: Seat) -> str | None:
        return self.secrets.reserved[seat] if self.secrets.reserved else None

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

    def entry(
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
            drawings=done.drawings if done else [],
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
    now = {name: getattr(secrets, name) for name in CHANGING}
    return {**before, **{name: plain(value) for name, value in now.items() if before[name] != value}}


def heard(told: Iterable[Told]) -> list[Heard]:
    return [Heard(plain(item.news), item.to) for item in told]
