"""HTTP routes for health, games, tables, guests and revocations, and the helpers of all routes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from palatine_protocol.errors import STATUS, Code
from palatine_protocol.messages import Language, Status

from ...games.kit import Refused, read_part, refuse
from ...gateway.admission import find_address_key
from ...gateway.tokens import LONGEST_DAYS, User, is_too_long
from ...store import Unavailable
from ...tables.lobby import Filter
from .static_answers import respond_with_answer

if TYPE_CHECKING:
    from ..app import AppState

LANGUAGES = ("en", "de")
T = TypeVar("T")
LARGEST_BODY = 4096  # bytes


class NewGuest(msgspec.Struct):
    """The body of a request for a guest's token."""

    name: str = ""


class NewRevocation(msgspec.Struct):
    """The body of a revocation: a token, or the id of a user, and for how many days."""

    subject: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.-]{1,1024}$(?!\n)")]
    days: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_DAYS)] = LONGEST_DAYS


class GameQuery(msgspec.Struct):
    """The parameters of the routes that describe games."""

    lang: Language = "en"


# Requests


def state_of(request: Request) -> AppState:
    """Return the state that all routes share."""
    state: AppState = request.app.state.shared
    return state


def authenticate(request: Request) -> User | None:
    """Return the user whose token comes with a request; None if there is no token. Refuse an invalid token."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return state_of(request).admission.known(token.strip()) if kind.lower() == "bearer" else None


def address_key_of(request: Request) -> str:
    """Return the key under which the limits count the address of the client."""
    return find_address_key(request.client.host if request.client else "")


async def decode_body(request: Request, kind: type[T]) -> T:
    """Return the body as this type; refuse a body that is not of this type."""
    try:
        body = msgspec.json.decode(await read_body(request) or b"{}")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Refused(Code.MALFORMED, "The body is not JSON.") from None
    return read_part(body, kind, "$")  # type: ignore[no-any-return]


async def read_body(request: Request, most: int = LARGEST_BODY) -> bytes:
    """Return the whole body; refuse one that is larger than `most` bytes."""
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise Refused(Code.MALFORMED, f"The body is too large; it may have {most} bytes.")
    except ClientDisconnect:
        raise refuse(Code.MALFORMED) from None
    return bytes(body)


def check_name(name: str) -> str:
    """Return the name in a body; refuse one that the server would have to cut."""
    if is_too_long(name):
        raise refuse(Code.BAD_NAME, path="$.name")
    return name


# Responses


def respond_with_json(content: Any, status: int = 200) -> Response:
    return respond_with_bytes(msgspec.json.encode(content), status)


def respond_with_bytes(content: bytes, status: int = 200) -> Response:
    return Response(content, status, media_type="application/json")


def respond_with_refusal(why: Refused, headers: dict[str, str] | None = None) -> Response:
    more = {"rule": why.rule, "path": why.path, "retry_after_ms": why.retry_after_ms}
    content = {"code": why.code, "sentence": why.sentence, **{name: value for name, value in more.items() if value}}
    response = respond_with_json(content, STATUS.get(why.code, 400))
    response.headers.update(headers or {})
    return response


def respond_too_fast(wait: float) -> Response:
    refusal = refuse(Code.TOO_FAST, retry_after_ms=int(1000 * wait) + 1)
    return respond_with_refusal(refusal, {"retry-after": str(int(wait) + 1)})


async def handle_refused(request: Request, why: Exception) -> Response:
    """Answer a request whose handler raised Refused."""
    assert isinstance(why, Refused)
    return respond_with_refusal(why)


async def handle_unavailable(request: Request, why: Exception) -> Response:
    """Answer a request whose handler found the store unavailable."""
    return respond_with_refusal(refuse(Code.TRY_AGAIN))


# Health


async def show_health(request: Request) -> Response:
    """Answer 200 for as long as the process lives."""
    return PlainTextResponse("ok\n")


async def show_readiness(request: Request) -> Response:
    """Answer 200 if the server takes new clients: the store answers and can write, and the server is not stopping.

    Damage to single tables is reported, but the server stays ready, because it serves all other tables.
    """
    state = state_of(request)
    trouble = state.store.trouble()
    if trouble and trouble.stops_writes:
        return PlainTextResponse(f"{trouble.sentence}\n", 503)
    try:
        await state.store.due(0, 1)
    except Unavailable:
        return PlainTextResponse("the store does not answer\n", 503)
    if not state.is_ready:
        return PlainTextResponse("stopping\n", 503)
    return PlainTextResponse(f"ready\n{trouble.sentence}\n" if trouble else "ready\n")


# Games


async def list_games(request: Request) -> Response:
    """Answer with a short description of every game."""
    return await respond_with_answer(request, await state_of(request).catalogs.list_games(choose_language(request)))


async def show_game(request: Request) -> Response:
    """Answer with one game and its whole catalog."""
    state, name = state_of(request), request.path_params["name"]
    if name not in state.directory.games:
        raise refuse(Code.NO_SUCH_GAME)
    return await respond_with_answer(request, await state.catalogs.show_game(name, choose_language(request)))


def choose_language(request: Request) -> str:
    """Return the language that the request names, or English; refuse any other one."""
    asked = read_part(dict(request.query_params), GameQuery, "$")
    return asked.lang  # type: ignore[no-any-return]


# Tables


class TableQuery(msgspec.Struct):
    """The filters of a list of tables."""

    game: str | None = None
    status: Status | None = None


async def list_tables(request: Request) -> Response:
    """Answer with the public tables, and with a token also those of its user."""
    state, user = state_of(request), authenticate(request)
    asked = read_part(dict(request.query_params), TableQuery, "$")
    found = await state.directory.lobby.list_tables(user.id if user else None, Filter(asked.game, asked.status))
    return respond_with_json({"tables": found})


# Guests


async def create_guest(request: Request) -> Response:
    """Answer with a token for a new guest; with a valid token, with a new token for the same user."""
    state = state_of(request)
    if wait := state.admission.new_guests.take(address_key_of(request)):
        state.directory.metrics.count_limit("guests")
        return respond_too_fast(wait)
    guest = await decode_body(request, NewGuest)
    return respond_with_json(issue_guest_token(request, check_name(guest.name)), 201)


def issue_guest_token(request: Request, name: str) -> dict[str, Any]:
    """Return a token and its user; only guests may renew their token here."""
    token_signer, days = state_of(request).token_signer, state_of(request).settings.guest_days
    known = authenticate(request)
    if known is not None and known.kind != "guest":
        raise refuse(Code.NOT_ALLOWED)
    token, user = (
        token_signer.renew_token(known, name, days) if known else token_signer.create_token(name, "guest", days)
    )
    return {"token": token, "user": user.id, "name": user.name, "expires": user.expires}


# Administrators


def must_be_admin(request: Request) -> None:
    """Refuse a request without the token of an administrator."""
    user = authenticate(request)
    if user is None:
        raise refuse(Code.BAD_TOKEN)
    if user.kind != "admin":
        raise refuse(Code.NOT_ALLOWED)


async def create_revocation(request: Request) -> Response:
    """Revoke a token or a user."""
    must_be_admin(request)
    revocation = await decode_body(request, NewRevocation)
    await state_of(request).revoke(revocation.subject, revocation.days)
    return Response(status_code=204)


# Other addresses


async def require_upgrade(request: Request) -> Response:
    """Answer a plain GET on the address of the websocket with 426."""
    return respond_with_refusal(refuse(Code.UPGRADE_REQUIRED), {"upgrade": "websocket", "connection": "upgrade"})
