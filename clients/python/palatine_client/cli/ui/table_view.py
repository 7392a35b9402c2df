"""The view of a table on the terminal, for a player or a spectator."""

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
from ...offer import Action
from ...render.terminal.layout import NUMBER, Heading
from ...render.text import load_game_text
from ...render.text.base import Seen
from ...render.text.platform_news import render_news
from ...render.text.render_context import Plain, RenderContext
from ...render.translations import label, translate_refusal
from ...table import Change, Table, copy_document
from ..format.chat_lines import find_chat_line, render_chat_line, select_missed_lines
from ..format.countdown import describe_banks
from ..http_api import GameInfo
from . import waiting_room
from .prompt import render_question

MOST_NEWS = 200  # sentences in the log
UNTOLD = {"choice_sealed", "choices_opened", "entropy_added"}  # for programs that verify the fairness


class TableView:
    """Renders a table, and remembers which parts of it the viewer has seen."""

    def __init__(self, table: Table, game: GameInfo, lang: str) -> None:
        self.table, self.game, self.lang = table, game, lang
        self.words = load_game_text(game.game)
        self.seen: Seen = {}
        self.log_lines: deque[tuple[int, Text]] = deque(maxlen=MOST_NEWS)  # each with its version
        self._heading: Any = None
        self._shoulder: Any = None  # the watched hand that was shown last
        self._heard = 0  # the number of the last chat line that was shown

    def for_table(self, table: Table) -> Self:
        """Return the view of another table of the same game."""
        return type(self)(table, self.game, self.lang)

    @property
    def viewed_seat(self) -> int | None:
        """The seat whose hand is visible: the user's own, or the watched one."""
        view = self.table.view
        return view.viewed_seat if view.seat is None else view.seat

    def scene(self) -> RenderContext:
        """Return the current table as the renderers need it."""
        view, info = self.table.view, self.table.info
        return RenderContext(
            game=info.game,
            catalog=self.game.catalog,
            description=self.game.description,
            lang=self.lang,
            people=[seated.name if seated else "" for seated in info.seats],
            seat=self.viewed_seat,
            board=copy_document(view.board),
            hand=copy_document(view.hand),
            waiting=[waiting.seat for waiting in view.waiting],
            pointed={**view.pointed},
        )

    def render_news(self, change: Change) -> list[RenderableType]:
        """Render news and chat lines as sentences."""
        scene = self.scene()
        sentences = [self._sentence(news, change.version, scene) for news in change.news if news["news"] not in UNTOLD]
        self.log_lines.extend((change.version, text) for text in sentences)
        return [self.render_row(text) for text in (*self._missed(change, scene), *sentences)]

    def _sentence(self, news: Plain, version: int, scene: RenderContext) -> Text:
        if line := find_chat_line(news, version):
            return render_chat_line(line, scene)
        spoken = render_news(self.words, news, scene)
        return spoken.append(f"  #{news['line']}", "dim") if news["news"] == "muted" else spoken

    def _missed(self, change: Change, scene: RenderContext) -> list[Text]:
        """Render the chat lines that the viewer has missed."""
        lines = select_missed_lines(self.table.talk, self._heard) if change.snapshot else []
        self._heard = max([self._heard, change.version, *(line.line for line in lines)])
        return [render_chat_line(line, scene) for line in lines]

    def render_row(self, text: Text, number: int | None = None) -> RenderableType:
        """Render a sentence as a list item."""
        return indent_text(text, "·" if number is None else str(number))

    def render_pointer(self, seat: int, action: Action | None) -> list[RenderableType]:
        """Render the action that a partner points at."""
        scene = self.scene()
        key = "points at" if action else "points no longer"
        words = scene.label(key, who=scene.name_player(seat), action=self.describe_action(action or {}))
        return [self.render_row(Text(words, "italic #afaf87"))]

    def describe_action(self, action: Action) -> str:
        """Return an action as one line of text."""
        return self.words.format_action(dict(action), self.scene()) if action else ""

    def render_preview(self, previewed: Previewed) -> list[RenderableType]:
        """Render the boards that an action would change, or else the hand."""
        before = self.scene()
        then = apply_preview(previewed, before)
        hand = self.words.render_hand(then) if then.hand != before.hand else None
        return list(self.words.render_preview(before, then, {**self.seen})) or ([hand] if hand else [])

    def render_heading(self, scene: RenderContext) -> list[RenderableType]:
        """Render the round and phase of the game, if they have changed."""
        heading = self.words.render_heading(scene)
        if heading is None or str(heading) == self._heading:
            return []
        self._heading = str(heading)
        return [Text(), Heading(heading)]

    def render_clocks(self, scene: RenderContext) -> list[RenderableType]:
        """Render the banks of all players, if the clock has any."""
        times = describe_banks(self.table, scene)
        return [Text(scene.label("banks", times=times), "dim")] if times else []

    def render_changed_boards(self, scene: RenderContext) -> list[RenderableType]:
        """Render the boards that have changed."""
        return list(self.words.render_changed_boards(scene, self.seen)) if scene.board else []

    def render_watched_hand(self, scene: RenderContext) -> list[RenderableType]:
        """Render the watched hand, if it has changed or is hidden again."""
        seat, before = self.table.view.terms.seat, self._shoulder
        self._shoulder = scene.hand
        if seat is None or scene.hand == before:
            return []
        return (
            [self.render_hand()]
            if scene.hand
            else [Text(scene.label("covered", who=scene.name_player(seat)), "yellow")]
        )

    def render_remarks(self, scene: RenderContext) -> list[RenderableType]:
        """Render the remarks that a viewer needs before a decision."""
        return list(self.words.render_remarks(scene))

    def render_menu(
        self, asked: Question, choices: list[Choice], chosen: Partial, scene: RenderContext
    ) -> RenderableType:
        """Render a question with all its answers."""
        return render_question(asked, chosen, scene, self.words, self.seen)

    def render_title(self, words: Text) -> RenderableType:
        """Render the title of a menu."""
        return Rule(words, align="left", style="dim")

    def render_notice(self) -> list[RenderableType]:
        """Render the server's notice about the data of the game in one line, if there is one."""
        line = " ".join(self.game.notice.split())
        return [Text(line, "dim")] if line else []

    # On request

    def render_all_boards(self) -> RenderableType:
        """Render all public parts of the table."""
        scene = self.scene()
        return self.words.render_all_boards(scene) if scene.board else Text(self.describe_people())

    def render_hand(self) -> RenderableType:
        """Render the hand of the viewer."""
        scene = self.scene()
        return (self.words.render_hand(scene) if scene.board else None) or Text(scene.label("no hand"))

    def render_log(self) -> list[RenderableType]:
        """Render the sentences of all news so far."""
        title = Rule(Text(label(self.lang, "log"), "bold"), align="left", style="dim")
        rows = [self.render_row(text, version) for version, text in self.log_lines]
        return [title, *(rows or [Text(label(self.lang, "no log"))])]

    def render_help(self, groups: dict[str, dict[str, str]]) -> list[RenderableType]:
        """Render a summary of the game, and the commands that the user can type, by group."""
        scene, grid = self.scene(), Grid.grid(padding=(0, 2))
        for title, keys in groups.items():
            grid.add_row(Text(title, "dim"))
            for key, meaning in keys.items():
                grid.add_row(Text(f"  {key}", NUMBER), meaning)
        game = self.words.render_help(scene) if scene.board else None
        return [*([game] if game else []), *self.render_notice(), Text(scene.label("help title"), "bold"), grid]

    def render_refusal(self, refused: RequestRefused) -> Text:
        """Render a refusal, with its rule if there is one."""
        sentence = translate_refusal(self.lang, refused.code, refused.sentence, at_table=True)
        text = Text(label(self.lang, "refused", sentence=sentence), "yellow")
        return text.append(f" [{refused.rule}]", "dim") if refused.rule else text

    def describe_people(self) -> str:
        """Return the names of the players in a sentence."""
        scene = self.scene()
        names = [name or scene.label("empty") for name in scene.names]
        return scene.label("seats", people=scene.join_words(names))

    def render_room(self) -> list[RenderableType]:
        """Render the seats, which players are ready, and the settings of the table."""
        return waiting_room.render_room(self.table.info, self.table.seat, self.lang)

    def render_ending(self) -> RenderableType:
        """Render the final boards and the winner."""
        scene = self.scene()
        return Group(self.words.render_all_boards(scene), Text(), Text(self.describe_result(scene), "bold #ffd75f"))

    def describe_result(self, scene: RenderContext) -> str:
        standings = self.table.standings
        best = [row["seat"] for row in standings if row["rank"] == 1]
        own = next((row["rank"] for row in standings if row["seat"] == scene.seat), None)
        words = [scene.label("over"), self.describe_winners(best, scene)]
        if own and own > 1:
            words.append(scene.label("place", rank=own, count=len(standings)))
        return " ".join(filter(None, words))

    def describe_winners(self, best: list[int], scene: RenderContext) -> str:
        """Return a sentence that names the winners."""
        if not best:
            return ""
        if best == [scene.seat]:
            return scene.label("you win")
        names = [self.words.name_player(seat, scene) for seat in best]
        return scene.label("wins" if len(best) == 1 else "share", who=scene.join_words(names))


def indent_text(text: Text, before: str) -> RenderableType:
    """Render a sentence with a hanging indent."""
    grid = Grid.grid(padding=(0, 1))
    grid.add_row(Text(before, "dim"), text)
    return grid


def apply_preview(previewed: Previewed, scene: RenderContext) -> RenderContext:
    """Return the scene that a previewed action would lead to."""
    board, hand = copy_document(scene.board), copy_document(scene.hand)
    return replace(scene, board=patch.apply(board, previewed.board), hand=patch.apply(hand, previewed.hand))
