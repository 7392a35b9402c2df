"""A table as it is shown to whoever looks at it through this client."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Any, Self

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from palatine_protocol import patch
from palatine_protocol.messages import Previewed
from palatine_protocol.offers import Choice

from ...exceptions import RequestRefused
from ...menu import Partial, Question
from ...render.terminal.layout import NUMBER, Heading
from ...render.text import load_game_text
from ...render.text.base import Seen
from ...render.text.platform_news import render_news
from ...render.text.render_context import Plain, RenderContext
from ...render.translations import label, translate_refusal
from ...table import Change, Table, copied
from ...table_requests import Action
from ..format.chat_lines import line_in, missed
from ..format.chat_lines import shown as shown_line
from ..format.countdown import banks
from ..http_api import Game
from . import waiting_room
from .prompt import shown

MOST_NEWS = 200  # sentences that are remembered
UNTOLD = {"choice_sealed", "choices_opened", "entropy_added"}  # what programs need to check that all was fair


class Sight:
    """What a viewer was shown of a table, and how to show him more."""

    def __init__(self, table: Table, game: Game, lang: str) -> None:
        self.table, self.game, self.lang = table, game, lang
        self.words = load_game_text(game.game)
        self.seen: Seen = {}
        self.told: deque[tuple[int, Text]] = deque(maxlen=MOST_NEWS)  # with the versions that told it
        self._heading: Any = None
        self._shoulder: Any = None  # the hand that was shown last over somebody's shoulder
        self._heard = 0  # the last line that was shown of what was said

    def at(self, table: Table) -> Self:
        """Another table of the same game, seen in the same way."""
        return type(self)(table, self.game, self.lang)

    @property
    def eyes(self) -> int | None:
        """The seat with whose eyes we see the table: our own, or that over whose shoulder we look."""
        view = self.table.view
        return view.terms.seat if view.seat is None and view.hand is not None else view.seat

    def scene(self) -> RenderContext:
        """The table as it is now."""
        view, info = self.table.view, self.table.info
        return RenderContext(
            game=info.game,
            catalog=self.game.catalog,
            lang=self.lang,
            people=[seated.name if seated else "" for seated in info.seats],
            seat=self.eyes,
            board=copied(view.board),
            hand=copied(view.hand),
            waiting=[waiting.seat for waiting in view.waiting],
            pointed={**view.pointed},
        )

    def news(self, change: Change) -> list[RenderableType]:
        """What happened and what was said, in sentences."""
        scene = self.scene()
        sentences = [self._sentence(news, change.version, scene) for news in change.news if news["news"] not in UNTOLD]
        self.told.extend((change.version, text) for text in sentences)
        return [self.row(text) for text in (*self._missed(change, scene), *sentences)]

    def _sentence(self, news: Plain, version: int, scene: RenderContext) -> Text:
        if line := line_in(news, version):
            return shown_line(line, scene)
        spoken = render_news(self.words, news, scene)
        return spoken.append(f"  #{news['line']}", "dim") if news["news"] == "muted" else spoken

    def _missed(self, change: Change, scene: RenderContext) -> list[Text]:
        """What was said while we were not there."""
        lines = missed(self.table.talk, self._heard) if change.snapshot else []
        self._heard = max([self._heard, change.version, *(line.line for line in lines)])
        return [shown_line(line, scene) for line in lines]

    def row(self, text: Text, number: int | None = None) -> RenderableType:
        """A sentence in a list."""
        return hanging(text, "·" if number is None else str(number))

    def pointed(self, seat: int, action: Action | None) -> list[RenderableType]:
        """What a partner would do, as he shows it."""
        scene = self.scene()
        key = "points at" if action else "points no longer"
        words = scene.label(key, who=scene.name_player(seat), action=self.action(action or {}))
        return [self.row(Text(words, "italic #afaf87"))]

    def action(self, action: Action) -> str:
        """An action in a line of plain words."""
        return self.words.format_action(dict(action), self.scene()) if action else ""

    def preview(self, previewed: Previewed) -> list[RenderableType]:
        """What an action would change, as far as it can be seen: on the boards, or else in the hand."""
        before = self.scene()
        then = after(previewed, before)
        hand = self.words.render_hand(then) if then.hand != before.hand else None
        return list(self.words.render_preview(before, then, {**self.seen})) or ([hand] if hand else [])

    def heading(self, scene: RenderContext) -> list[RenderableType]:
        """Where the game has come to, unless that was said already."""
        heading = self.words.render_heading(scene)
        if heading is None or str(heading) == self._heading:
            return []
        self._heading = str(heading)
        return [Text(), Heading(heading)]

    def clocks(self, scene: RenderContext) -> list[RenderableType]:
        """The time that everybody has left for the game, where it is limited."""
        times = banks(self.table, scene)
        return [Text(scene.label("banks", times=times), "dim")] if times else []

    def boards(self, scene: RenderContext) -> list[RenderableType]:
        """What has changed and is worth a look."""
        return list(self.words.render_changed_boards(scene, self.seen)) if scene.board else []

    def shoulder(self, scene: RenderContext) -> list[RenderableType]:
        """The hand of somebody who shows it to those who look on, when it is another one or covered again."""
        seat, before = self.table.view.terms.seat, self._shoulder
        self._shoulder = scene.hand
        if seat is None or scene.hand == before:
            return []
        return [self.hand()] if scene.hand else [Text(scene.label("covered", who=scene.name_player(seat)), "yellow")]

    def remarks(self, scene: RenderContext) -> list[RenderableType]:
        """What the viewer should know before he decides."""
        return list(self.words.render_remarks(scene))

    def menu(self, asked: Question, choices: list[Choice], chosen: Partial, scene: RenderContext) -> RenderableType:
        """A question with all that can be answered."""
        return shown(asked, chosen, scene, self.words, self.seen)

    def title(self, words: Text) -> RenderableType:
        """What stands above a menu."""
        return Rule(words, align="left", style="dim")

    def notice(self) -> list[RenderableType]:
        """What the server says of the game's figures, in one line, where it says anything."""
        line = " ".join(self.game.notice.split())
        return [Text(line, "dim")] if line else []

    # What somebody asks to see

    def all_boards(self) -> RenderableType:
        """Everything that lies open."""
        scene = self.scene()
        return self.words.render_all_boards(scene) if scene.board else Text(self.people())

    def hand(self) -> RenderableType:
        """What the viewer alone sees."""
        scene = self.scene()
        return (self.words.render_hand(scene) if scene.board else None) or Text(scene.label("no hand"))

    def log(self) -> list[RenderableType]:
        """What happened so far."""
        title = Rule(Text(label(self.lang, "log"), "bold"), align="left", style="dim")
        rows = [self.row(text, version) for version, text in self.told]
        return [title, *(rows or [Text(label(self.lang, "no log"))])]

    def help(self, groups: dict[str, dict[str, str]]) -> list[RenderableType]:
        """The game in short, and what can be typed, by group."""
        scene, grid = self.scene(), Grid.grid(padding=(0, 2))
        for title, keys in groups.items():
            grid.add_row(Text(title, "dim"))
            for key, meaning in keys.items():
                grid.add_row(Text(f"  {key}", NUMBER), meaning)
        game = self.words.render_help(scene) if scene.board else None
        return [*([game] if game else []), *self.notice(), Text(scene.label("help title"), "bold"), grid]

    def refusal(self, refused: RequestRefused) -> Text:
        """Why something was not done, with the rule if there is one."""
        sentence = translate_refusal(self.lang, refused.code, refused.sentence, at_table=True)
        text = Text(label(self.lang, "refused", sentence=sentence), "yellow")
        return text.append(f" [{refused.rule}]", "dim") if refused.rule else text

    def people(self) -> str:
        """Who sits at the table, in a sentence."""
        scene = self.scene()
        names = [name or scene.label("empty") for name in scene.names]
        return scene.label("seats", people=scene.join_words(names))

    def room(self) -> list[RenderableType]:
        """Who sits where, who is ready, and under which terms they play."""
        return waiting_room.drawn(self.table.info, self.table.seat, self.lang)

    def ending(self) -> RenderableType:
        """The final board and who has won."""
        scene = self.scene()
        return Group(self.words.render_all_boards(scene), Text(), Text(self.result(scene), "bold #ffd75f"))

    def result(self, scene: RenderContext) -> str:
        standings = self.table.standings
        best = [row["seat"] for row in standings if row["rank"] == 1]
        own = next((row["rank"] for row in standings if row["seat"] == scene.seat), None)
        words = [scene.label("over"), won(best, scene)]
        if own and own > 1:
            words.append(scene.label("place", rank=own, count=len(standings)))
        return " ".join(filter(None, words))


def hanging(text: Text, before: str) -> RenderableType:
    """A sentence whose further lines stand under the first."""
    grid = Grid.grid(padding=(0, 1))
    grid.add_row(Text(before, "dim"), text)
    return grid


def after(previewed: Previewed, scene: RenderContext) -> RenderContext:
    """A scene as it would be after an action."""
    board, hand = copied(scene.board), copied(scene.hand)
    return replace(scene, board=patch.apply(board, previewed.board), hand=patch.apply(hand, previewed.hand))


def won(best: list[int], scene: RenderContext) -> str:
    """Who has won, in a sentence."""
    if not best:
        return ""
    if best == [scene.seat]:
        return scene.label("you win")
    names = [scene.name_subject(seat) if seat < len(scene.people) else "Ludwig" for seat in best]
    return scene.label("wins" if len(best) == 1 else "share", who=scene.join_words(names))
