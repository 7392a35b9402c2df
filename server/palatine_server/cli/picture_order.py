"""The order of a picture: what the user of `palatine picture` wants drawn, how, and where to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer

from palatine_client.render.look import Scheme
from palatine_client.render.raster.animation import AnimatedKind
from palatine_client.render.svg.view import Layout
from palatine_client.render.translations import Lang

from .picture_texts import translate

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

    def say(self, key: str, **values: object) -> str:
        """Return a text in the user's language."""
        return translate(self.lang, key, **values)

    def refuse(self, option: str, key: str, **values: object) -> NoReturn:
        """End the command because of the value of an option."""
        raise typer.BadParameter(self.say(key, **values), param_hint=option)


def check_order(order: PictureOrder) -> None:
    """Refuse what cannot be drawn, before anything is read."""
    if "." in order.source.partition("#")[0] and not Path(order.source).is_file():  # the id of a table has no dot
        order.refuse("TABLE|RECORD", "no record", source=order.source)
    if order.kind not in ENDINGS:
        order.refuse("-o", "ending", endings=join_endings(ENDINGS, order.lang), out=order.out)
    if order.pace is not None and order.kind not in ANIMATED:
        order.refuse("--animate", "animated ending", endings=join_endings(ANIMATED, order.lang))
    if order.pace is not None and order.at is not None:
        order.refuse("--animate", "animate at")
    if order.width is not None and order.kind == "svg":
        order.refuse("--size", "size of svg")


def join_endings(endings: Sequence[str], lang: Lang) -> str:
    return f"{', '.join(f'.{ending}' for ending in endings[:-1])} {translate(lang, 'or')} .{endings[-1]}"


def must_have_seat(order: PictureOrder, seats: int) -> None:
    if order.seat is not None and order.seat >= seats:
        order.refuse("--seat", "seats", seats=seats)


def must_have_entry(order: PictureOrder, entries: int) -> None:
    if order.at is not None and order.at > entries:
        order.refuse("--at", "entries", entries=entries)
