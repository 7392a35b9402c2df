"""The boards of the web client, drawn to HTML by node without a browser."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from palatine_server.games.registry import GAMES
from palatine_server.web.routes.catalogs import encode_game

WEB = Path(__file__).parents[2] / "clients" / "web"
BOARDS = WEB / "src" / "boards"
DRAWN = [game for game in GAMES if (BOARDS / game).is_dir()]  # the games that the web client draws itself
RUN = """
import { text } from "node:stream/consumers"
import { drawBoards } from "./render.js"
process.stdout.write(JSON.stringify(await drawBoards(JSON.parse(await text(process.stdin)))))
"""
VOID = {"br", "hr", "img", "input"}


@dataclass(frozen=True)
class Drawing:
    """One drawing: a game, what a viewer sees of it, and how it is shown."""

    game: str
    view: dict[str, Any]
    lang: str = "en"
    layout: str = "wide"
    focus: str = ""


def draw_boards(drawings: list[Drawing]) -> list[str]:
    """Return the HTML of drawings."""
    games = {name: describe_game(name) for name in {each.game for each in drawings}}
    asked = json.dumps({"games": games, "requests": [asdict(each) for each in drawings]})
    answer = subprocess.run(
        ["node", "--input-type=module", "-e", RUN],
        cwd=build_renderer().name,
        input=asked.encode(),
        capture_output=True,
        check=True,
    )
    drawn: list[str] = json.loads(answer.stdout)
    return drawn


@cache
def build_renderer() -> TemporaryDirectory[str]:
    """Build the renderer once for a process; it goes with the process."""
    folder = TemporaryDirectory()
    command = [f"{WEB}/node_modules/.bin/vite", "build", "--ssr", "dev/boards/render.tsx", "--outDir", folder.name]
    subprocess.run([*command, "--emptyOutDir", "--logLevel", "error"], cwd=WEB, check=True)
    (Path(folder.name) / "node_modules").symlink_to(WEB / "node_modules")
    return folder


@cache
def describe_game(name: str) -> Any:
    """Return a game as the server describes it."""
    return json.loads(bytes(encode_game(GAMES[name], "en").body))


def list_focuses(game: str, view: dict[str, Any], layout: str) -> Iterator[str]:
    """Yield the names of everything that a board shows large, one at a time; a wide one shows all at once."""
    board, seat = view["board"], view["seat"]
    if layout == "wide":
        yield ""
    elif game == "between_two_castles":  # a seat's own castles, and for everybody else all of them
        shown = [number for number, each in enumerate(board["castles"]) if seat is None or seat in each["partners"]]
        yield from (f"castle:{number}" for number in shown)
    elif game == "palais_royal":
        yield from ("park", "palace", "court")
    else:
        yield from (f"estate:{number}" for number in range(len(board["noblemen"])))
        yield "common"


@dataclass
class Shown:
    """A fact of a page: its texts, and how often it is there."""

    texts: list[str] = field(default_factory=list)
    count: int = 0


class FactReader(HTMLParser):
    """Reads the facts of a page; the text of facts inside of a fact is theirs alone.

    What a screen reader says counts as text: labels and titles say in words what pictures say in signs.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.facts: dict[str, Shown] = {}
        self._open: list[str | None] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        fact = given.get("data-fact")
        if fact:
            self.facts.setdefault(fact, Shown()).count += 1
        self._open.append(fact)
        for name in ("aria-label", "title"):
            self.handle_data(given.get(name) or "")
        if tag in VOID:
            self._open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        fact = next((each for each in reversed(self._open) if each), None)
        if fact and data:
            self.facts[fact].texts.append(data)


def list_variables(text: str) -> set[str]:
    """Return the colours of the look that a page or a style sheet uses."""
    return set(re.findall(r"var\((--[cp]-[\w-]+)\)", text))


def list_glyphs(html: str) -> set[str]:
    """Return the glyphs that a page uses."""
    return set(re.findall(r'href="#g-([^"]+)"', html))
