"""HTTP routes: health, games, tables, guests and the protocol page."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from markdown_it import MarkdownIt
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from palatine_protocol.errors import Code

from ..games.kit import Game, Refused
from ..games.shelf import SHELF
from ..store import Unavailable
from ..tables.book import refuse

if TYPE_CHECKING:
    from .app import House

LANGUAGES = ("en", "de")
LARGEST_BODY = 4096


class NewGuest(msgspec.Struct):
    """What a guest may say of himself."""

    name: str = ""


def house_of(request: Request) -> House:
    house: House = request.app.state.house
    return house


def as_json(content: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def refused(why: Refused, status: int) -> Response:
    return as_json({"code": why.code, "sentence": why.sentence}, status)


# Health


async def healthz(request: Request) -> Response:
    """The process lives."""
    return PlainTextResponse("ok\n")


async def readyz(request: Request) -> Response:
    """New clients are welcome: the store answers and the server is not about to stop."""
    house = house_of(request)
    try:
        await house.store.due(0, 1)
    except Unavailable:
        return PlainTextResponse("the store does not answer\n", 503)
    return PlainTextResponse("stopping\n", 503) if house.is_stopping else PlainTextResponse("ready\n")


# Games


async def games(request: Request) -> Response:
    """Every game on the shelf, in short."""
    lang = language_of(request)
    return as_json({"games": [described(game, lang) for game in SHELF.values()]})


async def game(request: Request) -> Response:
    """One game with its whole catalog."""
    name = request.path_params["name"]
    if name not in SHELF:
        return refused(refuse(Code.NO_SUCH_GAME), 404)
    return as_json({**described(SHELF[name], language_of(request)), "catalog": catalog_of(SHELF[name])})


def described(game: Game, lang: str) -> dict[str, Any]:
    players = [game.players[0], game.players[-1]]
    schema = msgspec.json.schema(game.options)
    meta = catalog_of(game)["meta"]
    return {
        "game": game.name,
        "title": game.title[lang],
        "players": players,
        "policies": list(game.policies),
        "options": schema,
        "notice": meta[f"notice_{lang}"],
        "reconstructed": reconstructed(catalog_of(game)),
    }


@cache
def _catalog(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "catalog.toml").read_text(encoding="utf-8"))


def catalog_of(game: Game) -> dict[str, Any]:
    return _catalog(game.folder)


def reconstructed(catalog: Any) -> bool:
    """Whether any figure of the game is our reconstruction rather than read from the printed game."""
    if isinstance(catalog, dict):
        return any("source" in key and value == "reconstructed" for key, value in catalog.items()) or any(
            map(reconstructed, catalog.values())
        )
    return isinstance(catalog, list) and any(map(reconstructed, catalog))


def language_of(request: Request) -> str:
    asked = request.query_params.get("lang", "en")
    return asked if asked in LANGUAGES else "en"


# Tables


async def tables(request: Request) -> Response:
    """Tables open to everybody, and with a token also one's own."""
    house = house_of(request)
    try:
        user = user_of(request)
        listed = await house.hall.listed(user, request.query_params.get("game"), request.query_params.get("status"))
    except Refused as why:
        return refused(why, 401)
    except Unavailable:
        return refused(refuse(Code.TRY_AGAIN), 503)
    return as_json({"tables": listed})


def user_of(request: Request) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return house_of(request).identities.read(token.strip()).id if kind.lower() == "bearer" else None


# Guests


async def guests(request: Request) -> Response:
    """A token for a new guest, or with a valid token a fresh one for the same user."""
    house = house_of(request)
    if wait := house.new_guests.take(request.client.host if request.client else ""):
        return Response(status_code=429, headers={"retry-after": str(int(wait) + 1)})
    try:
        wish = msgspec.json.decode(await body_of(request) or b"{}", type=NewGuest)
        return as_json(new_token(request, wish.name), 201)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ClientDisconnect):
        return refused(refuse(Code.MALFORMED), 400)
    except Refused as why:
        return refused(why, 401)


async def body_of(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise msgspec.DecodeError
    return body


def new_token(request: Request, name: str) -> dict[str, Any]:
    house = house_of(request)
    kind, _, old = request.headers.get("authorization", "").partition(" ")
    known = house.identities.read(old.strip()) if kind.lower() == "bearer" else None
    if known is not None and known.kind != "guest":
        raise refuse(Code.NOT_ALLOWED)
    wished = name or (known.name if known else "")
    token, user = house.identities.token(wished, "guest", house.settings.guest_days, known.id if known else None)
    return {"token": token, "user": user.id, "name": user.name, "expires": user.expires}


# Pages


async def front(request: Request) -> Response:
    return RedirectResponse("/docs")


async def docs(request: Request) -> Response:
    """The protocol, for people who write clients."""
    return HTMLResponse(protocol_page())


async def asyncapi(request: Request) -> Response:
    return Response(protocol_file("asyncapi.yaml"), media_type="application/yaml")


@cache
def protocol_page() -> str:
    text = MarkdownIt("commonmark", {"html": False}).enable("table").render(protocol_file("README.md"))
    return PAGE.replace("TEXT", text)


def protocol_file(name: str) -> str:
    """A file of the protocol folder: beside the package in the repository, inside it when installed."""
    package = files("palatine_protocol")
    inside = package.joinpath(name)
    return (inside if inside.is_file() else Path(str(package)).parent / name).read_text(encoding="utf-8")


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Palatine protocol</title>
<meta name="viewport" content="width=device-width">
<style>body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui;color:#222;background:#fdfcf8}
pre{background:#f2efe6;padding:.8rem;overflow:auto;border-radius:.4rem}code{font-size:.92em}
table{border-collapse:collapse}td,th{border-bottom:1px solid #ddd;padding:.25rem .7rem;text-align:left}
@media(prefers-color-scheme:dark){body{background:#1b1a17;color:#ddd}pre{background:#2a2823}td,th{border-color:#444}}
</style>TEXT</html>"""
