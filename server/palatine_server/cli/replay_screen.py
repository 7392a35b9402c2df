"""The screen of `palatine replay`: it shows a record as one viewer saw it, and reads the user's commands."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import typer
from rich.console import RenderableType
from rich.rule import Rule
from rich.text import Text

from palatine_client.render.text import load_game_text
from palatine_client.render.text.platform_news import render_news
from palatine_client.render.text.render_context import RenderContext
from palatine_client.render.translations import Lang

from ..games.kit import Game
from ..records import BadRecord, Record, RecordEntry, decode_record, read_file
from ..records.playback import RecordPlayback
from ..records.verify import FORGERY_ERRORS
from .output import console, give_up

KEYS = {
    "en": "Enter: next · number: jump there · b: back · p: play on · q: quit",
    "de": "Enter: weiter · Zahl: dorthin springen · b: zurück · p: laufen lassen · q: Schluss",
}
OTHER_EDITION = {
    "en": "other edition: this game was played with other rules than those that are installed here",
    "de": "andere Ausgabe: Dieses Spiel wurde nach anderen Regeln gespielt, als hier installiert sind",
}


class ReplayView:
    """A playback of a record from the view of one seat, or from that of a spectator."""

    def __init__(self, playback: RecordPlayback, games: Mapping[str, Game], seat: int | None, lang: str) -> None:
        self.playback, self.seat, self.lang = playback, seat, lang
        self.game = playback.record.header.game
        self.words = load_game_text(self.game)
        self.catalog = games[self.game].catalog if self.game in games else {}
        self.description = games[self.game].description if self.game in games else {}

    def build_scene(self) -> RenderContext:
        """Return the context that the renderer needs for the current position."""
        playback = self.playback
        people = [(seated or {}).get("name", "") for seated in playback.info["seats"]]
        hand = None if self.seat is None else playback.hands[self.seat]
        return RenderContext(
            self.game,
            self.catalog,
            self.lang,
            people,
            self.seat,
            playback.board,
            hand,
            description=self.description,
        )

    def render_news(self, entry: RecordEntry) -> Iterator[Text]:
        """Yield the news of an entry that the viewer received."""
        for item in entry.news:
            if item.is_for(self.seat):
                yield render_news(self.words, item.news, self.build_scene())

    def render_boards(self) -> Iterator[RenderableType]:
        """Yield the boards of the table, and the viewer's hand."""
        scene = self.build_scene()
        if scene.board:
            yield self.words.render_all_boards(scene)
            yield self.words.render_hand(scene) or Text() if self.seat is not None else Text()

    def render_heading(self) -> Rule:
        return Rule(f"{self.playback.version} / {self.playback.length}", style="dim")


def show_record(
    file: Path, games: Mapping[str, Game], seat: int | None, at: int | None, pace: float, lang: Lang
) -> None:
    """Show a recorded game; a seat counts from 1."""
    try:
        playback = RecordPlayback(decode_record(read_file(file)))
    except BadRecord as why:
        give_up(str(why))
    if seat is not None and seat > len(playback.hands):
        raise typer.BadParameter(f"there are seats 1 to {len(playback.hands)}", param_hint="--seat")
    view = ReplayView(playback, games, seat - 1 if seat else None, lang)
    if is_of_other_edition(playback.record, games):
        console.print(OTHER_EDITION[view.lang], style="yellow", soft_wrap=True)
    try:
        _show(view, at, pace)
    except FORGERY_ERRORS:
        give_up(f"After entry {playback.version}, the record does not follow; palatine verify says more.")


def _show(view: ReplayView, at: int | None, pace: float) -> None:
    if at is not None:
        view.playback.go_to(at)
        print_boards(view)
    elif sys.stdin.isatty():
        browse(view, pace)
    else:
        run(view, 0.0)
        print_boards(view)


def is_of_other_edition(record: Record, games: Mapping[str, Game]) -> bool:
    """Return whether the game was played with another edition of the rules than the installed one."""
    game = games.get(record.header.game)
    return game is not None and game.edition != record.header.edition


def browse(view: ReplayView, pace: float) -> None:
    """Run the commands that the user types, until they quit."""
    console.print(KEYS[view.lang], style="dim")
    while (typed := read_input()) != "q":
        if typed.isdigit():
            view.playback.go_to(int(typed))
            print_boards(view)
        elif typed == "b":
            view.playback.go_to(max(0, view.playback.version - 1))
            print_boards(view)
        elif typed == "p":
            run(view, 1 / pace)
        elif typed == "" and not view.playback.is_over:
            print_next_entry(view)
            print_boards(view)
        else:
            console.print(KEYS[view.lang], style="dim")


def read_input() -> str:
    """Return the line that the user types; Ctrl-D and Ctrl-C quit."""
    try:
        return console.input("> ").strip().lower()
    except (EOFError, KeyboardInterrupt):
        console.print()
        return "q"


def run(view: ReplayView, pause: float) -> None:
    """Play to the end with a pause after each entry; Ctrl-C stops."""
    try:
        while not view.playback.is_over:
            print_next_entry(view)
            time.sleep(pause)
    except KeyboardInterrupt:
        print_boards(view)


def print_next_entry(view: ReplayView) -> None:
    for line in view.render_news(view.playback.step()):
        console.print(Text("· ", "dim"), line, sep="")


def print_boards(view: ReplayView) -> None:
    console.print(view.render_heading(), *view.render_boards())
