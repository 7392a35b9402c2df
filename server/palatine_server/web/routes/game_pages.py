"""The routes of the pages of games, at `/docs/games`: built once for each language in a worker thread."""

from __future__ import annotations

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from palatine_protocol.errors import Code

from ...games.kit import Game, refuse
from .catalogs import describe_fully
from .core_routes import LANGUAGES, state_of
from .static_answers import StaticAnswer, respond_with_answer


class GamePages:
    """A cache of the rendered pages."""

    def __init__(self, games: dict[str, Game]) -> None:
        self._games = games
        self._pages: dict[tuple[str, str], StaticAnswer] = {}  # by name and language; the list of all games has no name

    async def show(self, name: str, lang: str) -> StaticAnswer:
        """Return the page of a game, or the list of all games if the name is empty."""
        if (name, lang) not in self._pages:
            self._pages[name, lang] = await to_thread.run_sync(self._render, name, lang)
        return self._pages[name, lang]

    def _render(self, name: str, lang: str) -> StaticAnswer:
        from ..game_pages.html import HEADERS  # imported late: a server starts without them
        from ..game_pages.page import render_game_list, render_game_page

        if not name:
            page = render_game_list(self._games.values(), lang)
        else:
            page = render_game_page(self._games[name], describe_fully(self._games[name]), lang)
        return StaticAnswer(page.encode(), "text/html", HEADERS)


async def list_game_pages(request: Request) -> Response:
    """Answer with the list of games, for people."""
    return await respond_with_page(request, "")


async def show_game_page(request: Request) -> Response:
    """Answer with the page of one game."""
    name = request.path_params["name"]
    if name not in state_of(request).directory.games:
        raise refuse(Code.NO_SUCH_GAME)
    return await respond_with_page(request, name)


async def respond_with_page(request: Request, name: str) -> Response:
    return await respond_with_answer(
        request, await state_of(request).game_pages.show(name, choose_page_language(request))
    )


def choose_page_language(request: Request) -> str:
    """Return the language that the address names, or else the first one of ours that the browser prefers."""
    if (lang := request.query_params.get("lang", "")) in LANGUAGES:
        return lang
    accepted = (
        each.split(";")[0].strip()[:2].lower() for each in request.headers.get("accept-language", "").split(",")
    )
    return next((lang for lang in accepted if lang in LANGUAGES), "en")


ROUTES = [Route("/docs/games", list_game_pages), Route("/docs/games/{name}", show_game_page)]
