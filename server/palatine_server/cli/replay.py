"""`palatine replay`: a recorded game in the terminal, with pause, step and jump. No rule is run, no server asked."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from palatine_client.render.text import load_game_text
from palatine_client.render.text.platform_news import render_news
from palatine_client.render.text.render_context import RenderContext
from palatine_client.render.translations import Lang, detect_language
from palatine_client.screen_console import ScreenConsole
from palatine_protocol import patch

from ..games.registry import SHELF
from ..records import Played, Record, Spoilt, read, read_file
from ..records.verify import STRANGE

KEYS = {
    "en": "Enter: next · number: jump there · b: back · p: play on · q: quit",
    "de": "Enter: weiter · Zahl: dorthin springen · b: zurück · p: laufen lassen · q: Schluss",
}
OTHER_EDITION = {
    "en": "other edition: this game was played with other rules than those that are installed here",
    "de": "andere Ausgabe: Dieses Spiel wurde nach anderen Regeln gespielt, als hier installiert sind",
}
console = ScreenConsole()


class Film:
    """A record that can be wound to any entry."""

    def __init__(self, record: Record) -> None:
        self.record, self.length = record, len(record.entries)
        self.wind(0)

    def wind(self, version: int) -> None:
        """Go to an entry; backwards it is told again from the beginning."""
        self.version, self.info, self.board = 0, deepcopy(self.record.header.opening), None
        self.hands: list[Any] = [None] * len(self.info["seats"])
        for _ in range(min(version, self.length)):
            self.step()

    def step(self) -> Played:
        """One entry further."""
        entry = self.record.entries[self.version]
        self.info, self.board = patch.apply(self.info, entry.info), patch.apply(self.board, entry.board)
        self.hands = [patch.apply(hand, ops) for hand, ops in zip(self.hands, entry.hands, strict=True)]
        self.version = entry.version
        return entry

    @property
    def is_over(self) -> bool:
        return self.version >= self.length


class Show:
    """A film as somebody sees it: from a seat, or with the public eye."""

    def __init__(self, film: Film, seat: int | None, lang: str) -> None:
        self.film, self.seat, self.lang = film, seat, lang
        self.game = film.record.header.game
        self.words = load_game_text(self.game)
        self.catalog = SHELF[self.game].catalog if self.game in SHELF else {}

    def scene(self) -> RenderContext:
        film = self.film
        people = [(seated or {}).get("name", "") for seated in film.info["seats"]]
        hand = None if self.seat is None else film.hands[self.seat]
        return RenderContext(self.game, self.catalog, self.lang, people, self.seat, film.board, hand)

    def news(self, entry: Played) -> Iterator[Text]:
        """What the viewer heard of an entry."""
        for heard in entry.news:
            if heard.is_for(self.seat):
                yield render_news(self.words, heard.news, self.scene())

    def boards(self) -> Iterator[RenderableType]:
        """What lies on the table, and in the viewer's hand."""
        scene = self.scene()
        if scene.board:
            yield self.words.render_all_boards(scene)
            yield self.words.render_hand(scene) or Text() if self.seat is not None else Text()

    def heading(self) -> Rule:
        return Rule(f"{self.film.version} / {self.film.length}", style="dim")


def replay(file: Path, seat: int | None, at: int | None, pace: float, lang: Lang | None) -> None:
    """Show a recorded game."""
    try:
        film = Film(read(read_file(file)))
    except Spoilt as why:
        _give_up(str(why))
    if seat is not None and seat > len(film.hands):
        raise typer.BadParameter(f"there are seats 1 to {len(film.hands)}", param_hint="--seat")
    show = Show(film, seat - 1 if seat else None, lang or detect_language())
    if is_of_other_edition(film.record):
        console.print(OTHER_EDITION[show.lang], style="yellow", soft_wrap=True)
    try:
        _play(show, at, pace)
    except STRANGE:
        _give_up(f"after entry {film.version}, the record does not follow; palatine verify says more")


def _play(show: Show, at: int | None, pace: float) -> None:
    if at is not None:
        show.film.wind(at)
        look(show)
    elif sys.stdin.isatty():
        browse(show, pace)
    else:
        run(show, 0.0)
        look(show)


def is_of_other_edition(record: Record) -> bool:
    """Return whether the game is installed here with other rules than it was played with."""
    game = SHELF.get(record.header.game)
    return game is not None and game.edition != record.header.edition


def _give_up(sentence: str) -> NoReturn:
    console.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(2)


def browse(show: Show, pace: float) -> None:
    """Do what is typed, until somebody has seen enough."""
    console.print(KEYS[show.lang], style="dim")
    while (typed := asked()) != "q":
        if typed.isdigit():
            show.film.wind(int(typed))
            look(show)
        elif typed == "b":
            show.film.wind(max(0, show.film.version - 1))
            look(show)
        elif typed == "p":
            run(show, 1 / pace)
        elif typed == "" and not show.film.is_over:
            step(show)
            look(show)
        else:
            console.print(KEYS[show.lang], style="dim")


def asked() -> str:
    """What is typed; Ctrl-D and Ctrl-C end it too."""
    try:
        return console.input("> ").strip().lower()
    except (EOFError, KeyboardInterrupt):
        console.print()
        return "q"


def run(show: Show, pause: float) -> None:
    """Let it run to the end; Ctrl-C stops it where it is."""
    try:
        while not show.film.is_over:
            step(show)
            time.sleep(pause)
    except KeyboardInterrupt:
        look(show)


def step(show: Show) -> None:
    for line in show.news(show.film.step()):
        console.print(Text("· ", "dim"), line, sep="")


def look(show: Show) -> None:
    console.print(show.heading(), *show.boards())
