"""Random games: bots play from a seed, and a check looks at the game after each action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from ..games.kit import Action, Entry, Game, Recorder, Seat, Zones

MOST_ACTIONS = 20_000


class LawBroken(AssertionError):  # noqa: N818 (a mistake of a game)
    """A game breaks a law; the message says how."""


def require(holds: bool, sentence: str) -> None:
    """Raise LawBroken with a sentence unless the condition holds."""
    if not holds:
        raise LawBroken(sentence)


def list_values(value: Any) -> Iterator[Any]:
    """Yield a plain value and all values inside it."""
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from list_values(part)
    yield value


def create_rng(seed: int) -> Random:
    return Random(seed)  # noqa: S311 (reproducible)


def seed_of(number: int) -> str:
    return f"{number:064x}"


def begun(game: Game, players: int, seed: int) -> Recorder:
    """Return a game that has just begun."""
    return Recorder(game.begin(players, seed_of(seed)))


def random_moves(
    recorder: Recorder, rng: Random, policies: Sequence[str] = ("random",)
) -> Iterator[tuple[Seat, Action]]:
    """Yield random legal moves until the game is over; law 4: it ends, and the table always waits for some seat."""
    for _ in range(MOST_ACTIONS):
        if recorder.play.is_over:
            return
        waiting = recorder.play.waiting_for()
        steps = [step.rule for step in recorder.play.document.agenda[:3]]
        require(bool(waiting), f"law 4: the game is not over, but waits for no seat; its next steps are {steps}")
        seat = rng.choice(waiting)
        policy = policies[0] if len(policies) == 1 else rng.choice(policies)
        yield seat, recorder.game.policies[policy](recorder.play, seat, rng.randrange)
    raise LawBroken(f"law 4: random play is not over after {MOST_ACTIONS:,} actions; let the rules bring an end")


def find_moment(recorder: Recorder, rng: Random, most: int, part: float = 1.0) -> Zones:
    """Play on at random for less than `most` actions, and return the zones then.

    If the game was over before, return the zones at some moment of its first part.
    """
    past = [recorder.zones]
    for _, (seat, action) in zip(range(rng.randrange(most)), random_moves(recorder, rng), strict=False):
        recorder.act(seat, action)
        past.append(recorder.zones)
    early = past[: max(1, int(part * (len(past) - 1)))]
    return rng.choice(early) if recorder.play.is_over else past[-1]


def played(game: Game, players: int, seed: int, each: Callable[[Recorder, Entry], None] | None = None) -> list[Entry]:
    """Play a whole random game; call `each` after every action, and return the log."""
    recorder, log = begun(game, players, seed), list[Entry]()
    for seat, action in random_moves(recorder, create_rng(seed)):
        log.append(recorder.act(seat, action))
        if each:
            each(recorder, log[-1])
    return log
