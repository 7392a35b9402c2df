"""The recorder carries out actions and records each as an entry: the patch of every zone, the news, the digests.

Applying the entries gives the document again without running a rule. The recorder also knows which actions a seat may
undo, from the zones that were read: a seat can undo an action if it took nothing out of the box, touched no other hand,
revealed nothing of the seat's own hand, used no chance, no other seat has acted since, and no rule made it final.
"""

from __future__ import annotations

from typing import Any, Final
from zlib import crc32

from palatine_protocol import patch
from palatine_protocol.errors import Code

from .chance import Drawing
from .decisions import Action
from .document import Seat
from .drawings import record_draws
from .engine import HIDDEN, PendingRule, PendingRules, Play
from .entries import ActionUndone, Entry, Zones
from .game import Game
from .refusal import refuse
from .renewal import ZoneCache, plain, renew

_NO_HAND: Final = {HIDDEN}  # the zones of an action that touches no hand
_SCALARS: Final = {int, str, bool}
MOST_UNDONE = 64  # the most actions that a seat can undo in a row; older ones are forgotten


class Recorder:
    """Carries out the actions of a game, and records its log."""

    __slots__ = ("_board", "_digests", "_hands", "_offers_read", "_past", "_public", "play", "zones")

    def __init__(self, play: Play[Any, Any, Any]) -> None:
        document = play.document
        self.play, self._offers_read = play, play.game.offers_read
        self._board = ZoneCache(document.board)
        self._hands = [ZoneCache(hand) for hand in document.hands]
        hidden = {name: renew(getattr(document, name), None) for name in ("box", "chance", "agenda")}
        self.zones = Zones(self._board.plain, [hand.plain for hand in self._hands], hidden)
        self._public = crc32(self._board.canonical())
        self._digests = self._compute_digests()
        self._past: list[tuple[Seat, Zones]] = []
        play.told.clear()

    @property
    def game(self) -> Game:
        return self.play.game

    def act(self, seat: Seat, action: Action) -> Entry:
        """Carry out an action, or refuse it and change nothing."""
        before, pending = self.zones, self.play.list_pending()
        with record_draws() as drawings:
            self.play.act(seat, action)
        self._renew_zones(self.play.looked_at | self.play.asked_about)
        self.play.reuse(self._list_unaffected(pending, seat, before))
        entry = self._build_entry(seat, plain(action), before, drawings)
        self._remember_undo(seat, before, entry)
        return entry

    def may_undo(self, seat: Seat) -> bool:
        return self.undoing() == seat

    def undoing(self) -> Seat | None:
        """Return the seat that may undo its last action."""
        return self._past[-1][0] if self._past else None

    def forget_past(self) -> None:
        """Make all past actions final."""
        self._past.clear()

    def undo(self, seat: Seat) -> Entry:
        """Restore the document as it was before the seat's last action."""
        if not self.may_undo(seat):
            raise refuse(Code.CANNOT_UNDO)
        before, (_, then) = self.zones, self._past.pop()
        left, self.play = self.play, self.game.resume(then.document())
        left.release()
        self._renew_zones({HIDDEN, *self.play.seats})
        self.play.tell(ActionUndone(seat))
        return self._build_entry(seat, {"do": "undo"}, before, [])

    def release(self) -> None:
        """Drop everything that can be computed again, as long as no viewer needs the table."""
        self.play.release()
        self._board.release()
        for hand in self._hands:
            hand.release()

    def digests(self) -> list[int]:
        """Return the digest of every seat's view, and of the public one."""
        return [*self._digests]

    def _renew_zones(self, touched: set[Seat]) -> None:
        """Renew the zones after an action; zones that no rule read are unchanged."""
        hands = self._renew_hands(touched) if touched and touched != _NO_HAND else self.zones.hands
        if self._board.renew(self.play.document.board):
            self._public = crc32(self._board.canonical())
            self._digests = self._compute_digests()
        self.zones = Zones(self._board.plain, hands, self._renew_hidden(HIDDEN in touched))

    def _renew_hands(self, touched: set[Seat]) -> list[Any]:
        """Return all hands as plain data; the same list as before if none has changed."""
        hands, document = self.zones.hands, self.play.document
        for seat in touched:
            if seat != HIDDEN:
                hand = self._hands[seat]
                if hand.renew(document.hands[seat]):
                    hands = [*hands] if hands is self.zones.hands else hands
                    hands[seat] = hand.plain
                    self._digests[seat] = crc32(hand.canonical(), self._public)
        return hands

    def _renew_hidden(self, is_touched: bool) -> dict[str, Any]:
        """Return the zones that no player sees as plain data; the same dict as before if nothing has changed."""
        document, before = self.play.document, self.zones.hidden
        box, chance = before["box"], before["chance"]
        if is_touched:
            box, chance = renew(document.box, box), renew(document.chance, chance)
        agenda = renew(document.agenda, before["agenda"])
        if agenda is before["agenda"] and box is before["box"] and chance is before["chance"]:
            return before
        return {"box": box, "chance": chance, "agenda": agenda}

    def _compute_digests(self) -> list[int]:
        public = self._public
        return [*[crc32(hand.canonical(), public) for hand in self._hands], public]

    def _list_unaffected(self, pending: PendingRules, actor: Seat, before: Zones) -> PendingRules:
        """Return the pending rules, by seat, that would make the same offer again; the answered one is done."""
        old = before.board
        if not self._offers_read and self._board.plain is not old:
            return {}  # any rule may have read what has changed
        changed, answered = self._find_changed_zones(before), self.play.answered
        unaffected: PendingRules = {}
        for seat, rules in pending.items():
            stand = [
                rule
                for rule in rules
                if not (rule.step is answered and seat == actor) and self._is_unaffected(rule, seat, old, changed)
            ]
            if stand:
                unaffected[seat] = stand
        return unaffected

    def _find_changed_zones(self, before: Zones) -> set[Seat]:
        """Return the seats whose hands have changed, and HIDDEN if the box or the chance has."""
        hands, old = self.zones.hands, before.hands
        changed = set[Seat]() if hands is old else {seat for seat, hand in enumerate(hands) if hand is not old[seat]}
        hidden, was = self.zones.hidden, before.hidden
        if hidden is not was and (hidden["box"] is not was["box"] or hidden["chance"] is not was["chance"]):
            changed.add(HIDDEN)
        return changed

    def _is_unaffected(self, rule: PendingRule, seat: Seat, old: Any, changed: set[Seat]) -> bool:
        """Return whether nothing has changed that a rule read before it asked."""
        if changed and not changed.isdisjoint(rule.about):
            return False
        new = self._board.plain
        if new is old:
            return True
        step = rule.step
        read = self._offers_read.get(step.rule)
        if read is None:
            return False
        given = step.given
        for path in read(self.play, seat, **given) if given else read(self.play, seat):
            if not _is_same_part(old, new, path):
                return False
        return True

    def _build_entry(self, seat: Seat, action: Any, before: Zones, drawings: list[Drawing]) -> Entry:
        news, self.play.told = self.play.told, []
        zones = self.zones
        hands = zones.hands
        return Entry(
            seat=seat,
            action=action,
            board=[] if zones.board is before.board else self._patch_board(before.board),
            hands=[_patch(old, hands[at]) for at, old in enumerate(before.hands)],
            hidden=_patch(before.hidden, zones.hidden),
            news=news,
            digests=self.digests(),
            drawings=drawings,
        )

    def _patch_board(self, before: dict[str, Any]) -> patch.Patch:
        plain, changed = self._board.plain, self._board.changed
        return patch.make_of(before, plain, changed) if changed else patch.make(before, plain)

    def _remember_undo(self, seat: Seat, before: Zones, entry: Entry) -> None:
        if self._past and self._past[-1][0] != seat:
            self._past.clear()
        if self.play.is_final or self._reveals(seat, entry):
            self._past.clear()
        else:
            del self._past[: len(self._past) + 1 - MOST_UNDONE]
            self._past.append((seat, before))

    def _reveals(self, seat: Seat, entry: Entry) -> bool:
        """Return whether the action may have revealed hidden information."""
        for other in self.play.looked_at:
            if other != seat:
                return True
        return bool(entry.hands[seat]) and (bool(entry.board) or any(each.to != [seat] for each in entry.news))


def _patch(old: Any, new: Any) -> patch.Patch:
    return [] if old is new else patch.make(old, new)


def _is_same_part(old: Any, new: Any, path: tuple[str | int, ...]) -> bool:
    """Return whether two boards have the same part at a path; unchanged parts are shared."""
    for key in path:
        old, new = old[key], new[key]
    return old is new or (type(old) in _SCALARS and old == new)
