"""Jobs: one picture of a public view, as a route asks for it and as a worker process draws it.

A job has no place for a hand or a seat, so that no picture with an address can show one.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec
from msgspec import Struct

from palatine_client.render.look import Scheme
from palatine_client.render.svg.view import Layout, PictureView
from palatine_protocol.messages import Language, Snapshot

from ..games.kit import Game

PictureKind = Literal["svg", "png"]
_encode = msgspec.msgpack.Encoder().encode


class PictureStyle(Struct, array_like=True, frozen=True):
    """How a client wants the picture."""

    kind: PictureKind
    lang: Language = "en"
    scheme: Scheme = "light"
    layout: Layout = "wide"


class PictureJob(Struct, array_like=True, frozen=True):
    """The content of a picture: what everybody may see of a table, and the style."""

    game: str
    edition: str  # of the game; another edition may have another catalog
    style: PictureStyle
    names: list[str]
    waiting: list[int]
    board: Any


class PictureTask(Struct, array_like=True, frozen=True):
    """What a worker process gets: an encoded job or view, and whether to draw it without the game's presentation."""

    content: bytes
    is_generic: bool = False


class PictureAnswer(Struct, array_like=True, frozen=True):
    """A drawn picture; `error` is the kind of error with which the game's own presentation failed."""

    content: bytes = b""
    error: str = ""


def encode_job(game: Game, snapshot: Snapshot, style: PictureStyle) -> bytes:
    """Return the job for the public view of a table; equal views give equal bytes."""
    assert snapshot.view is None
    assert snapshot.hand is None
    names = [seated.name if seated else "" for seated in snapshot.info.seats]
    waiting = sorted(waiting.seat for waiting in snapshot.waiting)
    return _encode(PictureJob(game.name, game.edition, style, names, waiting, snapshot.board))


def find_key(job: bytes) -> str:
    """Return the key of a picture: a digest of everything that it shows."""
    return hashlib.sha256(job).hexdigest()


def build_view(job: PictureJob, game: Game) -> PictureView:
    """Return the view that the picture of a job shows."""
    return PictureView(
        game=game.name,
        title=game.title.get(job.style.lang, game.title["en"]),
        board=job.board,
        names=job.names,
        waiting=job.waiting,
        catalog=game.catalog,
        description=game.description,
        lang=job.style.lang,
        scheme=job.style.scheme,
        layout=job.style.layout,
    )
