"""The order of a picture: what the user of `palatine picture` wants drawn, how, and where to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from palatine_client.render.look import Scheme
from palatine_client.render.raster.animation import AnimatedKind
from palatine_client.render.svg.view import Layout
from palatine_client.render.translations import Lang

STDOUT = "-"
ENDINGS = ("svg", "png", "webp", "gif")
ANIMATED: tuple[AnimatedKind, ...] = ("webp", "gif")


@dataclass(frozen=True, kw_only=True)
class PictureOrder:
    """What the user wants drawn, how, and where to."""

    source: str
    out: str
    seat: int | None
    at: int | None
    pace: float | None  # pictures per second; None: a single picture
    lang: Lang
    scheme: Scheme
    layout: Layout
    width: int | None

    @property
    def kind(self) -> str:
        """The kind of file, by its ending."""
        return "svg" if self.out == STDOUT else Path(self.out).suffix.lower().removeprefix(".")


def check_order(order: PictureOrder) -> None:
    """Refuse what cannot be drawn, before anything is read."""
    if order.kind not in ENDINGS:
        refuse_option("-o", f"a picture ends in {join_endings(ENDINGS)}, not in {order.out!r}")
    if order.pace is not None and order.kind not in ANIMATED:
        refuse_option("--animate", f"a moving picture ends in {join_endings(ANIMATED)}: -o game.webp")
    if order.pace is not None and order.at is not None:
        refuse_option("--animate", "it draws the whole game; leave --at out")
    if order.width is not None and order.kind == "svg":
        refuse_option("--size", "an SVG has any size; leave --size out, or write a .png")


def refuse_option(option: str, sentence: str) -> None:
    raise typer.BadParameter(sentence, param_hint=option)


def join_endings(endings: Sequence[str]) -> str:
    return f"{', '.join(f'.{ending}' for ending in endings[:-1])} or .{endings[-1]}"


def must_have_seat(order: PictureOrder, seats: int) -> None:
    if order.seat is not None and order.seat >= seats:
        refuse_option("--seat", f"there are seats 1 to {seats}")
