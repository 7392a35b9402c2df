"""HTTP routes for the webhooks of users and tables."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from palatine_protocol.errors import Code

from ...games.kit import refuse
from ...gateway.tokens import User
from ...tables.state import TableState
from ...tables.table import Table
from ...webhooks import Registration, WebhookDispatcher, table_webhook_name
from ...webhooks.url_policy import LONGEST
from .core_routes import authenticate, decode_body, respond_with_json, state_of


class NewWebhook(msgspec.Struct):
    """The body of a request that registers a webhook."""

    url: Annotated[str, msgspec.Meta(max_length=LONGEST)]


# The webhook of a user


async def handle_user_webhook(request: Request) -> Response:
    """Show, set or remove the webhook of the user whose token comes with the request."""
    user, dispatcher = require_user(request), require_dispatcher(request)
    match request.method:
        case "PUT":
            registration = await dispatcher.register_user(user.id, await read_url(request, dispatcher))
            return respond_with_json({**show_registration(registration), "secret": registration.secret})
        case "DELETE":
            await dispatcher.registrations.remove(user.id)
            return Response(status_code=204)
        case _:
            return respond_with_json(show_registration(await find_registration(user.id, dispatcher)))


# The webhook of a table


async def handle_table_webhook(request: Request) -> Response:
    """Show, set or remove the webhook of a table, for its players and its host."""
    user, dispatcher = require_user(request), require_dispatcher(request)
    table = await open_own_table(request, user)
    name = table_webhook_name(table.id)
    match request.method:
        case "PUT":
            return await put_table_webhook(request, table, user, dispatcher)
        case "DELETE":
            await must_be_replaceable(table.state, user, name, dispatcher)
            await dispatcher.registrations.remove(name)
            return Response(status_code=204)
        case _:
            return respond_with_json(show_to_member(user, await find_registration(name, dispatcher)))


async def open_own_table(request: Request, user: User) -> Table:
    """Return the table, if the user is a member of it."""
    table = await state_of(request).directory.open(request.path_params["table"])
    if not table.state.admits(user.id, ""):
        raise refuse(Code.NO_SUCH_TABLE)
    if not table.state.is_member(user.id):
        raise refuse(Code.NOT_SEATED)
    return table


async def put_table_webhook(request: Request, table: Table, user: User, dispatcher: WebhookDispatcher) -> Response:
    """Register a URL for the table; the server also sends the current turn there."""
    name, url = table_webhook_name(table.id), await read_url(request, dispatcher)
    table.state.must_not_be_over()
    await must_be_replaceable(table.state, user, name, dispatcher)
    registration = await dispatcher.registrations.put(name, url, user.id)
    dispatcher.note_change(table.id, table.state)
    return respond_with_json({**show_to_member(user, registration), "secret": registration.secret})


async def must_be_replaceable(state: TableState, user: User, name: str, dispatcher: WebhookDispatcher) -> None:
    """Refuse to replace the registration of another member, unless the user is the host."""
    given = (await dispatcher.registrations.find([name])).get(name)
    if given and state.is_member(given.owner) and user.id not in (given.owner, state.secrets.host):
        raise refuse(Code.NOT_THE_HOST)


def show_to_member(user: User, registration: Registration) -> dict[str, Any]:
    """Return the registration as a member sees it; only the owner sees the URL, because many such URLs are secrets."""
    if registration.owner == user.id:
        return {**show_registration(registration), "yours": True}
    return {"expires": registration.expires // 1000, "yours": False}


# Shared by both


async def read_url(request: Request, dispatcher: WebhookDispatcher) -> str:
    """Return the URL in the body of a request, or refuse it."""
    url = (await decode_body(request, NewWebhook)).url
    dispatcher.url_policy.check_url(url)
    return url


async def find_registration(name: str, dispatcher: WebhookDispatcher) -> Registration:
    """Return the registration of this name, or refuse."""
    registration = (await dispatcher.registrations.find([name])).get(name)
    if registration is None:
        raise refuse(Code.NO_WEBHOOK)
    return registration


def show_registration(registration: Registration) -> dict[str, Any]:
    """Return a registration as its owner sees it, without the secret."""
    return {"url": registration.url, "expires": registration.expires // 1000}


def require_user(request: Request) -> User:
    """Return the user whose token comes with the request, or refuse."""
    user = authenticate(request)
    if user is None:
        raise refuse(Code.BAD_TOKEN)
    return user


def require_dispatcher(request: Request) -> WebhookDispatcher:
    """Return the dispatcher, or refuse if webhooks are switched off."""
    dispatcher = state_of(request).webhook_dispatcher
    if dispatcher is None:
        raise refuse(Code.NOT_ALLOWED)
    return dispatcher
