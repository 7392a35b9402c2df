"""Slash commands that preview an action, and explain a figure or a refusal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from rich.console import Group, RenderableType
from rich.text import Text

from palatine_protocol.messages import Language, Previewed
from palatine_protocol.offers import listed

from ...exceptions import RequestRefused
from ...menu import InputError
from ...render.terminal.layout import NUMBER
from ...render.translations import has_refusal
from .registry import SlashCommand

if TYPE_CHECKING:
    from ..ui.table_screen import TableScreen

MOST_OF_A_KIND, FIRST_OF_A_KIND = 8, 3  # questions; a kind with more than 8 lists only its first 3
Asked = tuple[dict[str, Any], str]  # the question and its text


# Preview


async def preview(screen: TableScreen, typed: str) -> RenderableType:
    """Show what an action would change, without choosing it."""
    if not typed:
        raise InputError("preview what")
    action = screen.parse_action(typed)
    previewed = await screen.table.preview(action)
    title = Text(screen.label("preview", action=screen.view.describe_action(action)), "bold")
    return Group(title, *screen.view.render_preview(previewed), describe_score_changes(screen, previewed))


def describe_score_changes(screen: TableScreen, previewed: Previewed) -> Text:
    """Return a sentence about the changes of the scores that the preview knows."""
    scene = screen.view.scene()
    known = [(scene.names[seat], amount) for seat, amount in enumerate(previewed.scores) if amount is not None]
    changed = [f"{name} {amount:+}" for name, amount in known if amount]
    if not known:
        return Text(screen.label("scores unknown"), "dim")
    return Text(screen.label("scores", changes=", ".join(changed)) if changed else screen.label("no scores"), "bold")


# Explanations


async def explain_or_list(screen: TableScreen, typed: str) -> RenderableType:
    """Explain the last refusal, list the questions, or answer the question with this number."""
    if not typed and screen.refused_action is not None:
        return await explain_refusal(screen, screen.refused_action)
    questions = await fetch_questions(screen)
    if not questions:
        raise InputError("no explanations")
    if not typed.isdecimal():
        return render_questions(screen, questions, typed)
    if not 1 <= int(typed) <= len(questions):
        raise InputError("one number", low=1, high=len(questions))
    return await render_answer(screen, questions[int(typed) - 1])


async def explain_refusal(screen: TableScreen, action: dict[str, Any]) -> RenderableType:
    screen.refused_action = None
    explained = await screen.table.why_not(action, get_language(screen))
    return render_explanation(explained.text)


async def fetch_questions(screen: TableScreen) -> list[Asked]:
    """Return all questions that the server answers now, in the order of their numbers."""
    asked = await screen.table.list_topics(get_language(screen))
    questions = [*listed(asked.questions)]
    words = asked.text or [screen.view.describe_action(question) for question in questions]
    return [*zip(questions, words, strict=True)]


def render_questions(screen: TableScreen, questions: list[Asked], about: str) -> RenderableType:
    """Render the questions that contain a text, each with its number; without a text, a few of each kind."""
    found = [(number, asked) for number, asked in enumerate(questions, 1) if about.lower() in asked[1].lower()]
    if not found:
        raise InputError("no question")
    kinds = [[*of_a_kind] for _, of_a_kind in groupby(found, key=lambda each: each[1][0]["do"])]
    rows = [
        row
        for kind in kinds
        for row in ([*map(render_question_row, kind)] if about else render_shortened(screen, kind))
    ]
    return Group(Text(screen.label("questions"), "bold"), *rows)


def render_shortened(screen: TableScreen, kind: list[tuple[int, Asked]]) -> list[Text]:
    """Render the first questions of a kind, and the numbers of the others."""
    if len(kind) <= MOST_OF_A_KIND:
        return [*map(render_question_row, kind)]
    others = screen.label("and so on", first=kind[FIRST_OF_A_KIND][0], last=kind[-1][0])
    return [*map(render_question_row, kind[:FIRST_OF_A_KIND]), Text(f"     {others}", "dim")]


def render_question_row(each: tuple[int, Asked]) -> Text:
    return Text.assemble((f"{each[0]:>4} ", NUMBER), each[1][1])


async def render_answer(screen: TableScreen, asked: Asked) -> RenderableType:
    explained = await screen.table.explain(asked[0], get_language(screen))
    return Group(Text(asked[1], "bold"), render_explanation(explained.text))


def render_explanation(lines: list[str]) -> Text:
    """Render the lines of an explanation, with dimmed rule ids."""
    return Text("\n").join(Text.assemble(sentence, (rule, "dim")) for sentence, rule in map(split_rule, lines))


def split_rule(line: str) -> tuple[str, str]:
    """Split a line into its sentence and the rule in brackets at its end."""
    sentence, bracket, rule = line.rpartition(" [")
    return (sentence, bracket + rule) if bracket else (line, "")


async def explain_result(screen: TableScreen) -> RenderableType | None:
    """Return the explanation of this player's rank, or for spectators of the winner's; None if the server refuses."""
    best = next((row["seat"] for row in screen.table.standings if row["rank"] == 1), 0)
    seat = best if screen.table.seat is None else screen.table.seat
    try:
        return render_explanation((await screen.table.explain({"do": "rank", "seat": seat}, get_language(screen))).text)
    except RequestRefused:
        return None


# The sentence of a refusal is in English, so only other languages need the explanation.
async def translate_refusal(screen: TableScreen, action: dict[str, Any], refused: RequestRefused) -> RequestRefused:
    """Return a refusal with its sentence in the player's language."""
    if screen.view.lang == "en" or has_refusal(screen.view.lang, refused.code):
        return refused
    try:
        lines = (await screen.table.why_not(action, get_language(screen))).text
    except RequestRefused:  # the action has become legal, or the game is over
        return refused
    return RequestRefused(refused.code, split_rule(lines[0])[0], refused.rule)


def get_language(screen: TableScreen) -> Language:
    return cast("Language", screen.view.lang)


def may_choose(screen: TableScreen) -> bool:
    return screen.may_choose


def has_begun(screen: TableScreen) -> bool:
    return screen.table.info.status != "open"


EXPLAIN_COMMANDS = (
    SlashCommand("preview", "vorschau", "choosing", preview, may_choose, takes="a number", letter="p"),
    SlashCommand("why", "warum", "looking", explain_or_list, has_begun, takes="maybe a number"),
)
