"""The scribe watches a play and writes down each action as an entry: the patch of every zone, the news, the digests.

Folding the entries gives the document again without running a rule. The scribe also knows how far a seat may go back,
and computes it from what was looked at: an action can be undone while it took nothing out of the box, touched no other
hand, brought nothing from the own hand before other eyes, drew no chance, no other seat acted since, and the rules did
not make it final.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final
from zlib import crc32

import msgspec

from palatine_protocol import digest, patch
from palatine_protocol.errors import Code

from .asking import Action, plain
from .chance import Drawing
from .document import Seat
from .entries import ActionUndone, Entry, Zones
from .game import Game
from .play import HIDDEN, Play
from .refusal import refuse
from .sheet import sheet
from .witness import witnessed

_encode: Final = msgspec.msgpack.Encoder().encode
_NO_HAND: Final = {HIDDEN}  # what is touched when no hand is
MOST_UNDONE = 64  # how many actions one seat can take back in a row; older ones are forgotten


class Scribe:
    """Plays a game and writes its log."""

    def __init__(self, play: Play[Any, Any, Any]) -> None:
        self.play = play
        self.zones = zones_of(play)
        self._sheet = sheet(play.document.board)
        self._public = crc32(self._sheet.canonical)
        self._canonical = [digest.canonical(hand) for hand in self.zones.hands]
        self._agenda = _encode(play.document.agenda)
        self._past: deque[tuple[Seat, Zones]] = deque(maxlen=MOST_UNDONE)
        play.told.clear()

    @property
    def game(self) -> Game:
        return self.play.game

    def act(self, seat: Seat, action: Action) -> Entry:
        """Carry out an action, or refuse it and change nothing."""
        before = self.zones
        with witnessed() as drawings:
            self.play.act(seat, action)
        touched = self.play.asked_about | self.play.looked_at
        self.zones = self._seen_again(before, touched)
        entry = self._entry(seat, plain(action), before, touched, drawings)
        self._remember(seat, before, entry)
        return entry

    def may_undo(self, seat: Seat) -> bool:
        return self.undoing() == seat

    def undoing(self) -> Seat | None:
        """The seat that may take its last action back."""
        return self._past[-1][0] if self._past else None

    def forget_past(self) -> None:
        """Make everything final that was done so far."""
        self._past.clear()

    def undo(self, seat: Seat) -> Entry:
        """Go back to the document before the seat's last action."""
        if not self.may_undo(seat):
            raise refuse(Code.CANNOT_UNDO)
        before, (_, self.zones) = self.zones, self._past.pop()
        self.play = self.game.resumed(self.zones.document())
        self._agenda = _encode(self.play.document.agenda)
        self._renew_sheet()
        self.play.tell(ActionUndone(seat))
        return self._entry(seat, {"do": "undo"}, before, {*range(len(self.zones.hands))})

    def digests(self) -> list[int]:
        """The digest of every seat's view, and of the public one."""
        digests = [crc32(hand, self._public) for hand in self._canonical]
        digests.append(self._public)
        return digests

    def _seen_again(self, before: Zones, touched: set[Seat]) -> Zones:
        """The zones after an action; those that nobody looked at are as they were."""
        document, hands = self.play.document, before.hands
        if touched and touched != _NO_HAND:
            hands = [plain(hand) if seat in touched else hands[seat] for seat, hand in enumerate(document.hands)]
        self._renew_sheet()
        return Zones(self._sheet.plain, hands, self._hidden(before.hidden, HIDDEN in touched))

    def _renew_sheet(self) -> None:
        before, self._sheet = self._sheet, sheet(self.play.document.board, self._sheet)
        if self._sheet is not before:
            self._public = crc32(self._sheet.canonical)

    def _hidden(self, before: dict[str, Any], is_touched: bool) -> dict[str, Any]:
        """What nobody sees; the same as before, if nothing of it has changed."""
        document, agenda = self.play.document, _encode(self.play.document.agenda)
        if agenda == self._agenda and not is_touched:
            return before
        self._agenda = agenda
        hidden = plain({"box": document.box, "chance": document.chance}) if is_touched else before
        return {**hidden, "agenda": plain(document.agenda)}

    def _entry(
        self, seat: Seat, action: Any, before: Zones, touched: set[Seat], drawings: Sequence[Drawing] = ()
    ) -> Entry:
        for other in touched:
            if other != HIDDEN:
                self._canonical[other] = digest.canonical(self.zones.hands[other])
        news, self.play.told = self.play.told, []
        return Entry(
            seat=seat,
            action=action,
            board=_patch(before.board, self.zones.board),
            hands=[_patch(old, self.zones.hands[at]) for at, old in enumerate(before.hands)],
            hidden=_patch(before.hidden, self.zones.hidden),
            news=news,
            digests=self.digests(),
            drawings=list(drawings),
        )

    def _remember(self, seat: Seat, before: Zones, entry: Entry) -> None:
        if self._past and self._past[-1][0] != seat:
            self._past.clear()
        if self.play.is_final or self._reveals(seat, entry):
            self._past.clear()
        else:
            self._past.append((seat, before))

    def _reveals(self, seat: Seat, entry: Entry) -> bool:
        """Whether anything hidden may have come before eyes that had not seen it."""
        if any(other != seat for other in self.play.looked_at):
            return True
        told_others = any(told.to != [seat] for told in entry.news)
        return bool(entry.hands[seat]) and (bool(entry.board) or told_others)


def _patch(old: Any, new: Any) -> patch.Patch:
    return [] if old is new else patch.make(old, new)


def zones_of(play: Play[Any, Any, Any]) -> Zones:
    document = plain(play.document)
    return Zones(document.pop("board"), document.pop("hands"), document)
