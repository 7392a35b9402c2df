"""Weights: the progress of the game, and the worth of pieces at that stage, in points."""

from __future__ import annotations

from msgspec import Struct

from ..board import Noblemen
from ..catalog import BALL, META, TRACK


def progress(game: Noblemen) -> float:
    """Return how far the game is: 0 at the start, nearly 1 at the end."""
    return ((game.board.decade - 1) * len(TRACK) + game.board.round) / (META.decades * len(TRACK))


def decades_left(game: Noblemen) -> int:
    """Return how often buildings will still be scored."""
    return META.decades - game.board.decade + 1


def balls_left(game: Noblemen) -> int:
    rest = TRACK[game.board.round + 1 :].count(BALL)
    return rest + (decades_left(game) - 1) * TRACK.count(BALL)


class Style(Struct, frozen=True, kw_only=True):
    """The weights of a bot: the worth of pieces and actions, in points."""

    pound: tuple[float, float] = (0.45, 0.1)  # at the start and at the end
    tile: tuple[float, float] = (0.6, 0.1)
    prestige: float = 0.4  # at each ball
    enough_prestige: int = 1000  # from here on, more prestige is hardly of use
    queen: float = 1.5
    card: float = 1.5
    kept_bribe: float = 0.3  # for a ball to come
    next_tiles: float = 0.9  # of an expansion, compared with the first
    levied: float = 0.8  # the probability that a field or grove will be taxed in each decade
    meadow: float = 0.5
    first_meadow: float = 1.2  # if no other meadow is empty
    areas: tuple[float, float, float] = (1, 1, 1)  # a manor, forest, garden besides what it gives
    quarters: tuple[float, ...] = (0.05, 0.15, 0.3, 1.0)  # of an area, by how many of the others are there
    enclosing: float = 0.5  # a tile beside a castle or palace, in each decade
    gaps: tuple[float, ...] = ()  # instead: the part of its points for such a tile, by the number of gaps
    castle: float = 0.5  # the probability that it will be enclosed
    palace: float = 1.0
    chapel: float = 0.7  # the probability that the building beside it will be enclosed
    knight: float = 2.0
    spared: float = 0.5  # a marker or card that is not spent at a ball
    discount: float = 0.5  # of a title, for each pound
    thorough: bool = False  # whether it plans expansions tile by tile, and considers trades and rivals
    bargain: float = 0.5  # the least improvement that justifies a trade
    dearest: tuple[str, ...] = (  # which cards are worth keeping, best first
        "inheritance",
        "liaison",
        "secret_wedding",
        "dowry",
        "brilliant_move",
        "tribute",
        "vicars_favour",
        "blackmail",
        "whitehall",
        "intrigue",
    )

    def per_pound(self, game: Noblemen) -> float:
        return between(self.pound, progress(game))

    def per_gap(self, missing: int, points: int) -> float:
        return self.gaps[missing - 1] * points if self.gaps and missing else self.enclosing

    def per_prestige(self, has: int) -> float:
        return self.prestige if has < self.enough_prestige else 0.2 * self.prestige

    def per_tile(self, game: Noblemen) -> float:
        return between(self.tile, progress(game))


def between(ends: tuple[float, float], done: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * done


PLAIN = Style()
