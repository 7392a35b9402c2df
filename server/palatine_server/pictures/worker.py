"""A picture worker: a process that draws. Drawing takes long, and the rasteriser holds the interpreter lock."""

from __future__ import annotations

import msgspec

from palatine_client.render.pictures import draw_generic_picture, draw_picture
from palatine_client.render.raster.pixels import choose_width, rasterise
from palatine_client.render.svg.drawable_names import use_drawable_names
from palatine_client.render.svg.view import PictureView

from ..games.registry import load_games
from ..worker_processes.child import Work, run_worker
from .jobs import PictureAnswer, PictureJob, PictureKind, PictureTask, build_view

SERVED_PIXELS = 1_100_000  # of a PNG: a board of 80 tiles is rasterised in less than 200 milliseconds
LOST = "lost"  # the error of a presentation that ended the processes it was drawn in, or never came to an end
_tasks = msgspec.msgpack.Decoder(PictureTask)
_jobs = msgspec.msgpack.Decoder(PictureJob)
_encode = msgspec.msgpack.Encoder().encode


def load(names: list[str]) -> Work:
    """Load the games, and return the function that draws the picture of a job."""
    games = load_games(names)

    def answer(content: bytes) -> bytes:
        task = _tasks.decode(content)
        job = _jobs.decode(task.content)
        return answer_task(task, build_view(job, games[job.game]), job.style.kind)

    return answer


def answer_task(task: PictureTask, view: PictureView, kind: PictureKind) -> bytes:
    """Return the encoded answer to a task."""
    if kind != "svg":
        view = use_drawable_names(view)
    return _encode(draw_after_error(view, kind, LOST) if task.is_generic else draw_safely(view, kind))


def draw_safely(view: PictureView, kind: PictureKind) -> PictureAnswer:
    """Return the picture; if the game's own presentation fails, the generic one, with the kind of the error.

    Only the class of the error leaves the process, because its message may quote what players wrote.
    """
    try:
        return PictureAnswer(encode_picture(draw_picture(view), kind))
    except (Exception, SystemExit) as error:
        return draw_after_error(view, kind, type(error).__name__)


def draw_after_error(view: PictureView, kind: PictureKind, error: str) -> PictureAnswer:
    """Return the generic picture, or none if it cannot be drawn either."""
    try:
        return PictureAnswer(encode_picture(draw_generic_picture(view), kind), error)
    except Exception as second:
        return PictureAnswer(error=f"{error}, {type(second).__name__}")


def encode_picture(svg: str, kind: PictureKind) -> bytes:
    """Return a picture as the file that clients get."""
    return svg.encode() if kind == "svg" else rasterise(svg, "png", choose_width(svg, SERVED_PIXELS))


if __name__ == "__main__":
    run_worker(load)
