"""The files that `palatine picture` writes: a still picture, or a whole game as a moving one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from palatine_client.render.pictures import draw_picture_or_generic
from palatine_client.render.raster.animation import ANIMATED_WIDTH, MOST_FRAMES, AnimatedKind, animate
from palatine_client.render.raster.pixels import rasterise
from palatine_client.render.svg.view import PictureView

from .output import console, give_up
from .picture_order import STDOUT, PictureOrder, check_order
from .picture_progress import PictureProgress, show_progress
from .picture_views import read_record, replay_table, watch_once


def draw_source(order: PictureOrder, server: str, invitation: str, games: Sequence[str] | None) -> None:
    """Draw a record file, or else a table of a server."""
    check_order(order)
    if Path(order.source).is_file():
        draw_record(order, games)
    else:
        from palatine_client.cli.errors import run

        run(draw_table(order, server, invitation), server, order.lang)


def draw_record(order: PictureOrder, games: Sequence[str] | None) -> None:
    """Draw a record."""
    with show_progress(order.lang) as progress:
        pictures = DrawnPictures(progress)
        for view in read_record(order, games):
            pictures.add(view)
        content = encode_pictures(order, pictures.list_chosen(), progress)
    write_file(order, content)


async def draw_table(order: PictureOrder, server: str, invitation: str) -> None:
    """Draw a table of a server, as the user of this machine sees it."""
    from palatine_client.cli.connect import connect_as, remote_target
    from palatine_client.cli.http_api import HttpApi
    from palatine_client.cli.shell_hints import split_invitation

    api, given = HttpApi(server, order.lang), split_invitation(order.source, invitation)
    await api.fetch_games()  # raises a CommandError if there is no server
    find_views = watch_once if order.pace is None and order.at is None else replay_table
    with show_progress(order.lang) as progress:
        pictures = DrawnPictures(progress)
        async with connect_as(server, remote_target(server).identity_path) as client:
            async for view in find_views(order, client, api, *given):
                pictures.add(view)
        content = encode_pictures(order, pictures.list_chosen(), progress)
    write_file(order, content)


class DrawnPictures:
    """Pictures of moments, each drawn at once, because the documents change in place. Their number is bounded."""

    def __init__(self, progress: PictureProgress) -> None:
        self._progress = progress
        self._pictures: list[str] = []

    def add(self, view: PictureView) -> None:
        """Draw a moment; one that looks like the moment before is left out."""
        svg = draw_picture_or_generic(view)
        if self._pictures[-1:] != [svg]:
            self._pictures.append(svg)
        if len(self._pictures) > 2 * MOST_FRAMES:
            self._pictures = thin_out(self._pictures)
        self._progress.note_moment()

    def list_chosen(self) -> list[str]:
        """Return the pictures, not more than an animation may have."""
        return thin_out(self._pictures)


def thin_out(pictures: list[str], most: int = MOST_FRAMES) -> list[str]:
    """Return so many pictures at most, evenly spread, always with the last."""
    step = -(-len(pictures) // most) or 1
    return pictures[::-1][::step][::-1]


def encode_pictures(order: PictureOrder, pictures: list[str], progress: PictureProgress) -> bytes:
    """Return the file of one picture, or of many as a moving one."""
    if not pictures:
        give_up(order.say("not begun"))
    if order.pace is not None:
        progress.begin_frames(len(pictures))
        kind: AnimatedKind = "gif" if order.kind == "gif" else "webp"
        return animate(pictures, kind, order.pace, order.width or ANIMATED_WIDTH, progress.note_frame)
    match order.kind:
        case "png" | "webp" | "gif" as still:
            return rasterise(pictures[-1], still, order.width)
    return pictures[-1].encode()


def write_file(order: PictureOrder, content: bytes) -> None:
    """Write the file, or to standard output."""
    if order.out == STDOUT:
        sys.stdout.buffer.write(content)
        return
    try:
        Path(order.out).write_bytes(content)
    except OSError as error:
        give_up(f"{order.out}: {error.strerror}")
    console.print(f"{order.out} ({len(content) // 1024 + 1} KiB)", highlight=False)
