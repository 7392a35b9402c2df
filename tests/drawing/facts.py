"""Facts: what a picture of a game must show, whoever draws it. They are computed from the rules, never by a renderer.

A fact has an id like a path, the same for every renderer: `castles/0/rooms/-1,0`, `hand/tiles/study`. Its label in each
language and its figures must be readable where it is shown; a fact without both only has to be there.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from palatine_server.checks.laws import list_policies
from palatine_server.checks.random_games import random_moves, seed_of
from palatine_server.games.kit import Game, Recorder, plain

NAMES = ["Ada", "Bruno", "Clara", "Dörte", "Emil", "Frieda", "Gustav"]
SEEDS = 100  # games that are tried for a moment
Labels = dict[str, str]


@dataclass(frozen=True)
class Fact:
    """One thing that a picture must show."""

    id: str
    label: Labels = field(default_factory=dict)
    figures: list[str] = field(default_factory=list)
    piece: str = ""  # the id of the piece in the catalog
    shapes: dict[str, int] = field(default_factory=dict)  # how many of each are drawn, where nothing is written

    def plain(self) -> dict[str, Any]:
        """Return the fact for a file of vectors."""
        return {key: value for key, value in vars(self).items() if value or key in {"label", "figures"}}


def fact(
    name: str, label: Labels | None = None, *figures: object, piece: str = "", shapes: dict[str, int] | None = None
) -> Fact:
    """Build a fact; figures may be numbers or names."""
    counted = {shape: count for shape, count in (shapes or {}).items() if count}
    return Fact(name, label or {}, [str(figure) for figure in figures], piece, counted)


@dataclass(frozen=True)
class Moment:
    """A moment of a game, for one viewer: a seat or, with None, everybody."""

    name: str
    recorder: Recorder
    viewer: int | None

    @property
    def names(self) -> list[str]:
        return NAMES[: len(self.recorder.zones.hands)]

    def view(self) -> dict[str, Any]:
        """Return the fields of the PictureView."""
        play, zones = self.recorder.play, self.recorder.zones
        seat = self.viewer
        return {
            "board": plain(zones.board),
            "hand": None if seat is None else plain(zones.hands[seat]),
            "seat": seat,
            "names": self.names,
            "waiting": [] if play.is_over else list(play.waiting_for()),
            "offer": [] if seat is None or play.is_over else msgspec.to_builtins(play.offer(seat)),
        }


def play_until(game: Game, players: int, is_reached: Callable[[Recorder], bool], **options: Any) -> Recorder:
    """Play games with lively random moves until a moment is reached."""
    for seed in range(SEEDS):
        recorder = Recorder(game.begin(players, seed_of(seed), options))
        for seat, action in random_moves(recorder, Random(seed), list_policies(game)):
            if is_reached(recorder):
                return recorder
            recorder.act(seat, action)
        if is_reached(recorder):
            return recorder
    raise AssertionError(f"no game of {game.name} reached the moment")


def at_start(recorder: Recorder) -> bool:
    return True


def at_end(recorder: Recorder) -> bool:
    return recorder.play.is_over


def watch_from(name: str, recorder: Recorder, *seats: int) -> Iterator[Moment]:
    """Yield the moment for everybody, and for these seats."""
    yield Moment(name, recorder, None)
    yield from (Moment(f"{name}, seat {seat}", recorder, seat) for seat in seats)


# Words of the game


def read_toml(game: Game, name: str) -> dict[str, Any]:
    """Return a file of the folder of a game."""
    return _read_toml(game.folder / name)


@cache
def _read_toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def name_entry(entry: dict[str, Any]) -> Labels:
    """Return the names of a catalog entry."""
    return {lang: entry[f"name_{lang}"] for lang in ("en", "de")}


def name_word(game: Game, group: str, word: str) -> Labels:
    """Return a word of labels.toml."""
    label: Labels = read_toml(game, "labels.toml")["words"][group][word]
    return label
