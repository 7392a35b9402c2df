"""Clocks: how long a seat may hold the table up. They are arithmetic on stored times, so that they survive restarts.

A clock runs only while the table waits for its seat. Each decision has its own time; when that is used up, the seat's
bank runs. A decision is a step of the game's agenda that asks a seat. The seat gets the time of a decision when the
step first asks it, and the increment when the decision has ended. A decision has ended when it cannot be undone, and
its step asks the seat no more or asks it something new. Until then the time runs on whenever the step asks the seat
again: after an undo, after a new proposal, or after a tile was taken back. So no request gains time unless it decides
something.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

import msgspec

from palatine_protocol.messages import Clock

from ...games.kit import Play, Seat, Step
from ..model import SeatClock

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def create_clocks(clock: Clock | None, seats: int) -> list[SeatClock]:
    """Build the clocks for the beginning of a game."""
    return [SeatClock(bank=1000 * clock.bank if clock else 0) for _ in range(seats)]


def key_of_step(step: Step) -> str:
    """Return the key of a step, whichever seats it still asks; no two steps that ask a seat at a time share a key."""
    return f"{step.rule} {crc32(_encode((step.lane, step.given))):08x}"


def compute_bank(clock: Clock, hand: SeatClock) -> int:
    """Return the time in the bank of a seat whose clock does not run."""
    return max(0, hand.bank - max(0, (hand.used or 0) - 1000 * clock.move))


def find_deadline(clock: Clock | None, hand: SeatClock) -> int | None:
    """Return when the time of a seat is up; None if its time does not run."""
    if clock is None or hand.began is None:
        return hand.lapses
    ends = [] if hand.lapses is None else [hand.lapses]
    return min(ends + _find_clock_ends(clock, hand, hand.began), default=None)


def _find_clock_ends(clock: Clock, hand: SeatClock, began: int) -> list[int]:
    ends = [began + 1000 * clock.move + hand.bank] if clock.move or clock.bank else []
    if clock.grace is not None and hand.away is not None:
        ends.append(max(hand.away, hand.since or 0) + 1000 * clock.grace)
    return ends


def note_waiting(hands: list[SeatClock], waiting: Collection[Seat], now: int, is_paused: bool = False) -> None:
    """Note since when a table without a clock has waited for each seat; a pause keeps these times."""
    for seat, hand in enumerate(hands):
        if seat in waiting:
            if not hand.since:
                hand.since = now
        elif not is_paused and hand.since is not None:
            hand.since = None


def note_lapses(hands: list[SeatClock], lapsing: Mapping[Seat, float], now: int) -> None:
    """Set when the offers of these seats lapse: so many seconds after the rules first asked the seat."""
    if not lapsing:  # as in most games
        for hand in hands:
            if hand.lapses is not None:
                hand.lapses = None
        return
    for seat, hand in enumerate(hands):
        if seat not in lapsing:
            hand.lapses = None
        elif hand.lapses is None:
            hand.lapses = now + int(1000 * lapsing[seat])


def run(
    clock: Clock | None, hands: list[SeatClock], asked: Sequence[Collection[str]], now: int, is_paused: bool = False
) -> None:
    """Run the clocks of the seats that the table waits for, and stop the others.

    `asked` holds, by seat, the keys of the steps that wait for it.
    """
    for hand, keys in zip(hands, asked, strict=True):
        if not keys:
            stop(hand, now)
            hand.since = hand.since if is_paused else None
            continue
        if hand.began is None:
            _begin(clock, hand, keys, now)
        _note_asked(hand, keys)


def _begin(clock: Clock | None, hand: SeatClock, keys: Collection[str], now: int) -> None:
    """Run the time of a decision: from where it stopped, or from now if no step has asked the seat this before."""
    if hand.used is not None and all(key in hand.asked for key in keys):
        reopen(hand, now)
    else:
        has_ended = hand.used is not None and not hand.asked  # it could be undone until now
        _pay(clock, hand)
        hand.bank += 1000 * clock.increment if clock is not None and has_ended else 0
        hand.began = now
    hand.since = hand.since or now


def _note_asked(hand: SeatClock, keys: Iterable[str]) -> None:
    if new := [key for key in keys if key not in hand.asked]:
        hand.asked = sorted([*hand.asked, *new])


def settle_decisions(
    clock: Clock, hands: list[SeatClock], play: Play[Any, Any, Any], decider: Seat | None, now: int
) -> None:
    """Settle the time of all decisions that the last action ended; the action is final, and `decider` decided it."""
    answered = play.answered
    finished = key_of_step(answered) if answered is not None and not answered.seats and not answered.free else ""
    for seat, hand in enumerate(hands):
        listed = {key_of_step(step) for step in play.document.agenda if seat in step.seats or seat in step.free}
        still = [key for key in hand.asked if key in listed and key != finished]
        has_ended, hand.asked = len(still) < len(hand.asked), still
        if seat == decider:
            has_run = has_ended or hand.began is not None or hand.used is not None
            _settle(clock, hand, has_run, now)
        elif has_ended and hand.began is not None:  # another decision still waits for this seat
            hand.bank += 1000 * clock.increment
        elif has_ended:
            _settle(clock, hand, True, now)


def note_decided(hand: SeatClock, step: Step) -> None:
    """Note that the seat has answered this step; if the step asks the seat once more, that is another decision."""
    key = key_of_step(step)
    hand.asked = [other for other in hand.asked if other != key]


def _settle(clock: Clock, hand: SeatClock, earns: bool, now: int) -> None:
    """Deduct from the bank the time that a decision took beyond its own; add the increment if the seat earns it."""
    stop(hand, now)
    _pay(clock, hand)
    hand.bank += 1000 * clock.increment if earns else 0


def _pay(clock: Clock | None, hand: SeatClock) -> None:
    if clock is not None and hand.used is not None:
        hand.bank = compute_bank(clock, hand)
    hand.used = None


def reopen(hand: SeatClock, now: int) -> None:
    """Reopen a decision: its time runs on from where it stopped."""
    if hand.used is not None:
        hand.began, hand.used = now - hand.used, None


def rewind(clock: Clock | None, hand: SeatClock, bank: int, now: int) -> None:
    """Reset a clock after the game went back: the bank is the smaller of its value then (`bank`) and its value now."""
    stop(hand, now)
    _pay(clock, hand)
    hand.bank, hand.asked, hand.lapses = min(hand.bank, bank), [], None


def put_back(hands: list[SeatClock], by: int) -> None:
    """Move all clocks by the time in which no node ran, so that no player loses that time."""
    for hand in hands:
        hand.began = None if hand.began is None else hand.began + by
        hand.away = None if hand.away is None else hand.away + by
        hand.lapses = None if hand.lapses is None else hand.lapses + by


def stop(hand: SeatClock, now: int) -> None:
    """Stop one clock, and keep the time that its decision has used."""
    if hand.began is not None:
        hand.used, hand.began = max(0, now - hand.began), None
