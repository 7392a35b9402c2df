"""HTTP routes: health, games, tables and guests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from palatine_protocol.errors import STATUS, Code

from ...games.kit import Refused, refuse
from ...gateway.admission import household_of
from ...gateway.tokens import LONGEST_DAYS, User
from ...store import Unavailable
from ...tables.lobby import Filter

if TYPE_CHECKING:
    from ..app import House

LANGUAGES = ("en", "de")
T = TypeVar("T")
LARGEST_BODY = 4096


class NewGuest(msgspec.Struct):
    """What a guest may say of himself."""

    name: str = ""


class Revocation(msgspec.Struct):
    """Who is to be shut out: a token, or a user by his id."""

    subject: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.-]{1,1024}$(?!\n)")]
    days: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_DAYS)] = LONGEST_DAYS


def house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


def as_json(content: Any, status: int = 200) -> Response:
    return as_bytes(msgspec.json.encode(content), status)


def as_bytes(content: bytes, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


def refused(why: Refused, headers: dict[str, str] | None = None) -> Response:
    answer = as_json({"code": why.code, "sentence": why.sentence}, STATUS.get(why.code, 400))
    answer.headers.update(headers or {})
    return answer


async def on_refused(request: Request, why: Exception) -> Response:
    assert isinstance(why, Refused)
    return refused(why)


async def on_unavailable(request: Request, why: Exception) -> Response:
    return refused(refuse(Code.TRY_AGAIN))


def too_fast(wait: float) -> Response:
    return refused(refuse(Code.TOO_FAST), {"retry-after": str(int(wait) + 1)})


# Health


async def healthz(request: Request) -> Response:
    """The process lives."""
    return PlainTextResponse("ok\n")


async def readyz(request: Request) -> Response:
    """Answer 200 if new clients are welcome: the store answers and can write, and the server is not about to stop.

    Damage of single tables is told, but other tables are served: it is no reason to send everybody elsewhere.
    """
    house = house_of(request)
    trouble = house.store.trouble()
    if trouble and trouble.stops_writes:
        return PlainTextResponse(f"{trouble.sentence}\n", 503)
    try:
        await house.store.due(0, 1)
    except Unavailable:
        return PlainTextResponse("the store does not answer\n", 503)
    if not house.is_ready:
        return PlainTextResponse("stopping\n", 503)
    return PlainTextResponse(f"ready\n{trouble.sentence}\n" if trouble else "ready\n")


# Games


async def games(request: Request) -> Response:
    """Every game on the shelf, in short."""
    return as_bytes(await house_of(request).catalogs.list_games(language_of(request)))


async def game(request: Request) -> Response:
    """One game with its whole catalog."""
    house, name = house_of(request), request.path_params["name"]
    if name not in house.hall.shelf:
        raise refuse(Code.NO_SUCH_GAME)
    return as_bytes(await house.catalogs.show_game(name, language_of(request)))


def language_of(request: Request) -> str:
    asked = request.query_params.get("lang", "en")
    return asked if asked in LANGUAGES else "en"


# Tables


async def tables(request: Request) -> Response:
    """Tables open to everybody, and with a token also one's own."""
    house, known = house_of(request), user_of(request)
    game, status = request.query_params.get("game"), request.query_params.get("status")
    return as_json({"tables": await house.hall.lobby.listed(known.id if known else None, Filter(game, status))})


def user_of(request: Request) -> User | None:
    """Whose token comes with a request, if any does."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return house_of(request).admission.known(token.strip()) if kind.lower() == "bearer" else None


def household(request: Request) -> str:
    return household_of(request.client.host if request.client else "")


# Guests


async def guests(request: Request) -> Response:
    """A token for a new guest, or with a valid token a fresh one for the same user."""
    if wait := house_of(request).admission.new_guests.take(household(request)):
        house_of(request).hall.metrics.hit("guests")
        return too_fast(wait)
    wish = await wish_of(request, NewGuest)
    return as_json(new_token(request, wish.name), 201)


async def wish_of(request: Request, kind: type[T]) -> T:
    """What is asked for; a body that is no such thing is refused."""
    try:
        return msgspec.json.decode(await body_of(request) or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise refuse(Code.MALFORMED) from None


async def body_of(request: Request, most: int = LARGEST_BODY) -> bytes:
    """The whole body, if it is not too large."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise refuse(Code.MALFORMED)
    except ClientDisconnect:
        raise refuse(Code.MALFORMED) from None
    return bytes(body)


def new_token(request: Request, name: str) -> dict[str, Any]:
    identities, days = house_of(request).identities, house_of(request).settings.guest_days
    known = user_of(request)
    if known is not None and known.kind != "guest":
        raise refuse(Code.NOT_ALLOWED)
    made = identities.renewed(known, name, days) if known else identities.token(name, "guest", days)
    token, user = made
    return {"token": token, "user": user.id, "name": user.name, "expires": user.expires}


# Administrators


def must_be_admin(request: Request) -> None:
    known = user_of(request)
    if known is None:
        raise refuse(Code.BAD_TOKEN)
    if known.kind != "admin":
        raise refuse(Code.NOT_ALLOWED)


async def revocations(request: Request) -> Response:
    """Shut a token or a user out."""
    must_be_admin(request)
    wish = await wish_of(request, Revocation)
    await house_of(request).revoke(wish.subject, wish.days)
    return Response(status_code=204)


# Addresses that are for something else


async def upgrade_required(request: Request) -> Response:
    """Answer a plain GET on the address of the websocket."""
    return refused(refuse(Code.UPGRADE_REQUIRED), {"upgrade": "websocket", "connection": "upgrade"})


# The front page


async def front(request: Request) -> Response:
    return RedirectResponse("/docs")
