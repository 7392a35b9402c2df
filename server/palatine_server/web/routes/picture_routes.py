"""HTTP routes for pictures of tables. They show what a spectator sees; a seat's picture has no address.

The same address gives everybody the same picture, also a player at the table. A private table answers only its members
and the holders of its invitation, as `watch` does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from palatine_client.render.look import Scheme
from palatine_client.render.svg.view import Layout
from palatine_protocol import messages
from palatine_protocol.costs import DRAWING_COSTS
from palatine_protocol.errors import Code
from palatine_protocol.messages import Info, Reply, Snapshot

from ...games.kit import Refused, read_part, refuse
from ...gateway.tokens import User
from ...pictures.jobs import PictureKind, PictureStyle, encode_job, find_key
from ...tables.queries.public_view import PublicView, ShowPublicView
from ...tables.requests import TableRequest
from .core_routes import address_key_of, authenticate, state_of
from .static_answers import is_known

LONGEST_INVITATION = 64  # characters
KEPT_WHEN_OVER = 3600  # seconds; not longer, because a player's name may be erased
MEDIA_TYPES: dict[PictureKind, str] = {"svg": "image/svg+xml", "png": "image/png"}
# A picture is an image wherever it is opened: it runs nothing, loads nothing, and no page may frame it.
SAFETY = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
}
VERSION = version("palatine")  # another version may draw the same view differently


def serve_picture(kind: PictureKind) -> Callable[[Request], Awaitable[Response]]:
    """Return the handler that answers with pictures of this kind."""

    async def respond(request: Request) -> Response:
        return await show_picture(request, kind)

    return respond


async def show_picture(request: Request, kind: PictureKind) -> Response:
    """Answer with a picture of the public view; 304 if the client has it already."""
    state, known = state_of(request), authenticate(request)
    style = read_style(request, kind)
    snapshot = await find_public_view(request, known)
    job = encode_job(state.directory.games[snapshot.info.game], snapshot, style)
    tag = f'"{VERSION}-{find_key(job)[:32]}"'
    headers = {**SAFETY, "etag": tag, "cache-control": choose_cache_control(snapshot.info)}
    if is_known(request, tag):
        state.directory.metrics.count_picture("not_modified")
        return Response(status_code=304, headers=headers)
    return Response(await get_picture(request, known, job, kind), headers=headers, media_type=MEDIA_TYPES[kind])


async def get_picture(request: Request, known: User | None, job: bytes, kind: PictureKind) -> bytes:
    """Return a cached picture, or have it drawn at the expense of the user or the address."""
    state, user, address = state_of(request), known.id if known else "", address_key_of(request)
    picture = state.pictures.find(job)
    state.directory.metrics.count_picture("drawn" if picture is None else "cached")
    if picture is not None:
        return picture
    state.admission.budget(address, user).owe(DRAWING_COSTS[kind])
    return await state.pictures.draw(job, user or address)


async def find_public_view(request: Request, known: User | None) -> Snapshot:
    """Return what a spectator sees of a table that has started."""
    snapshot = await ask_for_public_view(request, known)
    if snapshot.board is None:
        raise refuse(Code.NOT_STARTED)
    return snapshot


async def ask_for_public_view(request: Request, known: User | None) -> Snapshot:
    """Return what a spectator sees of the table; refuse users whom a private table does not admit."""
    replies: list[Reply] = []
    given = read_parameter(request, "invitation") or read_parameter(request, "i")  # pages have the short name
    table, invitation = request.path_params["table"], given[:LONGEST_INVITATION]
    await state_of(request).directory.ask(
        TableRequest(
            known.id if known else "",
            known.name if known else "",
            ShowPublicView(id="picture", table=table, invitation=invitation),
            replies.append,
            is_admin=known is not None and known.kind == "admin",
        )
    )
    [reply] = replies
    if isinstance(reply, messages.Refused):
        raise Refused(reply.code, reply.sentence, reply.rule, reply.retry_after_ms)
    assert isinstance(reply, PublicView)
    return reply.snapshot


# Parameters


def read_style(request: Request, kind: PictureKind) -> PictureStyle:
    """Return the style that the parameters name; refuse other values. Unknown parameters mean nothing."""
    names = ("lang", "scheme", "layout")
    given: dict[str, Any] = {name: read_parameter(request, name) for name in names if name in request.query_params}
    return PictureStyle(kind, **msgspec.structs.asdict(read_part(given, StyleParameters, "$")))


class StyleParameters(msgspec.Struct, forbid_unknown_fields=True):
    """The parameters of a picture, by name."""

    lang: messages.Language = "en"
    scheme: Scheme = "light"
    layout: Layout = "wide"


def read_parameter(request: Request, name: str) -> str:
    """Return a parameter, or nothing; refuse one that is given twice."""
    given = request.query_params.getlist(name)
    if len(given) > 1:
        raise Refused(Code.MALFORMED.value, f"The parameter {name} is given more than once.")
    return given[0] if given else ""


# Caches


def choose_cache_control(info: Info) -> str:
    """Return how long caches may keep a picture: of a private table not at all, of a running game until asked again."""
    if info.visibility == "private":
        return "private, no-store"
    return f"public, max-age={KEPT_WHEN_OVER}" if info.status == "over" else "public, no-cache"
