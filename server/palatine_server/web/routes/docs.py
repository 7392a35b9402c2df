"""The protocol documentation for authors of clients: its pages as HTML, and the files that they link to."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .static_answers import StaticAnswer, respond_with_answer

if TYPE_CHECKING:
    from markdown_it.token import Token

Endpoint = Callable[[Request], Awaitable[Response]]

GAMES = "../server/palatine_server/games/"  # relative to the protocol folder
KIT = f"{GAMES}kit/"
SERVED = {  # what the repository has as a file, and a server under another name
    f"{GAMES}README.md": "/docs/games",
    "../clients/examples/browser/index.html": "/examples/",
}
RULES = re.compile(rf"{re.escape(GAMES)}(\w+)/RULES\.md")
PAGES = ("README.md", "RECORD.md", "FAIRNESS.md", "CHANCE.md")


def find_folder() -> Path:
    """Return the protocol folder, which is beside the package in a checkout and inside it when installed."""
    package = Path(str(files("palatine_protocol")))
    return package if (package / "vectors").is_dir() else package.parent


def list_vectors() -> list[str]:
    """Return the names of all vectors, those for drawing too."""
    folder = find_folder()
    return sorted(path.relative_to(folder).as_posix() for path in (folder / "vectors").rglob("*.json"))


FILES = {
    "asyncapi.yaml": "application/yaml",
    "schema.json": "application/schema+json",
    **dict.fromkeys(list_vectors(), "application/json"),
}


# Serving


def serve_page(name: str) -> Endpoint:
    async def respond(request: Request) -> Response:
        return await respond_with_answer(request, await to_thread.run_sync(answer_page, name))  # the first takes long

    return respond


def serve_file(name: str) -> Endpoint:
    async def respond(request: Request) -> Response:
        return await respond_with_answer(request, answer_file(name))

    return respond


ROUTES = [
    Route("/docs", serve_page("README.md")),
    *(Route(f"/docs/{name}", serve_page(name)) for name in PAGES),
    *(Route(f"/docs/{name}", serve_file(name)) for name in FILES),
]


@cache
def answer_page(name: str) -> StaticAnswer:
    return StaticAnswer(render_page(name).encode(), "text/html")


@cache
def answer_file(name: str) -> StaticAnswer:
    return StaticAnswer(read_text(name).encode(), FILES[name])


@cache
def read_text(name: str) -> str:
    """Return a file of the protocol folder, or the page on chance, which is beside its code."""
    if name == "CHANCE.md":
        return files("palatine_server.games.kit").joinpath(name).read_text(encoding="utf-8")
    return (find_folder() / name).read_text(encoding="utf-8")


# Rendering


@cache
def render_page(name: str) -> str:
    """Return a page as HTML, with an anchor at every heading."""
    from markdown_it import MarkdownIt  # imported late, so that a server starts without it

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(read_text(name))
    name_headings(tokens)
    rewrite_links(tokens)
    return PAGE.replace("TEXT", markdown.renderer.render(tokens, markdown.options, {}))


def name_headings(tokens: list[Token]) -> None:
    for opening, inside in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", build_anchor(inside.content))


def build_anchor(heading: str) -> str:
    """Return the anchor that GitHub gives to a heading, so that the same links work there and here."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def rewrite_links(tokens: list[Token]) -> None:
    for link in (child for token in tokens for child in token.children or () if child.type == "link_open"):
        link.attrSet("href", rewrite_link(str(link.attrGet("href"))))


def rewrite_link(link: str) -> str:
    """Return the address on a server for a link in the repository."""
    if link.startswith("#") or "://" in link:
        return link
    if rules := RULES.fullmatch(link):
        return f"/docs/games/{rules[1]}"
    return SERVED.get(link) or f"/docs/{link.removeprefix(KIT)}"


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Palatine protocol</title>
<meta name="viewport" content="width=device-width">
<style>body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui;color:#222;background:#fdfcf8}
pre{background:#f2efe6;padding:.8rem;overflow:auto;border-radius:.4rem}code{font-size:.92em}
table{border-collapse:collapse}td,th{border-bottom:1px solid #ddd;padding:.25rem .7rem;text-align:left}
@media(prefers-color-scheme:dark){body{background:#1b1a17;color:#ddd}pre{background:#2a2823}td,th{border-color:#444}}
</style>TEXT</html>"""
