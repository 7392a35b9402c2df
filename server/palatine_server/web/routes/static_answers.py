"""Answers that are the same for everybody: with an ETag, and compressed once for all clients that accept gzip.

The server compresses nothing else. An answer that holds a secret (a token, a code, a private table) beside text that a
caller chose would reveal the secret by its compressed length (BREACH). Such answers never come here: a `StaticAnswer`
is made from files and games alone, without a request. Lists of tables, records and refusals are not compressed either.
"""

from __future__ import annotations

import gzip
from hashlib import blake2b

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

SMALLEST = 1024  # bytes; a smaller body fits into one packet anyway
LEVEL = 9  # each answer is compressed once, in a worker thread


class StaticAnswer:
    """A body with its headers. The plain and the compressed body have ETags of their own, so that both are strong."""

    def __init__(self, body: bytes, media_type: str, headers: dict[str, str] | None = None) -> None:
        self.body, self.media_type = body, media_type
        own = headers or {}
        vary = ", ".join(filter(None, (own.get("vary"), "accept-encoding")))
        self.headers = {"cache-control": "public, no-cache", **own, "vary": vary}
        self.tag = blake2b(body, digest_size=16).hexdigest()
        self.compressed: bytes | None = None  # until a client asks for it

    @property
    def is_worth_compressing(self) -> bool:
        return len(self.body) >= SMALLEST

    async def compress(self) -> bytes:
        """Return the compressed body; the first call does the work, in a worker thread."""
        if self.compressed is None:
            self.compressed = await to_thread.run_sync(compress, self.body)
        return self.compressed


def compress(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)


async def respond_with_answer(request: Request, answer: StaticAnswer) -> Response:
    """Answer with the body, compressed if the client accepts it; with 304 if the client has it already."""
    is_gzip = answer.is_worth_compressing and accepts_gzip(request)
    tag = f'"{answer.tag}{"-gzip" if is_gzip else ""}"'
    headers = {**answer.headers, "etag": tag}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    if is_gzip:
        return Response(await answer.compress(), 200, {**headers, "content-encoding": "gzip"}, answer.media_type)
    return Response(answer.body, 200, headers, answer.media_type)


def accepts_gzip(request: Request) -> bool:
    """Return whether the client accepts gzip, which a quality of 0 denies."""
    codings = ",".join(request.headers.getlist("accept-encoding")).lower().replace(" ", "").split(",")
    qualities = {name: quality for name, _, quality in (coding.partition(";q=") for coding in codings)}
    quality = qualities.get("gzip", qualities.get("*"))
    return quality is not None and (not quality or quality.strip("0.") != "")


def is_known(request: Request, tag: str) -> bool:
    """Return whether the client names a version that it has, and it is this one."""
    known = request.headers.get("if-none-match", "")
    return known.strip() == "*" or tag in {one.strip().removeprefix("W/") for one in known.split(",")}
