"""News in sentences: those of the platform in general words, those of a game in its own."""

from __future__ import annotations

from rich.text import Text

from ..translations import has_narration, narrate
from .base import Words
from .render_context import Plain, Scene

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
    "take_back_proposed",
    "take_back_agreed",
    "take_back_refused",
    "taken_back",
    "hand_shown",
    "hand_covered",
    "rematch_opened",
    "player_away",
    "player_back",
    "choice_sealed",
    "choices_opened",
}
DENIED = {"ready": "is_ready", "seat_reserved": "reserved"}  # news that can also say the contrary


def sentence(words: Words, news: Plain, scene: Scene) -> Text:
    """A sentence about what happened."""
    if news["news"] not in PLATFORM:
        return words.news(news, scene)
    who = scene.who(news["seat"]) if isinstance(news.get("seat"), int) else ""
    values = {"name": who, "who": who, **{name: value for name, value in news.items() if name not in {"news", "seat"}}}
    if news["news"] == "terms_changed":
        values["changed"] = ", ".join(termed(name, scene.lang) for name in news.get("changed", []))
    return Text(narrate(scene.lang, key_of(news, scene), **values))


def key_of(news: Plain, scene: Scene) -> str:
    """The phrase for it: that for the contrary, and that for the viewer himself, if there are such."""
    name = news["news"]
    key = f"{name} not" if name in DENIED and not news[DENIED[name]] else name
    is_own = scene.seat is not None and news.get("seat") == scene.seat
    return f"{key} yours" if is_own and has_narration(scene.lang, f"{key} yours") else key


def termed(name: str, lang: str) -> str:
    """What one of the terms of a table is called."""
    return narrate(lang, f"term {name}") if has_narration(lang, f"term {name}") else name
