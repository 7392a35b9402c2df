"""HTTP routes about users: those of other services, people who log in, and what the server knows of a user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from palatine_protocol.costs import Cost
from palatine_protocol.errors import Code

from ...games.kit import Refused, refuse
from ...gateway.identities import Identity
from ...gateway.move_codes import MINUTES
from ...gateway.tokens import Kind, User
from ...store import Summary
from ...tables.storage import persistence
from ...webhooks import Registrations
from .. import erasure
from ..erasure import list_own_tables
from .core_routes import (
    address_key_of,
    authenticate,
    check_name,
    decode_body,
    must_be_admin,
    respond_too_fast,
    respond_with_json,
    state_of,
)

if TYPE_CHECKING:
    from ..app import AppState

OWN_DEVICES: tuple[Kind, ...] = ("guest", "user")  # kinds of users who are people


class NewUser(msgspec.Struct):
    """The body with which a service names one of its users."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]  # stable within the service
    name: str = ""  # may be absent for a guest, who keeps theirs
    guest: str = ""  # the token of a guest who becomes this user


class NewErasure(msgspec.Struct):
    """The body with which an administrator names the user to erase."""

    user: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9]{1,64}$(?!\n)")]


class NewLogin(msgspec.Struct):
    """The body of a login: an ID token of the trusted issuer, or a code from another device."""

    id_token: str = ""
    code: Annotated[str, msgspec.Meta(max_length=64)] = ""
    name: str = ""
    guest: str = ""  # the token of a guest who becomes this user


def require_user(request: Request, *kinds: Kind) -> User:
    """Return the user of a request; refuse a request without a token, or with one of another kind."""
    user = authenticate(request)
    if user is None:
        raise refuse(Code.BAD_TOKEN)
    if user.kind not in kinds:
        raise refuse(Code.NOT_ALLOWED)
    return user


def find_guest(request: Request, token: str) -> User | None:
    """Return the guest whose token is given, if there is one; refuse the token of any other user."""
    if not token:
        return None
    guest = state_of(request).admission.known(token)
    if guest.kind != "guest":
        raise refuse(Code.NOT_ALLOWED)
    return guest


async def link_user(request: Request, identity: Identity, name: str, guest: User | None) -> Response:
    """Answer with a token for the user of an identity; a guest who becomes this user keeps their name by default."""
    state = state_of(request)
    await state.check_revocations()  # another node may have erased the user a moment ago
    user = await state.identities.find_user(identity, guest.id if guest else "", state.admission.list_revoked())
    return respond_with_token(request, user, name or (guest.name if guest else ""), "user")


def respond_with_token(request: Request, user: str, name: str, kind: Kind) -> Response:
    """Answer with a new token for this user; refuse if the user is revoked."""
    state = state_of(request)
    token, _ = state.token_signer.create_token(name, kind, state.settings.guest_days, user)
    made = state.admission.known(token)
    content = {"token": token, "user": made.id, "name": made.name, "expires": made.expires}
    return respond_with_json(content, 201)


async def create_user(request: Request) -> Response:
    """Answer a service with a token for one of its users; the same id always is the same user."""
    service = require_user(request, "service")
    asked = await decode_body(request, NewUser)
    guest = find_guest(request, asked.guest)
    if not check_name(asked.name) and guest is None:  # the server keeps no names, so it cannot look the old one up
        raise Refused(Code.MALFORMED, "A user of a service needs a name.", path="$.name")
    return await link_user(request, Identity(f"service {service.name}", asked.id), asked.name, guest)


async def show_login(request: Request) -> Response:
    """Answer with the issuer at which people log in."""
    issuer = state_of(request).issuer
    if issuer is None:
        raise refuse(Code.NO_LOGIN)
    return respond_with_json({"issuer": issuer.issuer, "client_id": issuer.audience})


async def log_in(request: Request) -> Response:
    """Answer with a token for a person with an ID token, or for the user of a code from another device."""
    state = state_of(request)
    if wait := state.admission.new_guests.take(address_key_of(request)):
        state.directory.metrics.count_limit("guests")
        return respond_too_fast(wait)
    login = await decode_body(request, NewLogin)
    if bool(login.id_token) == bool(login.code):
        raise Refused(Code.MALFORMED, "The body must have either `id_token` or `code`.", path="$")
    check_name(login.name)
    return await (log_in_by_code if login.code else log_in_by_token)(request, login)


async def log_in_by_code(request: Request, login: NewLogin) -> Response:
    """Answer with a token for the user of a code."""
    await state_of(request).check_revocations()
    mover = await state_of(request).move_codes.redeem(login.code)
    return respond_with_token(request, mover.id, login.name or mover.name, mover.kind)


async def log_in_by_token(request: Request, login: NewLogin) -> Response:
    """Answer with a token for the person whose ID token it is."""
    state = state_of(request)
    if state.issuer is None:
        raise refuse(Code.NO_LOGIN)
    person = await state.issuer.verify(login.id_token)
    return await link_user(request, person.identity, login.name or person.name, find_guest(request, login.guest))


async def create_code(request: Request) -> Response:
    """Answer with a code that makes another device the same user."""
    user = require_user(request, *OWN_DEVICES)
    code = await state_of(request).move_codes.create_code(user)
    return respond_with_json({"code": code, "minutes": MINUTES}, 201)


# What the server knows of a user


async def show_me(request: Request) -> Response:
    """Answer with everything that the server knows of the user."""
    user, state = require_user(request, *OWN_DEVICES), state_of(request)
    budget = state.admission.budget(address_key_of(request), user.id)
    tables = []
    for table, summary in await list_own_tables(state, user.id):
        budget.owe(Cost.EXPENSIVE)
        tables.append(describe_table(user, table, summary, await read_lines(state, user, table)))
    registration = (await Registrations(state.store, state.directory.clock).find([user.id])).get(user.id)
    content = {
        "user": user.id,
        "name": user.name,
        "kind": user.kind,
        "expires": user.expires,
        "identities": await state.identities.count_links(user.id),
        "webhook": registration.url if registration else None,
        "tables": tables,
        "games": await list_games(state, user),
    }
    return respond_with_json(content)


def describe_table(user: User, table: str, summary: Summary, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the server knows of a user at one table."""
    return {
        "table": table,
        "game": summary.game,
        "status": summary.status,
        "seat": summary.users.index(user.id) if user.id in summary.users else None,
        "host": summary.host == user.id,
        "chat": lines,
    }


async def read_lines(state: AppState, user: User, table: str) -> list[dict[str, Any]]:
    """Return what a user wrote at a table, as far as the table still keeps it."""
    try:
        snapshot, _ = await persistence.load(table, state.store)
    except Refused:
        return []
    said = (line for line in snapshot.hidden.get("talk", []) if line.get("user") == user.id)
    return [{"at": line.get("at"), "text": line.get("text")} for line in said]


async def list_my_games(request: Request) -> Response:
    """Answer with the finished games of the user that the archive keeps."""
    user = require_user(request, *OWN_DEVICES)
    return respond_with_json({"games": await list_games(state_of(request), user)})


async def list_games(state: AppState, user: User) -> list[dict[str, Any]]:
    """Return the archived games of a user, the last one first."""
    return [
        {
            "table": table,
            "game": row.game,
            "ended": row.ended,
            "seat": row.users.index(user.id) if user.id in row.users else None,
            "names": row.names,
            "scores": row.scores,
        }
        for table, row in await state.archive.list_games(user.id)
    ]


# Erasing


async def erase_me(request: Request) -> Response:
    """Erase the user: their name and chat everywhere, their seats, and their tokens."""
    user = require_user(request, *OWN_DEVICES)
    await erasure.erase_user(state_of(request), user.id)
    return Response(status_code=204)


async def erase_user(request: Request) -> Response:
    """Erase any user, for an administrator."""
    must_be_admin(request)
    asked = await decode_body(request, NewErasure)
    await erasure.erase_user(state_of(request), asked.user)
    return Response(status_code=204)
