"""HTTP: where a user, or a whole table, wants to be told whose turn it is."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from palatine_protocol.errors import Code

from ...games.kit import refuse
from ...gateway.tokens import User
from ...tables.state import Book
from ...tables.table import Table
from ...webhooks import Bell, Hook, hook_at
from ...webhooks.url_policy import LONGEST
from .core_routes import as_json, house_of, user_of, wish_of


class NewHook(msgspec.Struct):
    """Where to tell it."""

    url: Annotated[str, msgspec.Meta(max_length=LONGEST)]


# Of a user


async def webhook(request: Request) -> Response:
    """The webhook of the user whose token comes with the request."""
    user, bell = known(request), bell_of(request)
    match request.method:
        case "PUT":
            hook = await bell.hook(user.id, await url_of(request, bell))
            return as_json({**shown(hook), "secret": hook.secret})
        case "DELETE":
            await bell.hooks.remove(user.id)
            return Response(status_code=204)
        case _:
            return as_json(shown(await found(user.id, bell)))


# Of a table


async def webhook_at(request: Request) -> Response:
    """The webhook of a table, for those who sit there and for its host."""
    user, bell = known(request), bell_of(request)
    table = await own_table(request, user)
    match request.method:
        case "PUT":
            return await put_at(request, table, user, bell)
        case "DELETE":
            await must_be_free(table.book, user, hook_at(table.id), bell)
            await bell.hooks.remove(hook_at(table.id))
            return Response(status_code=204)
        case _:
            return as_json(shown_to(user, await found(hook_at(table.id), bell)))


async def own_table(request: Request, user: User) -> Table:
    """The table, if he belongs to it."""
    table = await house_of(request).hall.open(request.path_params["table"])
    if not table.book.admits(user.id, ""):
        raise refuse(Code.NO_SUCH_TABLE)
    if not table.book.is_member(user.id):
        raise refuse(Code.NOT_SEATED)
    return table


async def put_at(request: Request, table: Table, user: User, bell: Bell) -> Response:
    """Take an address for the table; whose turn it is now is told there too."""
    name, url = hook_at(table.id), await url_of(request, bell)
    table.book.must_not_be_over()
    await must_be_free(table.book, user, name, bell)
    hook = await bell.hooks.put(name, url, user.id)
    bell.note(table.id, table.book)
    return as_json({**shown_to(user, hook), "secret": hook.secret})


async def must_be_free(book: Book, user: User, name: str, bell: Bell) -> None:
    """What somebody else gave who belongs to the table is changed by nobody but the host."""
    given = (await bell.hooks.of([name])).get(name)
    if given and book.is_member(given.owner) and user.id not in (given.owner, book.secrets.host):
        raise refuse(Code.NOT_THE_HOST)


def shown_to(user: User, hook: Hook) -> dict[str, Any]:
    """Where it leads is known to who gave it; many such addresses are secrets."""
    is_own = hook.owner == user.id
    return {**shown(hook), "yours": True} if is_own else {"expires": hook.expires // 1000, "yours": False}


# Of both


async def url_of(request: Request, bell: Bell) -> str:
    url = (await wish_of(request, NewHook)).url
    bell.places.must_be_possible(url)
    return url


async def found(name: str, bell: Bell) -> Hook:
    hook = (await bell.hooks.of([name])).get(name)
    if hook is None:
        raise refuse(Code.NO_WEBHOOK)
    return hook


def shown(hook: Hook) -> dict[str, Any]:
    return {"url": hook.url, "expires": hook.expires // 1000}


def known(request: Request) -> User:
    user = user_of(request)
    if user is None:
        raise refuse(Code.BAD_TOKEN)
    return user


def bell_of(request: Request) -> Bell:
    bell = house_of(request).bell
    if bell is None:
        raise refuse(Code.NOT_ALLOWED)
    return bell
