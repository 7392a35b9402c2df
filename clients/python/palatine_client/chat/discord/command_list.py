"""The commands of the app in English and German: one command with a subcommand for everything that people do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..chat_memory import MOST_MINUTES
from ..messages.text_limits import cut_text
from ..steps import GameFacts

SUBCOMMAND, STRING, INTEGER = 1, 3, 4
MOST_GAMES = 25

# The name, then the name and the description in both languages.
SUBCOMMANDS: dict[str, tuple[str, str, str]] = {
    "new": ("neu", "Open a table in this channel", "Einen Tisch in diesem Kanal eröffnen"),
    "join": ("mitspielen", "Take a seat at the table", "Sich an den Tisch setzen"),
    "bots": ("bots", "Fill the free seats with bots", "Freie Plätze mit Bots auffüllen"),
    "start": ("start", "Start the game", "Das Spiel starten"),
    "watch": ("zuschauen", "See a table as spectators do", "Einen Tisch sehen, wie Zuschauer ihn sehen"),
    "hand": ("hand", "See your hand and decide", "Die eigene Hand sehen und entscheiden"),
    "undo": ("zurücknehmen", "Take your last action back", "Die letzte eigene Aktion zurücknehmen"),
    "words": ("worte", "Describe the table in words", "Den Tisch in Worten beschreiben"),
    "rules": ("regeln", "Read the rules in short", "Die Regeln in Kürze lesen"),
    "leave": ("verlassen", "Leave the table", "Den Tisch verlassen"),
    "rematch": ("revanche", "Play again with the same people", "Noch einmal mit denselben Leuten spielen"),
    "remind": ("erinnern", "Set how often you are reminded of your turn", "Wie oft du an deinen Zug erinnert wirst"),
}


def build_commands(games: list[GameFacts], german: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the commands for these games, as Discord wants them; `german` has the German titles."""
    options = [build_subcommand(name, *words) for name, words in SUBCOMMANDS.items()]
    by_name = {option["name"]: option for option in options}
    by_name["new"]["options"] = build_new_options(games, german)
    by_name["remind"]["options"] = [build_minutes()]
    return [
        {
            "name": "palatine",
            "type": 1,
            "contexts": [0],  # in communities
            "description": "Board games of castles and courts",
            "description_localizations": {"de": "Brettspiele von Schlössern und Höfen"},
            "options": options,
        }
    ]


def build_subcommand(name: str, german: str, description: str, description_de: str) -> dict[str, Any]:
    return {
        "type": SUBCOMMAND,
        "name": name,
        "name_localizations": {"de": german},
        "description": description,
        "description_localizations": {"de": description_de},
    }


def build_new_options(games: list[GameFacts], german: Mapping[str, str]) -> list[dict[str, Any]]:
    choices = [build_choice(game, german.get(game.game, game.title)) for game in games[:MOST_GAMES]]
    most = max((game.players[1] for game in games), default=8)
    least = min((game.players[0] for game in games), default=1)
    return [
        {
            "type": STRING,
            "name": "game",
            "name_localizations": {"de": "spiel"},
            "description": "The game",
            "description_localizations": {"de": "Das Spiel"},
            "required": True,
            "choices": choices,
        },
        {
            "type": INTEGER,
            "name": "seats",
            "name_localizations": {"de": "plätze"},
            "description": "The number of players",
            "description_localizations": {"de": "Wie viele mitspielen"},
            "required": True,
            "min_value": least,
            "max_value": most,
        },
    ]


def build_choice(game: GameFacts, german: str) -> dict[str, Any]:
    names = {"name": cut_text(game.title, 100), "name_localizations": {"de": cut_text(german, 100)}}
    return {**names, "value": game.game}


def build_minutes() -> dict[str, Any]:
    return {
        "type": INTEGER,
        "name": "minutes",
        "name_localizations": {"de": "minuten"},
        "description": "Minutes between two reminders; 0 for none",
        "description_localizations": {"de": "Minuten zwischen zwei Erinnerungen; 0 für keine"},
        "required": True,
        "min_value": 0,
        "max_value": MOST_MINUTES,
    }
