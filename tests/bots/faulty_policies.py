"""Counters with policies that misbehave in every way a policy can. The worker processes find the game by its name."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from typing import Any

from bench.counter import COUNTER, Add

from palatine_server.games.kit import Action


def add(play: Any, seat: int, below: Any) -> Action:
    return Add()


def loop(play: Any, seat: int, below: Any) -> Action:
    while True:
        pass


def sleep(play: Any, seat: int, below: Any) -> Action:
    time.sleep(3600)
    return Add()


def ponder(play: Any, seat: int, below: Any) -> Action:
    time.sleep(0.5)
    return Add()


def end(play: Any, seat: int, below: Any) -> Action:
    os.kill(os.getpid(), signal.SIGKILL)
    return Add()


def fail(play: Any, seat: int, below: Any) -> Action:
    raise ValueError(f"the secret of seat {seat}")


def talk(play: Any, seat: int, below: Any) -> Action:
    print("this must not be taken for an answer", flush=True)  # noqa: T201
    return Add()


def peek(play: Any, seat: int, below: Any) -> Action:
    hidden = [hand for other, hand in enumerate(play.document.hands) if other != seat]
    assert [*hidden, play.document.box, play.document.chance] == [None] * (len(hidden) + 2)
    assert play.document.hands[seat] is not None
    return Add()


def nonsense(play: Any, seat: int, below: Any) -> Any:
    return {"do": "cheat"}


POLICIES = (add, loop, sleep, ponder, end, fail, talk, peek, nonsense)
STUBBORN = replace(
    COUNTER, name="stubborn", policies={**COUNTER.policies, **{policy.__name__: policy for policy in POLICIES}}
)
