"""The HTTP API of a server: its games and its public tables."""

from __future__ import annotations

import asyncio
import http.client
import urllib.error
import urllib.request
from difflib import get_close_matches
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from palatine_protocol.messages import TableSummary

from ..exceptions import Disconnected, RequestRefused
from ..guest_tokens import HTTP_SCHEMES, HTTP_TIMEOUT, HttpRefusal, build_url
from ..render.description.untrusted import get_table
from ..render.translations import label
from .errors import USAGE, CommandError

T = TypeVar("T")


class GameInfo(Struct, frozen=True):
    """A game as the server describes it."""

    game: str
    title: str
    players: tuple[int, int]
    policies: list[str] = []
    options: dict[str, Any] = {}
    notice: str = ""  # a notice about the data of the game, in the requested language
    catalog: dict[str, Any] = {}
    description: dict[str, Any] = {}  # schemas, labels and coordinates; older servers send none

    @property
    def option_names(self) -> list[str]:
        """The names of the game's options."""
        definitions = get_table(self.options, "$defs").values()
        return [name for definition in definitions for name in get_table(definition, "properties")]


class GamesResponse(Struct, frozen=True):
    games: list[GameInfo]


class TablesResponse(Struct, frozen=True):
    tables: list[TableSummary]


class HttpApi:
    """Fetches games and tables from a server."""

    def __init__(self, url: str, lang: str) -> None:
        self.url, self.lang = url, lang

    async def fetch_games(self) -> list[GameInfo]:
        return (await self._get("/v1/games", GamesResponse)).games

    async def fetch_game(self, name: str) -> GameInfo:
        """Return a game with its catalog; raise a CommandError that names the games if there is no such game."""
        known = [game.game for game in await self.fetch_games()]
        if name not in known:
            raise CommandError(self.describe_unknown_game(name, known), USAGE)
        return await self._get(f"/v1/games/{name}", GameInfo)

    def describe_unknown_game(self, name: str, known: list[str]) -> str:
        close = get_close_matches(name, known, n=1)
        advice = label(self.lang, "did you mean", name=close[0]) if close else self.suggest_names(known)
        return label(self.lang, "no such game", game=name, advice=advice)

    def suggest_names(self, known: list[str]) -> str:
        return label(self.lang, "try one of", names=", ".join(known))

    async def fetch_tables(self, token: str = "") -> list[TableSummary]:
        """Return the public tables, and with a token also the user's own."""
        try:
            return (await self._get("/v1/tables", TablesResponse, token)).tables
        except RequestRefused as refused:
            if token and refused.code in {"bad_token", "token_expired"}:
                return await self.fetch_tables()
            raise

    async def _get(self, path: str, kind: type[T], token: str = "") -> T:
        request = urllib.request.Request(f"{self._address(path)}?lang={self.lang}")  # noqa: S310 (the scheme is ours)
        if token:
            request.add_header("authorization", f"Bearer {token}")
        try:
            return msgspec.json.decode(await asyncio.to_thread(self._read, request), type=kind)
        except msgspec.DecodeError:
            raise CommandError(label(self.lang, "not palatine", server=self.url)) from None

    def _address(self, path: str) -> str:
        try:
            return build_url(self.url, HTTP_SCHEMES, path)
        except Disconnected as wrong:
            raise CommandError(wrong.sentence, USAGE) from None

    def _read(self, request: urllib.request.Request) -> bytes:
        try:
            with urllib.request.urlopen(request, timeout=HTTP_TIMEOUT) as response:  # noqa: S310
                return bytes(response.read())
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error.read()) from None
        except http.client.HTTPException:
            raise CommandError(label(self.lang, "not palatine", server=self.url)) from None
        except OSError:
            raise CommandError(label(self.lang, "no server", server=self.url)) from None

    def _refusal(self, body: bytes) -> Exception:
        try:
            refused = msgspec.json.decode(body, type=HttpRefusal)
            return RequestRefused(refused.code, refused.sentence)
        except msgspec.DecodeError:
            return CommandError(label(self.lang, "not palatine", server=self.url))
