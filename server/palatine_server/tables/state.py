"""The state of a table: its seats, its game, and the entries that change them. It is pure: it stores nothing.

The state has four zones: `info` and `board`, which all viewers see, `hands`, and `hidden`. An entry holds a patch of
each zone, so that a node can rebuild the state from a snapshot and entries without running a rule. The handlers of
requests are in `handlers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from hmac import compare_digest
from typing import Any, Final, final

import msgspec

from palatine_protocol import digest, patch
from palatine_protocol.errors import Code
from palatine_protocol.messages import Info, RollbackProposal, Seated

from ..games.kit import Entry, Game, Recorder, Seat, plain, refuse
from ..games.kit.renewal import renew
from ..games.kit.strings import share_strings
from . import fairness
from .deadlines import clocks
from .model import LogEntry, Secrets, StoredNews, TableSnapshot
from .storage import compatibility

CHANGING: Final = [name for name in Secrets.__struct_fields__ if name != "opening"]
PLAYED: Final = ["answers", "clocks", "closed_for", "sealed"]  # the secrets that an action may change
BY_THE_RULES = "rules"  # the policy of a clock when no bot decides


def must_be_playable(game: Game, info: Info) -> None:
    """Refuse a table whose game could not be started later."""
    game.begin(len(info.seats), "00" * 32, info.options)
    if info.clock is not None and info.clock.overdue not in {BY_THE_RULES, *game.policies}:
        raise refuse(Code.NO_SUCH_POLICY)


@final
class Requester:
    """The user who sends a request."""

    __slots__ = ("is_admin", "name", "user")

    def __init__(self, user: str, name: str, is_admin: bool = False) -> None:
        self.user, self.name, self.is_admin = user, name, is_admin


class TableState:
    """The state of a table that handlers change; each change returns the entry to be stored."""

    __slots__ = (
        "_growth",
        "_has_unknown",
        "_info_digest",
        "_kept",
        "_known",
        "_known_info",
        "game",
        "info",
        "recorder",
        "secrets",
        "version",
    )

    def __init__(
        self,
        game: Game,
        info: Info,
        secrets: Secrets,
        version: int = 0,
        recorder: Recorder | None = None,
        stored_info: Any = None,
        stored_secrets: Any = None,
    ) -> None:
        self.game, self.info, self.secrets, self.version, self.recorder = game, info, secrets, version, recorder
        known = renew(secrets, stored_secrets)
        self._known = {name: known[name] for name in CHANGING}  # as our types have them after the last entry
        self._known_info = renew(info, stored_info)
        self._kept = self._collect_zones(self._known_info, known)
        self._info_digest: tuple[Any, int] = None, 0  # the info for which it was computed, and the digest
        self._has_unknown = False  # fields of a newer version, which every entry leaves as they are
        self._growth: AddedFields | None = None  # fields of the document that the store does not have yet

    # Opening and closing

    @classmethod
    def create(
        cls,
        game: Game,
        info: Info,
        host: str,
        seed: str,
        now: int,
        invitation: str = "",
        reserved: Sequence[str | None] = (),
        users: Sequence[str | None] = (),
        text_secret: str = "",
    ) -> TableState:
        """Create a new table, with empty seats or with these users on them.

        The salts of names and chat in its record follow from the text secret, which is never published.
        """
        seats = len(info.seats)
        secrets = Secrets(
            host=host,
            users=list(users) or [None] * seats,
            seed=seed,
            created=now,
            answers=[0] * seats,
            clocks=clocks.create_clocks(info.clock, seats),
            invitation=invitation,
            reserved=list(reserved),
        )
        secrets.opening = {"info": plain(info), "secrets": plain(secrets)}
        if text_secret:
            secrets.opening["text_secret"] = text_secret
        return cls(game, info, secrets)

    @classmethod
    def read(cls, game: Game, snapshot: TableSnapshot) -> TableState:
        """Read a table from its snapshot."""
        rest, hidden = snapshot.hidden["game"], share_strings({**snapshot.hidden, "game": None})
        del hidden["game"]
        zones = {"board": snapshot.board, "hands": snapshot.hands, **rest} if rest else None
        recorder = Recorder(game.resume(zones)) if zones else None
        secrets = msgspec.convert(hidden, Secrets)
        info = msgspec.convert(snapshot.info, Info)
        state = cls(game, info, secrets, snapshot.version, recorder, snapshot.info, hidden)
        state._keep_as_stored(snapshot, hidden, rest)
        return state

    def _keep_as_stored(self, snapshot: TableSnapshot, secrets: dict[str, Any], box: Any) -> None:
        """Keep the stored state as the base of the next entry; it may lack fields of our types, or have others."""
        known = self._kept
        document, stored = [known.board, known.hands, known.box], [snapshot.board, snapshot.hands, box]
        kept = document  # the recorder's, so that a table holds them once
        if document != stored:
            if compatibility.has_unknown(stored, document):  # rules cannot leave alone what they do not know
                raise compatibility.NewerTable("the document of the game has fields that this version does not know")
            self._growth, kept = AddedFields(stored, document), stored
        self._has_unknown = compatibility.has_unknown([snapshot.info, secrets], [known.info, known.secrets])
        board, hands, rest = kept
        self._kept = PlainState(snapshot.info, board, hands, secrets, rest)

    def take_snapshot(self) -> TableSnapshot:
        kept = self._kept
        hidden = {**kept.secrets, "game": kept.box}
        return TableSnapshot(
            version=self.version,
            info=kept.info,
            board=kept.board,
            hands=kept.hands,
            hidden=hidden,
            format=compatibility.FORMAT,
        )

    # Questions

    def seat_of(self, user: str) -> Seat | None:
        return self.secrets.users.index(user) if user in self.secrets.users else None

    def is_person(self, seat: Seat) -> bool:
        """Return whether the seat belongs to a player, even while a bot plays for them."""
        return self.secrets.users[seat] is not None

    def is_bot(self, seat: Seat) -> bool:
        sitting = self.info.seats[seat]
        return sitting is not None and sitting.bot

    def waiting(self) -> list[Seat]:
        return self.recorder.play.waiting_for() if self.recorder else []

    def _list_bot_seats(self) -> list[Seat]:
        """Return the seats on which bots play."""
        return [seat for seat, sitting in enumerate(self.info.seats) if sitting is not None and sitting.bot]

    def bots_to_move(self) -> list[Seat]:
        bots = self._list_bot_seats()
        return [seat for seat in self.waiting() if seat in bots] if bots and not self.info.paused else []

    @property
    def proposal(self) -> RollbackProposal | None:
        """The open proposal to go back, also one that version 0.1 has stored."""
        return self.info.rollback or self.info.taking_back

    def is_ready(self, seat: Seat) -> bool:
        """Return whether a seat is ready: bots and the host always are, others must say so if the table asks."""
        seated = self.info.seats[seat]
        return seated is not None and (not self.info.ready_check or seated.ready or seated.bot or seated.host)

    def shows(self, seat: Seat) -> bool:
        """Return whether spectators may see the hand of a seat: its player shows it, or the game is over."""
        seated = self.info.seats[seat] if seat < len(self.info.seats) else None
        return seated is not None and (seated.shown or self.info.status == "over")

    def find_silence(self) -> str:
        """Return the rule of the game that forbids players to talk to the table now; empty if none does."""
        return "" if self.recorder is None else self.game.is_silent(self.recorder.play)

    def game_seed(self) -> str:
        """Return the seed of the game, from the server's part and all entropy; a test seed is used unchanged."""
        if not self.info.commitment:
            return self.secrets.seed
        return fairness.derive_game_seed(
            self.secrets.seed, [seated.entropy if seated else "" for seated in self.info.seats]
        )

    def until(self, seat: Seat) -> int | None:
        """Return when the time of a seat is up."""
        return clocks.find_deadline(self.info.clock, self.secrets.clocks[seat])

    @property
    def is_timed(self) -> bool:
        """Whether the table has deadlines now: it has a clock, or an offer lapses."""
        return self.info.clock is not None or self._find_next_lapse() is not None

    def deadline(self) -> int | None:
        if self.info.clock is None:
            return self._find_next_lapse()
        ends = (self.until(seat) for seat in range(len(self.info.seats)))
        return min((end for end in ends if end is not None), default=None)

    def _find_next_lapse(self) -> int | None:
        """Return when the first offer lapses; None if none does."""
        lapses = [hand.lapses for hand in self.secrets.clocks if hand.lapses is not None]
        return min(lapses) if lapses else None

    def when_due(self) -> int | None:
        """Return when a node must open the table even without viewers; 0, at once, if a bot must move."""
        return 0 if self.bots_to_move() else self.deadline()

    @property
    def kept_clocks(self) -> Any:
        """The clocks as the last entry left them, in plain data: the same object as long as they are the same."""
        return self._kept.secrets["clocks"]

    def digests(self) -> list[int]:
        """Return the digests of what each seat and, last, a spectator sees of the stored document."""
        if self.recorder is None:
            return [digest.of_board(None)] * (len(self.info.seats) + 1)
        return self.recorder.digests() if self._growth is None else self._compute_stored_digests()

    def info_digest(self) -> int:
        """Return the digest of the info, computed once for each change of it."""
        if self._info_digest[0] is not self._kept.info:
            self._info_digest = self._kept.info, digest.of_info(self._kept.info)
        return self._info_digest[1]

    def _compute_stored_digests(self) -> list[int]:
        """Return these digests while the stored document lacks fields that the next entry will add."""
        board = digest.of_board(self._kept.board)
        return [*(digest.of_viewer(board, hand) for hand in self._kept.hands), board]

    # Conditions

    def is_member(self, user: str) -> bool:
        """Return whether a user has a seat or is the host; an imported game has no host, an empty id is no member."""
        return bool(user) and (user == self.secrets.host or user in self.secrets.users)

    def admits(self, user: str, invitation: str) -> bool:
        """Return whether a user may see the table: it is public, or they are a member, expected or invited."""
        secrets = self.secrets
        is_known = self.is_member(user) or user in secrets.reserved
        is_invited = bool(secrets.invitation) and compare_digest(invitation.encode(), secrets.invitation.encode())
        return self.info.visibility == "public" or is_known or is_invited

    def own_seat(self, user: str) -> Seat:
        seat = self.seat_of(user)
        if seat is None:
            raise refuse(Code.NOT_SEATED)
        return seat

    def require_begun(self) -> Recorder:
        if self.recorder is None:
            raise refuse(Code.NOT_STARTED)
        return self.recorder

    def require_running(self) -> Recorder:
        recorder = self.require_begun()
        self.must_not_be_over()
        if self.info.paused:
            raise refuse(Code.PAUSED)
        return recorder

    def must_not_be_over(self) -> None:
        if self.info.status == "over":
            raise refuse(Code.GAME_OVER, self.game.moments.get("game_over", ""))

    def must_be_open(self) -> None:
        if self.info.status != "open":
            raise refuse(Code.ALREADY_STARTED)

    def require_seated(self, seat: Seat) -> Seated:
        """Return the player or bot on a seat; refuse if it is free."""
        self.must_exist(seat)
        sitting = self.info.seats[seat]
        if sitting is None:
            raise refuse(Code.NO_SUCH_SEAT)
        return sitting

    def must_exist(self, seat: Seat) -> None:
        if seat >= len(self.info.seats):
            raise refuse(Code.NO_SUCH_SEAT)

    def must_be_playing(self) -> None:
        self.require_begun()
        self.must_not_be_over()

    def must_be_over(self, user: str) -> None:
        """Refuse unless the game is over and the user played in it."""
        self.own_seat(user)
        if self.info.status != "over":
            raise refuse(Code.NOT_OVER)

    def must_be_host(self, user: str) -> None:
        if user != self.secrets.host:
            raise refuse(Code.NOT_THE_HOST)

    # Changing

    def reseat(self, seat: Seat, **changes: Any) -> None:
        sitting = self.info.seats[seat]
        assert sitting is not None
        self.info.seats[seat] = msgspec.structs.replace(sitting, **changes)

    def drop_proposal(self) -> None:
        """End the proposal to go back, if there is one."""
        self.info.rollback = self.info.taking_back = None

    def run_clocks(self, now: int) -> None:
        """Run the clocks of the seats that the table waits for; bots have none, and a pause stops most of them."""
        if self.recorder:
            waiting = self._list_timed_seats()
            if self.info.clock is None:
                clocks.note_waiting(self.secrets.clocks, waiting, now, is_paused=self.info.paused)
            else:
                asked = [
                    self._list_asked_steps(seat) if seat in waiting else () for seat in range(len(self.info.seats))
                ]
                clocks.run(self.info.clock, self.secrets.clocks, asked, now, is_paused=self.info.paused)
            clocks.note_lapses(self.secrets.clocks, self._find_lapsing_seats(), now)
        if self.info.clock and self.info.clock.bank:
            for seated, hand in zip(self.info.seats, self.secrets.clocks, strict=True):
                if seated is not None:
                    seated.bank = clocks.compute_bank(self.info.clock, hand)

    def _find_lapsing_seats(self) -> dict[Seat, float]:
        """Return the seats whose offers lapse, with the seconds; bots have no such limit, and a pause lifts it."""
        lapsing = self.require_begun().play.lapsing()
        if not lapsing or self.info.paused:
            return {}
        return {seat: span for seat, span in lapsing.items() if not self.is_bot(seat)}

    def _list_timed_seats(self) -> list[Seat]:
        """Return the seats that the table waits for and whose clocks run.

        A pause stops all clocks except those of the user who paused the game and of the host, who could end the pause:
        no player can stop their own clock. Their clocks run even if a bot plays for them, because bots wait in a pause.
        """
        secrets, waiting = self.secrets, self.waiting()
        if self.info.paused:
            paying = {secrets.paused_by, secrets.host}
            return [seat for seat in waiting if secrets.users[seat] in paying]
        bots = self._list_bot_seats()
        return [seat for seat in waiting if seat not in bots] if bots else waiting

    def _list_asked_steps(self, seat: Seat) -> Sequence[str]:
        """Return the keys of the steps that wait for a seat."""
        return [clocks.key_of_step(step) for step in self.require_begun().play.steps_waiting_for(seat)]

    # Writing

    def _collect_zones(self, info: Any, secrets: dict[str, Any]) -> PlainState:
        """Return all zones as plain data."""
        if self.recorder is None:
            return PlainState(info, None, [None] * len(self.info.seats), secrets, None)
        zones = self.recorder.zones
        return PlainState(info, zones.board, zones.hands, secrets, zones.hidden)

    def _renew_info(self, done: Entry | None) -> Any:
        """Return the info as plain data; the same object if it is unchanged.

        An action changes the info only if it ends the game or changes a proposal, a bank or the rule of silence.
        """
        kept, info, known = self._kept.info, self.info, self._known_info
        info.silence = self.find_silence()
        has_proposal = bool(kept.get("rollback") or kept.get("taking_back"))
        is_same = info.silence == kept.get("silence", "")
        if done is not None and info.status != "over" and info.clock is None and not has_proposal and is_same:
            return kept
        self._known_info = renew(info, known)
        if self._known_info is known:
            return kept
        return self._restore_unknown(kept, known, self._known_info)

    def _renew_secrets(self, names: list[str]) -> dict[str, Any]:
        """Return the secrets of these names that have changed since the last entry, as plain data."""
        changed: dict[str, Any] = {}
        for name in names:
            known, value = self._known[name], getattr(self.secrets, name)
            if value is known or (not value and value == known):  # most secrets are empty or numbers
                continue
            now = renew(value, known)
            if now is not known:
                changed[name] = self._restore_unknown(self._kept.secrets.get(name), known, now)
                self._known[name] = now
        return changed

    def _restore_unknown(self, kept: Any, known: Any, now: Any) -> Any:
        """Return a changed value with the stored fields that our types do not know."""
        return compatibility.restore_unknown(kept, known, now) if self._has_unknown else now

    def entry(
        self,
        now: int,
        user: str,
        did: dict[str, Any],
        seat: Seat | None,
        news: list[StoredNews],
        done: Entry | None = None,
    ) -> LogEntry:
        """Build the entry for what changed since the last one; the recorder has recorded the game's part already."""
        before = self._kept
        changed = self._renew_secrets(CHANGING if done is None else PLAYED)
        secrets = {**before.secrets, **changed}
        kept = self._kept = self._collect_zones(self._renew_info(done), secrets)
        box = done.hidden if done else patch.make(before.box, kept.box)
        self.version += 1
        entry = LogEntry(
            version=self.version,
            at=now,
            user=user,
            did=did,
            seat=seat,
            info=[] if before.info is kept.info else patch.make(before.info, kept.info),
            board=done.board if done else patch.make(before.board, kept.board),
            hands=done.hands if done else list(map(patch.make, before.hands, kept.hands)),
            hidden=_patch_of_secrets(before.secrets, secrets, list(changed)) + (build_hidden_patch(box) if box else []),
            news=news,
            drawings=done.drawings if done else [],
            digests=done.digests if done else self.digests(),
            format=compatibility.FORMAT,
        )
        growth, self._growth = self._growth, None
        return entry if growth is None or done is None else growth.before(entry)


def build_hidden_patch(box: patch.Patch) -> patch.Patch:
    """Turn a patch of the game's box into a patch of the hidden zone."""
    return [[["game", *op[0]], *op[1:]] for op in box]


def _patch_of_secrets(old: dict[str, Any], new: dict[str, Any], changed: list[str]) -> patch.Patch:
    """Return the patch of the changed secrets; one that the store does not have yet is set as a whole."""
    absent: patch.Patch = [[[name], new[name]] for name in changed if name not in old]
    return patch.make_of(old, new, [name for name in changed if name in old] if absent else changed) + absent


class AddedFields:
    """Patches that add the missing fields of our types to a stored document; the next entry begins with them."""

    def __init__(self, stored: list[Any], document: list[Any]) -> None:
        self._board = patch.make(stored[0], document[0])
        self._hands = list(map(patch.make, stored[1], document[1]))
        self._box = build_hidden_patch(patch.make(stored[2], document[2]))

    def before(self, entry: LogEntry) -> LogEntry:
        """Return the entry with these patches in front of its own."""
        entry.board = self._board + entry.board
        entry.hands = [mine + own for mine, own in zip(self._hands, entry.hands, strict=True)]
        entry.hidden = self._box + entry.hidden
        return entry


class PlainState:
    """All zones as plain data after the last entry; it shares the recorder's zones, which never change."""

    __slots__ = ("board", "box", "hands", "info", "secrets")

    def __init__(self, info: Any, board: Any, hands: list[Any], secrets: dict[str, Any], box: Any) -> None:
        self.info, self.board, self.hands, self.secrets, self.box = info, board, hands, secrets, box
