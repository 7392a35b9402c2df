"""The example of a client in a browser: plain files that the server shows at /examples/, as they stand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from .static_answers import StaticAnswer, respond_with_answer

FILES = {
    "index.html": "text/html",
    "page.css": "text/css",
    "page.js": "text/javascript",
    "client.js": "text/javascript",
}
# The page loads and reaches this server alone, runs no inline script, and no page may frame it.
SAFETY = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}


def find_folder() -> Path:
    """Return the folder of the example, which is in the package when installed and among the clients in a checkout."""
    package = Path(str(files("palatine_server")))
    installed = package / "examples" / "browser"
    return installed if installed.is_dir() else package.parents[1] / "clients" / "examples" / "browser"


@cache
def read_answer(name: str) -> StaticAnswer:
    return StaticAnswer((find_folder() / name).read_bytes(), FILES[name], {**SAFETY, "cache-control": "no-cache"})


def serve_file(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        return await respond_with_answer(request, read_answer(name))

    return respond


async def redirect_to_page(request: Request) -> Response:
    return RedirectResponse("/examples/")


ROUTES = [
    Route("/examples", redirect_to_page),
    Route("/examples/", serve_file("index.html")),
    *(Route(f"/examples/{name}", serve_file(name)) for name in FILES),
]
