"""The protocol, for people who write clients: its page, and the files that the page leads to."""

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
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from markdown_it.token import Token

Endpoint = Callable[[Request], Awaitable[Response]]

KIT = "../server/palatine_server/games/kit/"  # as the protocol folder sees it
PAGES = ("README.md", "RECORD.md", "FAIRNESS.md", "CHANCE.md")
FILES = {
    "asyncapi.yaml": "application/yaml",
    "schema.json": "application/schema+json",
    "vectors/messages.json": "application/json",
    "vectors/patches.json": "application/json",
    "vectors/digests.json": "application/json",
    "vectors/records.json": "application/json",
}


# Serving


def page(name: str) -> Endpoint:
    async def shown(request: Request) -> Response:
        return HTMLResponse(await to_thread.run_sync(rendered, name))  # it takes long when it is first asked for

    return shown


def file(name: str) -> Endpoint:
    async def sent(request: Request) -> Response:
        return Response(text_of(name), media_type=FILES[name])

    return sent


ROUTES = [
    Route("/docs", page("README.md")),
    *(Route(f"/docs/{name}", page(name)) for name in PAGES),
    *(Route(f"/docs/{name}", file(name)) for name in FILES),
]


@cache
def text_of(name: str) -> str:
    """A file of the protocol folder, which is beside the package in the repository and inside it when installed."""
    if name == "CHANCE.md":
        return files("palatine_server.games.kit").joinpath(name).read_text(encoding="utf-8")
    package = files("palatine_protocol")
    inside = package.joinpath(name)
    return (inside if inside.is_file() else Path(str(package)).parent / name).read_text(encoding="utf-8")


# Rendering


@cache
def rendered(name: str) -> str:
    """A page as HTML, with a place to jump to at every heading."""
    from markdown_it import MarkdownIt  # when the first page is asked for: a server starts without it

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text_of(name))
    name_headings(tokens)
    lead_links(tokens)
    return PAGE.replace("TEXT", markdown.renderer.render(tokens, markdown.options, {}))


def name_headings(tokens: list[Token]) -> None:
    for opening, inside in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", anchor(inside.content))


def anchor(heading: str) -> str:
    """What GitHub calls a heading, so that the same links work there and here."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def lead_links(tokens: list[Token]) -> None:
    for link in (child for token in tokens for child in token.children or () if child.type == "link_open"):
        link.attrSet("href", served_at(str(link.attrGet("href"))))


def served_at(link: str) -> str:
    """Where a link of the repository leads on a server."""
    return link if link.startswith("#") or "://" in link else f"/docs/{link.removeprefix(KIT)}"


PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Palatine protocol</title>
<meta name="viewport" content="width=device-width">
<style>body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui;color:#222;background:#fdfcf8}
pre{background:#f2efe6;padding:.8rem;overflow:auto;border-radius:.4rem}code{font-size:.92em}
table{border-collapse:collapse}td,th{border-bottom:1px solid #ddd;padding:.25rem .7rem;text-align:left}
@media(prefers-color-scheme:dark){body{background:#1b1a17;color:#ddd}pre{background:#2a2823}td,th{border-color:#444}}
</style>TEXT</html>"""
