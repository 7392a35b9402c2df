"""HTTP: where a user wants to be told that it is his turn."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from palatine_protocol.errors import Code

from ..games.kit import Refused
from ..gateway.identity import User
from ..tables.book import refuse
from ..webhooks import Bell, Hook
from ..webhooks.places import LONGEST
from .routes import as_json, house_of, too_fast, user_of, wish_of


class NewHook(msgspec.Struct):
    """Where to tell it."""

    url: Annotated[str, msgspec.Meta(max_length=LONGEST)]


async def webhook(request: Request) -> Response:
    """The webhook of the user whose token comes with the request."""
    user, bell = known(request), bell_of(request)
    if wait := house_of(request).door.lookups.take(user.id):
        return too_fast(wait)
    match request.method:
        case "PUT":
            return await put(request, user, bell)
        case "DELETE":
            await bell.hooks.remove(user.id)
            return Response(status_code=204)
        case _:
            return as_json(shown(await own(user, bell)))


async def put(request: Request, user: User, bell: Bell) -> Response:
    """Take an address; the secret is shown this one time."""
    url = (await wish_of(request, NewHook)).url
    bell.places.must_be_possible(url)
    hook = await bell.hooks.put(user.id, url)
    return as_json({**shown(hook), "secret": hook.secret})


async def own(user: User, bell: Bell) -> Hook:
    hook = (await bell.hooks.of([user.id])).get(user.id)
    if hook is None:
        raise Refused("no_webhook", "You have no webhook.")
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
