"""News in sentences: the platform's from its translation, a game's from its own rendering."""

from __future__ import annotations

from rich.text import Text

from ..translations import has_narration, narrate
from .base import GameText
from .render_context import Plain, RenderContext

PLATFORM = {
    "seat_taken",
    "seat_left",
    "game_started",
    "action_undone",
    "time_ran_out",
    "said",
    "muted",
    "unmuted",
    "ready",
    "entropy_added",
    "seat_reserved",
    "terms_changed",
    "host_changed",
    "game_paused",
    "game_resumed",
    "rollback_proposed",
    "rollback_agreed",
    "rollback_refused",
    "rolled_back",
    "hand_shown",
    "hand_covered",
    "rematch_opened",
    "player_away",
    "player_back",
    "choice_sealed",
    "choices_opened",
}
FORMER_NAMES = {  # in the logs of version 0.1
    "take_back_proposed": "rollback_proposed",
    "take_back_agreed": "rollback_agreed",
    "take_back_refused": "rollback_refused",
    "taken_back": "rolled_back",
}
DENIED = {"ready": "is_ready", "seat_reserved": "reserved"}  # news with a field that can deny it


def render_news(words: GameText, news: Plain, context: RenderContext) -> Text:
    """Render a piece of news as a sentence."""
    if news["news"] in FORMER_NAMES:
        news = {**news, "news": FORMER_NAMES[news["news"]]}
    if news["news"] not in PLATFORM:
        return words.render_news(news, context)
    who = context.name_subject(news["seat"]) if isinstance(news.get("seat"), int) else ""
    values = {"name": who, "who": who, **{name: value for name, value in news.items() if name not in {"news", "seat"}}}
    if news["news"] == "terms_changed":
        values["changed"] = ", ".join(name_term(name, context.lang) for name in news.get("changed", []))
    return Text(narrate(context.lang, find_key(news, context), **values))


def find_key(news: Plain, context: RenderContext) -> str:
    """Find the key of the phrase, with the variants for denial and for the viewer."""
    name = news["news"]
    key = f"{name} not" if name in DENIED and not news[DENIED[name]] else name
    is_own = context.seat is not None and news.get("seat") == context.seat
    return f"{key} yours" if is_own and has_narration(context.lang, f"{key} yours") else key


def name_term(name: str, lang: str) -> str:
    """Return the name of a setting of a table."""
    return narrate(lang, f"term {name}") if has_narration(lang, f"term {name}") else name
