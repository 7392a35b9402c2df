"""News in sentences: those of the platform in general words, those of a game in its own."""

from __future__ import annotations

from rich.text import Text

from .generic import Words
from .phrases import PHRASES, phrase
from .scene import Plain, Scene

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
    key = news["news"]
    if key not in PLATFORM:
        return words.news(news, scene)
    is_denied = key in DENIED and not news[DENIED[key]]
    who = scene.who(news["seat"]) if isinstance(news.get("seat"), int) else ""
    values = {"name": who, "who": who, **{name: value for name, value in news.items() if name not in {"news", "seat"}}}
    if key == "terms_changed":
        values["changed"] = ", ".join(termed(name, scene.lang) for name in news.get("changed", []))
    return Text(phrase(scene.lang, f"{key} not" if is_denied else key, **values))


def termed(name: str, lang: str) -> str:
    """What one of the terms of a table is called."""
    return PHRASES[lang].get(f"term {name}", name)
