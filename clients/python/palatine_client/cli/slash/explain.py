"""Asking at a table: what an action would change, and why something is as it is."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from rich.console import Group, RenderableType
from rich.text import Text

from palatine_protocol.messages import Language, Previewed
from palatine_protocol.offers import listed

from ...exceptions import RequestRefused
from ...menu import Mistake
from ...render.terminal.layout import NUMBER
from ...render.translations import has_refusal
from .registry import Aside

if TYPE_CHECKING:
    from ..ui.table_screen import Presence

MOST_OF_A_KIND, FIRST_OF_A_KIND = 8, 3  # questions; of longer kinds only the first are listed
Asked = tuple[dict[str, Any], str]  # a question and its words


# What if?


async def preview(at: Presence, typed: str) -> RenderableType:
    """What an action would change, without doing it."""
    if not typed:
        raise Mistake("preview what")
    action = at.meant(typed)
    previewed = await at.table.preview(action)
    title = Text(at.label("preview", action=at.sight.action(action)), "bold")
    return Group(title, *at.sight.preview(previewed), scores(at, previewed))


def scores(at: Presence, previewed: Previewed) -> Text:
    """By how much the scores would change, as far as that can be known."""
    scene = at.sight.scene()
    known = [(scene.names[seat], amount) for seat, amount in enumerate(previewed.scores) if amount is not None]
    changed = [f"{name} {amount:+}" for name, amount in known if amount]
    if not known:
        return Text(at.label("scores unknown"), "dim")
    return Text(at.label("scores", changes=", ".join(changed)) if changed else at.label("no scores"), "bold")


# Why?


async def why(at: Presence, typed: str) -> RenderableType:
    """Why something was refused; or what can be asked, or the answer to a question."""
    if not typed and at.refused_action is not None:
        return await why_not(at, at.refused_action)
    questions = await questions_of(at)
    if not typed.isdecimal():
        return choice_of(at, questions, typed)
    if not 1 <= int(typed) <= len(questions):
        raise Mistake("one number", low=1, high=len(questions))
    return await answer(at, questions[int(typed) - 1])


async def why_not(at: Presence, action: dict[str, Any]) -> RenderableType:
    at.refused_action = None
    explained = await at.table.why_not(action, language(at))
    return account(explained.text)


async def questions_of(at: Presence) -> list[Asked]:
    """Everything that can be asked now, in the order of its numbers."""
    asked = await at.table.topics(language(at))
    questions = [*listed(asked.questions)]
    words = asked.text or [at.sight.action(question) for question in questions]
    return [*zip(questions, words, strict=True)]


def choice_of(at: Presence, questions: list[Asked], about: str) -> RenderableType:
    """The questions with these words in them, each with its number; without words, a few of each kind."""
    found = [(number, asked) for number, asked in enumerate(questions, 1) if about.lower() in asked[1].lower()]
    if not found:
        raise Mistake("no question")
    kinds = [[*of_a_kind] for _, of_a_kind in groupby(found, key=lambda each: each[1][0]["do"])]
    rows = [row for kind in kinds for row in ([*map(listing, kind)] if about else shortened(at, kind))]
    return Group(Text(at.label("questions"), "bold"), *rows)


def shortened(at: Presence, kind: list[tuple[int, Asked]]) -> list[Text]:
    """The first questions of a kind, and the numbers of the others."""
    if len(kind) <= MOST_OF_A_KIND:
        return [*map(listing, kind)]
    others = at.label("and so on", first=kind[FIRST_OF_A_KIND][0], last=kind[-1][0])
    return [*map(listing, kind[:FIRST_OF_A_KIND]), Text(f"     {others}", "dim")]


def listing(each: tuple[int, Asked]) -> Text:
    return Text.assemble((f"{each[0]:>4} ", NUMBER), each[1][1])


async def answer(at: Presence, asked: Asked) -> RenderableType:
    explained = await at.table.explain(asked[0], language(at))
    return Group(Text(asked[1], "bold"), account(explained.text))


def account(lines: list[str]) -> Text:
    """A reason and all behind it; the rules stand in the background."""
    return Text("\n").join(Text.assemble(sentence, (rule, "dim")) for sentence, rule in map(ruled, lines))


def ruled(line: str) -> tuple[str, str]:
    """A line of an explanation, and behind it the rule in brackets."""
    sentence, bracket, rule = line.rpartition(" [")
    return (sentence, bracket + rule) if bracket else (line, "")


async def why_so(at: Presence) -> RenderableType | None:
    """Why we are in our place, or the first in his, when the game is over; nothing if the game cannot say."""
    best = next((row["seat"] for row in at.table.standings if row["rank"] == 1), 0)
    seat = best if at.table.seat is None else at.table.seat
    try:
        return account((await at.table.explain({"do": "rank", "seat": seat}, language(at))).text)
    except RequestRefused:
        return None


# In English the refusal itself says it.
async def reworded(at: Presence, action: dict[str, Any], refused: RequestRefused) -> RequestRefused:
    """A refusal of the game in the player's language."""
    if at.sight.lang == "en" or has_refusal(at.sight.lang, refused.code):
        return refused
    try:
        lines = (await at.table.why_not(action, language(at))).text
    except RequestRefused:  # meanwhile it is possible, or over
        return refused
    return RequestRefused(refused.code, ruled(lines[0])[0], refused.rule)


def language(at: Presence) -> Language:
    return cast("Language", at.sight.lang)


def may_choose(at: Presence) -> bool:
    return at.may_choose


def has_begun(at: Presence) -> bool:
    return at.table.info.status != "open"


ASKING = (
    Aside("preview", "vorschau", "choosing", preview, may_choose, takes="a number", letter="p"),
    Aside("why", "warum", "looking", why, has_begun, takes="maybe a number"),
)
