"""Random games: bots play from a seed, and a check looks at the game after each action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from palatine_protocol.offers import count

from ..games.kit import Action, Entry, Game, Play, Recorder, Refused, Seat, Zones

MOST_ACTIONS = 20_000
Plain = dict[str, Any]


class LawBroken(AssertionError):  # noqa: N818 (a mistake of a game)
    """A game breaks a law; the message says how."""


class EndlessGame(LawBroken):
    """Random play does not come to an end."""


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
    """Return a game that has just begun, with the options that belong to the seed."""
    return Recorder(_begin(game, players, seed, choose_options(game, players, seed)))


def _begin(game: Game, players: int, seed: int, options: Plain) -> Play[Any, Any, Any]:
    """Begin with these options, or with the usual ones if the game does not allow these to so many players."""
    try:
        return game.begin(players, seed_of(seed), options)
    except Refused:
        return game.begin(players, seed_of(seed))


def choose_options(game: Game, players: int, seed: int) -> Plain:
    """Return the options of the game that belongs to a seed: seed 0 has the usual ones, later seeds all in turn."""
    options = list_all_options(game)
    return options[(seed + players - game.players[0]) % len(options)] if seed else {}


def list_options(game: Game) -> list[Plain]:
    """Return the usual options, and for every switch or word another table that sets it."""
    return [{}, *_list_switches(game)]


def list_all_options(game: Game) -> list[Plain]:
    """Return these options, and for every number its smallest and its largest value."""
    return [*list_options(game), *_list_limits(game)]


def _list_switches(game: Game) -> Iterator[Plain]:
    for name, option in _describe_options(game).items():
        values = option.get("enum", [True, False] if option.get("type") == "boolean" else [])
        yield from ({name: value} for value in values if value != option.get("default"))


def _list_limits(game: Game) -> Iterator[Plain]:
    """Yield the smallest and the largest value of every number, each at a table of its own."""
    for name, option in _describe_options(game).items():
        limits = [option[limit] for limit in ("minimum", "maximum") if limit in option]
        yield from ({name: value} for value in limits if value != option.get("default"))


def _describe_options(game: Game) -> Plain:
    schema = msgspec.json.schema(game.options)
    options: Plain = schema["$defs"][schema["$ref"].rpartition("/")[2]].get("properties", {})
    return options


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
        _require_choices(recorder.play, seat)
        policy = policies[0] if len(policies) == 1 else rng.choice(policies)
        yield seat, recorder.game.policies[policy](recorder.play, seat, rng.randrange)
    raise EndlessGame(f"law 4: random play is not over after {MOST_ACTIONS:,} actions; let the rules bring an end")


def _require_choices(play: Play[Any, Any, Any], seat: Seat) -> None:
    """Law 4: a seat that must decide has something to choose from; a range or a list may be empty."""
    if not count(play.offer(seat)):
        offered = ", ".join(f"{choice.do} {choice.fields}" for choice in play.offer(seat))
        rules = ", ".join(repr(step.rule) for step in play.steps_waiting_for(seat))
        raise LawBroken(f"law 4: {rules} asks seat {seat}, but offers nothing to choose from: {offered}")


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
