"""Clocks: how long a seat may hold the table up. They are arithmetic on stored times, so that they survive restarts.

Only seats that are waited for pay. Each decision has its own time; when it is used up, the seat's bank runs. Nobody
gains time by doing and undoing: until a decision is final, what it used is kept, and undoing it lets it run on.
"""

from __future__ import annotations

from collections.abc import Collection

from palatine_protocol.messages import Clock

from ..games.kit import Seat
from .log import Hand


def wound(clock: Clock | None, seats: int) -> list[Hand]:
    """The clocks at the beginning of a game."""
    return [Hand(bank=1000 * clock.bank if clock else 0) for _ in range(seats)]


def left_in_bank(clock: Clock, hand: Hand) -> int:
    """What the seat has besides the time of a single decision, when its clock does not run."""
    return max(0, hand.bank - max(0, (hand.used or 0) - 1000 * clock.move))


def until(clock: Clock | None, hand: Hand) -> int | None:
    """When the time of a seat is up, if it runs."""
    if clock is None or hand.began is None:
        return None
    ends = [hand.began + 1000 * clock.move + hand.bank] if clock.move or clock.bank else []
    if clock.grace is not None and hand.away is not None:
        ends.append(max(hand.away, hand.since or 0) + 1000 * clock.grace)
    return min(ends, default=None)


def run(clock: Clock | None, hands: list[Hand], waiting: Collection[Seat], now: int) -> None:
    """Let the clocks of those who are waited for run, and stop the others."""
    for seat, hand in enumerate(hands):
        if seat not in waiting:
            _stop(hand, now)
            hand.since = None
        elif hand.began is None:
            settle(clock, hand, now)
            hand.began, hand.since = now, hand.since or now


def settle(clock: Clock | None, hand: Hand, now: int) -> None:
    """A decision is final: what it took beyond its own time is paid from the bank, which grows by the increment."""
    _stop(hand, now)
    if clock is not None and hand.used is not None:
        hand.bank = left_in_bank(clock, hand) + 1000 * clock.increment
    hand.used = None


def reopen(hand: Hand, now: int) -> None:
    """A decision is open again: its time runs on from where it was stopped."""
    if hand.used is not None:
        hand.began, hand.used = now - hand.used, None


def hold(hands: list[Hand], now: int) -> None:
    """Stop all clocks."""
    for hand in hands:
        _stop(hand, now)


def put_back(hands: list[Hand], by: int) -> None:
    """The house was closed for so long; nobody pays for that."""
    for hand in hands:
        hand.began = None if hand.began is None else hand.began + by
        hand.away = None if hand.away is None else hand.away + by


def _stop(hand: Hand, now: int) -> None:
    if hand.began is not None:
        hand.used, hand.began = max(0, now - hand.began), None
